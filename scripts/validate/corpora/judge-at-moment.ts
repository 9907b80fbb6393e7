// Adds verdicts to claims that were extracted from labeled statements, as known at the moment of each statement. Also
// reads the claims of the labels.
import type { Claim } from '../../../deception/claims/claim.ts';
import { extractByRules } from '../../../deception/claims/extract-by-rules.ts';
import { verifyClaim } from '../../../deception/claims/verify-claim.ts';
import { extractMatchClaims } from '../../../deception/claims/match-claims.ts';
import { createPromptVisibility } from '../../../deception/claims/prompt-visibility.ts';
import { createTableKnowledge } from '../../../deception/knowledge/player-knowledge.ts';
import { createRoleTable } from '../../../deception/knowledge/role-table.ts';
import { listSeats, type MatchRecord } from '../../../deception/record/match-record.ts';
import type { GameEvent } from '../../../state/events.ts';
import type { Manifest } from '../../../state/record.ts';
import type { PublicSetup } from '../../../state/view.ts';
import { createLabelledClaim, type FoundClaim } from './pair-claims.ts';
import type { Corpus, CorpusMatch, CorpusStatement, LabelPass } from './read-corpus.ts';

/** Id of the statement → its claims; null for a statement that could not be read. */
export type DrawnClaims = ReadonlyMap<string, readonly Claim[] | null>;
/** Id of the statement → its claims with verdicts; null for a statement that could not be read. */
export type FoundClaims = ReadonlyMap<string, readonly FoundClaim[] | null>;

const getTable = ({ manifest }: Pick<CorpusMatch, 'manifest'>): PublicSetup => ({
  board: manifest.setup.board,
  rules: manifest.setup.rules,
  players: listSeats(manifest).map(({ name }) => name),
});

/** Extracts claims by the rules. */
export function drawByRules(statements: readonly CorpusStatement[]): DrawnClaims {
  const tables = new Map(statements.map(({ match }) => [match, getTable(match)])); // each table's words are computed once
  return new Map(statements.map(({ id, said, match }) => [id, extractByRules(said, tables.get(match)!)]));
}

/**
 * Reads the claims of one pass of labels, with verdicts: the labels' own verdicts, or verdicts derived as for any
 * extractor. Null if nobody labeled the corpus in this pass.
 */
export function readLabels(corpus: Corpus, pass: LabelPass): FoundClaims | null {
  const labels = corpus.labels[pass];
  if (labels === null) return null;
  const byId = new Map(labels.map((label) => [label.id, label.claims]));
  const named = corpus.statements.flatMap(({ id, said }) => {
    const all = byId.get(id);
    const claims = all?.map((claim, index): Claim => ({
      ...createLabelledClaim(said, claim),
      ...{ id: `${id}#${index + 1}`, statement: id, words: { from: 0, to: 0, text: '' } },
    }));
    return claims ? [[id, claims] as const] : [];
  });
  const hasAllVerdicts = named.every(([id]) => byId.get(id)!.every(({ verdict }) => verdict !== undefined));
  const judged = hasAllVerdicts ? null : judgeAtMoments(corpus.statements, new Map(named));
  const verdictOf = (id: string, index: number) => byId.get(id)![index]!.verdict ?? judged!.get(id)![index]!.verdict;
  return new Map(
    named.map(([id, claims]) => [id, claims.map((claim, index) => ({ ...claim, verdict: verdictOf(id, index) }))]),
  );
}

/**
 * Adds verdicts to claims. Statements that are not in `drawn` are left out. A written statement is judged as if it came
 * next in its match, without the other written statements. The rules extract the claims of earlier statements that are
 * not in `drawn`.
 */
export function judgeAtMoments(statements: readonly CorpusStatement[], drawn: DrawnClaims): FoundClaims {
  const given = statements.filter(({ id }) => drawn.has(id));
  const ofMatch = Map.groupBy(given, ({ match, isRecorded }) => `${match.name} ${isRecorded}`);
  return new Map(
    [...ofMatch.values()].flatMap((some) =>
      some[0]!.isRecorded
        ? judgeRecorded(some, drawn)
        : [...Map.groupBy(some, ({ moment }) => moment).values()].flatMap((here) => judgeWritten(here, drawn)),
    ),
  );
}

type Found = [id: string, claims: readonly FoundClaim[] | null];

/**
 * Gives players full memory. Labels take into account everything that was ever public, even what players would have
 * forgotten.
 */
const rememberAll = (manifest: Manifest): Manifest => ({
  ...manifest,
  setup: { ...manifest.setup, rules: { ...manifest.setup.rules, memory: 'full' } },
});

/** Adds the current round to a promise without a round. */
const settleRound = (claim: Claim): Claim =>
  claim.type === 'promise' ? { ...claim, when: claim.when ?? claim.round } : claim;

function judgeWritten(said: readonly CorpusStatement[], drawn: DrawnClaims): Found[] {
  const { match, before } = said[0]!;
  const manifest = rememberAll(match.manifest);
  const events = match.events.slice(0, before);
  const record: MatchRecord = { manifest, events, answers: [] };
  const table = getTable({ manifest });
  const roles = Object.fromEntries(listSeats(manifest).map(({ name, role }) => [name, role]));
  const everybody = createTableKnowledge(table);
  for (const event of events) everybody.see(event);
  const occasion = {
    before,
    table,
    facts: { table: createRoleTable(table), roles, events },
    remembers: createPromptVisibility(record),
    earlier: extractMatchClaims(record).claims,
    listeners: [],
  };
  return said.map(({ id, said: { by, kind, round, text } }): Found => {
    const utterance = { id, by, round, text, kind };
    const known = everybody.of(by);
    known.advanceTo({ round, phase: 'day' });
    const event: GameEvent = { round, phase: 'day', audience: 'everyone', type: 'statement', id, by, text };
    const all = [...events, event, ...match.events.slice(before)];
    const claims = drawn.get(id)?.map((claim) => ({
      ...claim,
      verdict: verifyClaim(settleRound(claim), { ...occasion, said: utterance, known }, all).verdict,
    }));
    return [id, claims ?? null];
  });
}

function judgeRecorded(said: readonly CorpusStatement[], drawn: DrawnClaims): Found[] {
  const { name, manifest, events } = said[0]!.match;
  const record: MatchRecord = { manifest: rememberAll(manifest), events, answers: [] };
  const { statements } = extractMatchClaims(
    record,
    (utterance, table) => {
      const claims = drawn.get(`${name}:${utterance.id}`);
      return claims === undefined ? extractByRules(utterance, table) : claims && claims.map(settleRound);
    },
    { presupposed: true },
  );
  const byId = new Map(statements.map((one) => [`${name}:${one.id}`, one.isUnread ? null : one.claims]));
  return said.map(({ id }): Found => [id, byId.get(id) ?? null]);
}
