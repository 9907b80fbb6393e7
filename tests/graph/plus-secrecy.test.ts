// The private facts of the later roles and of the Sheriff's office: who may know of them, and that nobody else can.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GameEvent } from '../../state/event.ts';
import { hunter, plusScript, plusSetup, rival, seated, victim } from '../plus-table.ts';
import type { Question } from '../question.ts';
import { ScriptedModel, type Answer } from '../scripted-model.ts';
import { playDeal } from '../table.ts';

const setup = { ...plusSetup, rules: { ...plusSetup.rules, maxRounds: 2 } };
const names = setup.players.map(({ name }) => name);
const [guard, witch, seer, mate] = [seated('Guard'), seated('Witch'), seated('Seer'), seated('Werewolf', 1)];
const pack = [rival, mate];

type Change = (question: Question) => Answer | undefined;

async function promptsWith(change: Change = () => undefined) {
  const model = new ScriptedModel(plusScript(change));
  const { events } = await playDeal(setup, model);
  const of = (player: string) =>
    model.asked
      .filter((asked) => asked.player === player)
      .flatMap(({ messages }) => messages.map(({ content }) => content));
  return { of, events, asked: model.asked };
}
type Played = Awaited<ReturnType<typeof promptsWith>>;

const target = (name: string): Answer => ({ reasoning: 'Hm.', target: name });

/** What was asked and answered, by action and round. */
const answering =
  (answers: Readonly<Record<string, (question: Question) => Answer>>): Change =>
  (question) =>
    answers[`${question.action} ${question.round}`]?.(question);

let base: Played;
beforeAll(async () => {
  base = await promptsWith();
});

/** Nobody but those involved can tell two matches apart; they themselves can. */
function expectUnnoticed(one: Played, other: Played, involved: readonly string[]) {
  for (const name of names.filter((player) => !involved.includes(player)))
    expect([name, other.of(name)]).toEqual([name, one.of(name)]);
  expect(involved.some((name) => other.of(name).join() !== one.of(name).join())).toBe(true);
}

describe('what nobody else can tell', () => {
  it('is whom the Guard guards', async () => {
    const other = await promptsWith(answering({ 'guard 1': () => target(witch), 'guard 2': () => target(guard) }));
    expectUnnoticed(base, other, [guard]);
  });

  it('is whether Guard or Witch saved somebody, and which potions are left', async () => {
    const other = await promptsWith(answering({ 'guard 1': () => target(victim), 'save 1': () => target('pass') }));
    const told = ({ events }: Played) => events.filter(({ type }) => type === 'attacked').length;
    expect([told(base), told(other)]).toEqual([1, 2]);
    expectUnnoticed(base, other, [guard, witch]);
  });

  it('is whether somebody was poisoned or picked by the pack', async () => {
    const other = await promptsWith(answering({ 'guard 2': () => target(victim), 'poison 2': () => target(victim) }));
    const ofNight = ({ events }: Played) => events.filter((event) => event.type === 'death' && event.cause === 'night');
    expect(ofNight(other)).toEqual(ofNight(base));
    expect(ofNight(base)).toMatchObject([{ player: victim, cause: 'night' }]);
    expectUnnoticed(base, other, [guard, witch]);
  });

  it('is a Hunter who holds fire from one who may not shoot', async () => {
    const picked = await promptsWith(
      answering({
        'eliminate 1': () => ({ reasoning: 'Hm.', proposal: hunter, proposal_reason: 'So.' }),
        'save 1': () => target('pass'),
        'guard 1': () => target(victim),
        'shoot 1': () => target('pass'),
        'save 2': () => target('pass'),
      }),
    );
    const poisoned = await promptsWith(
      answering({
        'save 1': () => target('pass'),
        'guard 1': () => target(victim),
        'poison 1': () => target(hunter),
        'save 2': () => target('pass'),
      }),
    );
    const asked = ({ asked }: Played) => asked.filter(({ action }) => action === 'shoot').length;
    expect([asked(picked), asked(poisoned)]).toEqual([1, 0]);
    expectUnnoticed(picked, poisoned, [...pack, witch, hunter]);
  });

  it("is the pack's talk", async () => {
    const other = await promptsWith(
      answering({
        'eliminate 1': ({ player, messages }) => ({
          reasoning: 'Hm.',
          proposal: player === mate && !messages[1]!.content.includes('The proposals differed') ? seer : victim,
          proposal_reason: 'Otherwise.',
        }),
      }),
    );
    expectUnnoticed(base, other, pack);
  });

  it.each([
    ['the Seer', seer],
    ['the Witch', witch],
    ['the Hunter, who is Sheriff', hunter],
    ['a Werewolf, who stands for Sheriff', rival],
    ['a Villager', victim],
  ])('is what anybody thinks: to %s', async (_who, me) => {
    const changed: string[] = [];
    const other = await promptsWith((question) => {
      if (question.player === me) return undefined;
      const answer = plusScript(() => undefined)(question) as Record<string, unknown>;
      if (!('reasoning' in answer)) return undefined;
      changed.push(question.action);
      return { ...answer, reasoning: 'Another reasoning.' };
    });
    for (const action of ['candidacy', 'elect', 'pseudo_vote', 'guard', 'eliminate']) expect(changed).toContain(action);
    expect(other.of(me)).toEqual(base.of(me));
  });
});

/** Unquoted words of what a player has seen and is asked. */
const plain = ({ messages }: Question) => messages[1]!.content.replace(/"[^"\n]*"/g, '""');

describe('prompts', () => {
  it('speak of potions, besides the rules, to the Witch alone', () => {
    const about = base.asked.filter((question) => /poison|antidote|\bsave\b/.test(plain(question)));
    expect(new Set(about.map(({ player }) => player))).toEqual(new Set([witch]));
  });

  it('say whom the pack has picked to the pack and to the Witch who has the antidote', () => {
    const told = base.asked.filter((question) => plain(question).includes('the Werewolves picked this night:'));
    expect(new Set(told.map(({ player }) => player))).toEqual(new Set([witch]));
    const picks = base.asked.filter((question) => plain(question).includes('The Werewolves picked '));
    expect(new Set(picks.map(({ player }) => player))).toEqual(new Set(pack));
  });

  it('tell of an own act to nobody else', () => {
    const isOwn = (event: GameEvent) => event.type === 'acted' || event.type === 'passed';
    for (const question of base.asked) {
      const chosen = [...plain(question).matchAll(/^- You chose to (\w+) (\w+)\.$/gm)].map(
        ([, verb, on]) => `${verb} ${on}`,
      );
      const own = base.events
        .filter(isOwn)
        .filter(({ by }) => by === question.player)
        .map((event) => `${event.verb} ${event.type === 'acted' ? event.target : 'nobody'}`);
      expect(own).toEqual(expect.arrayContaining(chosen));
    }
  });
});
