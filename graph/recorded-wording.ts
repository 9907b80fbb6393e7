// The wording in which a match was recorded, against that of the prompts of today.
import { hashQuestions, readTemplatesHash } from '../prompts/wording.ts';
import type { Manifest } from '../state/record.ts';

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
  const { setup, imported, made_by: madeBy } = manifest;
  if (imported !== undefined || Object.values(setup.models).every((model) => model.startsWith('bot:'))) return null;
  const reworded = listReworded(manifest);
  const isOther =
    madeBy.questions_sha256 === undefined ? madeBy.templates_sha256 !== readTemplatesHash() : reworded.length > 0;
  if (!isOther) return null;
  const checkout = madeBy.commit === null ? '' : ` of commit ${madeBy.commit.slice(0, shownDigits)}`;
  const other = reworded.length === 0 ? '' : ` (other words in ${reworded.join(', ')})`;
  return `${nameWording(madeBy.templates_sha256)}${other}, by Wolfgraph ${madeBy.wolfgraph}${checkout}`;
}
