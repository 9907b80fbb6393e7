// What the rules draw from a labelled statement, judged at the moment at which it was made.
import path from 'node:path';
import { createRoleTable } from '../../deception/knowledge/role-table.ts';
import type { PublicSetup } from '../../state/view.ts';
import { createTableKnowledge } from '../../deception/knowledge/player-knowledge.ts';
import { extractClaims, type JudgedClaim } from '../../deception/claims/match-claims.ts';
import { judgeClaim } from '../../deception/claims/judge-claim.ts';
import { extractByRules } from '../../deception/claims/extract-by-rules.ts';
import { createPromptVisibility } from '../../deception/claims/prompt-visibility.ts';
import { findGravestVerdict, type Verdict } from '../../deception/claims/verdict.ts';
import { listSeats, type MatchRecord } from '../../deception/match-record.ts';
import { importArena } from '../../graph/import/import-match.ts';
import type { GameEvent } from '../../state/events.ts';
import type { Manifest } from '../../state/record.ts';
import { readMoment, type Corpus, type Situation, type Statement } from './corpus.ts';

/** A statement as it was read. */
export interface ReadStatement {
  claims: readonly JudgedClaim[];
  /** The gravest of its claims; null without any. */
  verdict: Verdict | null;
}

const publishedGames = path.join(import.meta.dirname, '..', 'published-games');

/** By the statement's id. Throws a RangeError where a situation or a published statement is not there. */
export function readByRules({ situations, statements }: Pick<Corpus, 'situations' | 'statements'>) {
  const composed = statements.filter((statement) => statement.origin === 'composed');
  const published = statements.filter((statement) => statement.origin === 'published');
  return new Map<string, ReadStatement>([
    ...[...Map.groupBy(composed, ({ situation }) => situation)].flatMap(([id, said]) => {
      const situation = situations.find((one) => one.id === id);
      if (!situation) throw new RangeError(`No situation "${id}" in situations.ndjson.`);
      return readSituation(situation, said);
    }),
    ...[...Map.groupBy(published, ({ session }) => session)].flatMap(([session, said]) => readSession(session, said)),
  ]);
}

type Read = [id: string, ReadStatement];

/** Each as if it were said next, without the others. */
function readSituation(situation: Situation, said: readonly Statement[]): Read[] {
  const { manifest: recorded, all, events } = readMoment(situation);
  const manifest = rememberAll(recorded);
  const before = events.length;
  const record: MatchRecord = { manifest, events, answers: [] };
  const { board, rules } = manifest.setup;
  const seats = listSeats(manifest);
  const table: PublicSetup = { board, rules, players: seats.map(({ name }) => name) };
  const roles = Object.fromEntries(seats.map(({ name, role }) => [name, role]));
  const everybody = createTableKnowledge(table);
  for (const event of events) everybody.see(event);
  const occasion = {
    before,
    table,
    facts: { table: createRoleTable(table), roles, events },
    remembers: createPromptVisibility(record),
    earlier: extractClaims(record).claims,
    listeners: [],
  };
  const { round } = situation;
  return said.map(({ id, by, kind, text }) => {
    const utterance = { id, by, round, text, kind };
    const known = everybody.of(by);
    known.advanceTo({ round, phase: 'day' });
    const event: GameEvent = { round, phase: 'day', audience: 'everyone', type: 'statement', id, by, text };
    const match = [...events, event, ...all.slice(before)];
    const claims = extractByRules(utterance, table).map((claim) => ({
      ...claim,
      ...judgeClaim(claim, { ...occasion, said: utterance, known }, match),
    }));
    return [id, { claims, verdict: findGravestVerdict(claims.map(({ verdict }) => verdict)) }];
  });
}

/** The labels ask what was ever public, not what still stood in a prompt. */
const rememberAll = (manifest: Manifest): Manifest => ({
  ...manifest,
  setup: { ...manifest.setup, rules: { ...manifest.setup.rules, memory: 'full' } },
});

function readSession(session: string, said: readonly (Statement & { origin: 'published' })[]): Read[] {
  const { manifest: imported, events } = importArena(path.join(publishedGames, session), 0);
  const manifest = rememberAll(imported);
  const wanted = new Map(said.map(({ statement, id }) => [statement, id]));
  const { statements } = extractClaims({ manifest, events, answers: [] });
  const read = statements.flatMap(({ id, claims, verdict }): Read[] =>
    wanted.has(id) ? [[wanted.get(id)!, { claims, verdict }]] : [],
  );
  if (read.length < wanted.size) throw new RangeError(`${session} lacks some of: ${[...wanted.keys()].join(', ')}.`);
  return read;
}
