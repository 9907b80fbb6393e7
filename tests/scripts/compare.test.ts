// `npm run compare`: two folders of matches, their deals, and a plan.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { Comparison } from '../../deception/comparison/comparison-schema.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { run } from './process.ts';

jest.setTimeout(90_000);

const out = temporaryFolder();
const [x, y] = ['bot:classic?lie=1', 'bot:classic?lie=0'];
const short = ['--rule', 'debateTurns=3', '--rule', 'maxRounds=1', '--matches', '12', '--quiet'];
const play = (name: string, ...more: string[]) => run('match', ['--out', path.join(out, name), ...short, ...more]);
const played = Promise.all([
  play('xy', '--villagers', x, '--werewolves', y),
  play('yx', '--villagers', y, '--werewolves', x),
  play('other', '--seed', '500'),
]);

let comparisons = 0;

async function compare(a: string, b: string, ...more: string[]) {
  await played;
  const to = path.join(out, `comparison-${++comparisons}`);
  const ended = await run('compare', [
    path.join(out, a),
    path.join(out, b),
    '--out',
    to,
    '--resamples',
    '200',
    ...more,
  ]);
  const read = (file: string) => readFileSync(path.join(to, file), 'utf8');
  return { ...ended, read, json: () => Comparison.parse(JSON.parse(read('comparison.json'))) };
}

let plans = 0;

function plan(text: string): string {
  const file = path.join(out, `analysis-${++plans}.yaml`);
  writeFileSync(file, text);
  return file;
}

describe('compare', () => {
  it.concurrent('sets two models that changed sides against each other, and says so', async () => {
    const { code, stdout, json, read } = await compare('xy', 'yx');
    expect(code).toBe(0);
    expect(stdout).toMatch(/comparison\.md\n.*comparison\.json\n$/);
    expect(json()).toMatchObject({ by: 'model', deals: 12, a: { name: x }, b: { name: y }, plan: null, primary: [] });
    expect(read('comparison.md')).toContain('Built-in bots played.');
    expect(read('comparison.md')).toContain('Two models that changed sides');
  });

  it.concurrent('sets the folders themselves against each other where that is wanted', async () => {
    const { json } = await compare('xy', 'yx', '--by', 'condition');
    expect(json()).toMatchObject({ by: 'condition', a: { name: path.join(out, 'xy'), matches: 12 } });
    expect(json().contrasts.map(({ what }) => what)).toEqual(['model of the village', 'model of the Werewolves']);
  });

  it.concurrent('puts what a plan names first, with the plan’s hash', async () => {
    const text = 'question: Who lies?\nendpoints:\n  - metric: lie_rate\n    of: { team: werewolves }\n';
    const { json, read } = await compare('xy', 'yx', '--plan', plan(text));
    expect(json().primary).toMatchObject([{ metric: 'lie_rate', of: { team: 'werewolves' } }]);
    expect(json().plan).toMatchObject({ question: 'Who lies?', endpoints: 1 });
    expect(read('comparison.md')).toContain(json().plan!.sha256);
  });

  it.concurrent('finds no difference between a folder and itself', async () => {
    const { json } = await compare('xy', 'xy');
    for (const { difference, p } of json().secondary) {
      expect(difference === null || difference === 0).toBe(true);
      expect(p === null || p === 1).toBe(true);
    }
  });

  it.concurrent('gives the same for the same seed', async () => {
    const [one, again] = [await compare('xy', 'yx'), await compare('xy', 'yx')];
    expect(one.read('comparison.json')).toBe(again.read('comparison.json'));
  });

  it.concurrent.each([
    ['other', [], /share no deal: no two matches have the same board, names, seats and roles/],
    ['xy', ['--by', 'model'], /--by model compares two models that changed sides/],
    ['yx', ['--plan', plan('endpoints: []')], /is no analysis plan: .*endpoints/s],
    ['yx', ['--plan', plan('endpoints: [{ metric: luck }]')], /endpoints\.0: unknown metric "luck"\. Known metrics: /],
    ['yx', ['--plan', plan('a: [')], /is not YAML/],
    ['yx', ['--plan', '/nowhere/analysis.yaml'], /\/nowhere\/analysis\.yaml cannot be read/],
    ['nowhere', [], /does not exist/],
  ])('refuses %s %j', async (b, more, message) => {
    const { code, stderr } = await compare('xy', b, ...more);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
