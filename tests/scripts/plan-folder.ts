// Plans in files, and short matches that are played under them.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashPlan } from '../../deception/comparison/analysis-plan.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, smallBoard } from './process.ts';

/** Rules of matches that are soon over. */
export const brief = ['--rule', 'debateTurns=2', '--rule', 'maxRounds=1', '--rule', 'analysis=off'];

export const endpoint = 'endpoints: [{ metric: words_per_turn, of: { team: werewolves } }]';

/** Hash of the plan `planned` of `openPlanFolder`. */
export const sha256 = hashPlan({
  endpoints: [{ metric: 'words_per_turn', of: { team: 'werewolves' } }],
  deals: 3,
  stop: 'fixed',
});

/** Makes a folder for a suite with two plans: `planned`, and `changed` with another number of deals. */
export function openPlanFolder() {
  const out = createTemporaryFolder();
  const at = (...parts: string[]) => path.join(out, ...parts);
  const write = (name: string, text: string): string => {
    writeFileSync(at(name), text);
    return at(name);
  };
  const play = (name: string, ...more: string[]) =>
    run('match', ['--out', at(name), '--board', smallBoard, ...brief, '--quiet', ...more]);
  return {
    ...{ at, write, play },
    planned: write('plan.yaml', `${endpoint}\ndeals: 3\nstop: fixed\n`),
    changed: write('changed.yaml', `${endpoint}\ndeals: 4\nstop: fixed\n`),
  };
}
