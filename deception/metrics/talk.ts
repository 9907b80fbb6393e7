// How much players talk: turns and words a day.
import { ratioOf, sumOf, type Sums } from '../statistics/sums.ts';
import type { PlayerRow } from '../tables/game-rows.ts';
import type { Tables } from '../tables/rows.ts';
import { sum } from '../ratios.ts';
import type { Metric, Tally } from './metric.ts';

/** Days on which anybody had the turn in the debate. */
const spokenDays = ({ rounds }: Tables) => rounds.filter(({ turns }) => turns > 0).map(({ round }) => round);

/** Whether the player was there to speak on the day of that round. */
function wasThere(player: PlayerRow, round: number, match: Tables): boolean {
  const { left_round: left, left_cause: cause } = player;
  if (left === null || left !== round) return left === null || left > round;
  if (cause !== 'last_act') return cause === 'exile';
  const deed = match.deeds.find((row) => row.is_last_act && row.round === round && row.target === player.player);
  const doer = match.players.find((one) => one.player === deed?.by);
  return doer !== undefined && wasThere(doer, round, match);
}

const byPlayer = (match: Tables): Tally[] => {
  const days = spokenDays(match);
  return match.players.map((player) => {
    const { team, role, model, turns, words } = player;
    const there = days.filter((round) => wasThere(player, round, match)).length;
    return { cell: { team, role, model }, sums: { turns, words, days: there } };
  });
};

const bySide = (match: Tables): Tally[] =>
  (['villagers', 'werewolves'] as const).map((team) => {
    const model = team === 'villagers' ? match.match.villagers_model : match.match.werewolves_model;
    const own = match.players.filter((player) => player.team === team);
    return {
      cell: { team, ...(model === null ? {} : { model }) },
      sums: { turns: sum(own.map(({ turns }) => turns)), days: spokenDays(match).length },
    };
  });

const ofTalk = {
  section: 'debate',
  range: [0, null],
  subject: 'model',
  apart: [],
  by: [['team'], ['role'], ['model'], ['model', 'team'], ['model', 'role']],
  tallies: byPlayer,
  opportunities: (sums: Sums) => sumOf(sums, 'days'),
} as const;

/** Werewolf Arena (2024), section 5.2. */
export const talk: readonly Metric[] = [
  {
    ...ofTalk,
    name: 'turns_per_round',
    title: 'Turns per round',
    definition: 'Turns of the debate, silent ones among them, of one player on one day (Werewolf Arena).',
    unit: 'turns of a player per day',
    hasBaseline: true,
    value: ratioOf('turns', 'days'),
  },
  {
    ...ofTalk,
    name: 'words_per_round',
    title: 'Words per round',
    definition: 'Words of one player in the debate of one day (Werewolf Arena).',
    unit: 'words of a player per day',
    value: ratioOf('words', 'days'),
  },
  {
    ...ofTalk,
    name: 'words_per_turn',
    title: 'Words per turn',
    definition: 'Words in one turn of the debate; none in a silent one.',
    unit: 'words per turn',
    value: ratioOf('words', 'turns'),
    opportunities: (sums) => sumOf(sums, 'turns'),
  },
  {
    ...ofTalk,
    name: 'side_turns_per_round',
    title: 'Turns of a side per round',
    definition: 'Turns of the debate of all players of a side on one day (Werewolf Arena, section 5.2.2).',
    unit: 'turns of a side per day',
    hasBaseline: true,
    isOfWholeSides: true,
    apart: ['team'],
    by: [['model']],
    tallies: bySide,
    value: ratioOf('turns', 'days'),
  },
];
