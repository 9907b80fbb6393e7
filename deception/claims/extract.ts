// The extractor by rules: English patterns over the names at the table and the roles that there are.
import { promisesIn, votesIn } from './ballots.ts';
import type { Draft, Extractor } from './claim.ts';
import { deedsIn, reportedChecksIn } from './deeds.ts';
import { departuresIn, sayingsIn } from './happenings.ts';
import { identitiesIn } from './identities.ts';
import { readingOf } from './reading.ts';

/** Precision comes before recall: what is not understood for certain gives no claim. */
export const extractByRules: Extractor = (statement, table) => {
  const reading = readingOf(statement, table);
  const finders = [reportedChecksIn, deedsIn, identitiesIn, votesIn, promisesIn, departuresIn, sayingsIn];
  const drafts = settled(finders.flatMap((find) => find(reading)));
  return drafts.map(({ from, to, ...draft }, index) => ({
    id: `${statement.id}#${index + 1}`,
    statement: statement.id,
    by: statement.by,
    round: statement.round,
    object: null,
    role: null,
    team: null,
    verbs: [],
    cause: null,
    when: null,
    polarity: true,
    hedged: false,
    ...draft,
    words: { from, to, text: statement.text.slice(from, to) },
  }));
};

/** In the order of the words, each thing once; what a check showed is not an accusation or a defence besides. */
function settled(drafts: readonly Draft[]): Draft[] {
  const checks = drafts.filter(({ type }) => type === 'check');
  const isResult = ({ type, subject, from, to }: Draft) =>
    ['role', 'accusation', 'defence'].includes(type) &&
    checks.some(
      (check) =>
        check.object === subject && (check.role ?? check.team ?? null) !== null && from < check.to && to > check.from,
    );
  const all = drafts
    .filter((draft) => !isResult(draft))
    .sort((one, other) => one.from - other.from || one.to - other.to);
  const key = (draft: Draft) => JSON.stringify({ ...draft, from: 0, to: 0, hedged: false, verbs: [] });
  return [...Map.groupBy(all, key).values()].map((same) => same.find(({ hedged }) => hedged !== true) ?? same[0]!);
}
