// The extractor by rules: English patterns over the names at the table and the roles that there are.
import { promisesIn, votesIn } from './ballots.ts';
import type { Claim, Draft, Extractor } from './claim.ts';
import { deedsIn } from './deeds.ts';
import { departuresIn } from './happenings.ts';
import { identitiesIn } from './identities.ts';
import { idiomsIn } from './identity-idioms.ts';
import { readingOf } from './reading.ts';
import { reportedChecksIn } from './reported-checks.ts';
import { sayingsIn } from './sayings.ts';

/** Precision comes before recall: what is not understood for certain gives no claim. */
export const extractByRules = (...[statement, table]: Parameters<Extractor>): Claim[] => {
  const reading = readingOf(statement, table);
  const finders = [reportedChecksIn, deedsIn, identitiesIn, idiomsIn, votesIn, promisesIn, departuresIn, sayingsIn];
  const drafts = settled(
    finders.flatMap((find) => find(reading)),
    statement.by,
  );
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
function settled(drafts: readonly Draft[], speaker: string): Draft[] {
  const checks = drafts.filter(({ type }) => type === 'check');
  const isTold = ({ role = null, team = null }: Draft) => role !== null || team !== null;
  const overlaps = (one: Draft, other: Draft) => one.from < other.to && one.to > other.from;
  const isResult = (draft: Draft) =>
    ['role', 'accusation', 'defence'].includes(draft.type) &&
    checks.some((check) => check.object === draft.subject && isTold(check) && overlaps(check, draft));
  /** "Dan checked Leah, and Leah came back as …" is no check of the speaker's. */
  const isOfAnother = (draft: Draft) =>
    draft.type === 'check' &&
    checks.some(
      ({ subject, from, ...of }) => of.object === draft.object && subject !== draft.subject && from < draft.from,
    );
  const all = drafts
    .filter((draft) => !isResult(draft) && !(isOfAnother(draft) && draft.subject === speaker))
    .sort((one, other) => one.from - other.from || one.to - other.to);
  return [...Map.groupBy(all, keyOf).values()].map((same) => same.find(({ hedged }) => hedged !== true) ?? same[0]!);
}

/** Whoever is not on one side is on the other: said both ways, it is said once. */
function keyOf(draft: Draft): string {
  const { team = null, role = null, polarity = true, type } = draft;
  const bare = { ...draft, from: 0, to: 0, hedged: false, verbs: [] };
  const isSide = team !== null && role === null && ['own_role', 'accusation', 'defence'].includes(type);
  return JSON.stringify(isSide ? { ...bare, team: (team === 'villagers') === polarity, polarity: true } : bare);
}
