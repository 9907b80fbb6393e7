// The wording in which a match was recorded, against that of the prompts of today.
import { hashQuestions, readTemplatesHash } from '../prompts/wording.ts';
import type { Manifest } from '../state/record.ts';
import { UsageError } from '../state/usage-error.ts';
import { readManifestIfSound } from './earlier-match.ts';

/** Digits of a hash that name a wording, as in reports. */
const shownDigits = 12;

/** Names the wording of a record as reports do. */
export const nameWording = (templates: string): string => templates.slice(0, shownDigits);

/** Names the wording of today. */
export const nameWordingOfToday = (): string => nameWording(readTemplatesHash());

/**
 * Lists the questions that the match of a manifest can ask whose words are not the recorded ones; empty for a record that does not
 * tell. Questions without a recorded hash, as in records of earlier versions, which hashed fewer, are left out.
 *
 * @example listReworded(readManifest(file)) // e.g. ['vote']
 */
export function listReworded({ made_by: { questions_sha256: recorded }, setup }: Manifest): string[] {
  if (recorded === undefined) return [];
  return Object.entries(hashQuestions(setup)).flatMap(([action, hash]) =>
    recorded[action] === undefined || recorded[action] === hash ? [] : [action],
  );
}

/**
 * Returns in what a recorded match of language models was worded otherwise, for a message; null where its words are those of today, where it was
 * imported, and where only bots played it, which read no words. Records without hashes of questions are compared by the hash of all
 * templates.
 *
 * @example describeOtherWording(readManifest(file)) // e.g. 'b51f0a3c9d2e, by Wolfgraph 0.1.0 of commit 37be2263aaaa'
 */
export function describeOtherWording(manifest: Manifest): string | null {
  const { imported, made_by: madeBy } = manifest;
  if (imported !== undefined || isOfBots(manifest)) return null;
  const reworded = listReworded(manifest);
  const isOther =
    madeBy.questions_sha256 === undefined ? madeBy.templates_sha256 !== readTemplatesHash() : reworded.length > 0;
  if (!isOther) return null;
  const checkout = madeBy.commit === null ? '' : ` of commit ${madeBy.commit.slice(0, shownDigits)}`;
  const other = reworded.length === 0 ? '' : ` (other words in ${reworded.join(', ')})`;
  return `${nameWording(madeBy.templates_sha256)}${other}, by Wolfgraph ${madeBy.wolfgraph}${checkout}`;
}

/** Whether bots alone play a match, which read no words. */
const isOfBots = ({ setup }: Pick<Manifest, 'setup'>) =>
  Object.values(setup.models).every((model) => model.startsWith('bot:'));

/** Advice in a message: how to allow new wording beside old. */
const remedy = '--mix-wordings (in a file or a program: mixWordings: true)';

/**
 * Throws a UsageError where a match of language models is to begin beside matches of another wording of the prompts, whose manifests
 * are in these `files` of the folder `out`: reports would pool both, and a difference between them could be one of wording.
 */
export function checkWordingsBeside(planned: readonly Manifest[], files: readonly string[], out: string): void {
  if (planned.every(isOfBots)) return;
  const counts = new Map<string, number>();
  for (const file of files) {
    const kept = readManifestIfSound(file);
    const wording = kept && describeOtherWording(kept);
    if (wording !== null) counts.set(wording, (counts.get(wording) ?? 0) + 1);
  }
  if (counts.size === 0) return;
  const told = [...counts].map(([wording, count]) => `${wording} in ${count}`);
  throw new UsageError(
    `${out} holds matches whose prompts have another wording (templates_sha256) than those of new matches, ${nameWordingOfToday()}: ${told.join('; ')}. Reports would pool them. Choose another --out, or add ${remedy}.`,
  );
}

/**
 * Throws a UsageError where a tournament of language models goes on in a database whose matches were played or begun with prompts
 * of another wording, `theirs`; null: it is not known.
 */
export function checkWordingInDatabase(name: string, theirs: string | null, planned: readonly Manifest[]): void {
  if (theirs === null || theirs === readTemplatesHash() || planned.every(isOfBots)) return;
  throw new UsageError(
    `The database holds matches of ${name} whose prompts have another wording (templates_sha256 ${nameWording(theirs)}) than those of new matches, ${nameWordingOfToday()}. Reports would pool them. Queue it under another name, or add ${remedy}.`,
  );
}
