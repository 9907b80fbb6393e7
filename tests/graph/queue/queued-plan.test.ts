// The plan of a tournament in the queue: it is read only if it is unchanged, was queued by this version, and is stored
// under its own name.
import { describe, expect, it } from '@jest/globals';
import {
  checkQueuedPlan,
  isSamePlan,
  listVersionDifferences,
  parseQueuedPlan,
  queuePlan,
  readQueuedPlan,
} from '../../../graph/queue/queued-plan.ts';
import { createTournamentPlan } from '../../deception/tournament-plan/plans.ts';

const plan = createTournamentPlan({ name: 'spring', deals: 4 });
const queued = queuePlan(plan);

describe('the version that queued a tournament', () => {
  it('is this one where nothing differs', () => {
    expect(listVersionDifferences(queued)).toEqual([]);
    expect(readQueuedPlan(queued, new Map())).toMatchObject({ name: 'spring', deals: 4 });
  });

  it.each(['wolfgraph', 'templates_sha256', 'engine_sha256'])('must be this one by its %s', (name) => {
    const made = JSON.parse(queued.made_with) as Record<string, string>;
    const other = { ...queued, made_with: JSON.stringify({ ...made, [name]: 'another' }) };
    expect(listVersionDifferences(other)).toEqual([`${name} another, here ${made[name]!}`]);
    expect(() => readQueuedPlan(other, new Map())).toThrow(`another version of Wolfgraph: ${name} another, here`);
  });
});

describe('a plan in the database', () => {
  it.each([
    ['is no JSON', { plan: '{' }, 'cannot be read: it is not JSON.'],
    ['is no object', { plan: '[]' }, /cannot be read: \S.*object/],
    [
      'has another field than it may',
      { plan: queued.plan.replace('"deals":4', '"deals":"many"') },
      'cannot be read: deals ',
    ],
    ['has another name', { name: 'summer' }, 'The plan of summer in the database cannot be read: it is named spring.'],
    ['is not what its hash says', { plan_sha256: '0' }, 'its hash differs from the stored hash'],
  ])('that %s is refused with the reason', (_what, changes, words) => {
    expect(() => parseQueuedPlan({ ...queued, ...changes })).toThrow(words);
  });

  it('is that of a command where deals alone were raised, and of no other', () => {
    const more = { ...plan, deals: 8 };
    const other = { ...plan, seed: 99 };
    for (const same of [plan, more]) {
      expect(() => checkQueuedPlan(queued, same)).not.toThrow();
      expect([isSamePlan(queued, same), isSamePlan(queuePlan(same), plan)]).toEqual([true, true]);
    }
    expect(() => checkQueuedPlan(queued, other)).toThrow('The database already has another tournament named spring.');
    expect(isSamePlan(queued, other)).toBe(false);
  });
});
