// Compares the wording with which a match was recorded to the current wording of the prompts.
import { hashQuestions, readTemplatesHash } from '../prompts/wording.ts';
import type { Manifest } from '../state/record.ts';
import { UsageError } from '../state/usage-error.ts';
import { readManifestIfSound } from './earlier-match.ts';

/** Number of hash digits by which reports name a wording. */
const shownDigits = 12;

/** Names the wording of a record as reports do. */
export const nameWording = (templates: string): string => templates.slice(0, shownDigits);

/** Names the current wording. */
export const nameWordingOfToday = (): string => nameWording(readTemplatesHash());

/**
 * Lists the questions that a manifest's match can ask and whose current wording differs from the recorded one. Empty
 * for a record without hashes of questions. Questions without a recorded hash are left out: earlier versions hashed
 * fewer questions.
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
 * Describes the wording of a recorded match of language models, for a message. Null if the wording is the current one
 * or if the match was imported. Also null if only bots played, because bots read no words. A record without hashes of
 * questions is compared by the hash of all templates.
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

/** Whether only bots play a match. Bots read no words. */
const isOfBots = ({ setup }: Pick<Manifest, 'setup'>) =>
  Object.values(setup.models).every((model) => model.startsWith('bot:'));

/** Advice for a message: how to allow matches with different wordings in one folder. */
const remedy = '--mix-wordings (in a file or a program: mixWordings: true)';

/**
 * Throws a UsageError if a match of language models would begin in a folder that has matches with another wording of
 * the prompts. Reports would pool them, and a difference between them could be an effect of wording. `files`: manifests
 * in the folder `out`.
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
    `${out} holds matches whose prompts have another wording (templates_sha256) than new matches would have: ${told.join('; ')}. New matches: ${nameWordingOfToday()}. Reports would pool both. Choose another --out, or add ${remedy}.`,
  );
}

/**
 * Throws a UsageError if a tournament of language models would continue in a database whose matches were begun with
 * another wording of the prompts. `theirs`: hash of that wording. Null if the wording is unknown.
 */
export function checkWordingInDatabase(name: string, theirs: string | null, planned: readonly Manifest[]): void {
  if (theirs === null || theirs === readTemplatesHash() || planned.every(isOfBots)) return;
  throw new UsageError(
    `The database holds matches of ${name} whose prompts have another wording (templates_sha256 ${nameWording(theirs)}) than those of new matches, ${nameWordingOfToday()}. Reports would pool them. Queue it under another name, or add ${remedy}.`,
  );
}
