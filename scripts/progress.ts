// A counter of the calls under way, shown on a terminal only.
import spinner from 'yocto-spinner';
import type { AnswerLine } from '../state/record.ts';

export interface Progress {
  calls(underWay: number): void;
  answer(line: AnswerLine): void;
  /** Writes through `tell` with the counter out of the way. */
  around(tell: () => void): void;
  stop(): void;
}

/** Shows nothing unless `isShown`. */
export function openProgress(isShown: boolean): Progress {
  const counter = spinner({ stream: process.stderr });
  let underWay = 0;
  let answers = 0;
  let cost = 0;
  const show = () => {
    if (!isShown) return;
    counter.text = `${underWay} under way · ${answers} answered${cost > 0 ? ` · $${cost.toFixed(4)}` : ''}`;
    if (underWay > 0 && !counter.isSpinning) counter.start();
    if (underWay === 0 && counter.isSpinning) counter.stop();
  };
  return {
    calls: (now) => {
      underWay = now;
      show();
    },
    answer: (line) => {
      answers += 1;
      cost += line.cost ?? 0;
    },
    around: (tell) => {
      if (counter.isSpinning) counter.stop();
      tell();
      show();
    },
    stop: () => {
      if (counter.isSpinning) counter.stop();
    },
  };
}
