// The extractor by rules: English patterns over the players' names and the board's roles.
import { extractActs, extractReportedChecks } from './action-claims.ts';
import type { Claim, ClaimDraft, Extractor } from './claim.ts';
import { extractDepartures } from './departure-claims.ts';
import { createDiscourseContext } from './discourse-context.ts';
import { extractReportedSpeech } from './reported-speech.ts';
import { extractIdentities, extractIdioms } from './role-claims.ts';
import { extractPromises, extractVotes } from './vote-claims.ts';

/**
 * Finds the claims of a statement in the order of its words. Precision comes before recall: what is not understood for
 * certain gives no claim.
 * @example
 * // `table` is the public set-up, with a Sam at the table and a Seer on the board
 * extractByRules({ id: '1.1', by: 'Sam', round: 1, text: 'I am the Seer.', kind: 'debate' }, table);
 * // one claim: { type: 'own_role', subject: 'Sam', role: 'Seer', polarity: true, hedged: false, … }
 */
export const extractByRules = (...[statement, table]: Parameters<Extractor>): Claim[] => {
  const reading = createDiscourseContext(statement, table);
  const finders = [
    extractReportedChecks,
    extractActs,
    extractIdentities,
    extractIdioms,
    extractVotes,
    extractPromises,
    extractDepartures,
    extractReportedSpeech,
  ];
  const drafts = settleDrafts(
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
    presupposed: false,
    ...draft,
    words: { from, to, text: statement.text.slice(from, to) },
  }));
};

/** In the order of the words, each thing once; what a check showed is not an accusation or a defence besides. */
function settleDrafts(drafts: readonly ClaimDraft[], speaker: string): ClaimDraft[] {
  const checks = drafts.filter(({ type }) => type === 'check');
  const isTold = ({ role = null, team = null }: ClaimDraft) => role !== null || team !== null;
  const isOverlapping = (one: ClaimDraft, other: ClaimDraft) => one.from < other.to && one.to > other.from;
  const isResult = (draft: ClaimDraft) =>
    ['role', 'accusation', 'defence'].includes(draft.type) &&
    checks.some((check) => check.object === draft.subject && isTold(check) && isOverlapping(check, draft));
  /** "Dan checked Leah, and Leah came back as …" is no check of the speaker's. */
  const isOfAnother = (draft: ClaimDraft) =>
    draft.type === 'check' &&
    checks.some(
      ({ subject, from, ...of }) => of.object === draft.object && subject !== draft.subject && from < draft.from,
    );
  const all = drafts
    .filter((draft) => !isResult(draft) && !(isOfAnother(draft) && draft.subject === speaker))
    .sort((one, other) => one.from - other.from || one.to - other.to);
  return [...Map.groupBy(all, getDraftKey).values()].map(
    (same) => same.find(({ hedged }) => hedged !== true) ?? same[0]!,
  );
}

/** Whoever is not on one side is on the other: said both ways, it is said once. */
function getDraftKey(draft: ClaimDraft): string {
  const { team = null, role = null, polarity = true, type } = draft;
  const bare = { ...draft, from: 0, to: 0, hedged: false, verbs: [] };
  const isSide = team !== null && role === null && ['own_role', 'accusation', 'defence'].includes(type);
  return JSON.stringify(isSide ? { ...bare, team: (team === 'villagers') === polarity, polarity: true } : bare);
}
