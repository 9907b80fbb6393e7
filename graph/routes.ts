// Where the game goes next: each router reads what earlier supersteps wrote and returns names of nodes.
import { explanations, lastStatement } from '../nodes/public-statements.ts';
import { tiedToday } from '../state/ballots.ts';
import { analysesBallots, besides, onward } from '../state/course.ts';
import { lastTurn } from '../state/debate.ts';
import type { Game } from '../state/game.ts';
import { isReady } from '../state/night-acts.ts';
import { powers } from '../state/roles/index.ts';

export const nightWaves = [...new Set(powers.map(({ wave }) => wave))];

/** All that may be done in the wave; where there is nothing, the next one, and at last the resolution. */
export const toNightWave =
  (index: number) =>
  (game: Game): string[] => {
    const wave = nightWaves[index];
    if (wave === undefined) return ['resolve_night'];
    const verbs = powers.filter((power) => power.wave === wave && isReady(game, power)).map(({ verb }) => verb);
    return verbs.length > 0 ? verbs : toNightWave(index + 1)(game);
  };

const analyses = ({ setup }: Game) => [
  ...(setup.rules.analysis === 'both' || setup.rules.analysis === 'self' ? ['self_analysis'] : []),
  ...(setup.rules.analysis === 'both' || setup.rules.analysis === 'peer' ? ['peer_analysis'] : []),
];

/** After a statement: all that can be asked side by side, then what comes next. */
export function afterStatement(game: Game): string[] {
  const isDebate = lastTurn(game)?.occasion === undefined;
  const wave = [...(lastStatement(game) ? analyses(game) : []), ...(isDebate ? besides(game) : [])];
  return wave.length > 0 ? wave : [onward(game)];
}

/** After the last ballot: its explanations are analysed before the result is announced. */
export const afterVote = (game: Game): string[] => {
  const { rules } = game.setup;
  if (!analysesBallots(rules)) return ['exile'];
  const wave = [
    ...(explanations(game).length > 0 ? analyses(game) : []),
    ...(rules.beliefs === 'each-round' && !tiedToday(game) ? ['beliefs'] : []),
  ];
  return wave.length > 0 ? wave : ['exile'];
};

/** Where a wave of the day ends: all its nodes share this router, which reads nothing that their siblings write. */
export const afterWave = onward;
