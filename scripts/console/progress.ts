// A counter of the calls under way, shown on a terminal only.
import spinner from 'yocto-spinner';
import type { AnswerLine } from '../../state/record.ts';

export interface Progress {
  calls(underWay: number): void;
  answer(line: AnswerLine): void;
  stop(): void;
}

/** How often the counter is brought up to date; what bots answer sooner is not worth showing. Milliseconds. */
const every = 100;

/** Story and counter share one terminal, or there is no counter: it writes over what is not its own. */
export const hasTerminal = () =>
  process.stdout.isTTY && process.stderr.isTTY && process.env['TERM'] !== 'dumb' && !('CI' in process.env);

/** Shows nothing unless `isShown`. Lines written meanwhile appear above the counter. */
export function openProgress(isShown: boolean): Progress {
  const counter = spinner({ stream: process.stderr, handleSignals: false });
  let underWay = 0;
  let answers = 0;
  let cost = 0;
  const show = () => {
    if (underWay === 0) return void counter.stop();
    const spent = cost > 0 ? `, USD ${cost.toFixed(4)} spent` : '';
    const text = `${underWay} ${underWay === 1 ? 'call' : 'calls'} under way, ${answers} answered${spent}`;
    if (counter.isSpinning) counter.text = text;
    else counter.start(text);
  };
  const timer = isShown ? setInterval(show, every).unref() : undefined;
  const stop = () => {
    clearInterval(timer);
    counter.stop();
  };
  process.once('exit', stop); // gives the terminal its cursor back
  return {
    calls: (now) => (underWay = now),
    answer: (line) => {
      answers += 1;
      cost += line.cost ?? 0;
    },
    stop,
  };
}
