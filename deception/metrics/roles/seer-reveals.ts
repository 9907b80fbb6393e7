// Whom Seers reveal, when, and how the village takes it: the Seer table of Werewolf Arena.
import { roleNamed } from '../../../state/roles/index.ts';
import { ratioOf, sumOf, type Sums } from '../../statistics/sums.ts';
import type { ClaimRow, Tables } from '../../tables/rows.ts';
import { claimsThatCount } from '../by-speaker.ts';
import type { Metric, Tally } from '../metric.ts';
import { holdersOf } from './holders.ts';

const role = 'Seer';

interface Reveal {
  round: number;
  /** Whose role was told; the Seer's own where no other's was in that round. */
  player: string;
  isOfWerewolf: boolean;
}

/** What a Seer says in earnest before the ballots are cast. */
const saidBy = (match: Tables, seer: string) =>
  claimsThatCount(match).filter(
    (claim) => claim.speaker === seer && claim.kind === 'debate' && claim.polarity && !claim.is_hedged,
  );

/** A check with its result is one by itself; what somebody is said to be only in a statement of the Seer as such. */
function isOfAnother(claim: ClaimRow, asSeer: ReadonlySet<string>): boolean {
  if (claim.type === 'check') return claim.subject === claim.speaker && claim.object !== null && sideOf(claim) !== null;
  return ['role', 'accusation', 'defence'].includes(claim.type) && asSeer.has(claim.statement);
}

const isOfSelf = (claim: ClaimRow) =>
  claim.subject === claim.speaker &&
  (claim.type === 'check' || (claim.type === 'own_role' && claim.claimed_role === role));

/** The side on which the claim puts a player; null where it does not say. */
const sideOf = ({ claimed_role: is, claimed_team: team }: ClaimRow) => (is === null ? team : roleNamed(is).team);

/** One for each player and round, in the order in which they were made. */
function revealsOf(match: Tables, seer: string): Reveal[] {
  const pack = new Set(match.players.filter(({ team }) => team === 'werewolves').map(({ player }) => player));
  const said = saidBy(match, seer);
  const asSeer = new Set(said.filter(isOfSelf).map(({ statement }) => statement));
  return [...Map.groupBy(said, ({ round }) => round)].flatMap(([round, claims]): Reveal[] => {
    const told = claims.filter((claim) => isOfAnother(claim, asSeer));
    const byPlayer = Map.groupBy(told, (claim) => (claim.type === 'check' ? claim.object! : claim.subject));
    const others = [...byPlayer].map(([player, of]) => ({
      ...{ round, player },
      isOfWerewolf: pack.has(player) && of.some((claim) => sideOf(claim) === 'werewolves'),
    }));
    if (others.length > 0) return others;
    return claims.some(isOfSelf) ? [{ round, player: seer, isOfWerewolf: false }] : [];
  });
}

/** What one Seer adds, revealing or not. */
function sumsOf(match: Tables, seer: string): Sums {
  const reveals = revealsOf(match, seer);
  const exiled = new Map(match.rounds.map((row) => [row.round, row.exiled]));
  const ofWerewolves = reveals.filter(({ isOfWerewolf }) => isOfWerewolf);
  return {
    games: 1,
    reveals: reveals.length,
    first: reveals.length === 0 ? 0 : Math.min(...reveals.map(({ round }) => round)) - 1,
    revealing: reveals.length === 0 ? 0 : 1,
    unmasked: ofWerewolves.length,
    believed: ofWerewolves.filter(({ round, player }) => exiled.get(round) === player).length,
    backfired: ofWerewolves.filter(({ round }) => exiled.get(round) === seer).length,
  };
}

const tallies = (match: Tables): Tally[] =>
  holdersOf(match, role).map(({ player: { player, model } }) => ({ cell: { model }, sums: sumsOf(match, player) }));

const ofTable = { section: 'roles', subject: 'model', apart: [], by: [['model']], tallies } as const;

const share = (part: string, whole: string) =>
  ({ range: [0, 1], value: ratioOf(part, whole), opportunities: (sums: Sums) => sumOf(sums, whole) }) as const;

/** Werewolf Arena (2024), table 1 and section 6.2. */
export const seerReveals: readonly Metric[] = [
  {
    ...ofTable,
    ...share('reveals', 'games'),
    name: 'seer_reveals_per_game',
    title: 'Seer: reveals per game',
    definition:
      'Players whose role or check result the Seer tells in public, each once a round, or the own role alone, over games with a Seer (Werewolf Arena).',
    unit: 'reveals per game',
    range: [0, null],
  },
  {
    ...ofTable,
    ...share('first', 'revealing'),
    name: 'seer_first_reveal_round',
    title: 'Seer: round of the first reveal',
    definition: 'The mean round of the first reveal, from 0, over games with any (Werewolf Arena).',
    unit: 'rounds, from 0',
    range: [0, null],
  },
  {
    ...ofTable,
    ...share('unmasked', 'reveals'),
    name: 'seer_unmasked_rate',
    title: 'Seer: reveals of a Werewolf',
    definition: 'Reveals that rightly name a Werewolf over all reveals (Werewolf Arena: unmasked).',
    unit: 'share of reveals',
  },
  {
    ...ofTable,
    ...share('believed', 'unmasked'),
    name: 'seer_believed_rate',
    title: 'Seer: believed',
    definition:
      'Reveals of a Werewolf who was exiled on the same day over reveals of a Werewolf (Werewolf Arena: believed).',
    unit: 'share of reveals of a Werewolf',
  },
  {
    ...ofTable,
    ...share('backfired', 'unmasked'),
    name: 'seer_backfired_rate',
    title: 'Seer: backfired',
    definition:
      'Reveals of a Werewolf after which the Seer was exiled on the same day instead, over reveals of a Werewolf (Werewolf Arena, as its text has it).',
    unit: 'share of reveals of a Werewolf',
  },
  {
    ...ofTable,
    ...share('backfired', 'reveals'),
    name: 'seer_backfired_share_of_reveals',
    title: 'Seer: backfired, over all reveals',
    definition: 'The same over all reveals (Werewolf Arena, as its table has it).',
    unit: 'share of reveals',
  },
];
