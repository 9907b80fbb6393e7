// Where the game goes next: each router reads what earlier supersteps wrote and returns names of nodes.
import { lastStatement, hasVoted, explanations } from '../nodes/public-statements.ts';
import { actors } from '../nodes/night-power.ts';
import type { Game } from '../state/game.ts';
import { powers } from '../state/roles/index.ts';
import { isLastRound } from '../state/winner.ts';

export const nightWaves = [...new Set(powers.map(({ wave }) => wave))];

/** Everybody who has something to do in the wave; where nobody has, the next one, and at last the resolution. */
export const toNightWave =
  (index: number) =>
  (game: Game): string[] => {
    const wave = nightWaves[index];
    if (wave === undefined) return ['resolve_night'];
    const verbs = powers
      .filter((power) => power.wave === wave && actors(game, power).length > 0)
      .map(({ verb }) => verb);
    return verbs.length > 0 ? verbs : toNightWave(index + 1)(game);
  };

export const afterNight = ({ winner }: Game) => (winner === null ? 'bid' : 'end');

export const afterExile = (game: Game) => (game.winner === null && !isLastRound(game) ? 'summarize' : 'end');

const analyses = ({ setup }: Game) => [
  ...(setup.rules.analysis === 'both' || setup.rules.analysis === 'self' ? ['self_analysis'] : []),
  ...(setup.rules.analysis === 'both' || setup.rules.analysis === 'peer' ? ['peer_analysis'] : []),
];

/** Whether the last analyses of a day are those of its ballots. */
const analysesBallots = ({ analysis, analyzeBallots, ballots }: Game['setup']['rules']) =>
  ballots === 'public' && analyzeBallots && analysis !== 'off';

const hasTurnsLeft = ({ step, setup }: Game) => step < setup.rules.debateTurns;

/** After a statement: all that can be asked side by side, then the next statement; after the last one, the vote. */
export function afterStatement(game: Game): string[] {
  const { rules } = game.setup;
  const wave = [
    ...(lastStatement(game) ? analyses(game) : []),
    ...(hasTurnsLeft(game) ? ['bid', ...(rules.syntheticVotes ? ['synthetic_vote'] : [])] : []),
    ...(!hasTurnsLeft(game) && rules.beliefs === 'each-round' && !analysesBallots(rules) ? ['beliefs'] : []),
  ];
  return wave.length > 0 ? wave : ['vote'];
}

/** After the last ballot: its explanations are analysed before the result is announced. */
export const afterVote = (game: Game): string[] => {
  const { rules } = game.setup;
  if (!analysesBallots(rules)) return ['exile'];
  const wave = [
    ...(explanations(game).length > 0 ? analyses(game) : []),
    ...(rules.beliefs === 'each-round' ? ['beliefs'] : []),
  ];
  return wave.length > 0 ? wave : ['exile'];
};

/** Where a wave of the day ends: all its nodes share this router, which reads nothing that they write. */
export const afterWave = (game: Game) => (hasVoted(game) ? 'exile' : hasTurnsLeft(game) ? 'debate' : 'vote');
