// All claims of a match with their verdicts, and the values derived from claims: labels of statements, opportunities to
// lie, and withheld findings.
import { type GameEvent, isEventOfType } from '../../state/events.ts';
import { listSurvivors } from '../../state/night-resolution.ts';
import { findEndOfGroup, readPublicStatement } from '../../state/public-statements.ts';
import { getRole } from '../../state/roles/index.ts';
import { getCountedSide } from '../../state/roles/role.ts';
import { isTurn } from '../../state/steps/debate.ts';
import { countWords } from '../../state/text.ts';
import type { PublicSetup } from '../../state/view.ts';
import { createTableKnowledge } from '../knowledge/player-knowledge.ts';
import { isOnTeam } from '../knowledge/propositions.ts';
import { createRoleTable } from '../knowledge/role-table.ts';
import { listSeats, type MatchRecord } from '../record/match-record.ts';
import type { Claim, Extractor, Utterance } from './claim.ts';
import { extractByRules } from './extract-by-rules.ts';
import { type ClaimVerification, findGravestVerdict, getLieLabel, type Verdict, verifyClaim } from './verify-claim.ts';
import { createPromptVisibility } from './prompt-visibility.ts';

// Withholding: a player who found a Werewolf by a check withholds this finding until naming the Werewolf in public.

/** An earlier statement, with its claims. */
interface EarlierStatement extends Pick<Utterance, 'by' | 'round'> {
  claims: readonly Claim[];
  isUnread: boolean;
}

/**
 * Whether a debate statement names none of the living Werewolves that its speaker has found by a check and not named
 * before. Naming a Werewolf counts even if it is only an opinion, or in the explanation of a ballot. Null if the
 * speaker knows no such Werewolf, or if `claims` could not be extracted. If a statement could not be read, its
 * speaker's earlier findings count as named, because the statement may have named them. A night comes before the day of
 * its round.
 */
function isWithheld(
  { by, kind }: Pick<Utterance, 'by' | 'kind'>,
  claims: readonly Claim[] | null,
  earlier: readonly EarlierStatement[],
  events: readonly GameEvent[],
): boolean | null {
  if (kind === 'ballot' || claims === null) return null;
  const isTold = ({ about, round }: PackFinding) =>
    earlier.some(
      (one) =>
        one.by === by &&
        one.round >= round &&
        (one.isUnread || one.claims.some((claim) => isNamingClaim(claim, about))),
    );
  const untold = listFindings(by, events).filter((finding) => !isTold(finding));
  if (untold.length === 0) return null;
  return !untold.some(({ about }) => claims.some((claim) => isNamingClaim(claim, about)));
}

interface PackFinding {
  about: string;
  round: number;
}

function listFindings(name: string, events: readonly GameEvent[]): PackFinding[] {
  const gone = events.filter(isEventOfType('death')).map(({ player }) => player);
  const learned = events.filter(isEventOfType('learned')).filter(({ by }) => by === name);
  const isPack = ({ role, team }: (typeof learned)[number]) =>
    (role === undefined ? team : getCountedSide(getRole(role))) === 'werewolves';
  return learned.filter((one) => isPack(one) && !gone.includes(one.about));
}

const isNamingClaim = ({ type, subject, object, team, polarity }: Claim, name: string) =>
  (type === 'accusation' && subject === name) ||
  (type === 'check' && object === name && team === 'werewolves' && polarity);

export type VerifiedClaim = Claim & ClaimVerification;

export interface VerifiedStatement extends Pick<Utterance, 'id' | 'by' | 'round' | 'kind'> {
  /** Gravest verdict of the statement's claims; null if it makes no claim. */
  verdict: Verdict | null;
  claims: readonly VerifiedClaim[];
  /** Whether the extractor could not read the statement, so that its claims are missing. */
  isUnread: boolean;
  /** Length in words. */
  words: number;
  /**
   * Whether the statement names none of the living Werewolves that the speaker found by a check and has not named
   * before. Null if there are none, if the claims could not be extracted, and for explanations of ballots.
   */
  isWithheld: boolean | null;
  /** All other living players, in seat order. */
  listeners: readonly string[];
  /** Listeners who knew the speaker's side. */
  sideKnownTo: readonly string[];
}

export interface MatchClaims {
  claims: readonly VerifiedClaim[];
  statements: readonly VerifiedStatement[];
  /**
   * Statements for the same turn that other bidders drafted (rule `turn=draft`). Nobody heard these drafts. The rules
   * read each draft as if it had been made at that turn.
   */
  drafts: readonly VerifiedStatement[];
}

interface ClaimOptions {
  /** Whether presupposed claims count as claims. If false, they are left out. */
  presupposed?: boolean | undefined;
}

/**
 * Returns every public statement and its claims, in the order of the match. Placeholders for missing answers claim
 * nothing. `extract` sees only public information. Throws a UsageError for a record that cannot have happened under its
 * rules.
 * @example
 * const { statements } = extractMatchClaims(record);
 * const lies = statements.filter(({ verdict }) => verdict === 'lie');
 */
export function extractMatchClaims(
  record: MatchRecord,
  extract: Extractor = extractByRules,
  { presupposed = false }: ClaimOptions = {},
): MatchClaims {
  const { events, manifest } = record;
  const { board, rules } = manifest.setup;
  const seats = listSeats(manifest);
  const table: PublicSetup = { board, rules, players: seats.map(({ name }) => name) };
  const cast = createRoleTable(table);
  const roles = Object.fromEntries(seats.map(({ name, role }) => [name, role]));
  const remembers = createPromptVisibility(record);
  const everybody = createTableKnowledge(table);
  const statements: VerifiedStatement[] = [];
  const earlier: Claim[] = [];
  const drafted = Map.groupBy(events.filter(isEventOfType('draft')), ({ id }) => id);
  const drafts: VerifiedStatement[] = [];
  let place = 0;
  while (place < events.length) {
    const end = findEndOfGroup(events, place);
    const said = events.slice(place, end).flatMap((event) => readPublicStatement(event) ?? []);
    const unsaid = events.slice(place, end).flatMap((event) => (isTurn(event) && drafted.get(event.id)) || []);
    const isIdle = said.length === 0 && unsaid.length === 0;
    const facts = { table: cast, roles, events: isIdle ? [] : events.slice(0, place) };
    const verify = (utterance: Utterance, extractor: Extractor): VerifiedStatement => {
      const present = listSurvivors(table.players, facts.events).map((name) => everybody.of(name));
      for (const known of present) known.advanceTo({ round: utterance.round, phase: 'day' });
      const known = everybody.of(utterance.by);
      const listeners = present.filter(({ me }) => me !== utterance.by);
      const occasion = { said: utterance, before: place, table, facts, known, listeners, remembers, earlier };
      const drawn = extractor(utterance, table)?.filter((claim) => presupposed || !claim.presupposed) ?? null;
      const claims = (drawn ?? []).map((claim) => ({ ...claim, ...verifyClaim(claim, occasion, events) }));
      const side = isOnTeam(utterance.by, 'werewolves');
      return {
        ...createJudgedStatement(utterance, claims),
        isUnread: drawn === null,
        isWithheld: isWithheld(utterance, drawn && claims, statements, facts.events),
        listeners: listeners.map(({ me }) => me),
        sideKnownTo: listeners.flatMap((one) => (one.evaluate(side) === 'unknown' ? [] : [one.me])),
      };
    };
    for (const { id, by, round, text } of unsaid)
      drafts.push(verify({ id, by, round, text, kind: 'debate' }, extractByRules)); // judges never read drafts
    const now = said.map((utterance) => verify(utterance, extract));
    statements.push(...now);
    earlier.push(...now.flatMap(({ claims }) => claims));
    for (const event of events.slice(place, end)) everybody.see(event);
    place = end;
  }
  return { claims: statements.flatMap(({ claims }) => claims), statements, drafts };
}

function createJudgedStatement({ id, by, round, kind, text }: Utterance, claims: readonly VerifiedClaim[]) {
  return {
    id,
    by,
    round,
    kind,
    verdict: findGravestVerdict(claims.map(({ verdict }) => verdict)),
    claims,
    words: countWords(text),
  };
}

/**
 * Lists the listeners who could know the label of the statement, from hard facts and from words still in their prompts.
 * For a lie, the listener must know that one of the lying claims is false. For any other label, the listener must know
 * the truth of every decidable claim. The list is empty if there is no label.
 */
export function listLabelKnowers({ claims, listeners, verdict }: VerifiedStatement): string[] {
  const label = getLieLabel(verdict);
  if (label === null) return [];
  if (label)
    return listeners.filter((name) => claims.some((one) => one.verdict === 'lie' && one.knownTo.includes(name)));
  const decided = claims.filter(({ isTrue }) => isTrue !== null);
  return listeners.filter((name) => decided.every(({ knownTo }) => knownTo.includes(name)));
}

/**
 * Whether a claim could have been a lie: it is about the speaker, has no hedge, and the speaker knew its truth. These
 * claims are the denominator of the lie rate.
 */
export const isLieOpportunity = ({
  type,
  subject,
  by,
  hedged,
  verdict,
}: Pick<VerifiedClaim, 'type' | 'subject' | 'by' | 'hedged' | 'verdict'>) =>
  ['own_role', 'check', 'act', 'vote'].includes(type) &&
  subject === by &&
  !hedged &&
  (verdict === 'lie' || verdict === 'true');
