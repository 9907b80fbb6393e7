// Records of before a combination of rules or a name was refused: their matches are gone on with as they were.
import { expect, it } from '@jest/globals';
import { planOf, prepareMatch } from '../../graph/prepare.ts';

const env = {};
const recorded = async (rule: Record<string, string | number | boolean>) => {
  const { manifest } = await prepareMatch({ seed: 4, model: 'bot:random' }, env, 0);
  return { ...manifest, setup: { ...manifest.setup, rules: { ...manifest.setup.rules, ...rule } } };
};

it('a match whose record has an option that decides nothing is prepared again as it was', async () => {
  const manifest = await recorded({ exileTies: 'random', analyzeBallots: true, ballots: 'secret', guardSelf: false });
  const again = await prepareMatch(planOf(manifest), env, 0);
  expect(again.manifest.setup).toEqual(manifest.setup);
});

it('a record whose rules are none is refused with the reason', async () => {
  const manifest = await recorded({ exileTies: 'both' });
  await expect(prepareMatch(planOf(manifest), env, 0)).rejects.toThrow('Rule "exileTies" cannot be "both"');
});

it('a match whose players have names that are refused today is prepared again with them', async () => {
  const manifest = await recorded({});
  const [first, second, ...others] = manifest.setup.players;
  const named = [{ ...first!, name: 'Voted' }, { ...second!, name: 'Bern' }, ...others];
  const models = Object.fromEntries(named.map(({ name }) => [name, 'bot:random']));
  const setup = { ...manifest.setup, players: named, models, bots: named.map(({ name }) => name) };
  const again = await prepareMatch(planOf({ ...manifest, setup }), env, 0);
  expect(again.manifest.setup.players.map(({ name }) => name)).toEqual(expect.arrayContaining(['Voted', 'Bern']));
});

it('another board in the place of the recorded one is checked as any other', async () => {
  const plan = planOf(await recorded({}));
  const names = ['Voted', ...plan.recorded!.board.names!.slice(1)];
  const seated = { ...plan.recorded!.board, names };
  await expect(prepareMatch({ ...plan, board: seated }, env, 0)).rejects.toThrow('a name cannot be a word');
  const even = { name: 'even', roles: { Werewolf: 4, Villager: 4 }, names: plan.recorded!.board.names };
  await expect(prepareMatch({ ...plan, board: even }, env, 0)).rejects.toThrow('are at parity at the start');
});
