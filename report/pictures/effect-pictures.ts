// The pictures of a study of forks: the effects of each arm on all outcomes, with intervals.
import type { Effect } from '../../deception/forks/estimate-effects.ts';
import { outcomeMeasures } from '../../deception/forks/outcome-measures.ts';
import type { ForkReport } from '../fork-effects-parts.ts';
import { formatFigure, formatInterval } from '../format.ts';
import { createPicture, createScale, drawIntervals, type Mark, type Picture } from './picture-drawing.ts';

/** Maximum number of arms drawn. The tables have all arms. */
const mostPictures = 8;

const nameArmPicture = (place: number) => `effects-${place + 1}`;

/** The names of all pictures that a study may have. */
export const effectPictureNames = Array.from({ length: mostPictures }, (_, place) => nameArmPicture(place));

/**
 * Draws one picture for each arm.
 *
 * @example drawEffects(report)[0]?.svg
 */
export const drawEffects = ({ effects, study }: ForkReport): Picture[] =>
  study.arms.slice(1, 1 + mostPictures).flatMap((arm, place) => {
    const shown = effects.filter(isDrawn(arm));
    return shown.length === 0 ? [] : [drawArm(nameArmPicture(place), arm, shown)];
  });

type DrawnEffect = Effect & { effect: number };

const isDrawn =
  (arm: string) =>
  (one: Effect): one is DrawnEffect =>
    one.arm === arm &&
    one.effect !== null &&
    !one.isSelected &&
    one.listeners === 'all' &&
    Object.keys(one.of).length === 0;

function drawArm(name: string, arm: string, shown: readonly DrawnEffect[]): Picture {
  const marks = shown.map(({ outcome, effect, low, high }): Mark => ({
    ...{ label: outcomeMeasures[outcome].title, value: effect, low, high, chance: null },
  }));
  return createPicture({
    marks,
    ...{ name, title: `Effect of the statements: keep − ${arm}`, metrics: [] },
    description: `For each outcome, the mean difference between the statement as it was said and the arm ${arm}, with its 95% interval, clustered by deal. 0 means no effect.`,
    draw: (title) => drawIntervals(title, marks, createScale('keep − arm', marks)),
    table: [
      ['Outcome', 'keep', arm, 'Effect', '95% interval'],
      ...shown.map((one) => [
        ...[outcomeMeasures[one.outcome].title, formatFigure(one.keep), formatFigure(one.other)],
        ...[formatFigure(one.effect), one.low === null ? (one.reason ?? '–') : formatInterval(one)],
      ]),
    ],
    data: shown.map(({ outcome, keep, other, effect, low, high, statements, deals }) => ({
      ...{ outcome, keep, other, effect, low, high, statements, deals },
    })),
  });
}
