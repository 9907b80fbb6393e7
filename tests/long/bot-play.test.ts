// Many matches of bots: both sides win, and figures differ between good and bad bots.
import { describe, expect, it } from '@jest/globals';
import { type EventOf, isEventOfType } from '../../state/events.ts';
import { play } from '../table.ts';

const classic = 'bot:classic';
const seeds = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const playSeeds = (model: string, count: number) =>
  Promise.all(seeds(count).map((seed) => play({ model, seed, rule: {} })));
const share = <Item>(items: readonly Item[], holds: (item: Item) => boolean) =>
  items.filter(holds).length / items.length;
const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

describe('a village of bots', () => {
  /** Without analyses, both bots play in the same way. */
  const results = async (model: string, count: number) => {
    const matches = await Promise.all(seeds(count).map((seed) => play({ model, seed, rule: { analysis: 'off' } })));
    const exiles = matches.flatMap(({ events }) =>
      events.filter(isEventOfType('death')).filter(({ cause }) => cause === 'exile'),
    );
    return { lost: share(matches, ({ summary }) => summary.winner === 'werewolves'), exiles: exiles.length / count };
  };

  it('loses about half of its matches, far fewer than one that plays by chance, and decides them by exiles', async () => {
    const [scripted, random] = await Promise.all([results(classic, 16), results('bot:random', 7)]);
    expect(scripted.lost).toBeGreaterThan(0.25);
    expect(scripted.lost).toBeLessThan(0.8);
    expect(random.lost).toBeGreaterThan(0.8);
    expect(scripted.exiles).toBeGreaterThan(1.8);
    expect(random.exiles).toBeLessThan(1.2);
  });
});

describe('the options of a bot', () => {
  const assessed = async (model: string) => {
    const matches = await playSeeds(model, 3);
    return matches.flatMap(({ events, setup }) => {
      const rows = events.filter(isEventOfType('assessment'));
      const self = new Map(rows.flatMap((row) => (row.by === row.about ? [[row.statement, row.deceptive]] : [])));
      const team = (name: string) => setup.players.find((player) => player.name === name)!.team;
      return rows.map((row) => ({ ...row, isLie: self.get(row.statement)!, team: team(row.about) }));
    });
  };
  const owned = (rows: Awaited<ReturnType<typeof assessed>>) =>
    share(
      rows.filter(({ by, about, team }) => by === about && team === 'werewolves'),
      ({ deceptive }) => deceptive,
    );
  /** Computes how much more suspicion lies get than true statements do. */
  const gap = (rows: (EventOf<'assessment'> & { isLie: boolean })[]) => {
    const of = (lies: boolean) =>
      rows.flatMap(({ isLie, suspicion }) => (isLie === lies && suspicion !== undefined ? [suspicion] : []));
    return mean(of(true)) - mean(of(false));
  };

  it('decide how often Werewolves lie', async () => {
    const [never, often] = await Promise.all([assessed('bot:classic?lie=0'), assessed('bot:classic?lie=0.9&detect=1')]);
    expect(owned(never)).toBe(0);
    expect(owned(often)).toBeGreaterThan(0.75);
  });

  it('decide how well lies are told from the truth', async () => {
    const [blind, sharp] = await Promise.all([
      assessed('bot:classic?lie=0.9&detect=0'),
      assessed('bot:classic?lie=0.9&detect=1'),
    ]);
    expect(Math.abs(gap(blind))).toBeLessThan(0.08);
    expect(gap(sharp)).toBeGreaterThan(0.2);
  });
});

describe('bots at large tables', () => {
  const roles = { Werewolf: 5, Seer: 1, Doctor: 1, Guard: 1, Witch: 1, Hunter: 1, Villager: 6 };
  it.each<[string, Parameters<typeof play>[0]]>([
    ['with every role and a Sheriff', { board: 'plus-12-sheriff' }],
    ['with sixteen seats', { board: { name: 'sixteen', roles }, rules: 'plus', rule: { sheriff: true } }],
    ['in long debates', { rule: { debateTurns: 24 } }],
  ])('%s need no second attempt and no fallback', async (_, plan) => {
    const { lines } = await play({ ...plan, model: classic });
    expect(
      lines.filter(({ error, mark, attempt }) => error !== undefined || mark !== undefined || attempt > 1),
    ).toEqual([]);
  });
});
