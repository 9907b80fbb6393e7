// Whether those with powers live: KSR.
import { ratioOf, sumOf } from '../statistics/sums.ts';
import type { PlayerRow } from '../tables/game-rows.ts';
import type { Tables } from '../tables/rows.ts';
import { isOver, keyPlayers } from './key-roles.ts';
import type { Metric, Tally } from './metric.ts';

const shared = {
  section: 'village',
  unit: 'share of players',
  range: [0, 1],
  subject: 'model',
  apart: [],
  by: [['model'], ['role'], ['model', 'role']],
  hasBaseline: true,
  side: 'villagers',
  value: ratioOf('alive', 'dealt'),
  opportunities: (sums: Tally['sums']) => sumOf(sums, 'dealt'),
} as const;

const tallied = (match: Tables, isAlive: (player: PlayerRow) => boolean): Tally[] =>
  keyPlayers(match).map((player) => ({
    cell: { model: player.model, role: player.role },
    sums: { alive: isAlive(player) ? 1 : 0, dealt: 1 },
  }));

export const ksrEnd: Metric = {
  ...shared,
  name: 'ksr_end',
  title: 'Key roles alive at the end',
  definition: 'Players of the village with powers who are alive at the end over all who were dealt such a role.',
  tallies: (match) => (isOver(match) ? tallied(match, ({ survived }) => survived) : []),
};

/** DSGBench (Tang et al. 2025). */
export const ksrLastExile: Metric = {
  ...shared,
  name: 'ksr_last_exile',
  title: 'Key roles alive after the last exile',
  definition:
    "Players of the village with powers who are alive after the match's last exile over all who were dealt such a role (DSGBench's KSR).",
  tallies: (match) => {
    const exiles = match.players.flatMap(({ left_cause: cause, left_place: place }) =>
      cause === 'exile' && place !== null ? [place] : [],
    );
    if (!isOver(match) || exiles.length === 0) return [];
    const last = Math.max(...exiles);
    return tallied(match, ({ left_place: place }) => place === null || place > last);
  },
};
