// The verdicts on statements: the claims that the rules or a judge extracted, each with its verdict, the reason, and
// the player whom the claim accuses or defends.
import type { ClaimRow } from '../../deception/tables/claim-rows.ts';
import type { MatchTables } from '../../deception/tables/match-tables.ts';
import type { GameEvent } from '../../state/events.ts';
import { getShownSide, roles } from '../../state/roles/index.ts';
import { describeClaim, describeEvent } from '../game-text.ts';

/** The claims of a statement with their verdicts. */
export interface ViewedReading {
  claims: readonly ViewedClaim[];
  /** Whether the statement is a lie. Null if this is undecidable, or if the statement has no claims. */
  isLie: boolean | null;
  /** Set if the extractor could not read the statement, which may then hold uncounted lies. */
  isUnread?: true;
  /** Players other than the speaker who could know whether the statement is a lie. */
  knownBy: readonly string[];
}

export interface ViewedClaim {
  words: string;
  /** Position of the claim's words in the statement, in characters. */
  from: number;
  to: number;
  verdict: ClaimRow['verdict'];
  about: string;
  /** Evidence from the record, and whether the speaker knew the truth. */
  reason: string;
  /** Player whom the claim accuses of being a Werewolf, or defends. */
  points?: { how: 'accuses' | 'defends'; player: string };
}

/** A match's tables and the extractor of their claims: `rules`, or a judge's name. */
export interface MatchReading {
  source: string;
  tables: Pick<MatchTables, 'statements' | 'claims' | 'analyses'>;
}

/**
 * Creates a function that returns each source's reading of a statement by the statement's id; undefined if no statement
 * has the id. `events`: the record's events, which decide claims. `who` formats a player's name.
 */
export function createReadingFinder(
  readings: readonly MatchReading[],
  events: readonly GameEvent[],
  who: (name: string) => string,
): (id: string) => Readonly<Record<string, ViewedReading>> | undefined {
  const found = readings.map(({ source, tables }) => {
    const claims = Map.groupBy(
      tables.claims.filter(({ extractor }) => extractor === source),
      ({ statement }) => statement,
    );
    const knowers = Map.groupBy(
      tables.analyses.filter((row) => row.could_know === true && row.perspective === 'peer'),
      ({ statement }) => statement,
    );
    const own = tables.statements.map(
      ({ statement, is_lie: isLie, is_judge_missing: isUnread }): [string, ViewedReading] => [
        statement,
        {
          claims: (claims.get(statement) ?? []).map((claim) => viewClaim(claim, events, who)),
          isLie,
          ...(isUnread && { isUnread }),
          knownBy: [...new Set((knowers.get(statement) ?? []).map(({ observer }) => observer))],
        },
      ],
    );
    return [source, new Map(own)] as const;
  });
  return (id) => {
    const own = found.flatMap(([source, by]) => (by.has(id) ? [[source, by.get(id)!] as const] : []));
    return own.length === 0 ? undefined : Object.fromEntries(own);
  };
}

function viewClaim(claim: ClaimRow, events: readonly GameEvent[], who: (name: string) => string): ViewedClaim {
  const points = findPoints(claim);
  return {
    ...{ words: claim.words, from: claim.words_from, to: claim.words_to, verdict: claim.verdict },
    about: describeClaim(claim),
    reason: explainVerdict(claim, events, who),
    ...(points && { points }),
  };
}

/** Maximum number of events that explain one verdict, because a claim about a vote can depend on many ballots. */
const mostEvidence = 3;

/** Explains a verdict, e.g. "David was dealt Werewolf. David knew it." */
function explainVerdict(
  { decided_by: lines, is_true: isTrue, is_known: isKnown, speaker, verdict }: ClaimRow,
  events: readonly GameEvent[],
  who: (name: string) => string,
): string {
  const evidence = lines
    .split(' ')
    .filter((line) => line !== '')
    .flatMap((line) => describeEvidence(events[Number(line) - 1], who) ?? []);
  const told = [...new Set(evidence)].slice(0, mostEvidence);
  if (isTrue === null) return [...told, 'The record cannot decide it.'].join(' ');
  if (verdict === 'insincere') return [...told, `${speaker} believed otherwise.`].join(' ');
  return [...told, `${speaker} ${isKnown ? 'knew it' : 'could not know it'}.`].join(' ');
}

function describeEvidence(event: GameEvent | undefined, who: (name: string) => string): string | null {
  if (event === undefined) return null;
  if (event.type === 'dealt') return `${event.player} was dealt ${event.role}.`;
  if (event.type === 'statement') return `${who(event.by)} said so in ${event.id}.`;
  if (event.type === 'ballot') return `${who(event.by)} voted for ${who(event.target)} on day ${event.round}.`;
  return describeEvent(event, who);
}

/** Finds the player whom a claim accuses or defends by stating the player's side; undefined for other claims. */
function findPoints(claim: ClaimRow): ViewedClaim['points'] {
  const { type, speaker, subject, object, polarity } = claim;
  const role = claim.claimed_role;
  const team = claim.claimed_team ?? (role !== null && roles.has(role) ? getShownSide(role) : null);
  const isOfPack = (team === 'werewolves') === polarity;
  const namePlayer = (): [player: string | null, isAccusing: boolean] => {
    if (type === 'accusation' || type === 'defence') return [subject, type === 'accusation' && polarity];
    if (team === null) return [null, false];
    if (type === 'role') return [subject, isOfPack];
    return [type === 'check' && subject === speaker ? object : null, isOfPack];
  };
  const [player, isAccusing] = namePlayer();
  if (player === null || player === speaker) return undefined;
  return { how: isAccusing ? 'accuses' : 'defends', player };
}
