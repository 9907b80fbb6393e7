// All claims of a match with their verdicts, in one walk over its record.
import { survivors } from '../../state/night.ts';
import { findEndOfGroup, readPublicStatement } from '../../state/public-statements.ts';
import { countWords } from '../../state/words.ts';
import { createRoleTable } from '../knowledge/role-table.ts';
import type { PublicSetup } from '../../state/view.ts';
import { openTable } from '../knowledge/knowledge.ts';
import { isOn } from '../knowledge/proposition.ts';
import { seatsOf, type MatchRecord } from '../match-record.ts';
import type { Claim, Extractor, Utterance } from './claim.ts';
import { judge, type Judgement } from './evidence.ts';
import { extractByRules } from './extract.ts';
import { memoryOf } from './memory.ts';
import { verdictOfAll, type Verdict } from './verdict.ts';
import { isWithheld } from './withheld.ts';

export type JudgedClaim = Claim & Judgement;

export interface JudgedStatement extends Pick<Utterance, 'id' | 'by' | 'round' | 'kind'> {
  /** The gravest of its claims; null where it makes none. */
  verdict: Verdict | null;
  claims: readonly JudgedClaim[];
  /** Whether the extractor could not read it: what it claims is missing. */
  isUnread: boolean;
  /** Its length, in words. */
  words: number;
  /** Whether it keeps back all living Werewolves whom the speaker has found by a check and not yet named; null: none. */
  isWithheld: boolean | null;
  /** The living others, in seat order. */
  listeners: readonly string[];
  /** Those of them who knew on which side the speaker is. */
  sideKnownTo: readonly string[];
}

export interface MatchClaims {
  claims: readonly JudgedClaim[];
  statements: readonly JudgedStatement[];
}

/**
 * Every public statement, in the order in which they were made, and what it claims. What stands for an answer that could
 * not be had says nothing. `extract` sees what is public and no more. Throws a UsageError for a record that cannot have
 * happened under its rules.
 */
export function claimsOf(record: MatchRecord, extract: Extractor = extractByRules): MatchClaims {
  const { events, manifest } = record;
  const { board, rules } = manifest.setup;
  const seats = seatsOf(manifest);
  const table: PublicSetup = { board, rules, players: seats.map(({ name }) => name) };
  const cast = createRoleTable(table);
  const roles = Object.fromEntries(seats.map(({ name, role }) => [name, role]));
  const remembers = memoryOf(record);
  const everybody = openTable(table);
  const statements: JudgedStatement[] = [];
  const earlier: Claim[] = [];
  let place = 0;
  while (place < events.length) {
    const end = findEndOfGroup(events, place);
    const said = events.slice(place, end).flatMap((event) => readPublicStatement(event) ?? []);
    const facts = { cast, roles, events: said.length === 0 ? [] : events.slice(0, place) };
    const now = said.map((utterance): JudgedStatement => {
      const present = survivors(table.players, facts.events).map((name) => everybody.of(name));
      for (const known of present) known.reach({ round: utterance.round, phase: 'day' });
      const known = everybody.of(utterance.by);
      const listeners = present.filter(({ me }) => me !== utterance.by);
      const occasion = { said: utterance, before: place, table, facts, known, listeners, remembers, earlier };
      const drawn = extract(utterance, table);
      const claims = (drawn ?? []).map((claim) => ({ ...claim, ...judge(claim, occasion, events) }));
      const side = isOn(utterance.by, 'werewolves');
      return {
        ...judged(utterance, claims),
        isUnread: drawn === null,
        isWithheld: isWithheld(utterance, drawn && claims, statements, facts.events),
        listeners: listeners.map(({ me }) => me),
        sideKnownTo: listeners.flatMap((one) => (one.known(side) === 'unknown' ? [] : [one.me])),
      };
    });
    statements.push(...now);
    earlier.push(...now.flatMap(({ claims }) => claims));
    for (const event of events.slice(place, end)) everybody.see(event);
    place = end;
  }
  return { claims: statements.flatMap(({ claims }) => claims), statements };
}

function judged({ id, by, round, kind, text }: Utterance, claims: readonly JudgedClaim[]) {
  return {
    id,
    by,
    round,
    kind,
    verdict: verdictOfAll(claims.map(({ verdict }) => verdict)),
    claims,
    words: countWords(text),
  };
}
