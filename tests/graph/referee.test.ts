// The referee of whole matches notices each broken rule.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EventOf, GameEvent } from '../../state/events.ts';
import { listRulesBroken } from '../referee.ts';
import { createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { createBoard, play } from '../table.ts';

type Match = Awaited<ReturnType<typeof play>>;
let match: Match;
/** A match with every role and office, in which events of every type happen. */
let full: Match;
beforeAll(async () => {
  full = await play({
    board: { name: 'full', roles: { Werewolf: 4, Seer: 1, Witch: 2, Hunter: 2, Guard: 1, Villager: 4 } },
    rules: 'plus',
    rule: { sheriff: true, witchBothPotions: true, wins: 'parity' },
    seed: 21,
    model: 'bot:random',
  });
  const rule = { debateTurns: 2, syntheticVotes: true, reveal: 'role', exile: 'plurality', exileTies: 'random' };
  match = await play({
    board: createBoard(2, 1, 1, 4),
    rule,
    seed: 5,
    model: new ScriptedModel((question) => createLegalAnswer(question)),
  });
});

/** The match with its first event of a type changed. The event is removed if `change` returns nothing. */
const tamperWith = <Type extends GameEvent['type']>(
  type: Type,
  change?: (event: EventOf<Type>, match: Match) => object,
  of: Match = match,
) => {
  const { events } = of;
  const at = events.findIndex((event) => event.type === type);
  const changed =
    change === undefined ? [] : [{ ...events[at], ...change(events[at] as EventOf<Type>, of) } as GameEvent];
  return events.toSpliced(at, 1, ...changed);
};

const findDead = ({ events }: Match) => events.find((event) => event.type === 'death')!.player;

/** A check of the referee, on which other tests rely. */
describe('the referee', () => {
  it('finds nothing in a match as it was played', () => {
    expect(listRulesBroken(match.setup, match.events)).toEqual([]);
  });

  it.each<[string, RegExp, () => GameEvent[]]>([
    ['a bid that nobody made', /all bid who may/, () => tamperWith('bid')],
    [
      'a bid of another height',
      /the highest bid speaks|bids keep to the scale/,
      () => tamperWith('bid', () => ({ bid: 11 })),
    ],
    ['a debate that is too short', /a debate has its turns/, () => tamperWith('statement')],
    [
      'a speaker without the highest bid',
      /the highest bid speaks/,
      () =>
        tamperWith('statement', ({ by }, { setup }) => ({ by: setup.players.find(({ name }) => name !== by)!.name })),
    ],
    ['a ballot that is missing', /everybody who has a vote votes once/, () => tamperWith('ballot')],
    [
      'a ballot of one of the dead',
      /the dead do nothing/,
      () => tamperWith('ballot', (_event, all) => ({ by: findDead(all) })),
    ],
    ['a ballot for oneself', /nobody votes for himself/, () => tamperWith('ballot', ({ by }) => ({ target: by }))],
    [
      'a check that lies',
      /a check tells the role/,
      () => tamperWith('learned', ({ role }) => ({ role: role === 'Seer' ? 'Doctor' : 'Seer' })),
    ],
    [
      'a death that lies',
      /a death tells|an exile tells/,
      () => tamperWith('death', () => ({ role: 'Doctor', team: 'villagers' })),
    ],
    ['a night without its dead', /those leave whom nothing saved/, () => tamperWith('death')],
    [
      'a proposal that everybody knows',
      /an event is known to those it concerns/,
      () => tamperWith('proposal', () => ({ audience: 'everyone' })),
    ],
    ['an analysis that is missing', /a statement is analysed/, () => tamperWith('assessment')],
    [
      'a listener who judges himself',
      /an analysis is of the speaker/,
      () => tamperWith('assessment', ({ by }) => ({ about: by })),
    ],
    ['a vote for show that is missing', /all vote for show/, () => tamperWith('synthetic_vote')],
    ['a summary that is missing', /the living sum up/, () => tamperWith('summary')],
    [
      'an end without its winner',
      /who has won is said/,
      () => tamperWith('ended', ({ winner }) => ({ winner: winner === null ? 'villagers' : null })),
    ],
    ['an end that is missing', /a match ends once/, () => tamperWith('ended')],
  ])('finds %s', (_what, words, tamper) => {
    expect(listRulesBroken(match.setup, tamper()).join('\n')).toMatch(words);
  });

  it('finds nothing in a match with every role and office', () => {
    expect(listRulesBroken(full.setup, full.events)).toEqual([]);
    const happened = new Set(full.events.map(({ type }) => type));
    for (const type of [
      'attacked',
      'passed',
      'last_act',
      'candidacy',
      'badge_ballot',
      'badge',
      'speaking_order',
      'tie',
    ])
      expect(happened).toContain(type);
  });

  const findFirstAct = (verb: string) => full.events.find((event) => event.type === 'acted' && event.verb === verb)!;
  const withoutAct = (verb: string) => full.events.filter((event) => event !== findFirstAct(verb));
  const repeatAct = (verb: string) =>
    full.events.flatMap((event) => (event === findFirstAct(verb) ? [event, event] : [event]));

  it.each<[string, RegExp, () => GameEvent[]]>([
    ['a Guard who is not asked', /every living Guard who can guard is asked once/, () => withoutAct('guard')],
    ['a poison without its use', /those leave whom nothing saved/, () => withoutAct('poison')],
    ['a potion used twice', /every living Witch who can save is asked once/, () => repeatAct('save')],
    [
      'a victim told to somebody else',
      /every Witch who has the antidote is told/,
      () => tamperWith('attacked', (_event, { setup }) => ({ audience: [setup.players[0]!.name] }), full),
    ],
    [
      'another victim told',
      /the victim is the one whom the pack has picked/,
      () =>
        tamperWith(
          'attacked',
          ({ player }, { setup }) => ({ player: setup.players.find(({ name }) => name !== player)!.name }),
          full,
        ),
    ],
    [
      'a shot that is lost',
      /a last act is not lost/,
      () =>
        full.events.filter(
          (event) => event.type !== 'last_act' && !(event.type === 'passed' && event.verb === 'shoot'),
        ),
    ],
    [
      'a shot without effect',
      /a shot takes effect/,
      () => full.events.filter((event) => !(event.type === 'death' && event.cause === 'last_act')),
    ],
    [
      'a shot known as something else',
      /what its schema says/,
      () => tamperWith('last_act', () => ({ target: 3 }), full),
    ],
    [
      'a candidate who does not speak',
      /every candidate speaks once/,
      () => tamperWith('candidacy', () => ({ stands: false }), full),
    ],
    [
      'a vote for Sheriff that is missing',
      /those who do not stand vote/,
      () => tamperWith('badge_ballot', undefined, full),
    ],
    [
      'a Sheriff whom nobody chose',
      /the most named is elected/,
      () =>
        tamperWith(
          'elected',
          ({ player }, { setup }) => ({ player: setup.players.find(({ name }) => name !== player)!.name }),
          full,
        ),
    ],
    [
      'a Sheriff elected otherwise than is said',
      /how the Sheriff was elected/,
      () => tamperWith('elected', () => ({ how: 'unopposed' }), full),
    ],
    [
      'an order that nobody decided',
      /the Sheriff decides the order/,
      () => tamperWith('speaking_order', undefined, full),
    ],
    [
      'another order than the one decided',
      /everybody speaks in order/,
      () => tamperWith('speaking_order', ({ direction }) => ({ direction: direction === 'up' ? 'down' : 'up' }), full),
    ],
    [
      'a pseudo-vote that is missing',
      /a Sheriff has a pseudo-vote of all/,
      () => tamperWith('pseudo_ballot', undefined, full),
    ],
    ['a badge that stays with the dead', /passes the badge or tears it/, () => tamperWith('badge', undefined, full)],
    [
      'a badge for one of the dead',
      /the badge goes to the living/,
      () => tamperWith('badge', ({ by }) => ({ to: by }), full),
    ],
    [
      'a tie between others',
      /the tied are named/,
      () => tamperWith('tie', ({ players }) => ({ players: players.slice(1) }), full),
    ],
    [
      'things in another order',
      /everything in a night has its time/,
      () => {
        const use = findFirstAct('poison');
        return [
          ...full.events.slice(0, full.events.indexOf(full.events.find(({ type }) => type === 'pick')!)),
          use,
          ...full.events,
        ];
      },
    ],
  ])('finds %s', (_what, words, tamper) => {
    expect(listRulesBroken(full.setup, tamper()).join('\n')).toMatch(words);
  });
});
