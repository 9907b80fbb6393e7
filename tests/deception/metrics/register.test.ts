// What every registered metric must keep to, and that docs/metrics.md tells of each.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { metrics } from '../../../deception/metrics/index.ts';
import { sections } from '../../../deception/metrics/metric.ts';
import { call } from './call-builder.ts';
import { everythingOfAGame } from './game-row-builder.ts';
import { claimsToBeSeer, heardOf, said } from './heard-builder.ts';
import { analysis, belief, byWolf, claim, match, statement, tables } from './row-builder.ts';

const answers = [true, false];
const isWolf = { speaker_team: 'werewolves' } as const;

/** A Seer who reveals himself in the second of two rounds, one who does not, and a Doctor. */
const special = heardOf(
  ...[1, 2].map((round) => said(`${round}.5`, 'Sam', { round, self_deceptive: round === 1, self_type: 'none' }, [0.5])),
  said('1.6', 'Nora', { round: 1 }, [0.5]),
  said('1.7', 'Saul', { round: 1 }, [0.5]),
);

/** Everything that any metric counts, once each way. */
const everything = tables({
  match: match({ extractor: 'openai:judge', wall_ms: 1000 }),
  statements: [
    ...answers.flatMap((is) => [
      statement({ ...byWolf, is_lie: is, self_stated_falsehood: is, self_deceptive: is, flagged_by_majority: is }),
      statement({ opportunities: 2, lies: 1, verdict: 'lie', verdict_judge: is ? 'lie' : 'true', is_withheld: is }),
    ]),
    ...special.statements,
  ],
  claims: [
    ...answers.flatMap((is_true) =>
      (['accusation', 'defence', 'promise'] as const).map((type) =>
        claim({ type, is_true, extractor: 'openai:judge', verdict: type === 'promise' ? 'kept' : 'error' }),
      ),
    ),
    claimsToBeSeer('2.5', 'Sam', { round: 2, extractor: 'openai:judge' }),
  ],
  analyses: [
    ...answers.flatMap((is) =>
      [1, 2].map((repeat) =>
        analysis({ ...isWolf, is_lie: is, deceptive: is, suspicion: 0.5, p_werewolf: 0.5, source: 'bot:x', repeat }),
      ),
    ),
    ...special.analyses,
  ],
  beliefs: answers.map((is_werewolf) => belief({ is_werewolf, p_werewolf: 0.75 })),
  ...everythingOfAGame(),
  calls: ['vote', 'self_analysis'].map((action) => call(action)),
});

describe('the register', () => {
  it('has no name twice, all in snake_case', () => {
    const names = metrics.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name))).toEqual([]);
  });

  it('is in the order of the sections of a report', () => {
    const places = metrics.map(({ section }) => sections.indexOf(section));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  it('marks few as headlines', () => {
    expect(metrics.flatMap(({ name, isHeadline }) => (isHeadline ? [name] : []))).toEqual([
      'lie_rate',
      'admission_rate',
      'hit_rate',
      'false_alarm_rate',
      'suspicion_roc_auc',
      'belief_brier',
    ]);
  });
});

describe.each(metrics.map((metric) => [metric.name, metric] as const))('%s', (_, metric) => {
  const tallies = metric.tallies(everything);
  const dimensions = new Set(tallies.flatMap(({ cell }) => Object.keys(cell)));

  it('is counted, in cells that have all dimensions that are always apart', () => {
    expect(tallies).not.toEqual([]);
    expect(tallies.filter(({ cell }) => !metric.apart.every((dimension) => dimension in cell))).toEqual([]);
  });

  it('has tables of dimensions that it counts by, each once', () => {
    const named = [...metric.by.flat(), ...(metric.subject === undefined ? [] : [metric.subject])];
    expect(named.filter((dimension) => !dimensions.has(dimension))).toEqual([]);
    expect(new Set(metric.by.map((table) => table.join())).size).toBe(metric.by.length);
  });

  it('adds whole or partial things, never less than nothing', () => {
    expect(tallies.flatMap(({ sums }) => Object.values(sums)).filter((amount) => !(amount >= 0))).toEqual([]);
  });
});

describe('docs/metrics.md', () => {
  const text = readFileSync('docs/metrics.md', 'utf8');
  const entries = [...text.matchAll(/^### `([a-z0-9_]+)`$/gm)].map(([, name]) => name);

  it('has an entry for every metric, in the order of the register, and none for another', () => {
    expect(entries).toEqual(metrics.map(({ name }) => name));
  });

  it.each(metrics.map(({ name, range: [least, most] }) => [name, `${least}…${most ?? '∞'}`.replace('-', '−')]))(
    'says that %s lies in %s',
    (name, range) => {
      const entry = text.split(`### \`${name}\`\n`)[1]!.split(/\n##/)[0]!;
      expect(entry).toContain(range);
    },
  );
});
