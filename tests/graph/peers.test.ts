// Three defects of other implementations of these rules, none of which may come back.
import { describe, expect, it } from '@jest/globals';
import { isType } from '../../state/event.ts';
import { hunter, plusScript, plusSetup, rival } from '../plus-table.ts';
import type { Question } from '../question.ts';
import { rulesBroken } from '../referee.ts';
import { answering, ScriptedModel } from '../scripted-model.ts';
import { dealt, playDeal, traceDeal } from '../table.ts';

const inACircle = ({ player, alive }: Question) => alive[(alive.indexOf(player) + 1) % alive.length]!;

describe('what went wrong elsewhere:', () => {
  it('the shot of a Hunter who is exiled takes effect, and the one shot is gone', async () => {
    const setup = { ...plusSetup, rules: { ...plusSetup.rules, maxRounds: 2 } };
    const { events } = await playDeal(setup, new ScriptedModel(plusScript(() => undefined)));
    expect(rulesBroken(setup, events)).toEqual([]);
    const at = events.findIndex(isType('last_act'));
    expect(events[at]).toMatchObject({ by: hunter, target: rival });
    expect(events[at + 1]).toMatchObject({ type: 'death', player: rival, cause: 'last_act' });
    const later = events.slice(at + 2).filter((event) => 'by' in event && event.by === rival);
    expect(later).toEqual([]);
  });

  it('the shot of a Hunter whom the pack removes can end the match', async () => {
    const board = { name: 'last-shot', roles: { Werewolf: 1, Hunter: 1, Villager: 4 } };
    const setup = dealt({ board, rules: 'arena', rule: { debateTurns: 1 } });
    const [wolf, shooter] = ['Werewolf', 'Hunter'].map(
      (role) => setup.players.find((player) => player.role === role)!.name,
    );
    const script = answering({ eliminate: () => ({ proposal: shooter }), shoot: () => ({ target: wolf }) });
    const { events, steps } = await traceDeal(setup, new ScriptedModel(script));
    expect(rulesBroken(setup, events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ winner: 'villagers', reason: 'no Werewolf left', round: 1 });
    expect(steps.join(' ')).toBe('__start__ start_round eliminate resolve_night last_act check_winner_night end');
  });

  it('a ballot is never of somebody who has left, nor counted after its voter has', async () => {
    const board = { name: 'shot-voters', roles: { Werewolf: 2, Hunter: 2, Villager: 6 } };
    const setup = dealt({
      board,
      rules: 'arena',
      rule: { debateTurns: 1, maxRounds: 4, exile: 'plurality', exileTies: 'random' },
    });
    const hunters = setup.players.filter(({ role }) => role === 'Hunter').map(({ name }) => name);
    const next = ({ player, alive }: Question) =>
      alive.find((name) => hunters.includes(name) && name !== player) ?? alive.find((name) => name !== player)!;
    const script = answering({
      vote: (question) => ({ vote: next(question) }),
      shoot: ({ alive }) => ({ target: alive[0] }),
    });
    const { events } = await playDeal(setup, new ScriptedModel(script));
    expect(rulesBroken(setup, events)).toEqual([]);
    expect(events.filter(isType('last_act')).length).toBeGreaterThan(1);
    let living = setup.players.map(({ name }) => name);
    for (const event of events) {
      if (event.type === 'death') living = living.filter((name) => name !== event.player);
      if (event.type === 'ballot') expect(living).toEqual(expect.arrayContaining([event.by, event.target]));
    }
    for (const round of new Set(events.map((event) => event.round))) {
      const cast = events
        .filter(isType('ballot'))
        .filter((ballot) => ballot.round === round)
        .map(({ by }) => by);
      expect(new Set(cast).size).toBe(cast.length);
    }
  });

  it('a Seer who has checked everybody is not asked any more, and the match goes on', async () => {
    const board = { name: 'long-nights', roles: { Werewolf: 1, Seer: 1, Guard: 1, Witch: 1, Villager: 2 } };
    const setup = dealt({ board, rules: 'arena', rule: { debateTurns: 1, maxRounds: 7, guardRepeat: true } });
    const victim = setup.players.find(({ role }) => role === 'Villager')!.name;
    const model = new ScriptedModel(
      answering({
        eliminate: () => ({ proposal: victim }),
        guard: () => ({ target: victim }),
        save: () => ({ target: 'pass' }),
        poison: () => ({ target: 'pass' }),
        vote: (question) => ({ vote: inACircle(question) }),
      }),
    );
    const { events } = await playDeal(setup, model);
    expect(rulesBroken(setup, events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'ended', reason: 'round limit', round: 7 });
    expect(model.asked.filter(({ action }) => action === 'unmask').map(({ round }) => round)).toEqual([1, 2, 3, 4, 5]);
  });
});
