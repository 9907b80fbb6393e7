// The waves of a night: what depends on nothing side by side, the Witch after the pack, and every node once at most.
import { describe, expect, it } from '@jest/globals';
import { isType } from '../../state/event.ts';
import { plusSetup, plusScript, rival, seated, victim } from '../plus-table.ts';
import type { Question } from '../question.ts';
import { ScriptedModel, type Answer } from '../scripted-model.ts';
import { playDeal, traceDeal } from '../table.ts';
import { wavesOf } from '../waves.ts';

/** The nodes of each night, superstep by superstep. */
const nightsOf = (steps: readonly string[]) =>
  steps
    .join(' ')
    .split('start_round ')
    .slice(1)
    .map((round) => round.split(' resolve_night')[0]);

const nightsWith = async (change: (question: Question) => Answer | undefined, rule: object = {}) => {
  const setup = { ...plusSetup, rules: { ...plusSetup.rules, maxRounds: 3, ...rule } };
  const model = new ScriptedModel(plusScript(change));
  const { steps, events } = await traceDeal(setup, model);
  return { nights: nightsOf(steps), events, asked: model.asked };
};

const target = (name: string | undefined) => ({ reasoning: '', target: name });

describe('a night', () => {
  it('has three waves while the Witch has both potions: hers come after the pack and one after the other', async () => {
    const { nights } = await nightsWith(() => undefined);
    expect(nights[0]).toBe('eliminate+guard+unmask save poison');
  });

  it('runs every node once at most, whatever has been used: the routers of one wave agree', async () => {
    // The pick is written in the wave that leads to the antidote: who judged by it there would disagree with the rest.
    for (const night of [1, 2])
      for (const verb of ['save', 'poison'] as const) {
        const use = ({ action, round, alive, player }: Question) =>
          action === verb && round === night
            ? target(verb === 'save' ? pickOf(round) : alive.find((name) => name !== player))
            : undefined;
        const { nights } = await nightsWith((question) => use(question) ?? keeping(question));
        for (const [index, steps] of nights.entries()) {
          const nodes = steps!.split(/[ +]/);
          expect([index, nodes.length]).toEqual([index, new Set(nodes).size]);
          expect(steps).toMatch(/^eliminate(\+guard)?(\+unmask)?( save)?( poison)?$/);
        }
      }
  });

  it('has no wave for the antidote once it was used, and the Witch is told nobody any more', async () => {
    const { nights, events } = await nightsWith((question) =>
      question.action === 'save' && question.round === 1 ? target(victim) : keeping(question),
    );
    expect(nights.map((steps) => steps!.split(' ').includes('save'))).toEqual(
      [true, false, false].slice(0, nights.length),
    );
    expect(events.filter(isType('attacked')).map(({ round }) => round)).toEqual([1]);
  });

  it('does not ask for the poison in the night of the antidote, unless the rules allow both', async () => {
    const asksBoth = async (witchBothPotions: boolean) => {
      const { asked } = await nightsWith(() => undefined, { witchBothPotions });
      return asked.some(({ action, round }) => action === 'poison' && round === 1);
    };
    expect([await asksBoth(false), await asksBoth(true)]).toEqual([false, true]);
  });

  it('asks the Witch once the pack has settled, also where its proposals differed', async () => {
    const { waves } = await wavesOf(
      (model) => playDeal({ ...plusSetup, rules: { ...plusSetup.rules, maxRounds: 1 } }, model),
      plusScript(({ action, player }) =>
        action === 'eliminate'
          ? { reasoning: '', proposal: player === rival ? victim : seated('Villager', 1), proposal_reason: 'So.' }
          : undefined,
      ),
    );
    const actions = waves.slice(0, 3).map((wave) =>
      wave
        .map(({ action }) => action)
        .sort()
        .join(' '),
    );
    expect(actions).toEqual(['eliminate eliminate guard unmask', 'eliminate eliminate', 'save']);
  });
});

/** Whom the pack of the course picks: the first of the Villagers who is left. */
const pickOf = (round: number) => seated('Villager', round - 1);

/** Nights alone: the pack goes from Villager to Villager, nobody uses anything, nobody is exiled. */
function keeping({ action, round, alive, player }: Question): Answer | undefined {
  if (action === 'eliminate') return { reasoning: '', proposal: pickOf(round), proposal_reason: 'So.' };
  if (action === 'save' || action === 'poison' || action === 'guard') return target('pass');
  if (action === 'candidacy') return { reasoning: '', stand: false };
  if (action === 'vote')
    return { reasoning: '', vote: alive[(alive.indexOf(player) + 1) % alive.length], explanation: 'So.' };
  return undefined;
}
