// Extracts claims by rules: English patterns with the players' names and the board's roles.
import { getRole } from '../../state/roles/index.ts';
import { getCountedSide } from '../../state/roles/role.ts';
import { extractActs, extractReportedChecks, extractProtections } from './action-claims.ts';
import type { Claim, ClaimDraft, Extractor } from './claim.ts';
import { extractDepartures } from './departure-claims.ts';
import { createDiscourseContext } from './discourse-context.ts';
import { isReadableByRules } from './readable-language.ts';
import { extractReportedSpeech } from './reported-speech.ts';
import { extractIdentities, extractIdioms } from './role-claims.ts';
import { extractPromises, extractVotes } from './vote-claims.ts';

/**
 * Finds the claims of a statement in the order of its words. Precision comes before recall: uncertain readings make no
 * claim. Returns null for a statement that is too long or in an unknown language.
 * @example
 * // `table` is the public set-up, with a Sam at the table and a Seer on the board
 * extractByRules({ id: '1.1', by: 'Sam', round: 1, text: 'I am the Seer.', kind: 'debate' }, table);
 * // one claim: { type: 'own_role', subject: 'Sam', role: 'Seer', polarity: true, hedged: false, … }
 */
export const extractByRules = (...[statement, table]: Parameters<Extractor>): Claim[] | null => {
  if (!isReadableByRules(statement.text, table.players)) return null;
  const reading = createDiscourseContext(statement, table);
  const finders = [
    extractReportedChecks,
    extractActs,
    extractProtections,
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

/**
 * Sorts drafts by their words and removes repetitions. A check's result does not count again as an accusation or a
 * defence.
 */
function settleDrafts(found: readonly ClaimDraft[], speaker: string): ClaimDraft[] {
  const identities = found.filter(({ type, hedged }) => isIdentity(type) && hedged !== true);
  const drafts = found.map((draft) =>
    draft.type === 'check' ? completeCheck(draft, identities, draft.subject === speaker) : draft,
  );
  /**
   * Returns whether a draft only repeats another draft. Three kinds of drafts are repetitions: the result of a check; a
   * result like "Leah came back …" after another player's check of Leah; and "Dan's … claim" in words that call this
   * claim a lie.
   */
  const isRepeated = (draft: ClaimDraft, other: ClaimDraft) =>
    (isIdentity(draft.type) && other.type === 'check' && other.object === draft.subject && isAlike(other, draft)) ||
    (draft.type === 'check' && draft.subject === speaker && isOthersCheck(other, draft)) ||
    (draft.type === 'speech' && draft.presupposed === true && other.polarity === false && isOverlapping(other, draft));
  const all = drafts
    .filter((draft) => !drafts.some((other) => isRepeated(draft, other)))
    .sort((one, other) => one.from - other.from || one.to - other.to);
  return [...Map.groupBy(all, getDraftKey).values()]
    .flatMap(mergeDrafts)
    .sort((one, other) => one.from - other.from || one.to - other.to);
}

const isIdentity = (type: ClaimDraft['type']) => ['role', 'accusation', 'defence'].includes(type);
const isOthersCheck = (one: ClaimDraft, draft: ClaimDraft) =>
  one.type === 'check' && one.subject !== draft.subject && one.object === draft.object && one.from < draft.from;
const isOverlapping = (one: ClaimDraft, other: ClaimDraft) => one.from < other.to && one.to > other.from;
const isTold = ({ role = null, team = null }: ClaimDraft) => role !== null || team !== null;

const getSide = ({ role = null, team = null, polarity = true }: ClaimDraft) =>
  role === null
    ? team && ((team === 'werewolves') === polarity ? 'werewolves' : 'villagers')
    : getCountedSide(getRole(role));

/** Whether the draft states the result of the check. */
const isAlike = (check: ClaimDraft, draft: ClaimDraft) =>
  isTold(check) && (isOverlapping(check, draft) || getSide(check) === getSide(draft));

/** Adds to a check the result that directly follows the check. */
function completeCheck(check: ClaimDraft, identities: readonly ClaimDraft[], isOwn: boolean): ClaimDraft {
  if (isTold(check) || check.polarity === false) return check;
  const told = identities.find(
    ({ subject, from, role = null, polarity = true }) =>
      subject === check.object && from >= check.from && (isOwn || from - check.to < 40) && (role === null || polarity),
  );
  return told
    ? { ...check, role: told.role ?? null, team: told.role ? null : getSide(told), to: Math.max(check.to, told.to) }
    : check;
}

/** Merges drafts of the same claim into one, with the plainest wording and the most details. */
function mergeDrafts(same: readonly ClaimDraft[]): ClaimDraft[] {
  const kept: ClaimDraft[] = [];
  const isFitting = (one: ClaimDraft, other: ClaimDraft) =>
    (['when', 'cause'] as const).every(
      (field) => (one[field] ?? null) === null || (other[field] ?? null) === null || one[field] === other[field],
    );
  const getRank = ({ hedged, presupposed }: ClaimDraft) => (hedged ? 2 : 0) + (presupposed ? 1 : 0);
  for (const draft of same) {
    const place = kept.findIndex((one) => isFitting(one, draft));
    const before = kept[place];
    if (!before) kept.push(draft);
    else {
      const [first, second] = getRank(draft) < getRank(before) ? [draft, before] : [before, draft];
      kept[place] = { ...first, when: first.when ?? second.when ?? null, cause: first.cause ?? second.cause ?? null };
    }
  }
  return kept;
}

/**
 * Returns a key that is equal for drafts of the same claim. "Not a Werewolf" and "with the village" have the same key.
 */
function getDraftKey(draft: ClaimDraft): string {
  const { team = null, role = null, polarity = true, type, subject, object = null } = draft;
  const bare = { type, subject, object, role, team, polarity };
  const isSide = team !== null && role === null && ['own_role', 'accusation', 'defence'].includes(type);
  const isAct = type === 'act' ? { verbs: draft.verbs } : {};
  return JSON.stringify(
    isSide ? { ...bare, team: (team === 'villagers') === polarity, polarity: true } : { ...bare, ...isAct },
  );
}
