// A study in which people play beside bots: the report shows them as models of their own, and as one group with the
// person as cluster, next to the models at the same tables. It computes no difference.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import type { Report } from '../../deception/summary/report-schema.ts';
import { seatPeople } from '../people.ts';
import { answersIn } from '../scripts/match-folder.ts';
import { run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const persons = Array.from({ length: 11 }, (_, number) => `p${String(number + 1).padStart(2, '0')}`);
const folders: string[] = [];

beforeAll(async () => {
  for (const [place, person] of persons.entries()) {
    const other = persons[(place + 1) % persons.length]!;
    const { folder } = await playMatch({
      board: { name: 'tiny-5', roles: { Werewolf: 1, Seer: 1, Villager: 3 } },
      seed: place + 1,
      rule: { maxRounds: 2, debateTurns: 3, beliefs: 'each-round' },
      seats: { Ginger: `human:${person}?seconds=90`, Sam: `human:${other}` },
      out: at('study'),
      people: seatPeople(),
    });
    folders.push(folder ?? '');
  }
  const { code } = await run('report', [at('study'), '--out', at('report'), '--no-cache', '--no-baselines', '--resamples', '50']); // prettier-ignore
  expect(code).toBe(0);
}, 120_000);

describe('the report of a study with people', () => {
  const read = () => JSON.parse(readFileSync(at('report', 'report.json'), 'utf8')) as Report;

  it('has each person as a model of its own', () => {
    const cells = read().metrics.flatMap(({ figures }) => figures.map(({ cell }) => cell['model'] ?? ''));
    const named = new Set(cells.map((model) => model.replace(/\?.*/, '')));
    expect(persons.filter((name) => !named.has(`human:${name}`))).toEqual([]);
    expect(named.has('bot:classic')).toBe(true);
  });

  it('has the time to answer of people, from the display of the question, with the person as cluster', () => {
    const { people } = read();
    expect(people).toMatchObject({ people: 11, matches: 11 });
    const times = (people?.figures ?? []).filter(({ figure }) => figure === 'seconds_to_answer');
    expect(new Set(times.map(({ of }) => of))).toEqual(new Set(['people', 'bot:classic']));
    const judged = times.find(({ of, cell }) => of === 'people' && cell['question'] === 'judgment');
    expect(judged).toMatchObject({ clusters: 11 });
    const asked = folders.flatMap(answersIn).filter(({ model, action }) => model.startsWith('human:') && /anal|beliefs/.test(action)); // prettier-ignore
    expect(asked.length).toBeGreaterThan(50);
    const mean = asked.reduce((total, line) => total + (line.shown_ms ?? 0), 0) / asked.length / 1000;
    expect(judged?.value).toBeCloseTo(mean, 6);
  });

  it('has the judgment of people as the sum of theirs', () => {
    const { people, metrics } = read();
    const pooled = people?.figures.find(
      ({ figure, of, cell }) => figure === 'belief_brier' && of === 'people' && cell['kind'] === 'beliefs',
    );
    const single = (metrics.find(({ name }) => name === 'belief_brier')?.figures ?? []).filter(
      ({ cell }) =>
        Object.keys(cell).length === 3 && // source, kind and observer_model
        cell['kind'] === 'beliefs' &&
        cell['observer_model']?.startsWith('human:'),
    );
    const scores = single.reduce((total, { opportunities }) => total + (opportunities ?? 0), 0);
    expect(scores).toBeGreaterThan(50);
    const squares = single.reduce((total, { value, opportunities }) => total + (value ?? 0) * (opportunities ?? 0), 0);
    expect(pooled?.value).toBeCloseTo(squares / scores, 6);
    expect(pooled).toMatchObject({ clusters: 11, low: expect.any(Number), high: expect.any(Number) });
  });

  it('says what the design cannot identify, and computes no difference', () => {
    const page = readFileSync(at('report', 'details', 'people.md'), 'utf8');
    expect(page).toContain('11 people played in 11 matches');
    expect(page).toContain('No difference between people and models is computed');
    expect(page).toMatch(/Seconds to answer *\| question judgment *\| people *\| 0\.012 *\| *all equal/);
    expect(readFileSync(at('report', 'report.md'), 'utf8')).toContain('details/people.md');
  });
});
