// Nights: how the pack decides, and what the other powers do.
import { describe, expect, it } from '@jest/globals';
import { isType } from '../../state/event.ts';
import type { Question } from '../question.ts';
import { answering, legalAnswer, ScriptedModel } from '../scripted-model.ts';
import { boardOf, dealt, playDeal, type Options } from '../table.ts';

const board = boardOf(3, 1, 1, 3);
const setupOf = (rule: Options, seed = 1) =>
  dealt({ board, rules: 'arena', rule: { debateTurns: 1, maxRounds: 1, ...rule }, seed });
const namesOf = (setup: ReturnType<typeof setupOf>, role: string) =>
  setup.players.filter((player) => player.role === role).map(({ name }) => name);

/** A first night in which each Werewolf proposes what `proposals` say, ballot by ballot, in the order of seats. */
async function night(rule: Options, proposals: (villagers: string[]) => string[][], seed = 1) {
  const setup = setupOf(rule, seed);
  const [pack, villagers] = [namesOf(setup, 'Werewolf'), namesOf(setup, 'Villager')];
  const ballotOf = ({ messages }: Question) => (messages[1]!.content.includes('The proposals differed') ? 1 : 0);
  const model = new ScriptedModel(
    answering({
      eliminate: (question) => ({
        proposal: proposals(villagers)[ballotOf(question)]![pack.indexOf(question.player)],
        proposal_reason: `Because, says ${question.player}.`,
      }),
      protect: () => ({ target: namesOf(setup, 'Doctor')[0] }),
    }),
  );
  const { events } = await playDeal(setup, model);
  const asked = model.asked.filter(({ action }) => action === 'eliminate');
  return { asked, pack, villagers, picked: events.find(isType('pick'))!.target, events };
}

describe('a pack that votes', () => {
  it('is asked once where all propose the same', async () => {
    const { asked, picked, villagers } = await night({ pack: 'vote' }, ([one]) => [[one!, one!, one!]]);
    expect(asked).toHaveLength(3);
    expect(picked).toBe(villagers[0]);
  });

  it('is asked again where it differs, having seen what the others proposed and why', async () => {
    const { asked, picked, pack, villagers } = await night({ pack: 'vote' }, ([one, two]) => [
      [one!, two!, two!],
      [one!, one!, two!],
    ]);
    expect(asked).toHaveLength(6);
    for (const { player, messages } of asked.slice(3))
      for (const mate of pack.filter((name) => name !== player))
        expect(messages[1]!.content).toContain(`${mate} proposed to the other Werewolves to remove`);
    for (const { messages } of asked.slice(0, 3)) expect(messages[1]!.content).not.toContain('Because, says');
    expect(asked[3]!.messages[1]!.content).toContain(`"Because, says ${pack[1]}."`);
    expect(picked).toBe(villagers[0]);
  });

  it('has a tie decided by the seed, the same each time', async () => {
    const tie = ([one, two, three]: string[]) => Array<string[]>(2).fill([one!, two!, three!]);
    const picks = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => night({ pack: 'vote' }, tie, seed)));
    expect(new Set(picks.map(({ picked, villagers }) => villagers.indexOf(picked))).size).toBeGreaterThan(1);
    expect((await night({ pack: 'vote' }, tie, 1)).picked).toBe(picks[0]!.picked);
  });
});

describe('a pack in which one decides', () => {
  it('is asked through one of its own, drawn by the seed, and all of it learns the pick', async () => {
    const nights = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((seed) => night({ pack: 'one' }, ([one, two, three]) => [[one!, two!, three!]], seed)),
    );
    for (const { asked, picked, pack, villagers, events } of nights) {
      expect(asked).toHaveLength(1);
      expect(villagers.indexOf(picked)).toBe(pack.indexOf(asked[0]!.player));
      expect(events.find(isType('pick'))!.audience).toEqual(pack);
      expect(Object.keys(asked[0]!.fields)).toEqual(['reasoning', 'proposal']);
    }
    expect(new Set(nights.map(({ asked, pack }) => pack.indexOf(asked[0]!.player))).size).toBeGreaterThan(1);
  });
});

describe('a night act', () => {
  it('shields the one whom the Doctor protects', async () => {
    const setup = setupOf({ pack: 'one' });
    const [victim] = namesOf(setup, 'Villager');
    const script = answering({ eliminate: () => ({ proposal: victim }), protect: () => ({ target: victim }) });
    const { events } = await playDeal(setup, new ScriptedModel(script));
    expect(events.filter(isType('quiet_night'))).toHaveLength(1);
    expect(events.filter(isType('death')).filter(({ cause }) => cause === 'night')).toEqual([]);
  });

  it.each([
    ['role', { role: 'Werewolf' }],
    ['team', { team: 'werewolves' }],
  ])('tells the Seer the %s, and nobody else', async (checkTells, told) => {
    const setup = setupOf({ checkTells });
    const [seer] = namesOf(setup, 'Seer');
    const [wolf] = namesOf(setup, 'Werewolf');
    const { events } = await playDeal(setup, new ScriptedModel(answering({ unmask: () => ({ target: wolf }) })));
    expect(events.find(isType('learned'))).toEqual({
      round: 1,
      phase: 'night',
      audience: [seer],
      type: 'learned',
      by: seer,
      about: wolf,
      ...told,
    });
  });

  it('is drawn and marked where no answer can be read', async () => {
    const model = new ScriptedModel((question) =>
      question.phase === 'night' ? { target: 'Zorro' } : legalAnswer(question),
    );
    const { events } = await playDeal(setupOf({ pack: 'one' }), model);
    const acts = events.filter((event) => event.type === 'acted' || event.type === 'pick');
    expect(acts.map(({ mark }) => mark)).toEqual(['fallback', 'fallback', 'fallback']);
    expect(model.asked.filter(({ phase }) => phase === 'night')).toHaveLength(9);
  });
});
