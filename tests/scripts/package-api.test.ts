// The package's imports: a mistyped name is refused before anything is paid for or written.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { ChatAnthropic } from '@langchain/anthropic';
import { describe, expect, it } from '@jest/globals';
import { prepareMatch } from '../../graph/prepare-match.ts';
import { listModelPairs, playMatch, playMatches, readModelsFile, report } from '../../scripts/package-api.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = path.join(createTemporaryFolder(), 'runs');
const set = { seed: 1, matches: 1, planOf: () => ({ model: 'bot:random' }) };

describe('a name that is not known is refused', () => {
  // Called as in JavaScript, without types.
  const mistyped: [string, () => Promise<unknown>, string][] = [
    [
      'of playMatch',
      () => playMatch({ out, bord: 'wolf' } as never),
      'playMatch has no option bord. Did you mean "board"?',
    ],
    [
      'of a set',
      () => playMatches({ ...set, matchs: 3 } as never, { out }),
      'The set of playMatches has no option matchs.',
    ],
    [
      'of how a set is played',
      () => playMatches(set, { out, maxCst: 20 } as never),
      'no option maxCst. Did you mean "maxCost"?',
    ],
    [
      'of a plan',
      () => playMatches({ ...set, planOf: () => ({ bord: 'x' }) as never }, { out }),
      'A plan of playMatches has no option bord.',
    ],
    [
      'of a seat',
      () => playMatch({ out, seats: { Ginger: { modl: 'bot:random' } as never } }),
      'A seat has no option modl. Did you mean "model"?',
    ],
    [
      'of a report',
      () => Promise.resolve().then(() => report([out], { resample: 2 } as never)),
      'report has no option resample.',
    ],
  ];

  it.each(mistyped)('%s', async (_, play, words) => {
    const refused = play();
    await expect(refused).rejects.toThrow(UsageError);
    await expect(refused).rejects.toThrow(words);
    expect(existsSync(out)).toBe(false);
  });
});

describe('two chat models given as objects', () => {
  const [sonnet, opus] = ['claude-sonnet-4-5', 'claude-opus-4-5'].map(
    (model) => new ChatAnthropic({ model, apiKey: 'k', anthropicApiUrl: 'http://127.0.0.1:1', maxRetries: 0 }),
  );

  it('are refused under one name', async () => {
    const refused = playMatch({ villagers: sonnet, werewolves: opus, out });
    await expect(refused).rejects.toThrow('custom:anthropic stands for two chat models');
    expect(existsSync(out)).toBe(false);
  });

  it('are two models under two names, and one object is one in all seats', async () => {
    const named = await prepareMatch({ villagers: sonnet, werewolves: { chat: opus!, name: 'opus' } }, {}, 0);
    expect(new Set(Object.values(named.manifest.setup.models))).toEqual(new Set(['custom:anthropic', 'custom:opus']));
    const same = await prepareMatch({ villagers: sonnet, werewolves: { chat: sonnet! } }, {}, 0);
    expect(new Set(Object.values(same.manifest.setup.models))).toEqual(new Set(['custom:anthropic']));
  });
});

it('designs and models files can be read', () => {
  expect(listModelPairs(['bot:random', 'bot:classic'])).toHaveLength(4);
  expect(() => readModelsFile(path.join(out, 'none.yaml'))).toThrow(UsageError);
});

it('a report has the claims of the judge that the matches name, or of the rules, and the program is told which', async () => {
  const played = path.join(createTemporaryFolder(), 'judged');
  await playMatch({ out: played, id: 'one', model: 'bot:classic', judge: 'bot:meant', rule: { maxRounds: 1 } });
  const read = async (judge?: false) => {
    const told: string[] = [];
    const options = { resamples: 20, isTabled: false, threads: 1, warn: (line: string) => void told.push(line) };
    const { report: found } = await report([played], { ...options, ...(judge === false && { judge }) });
    return { told, by: found.conditions.find(({ name }) => name === 'claims drawn by')!.values[0]!.value };
  };
  expect(await read()).toEqual({
    told: [expect.stringMatching(/^Claims are extracted by bot:meant/)],
    by: 'bot:meant',
  });
  expect(await read(false)).toEqual({ told: [], by: 'rules' });
});
