// The referee of whole matches notices every rule that is broken.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EventOf, GameEvent } from '../../state/event.ts';
import { rulesBroken } from '../referee.ts';
import { legalAnswer, ScriptedModel } from '../scripted-model.ts';
import { boardOf, play } from '../table.ts';

type Match = Awaited<ReturnType<typeof play>>;
let match: Match;
beforeAll(async () => {
  const rule = { debateTurns: 2, syntheticVotes: true, reveal: 'role', exile: 'plurality', exileTies: 'random' };
  match = await play({
    board: boardOf(2, 1, 1, 4),
    rule,
    seed: 5,
    model: new ScriptedModel((question) => legalAnswer(question)),
  });
});

/** The match with the first event of a type changed, or left out where `change` gives nothing. */
const tampered = <Type extends GameEvent['type']>(
  type: Type,
  change?: (event: EventOf<Type>, match: Match) => object,
) => {
  const { events } = match;
  const at = events.findIndex((event) => event.type === type);
  const changed =
    change === undefined ? [] : [{ ...events[at], ...change(events[at] as EventOf<Type>, match) } as GameEvent];
  return events.toSpliced(at, 1, ...changed);
};

const dead = ({ events }: Match) => events.find((event) => event.type === 'death')!.player;

/** The referee that other tests rely on must not be blind. */
describe('the referee', () => {
  it('finds nothing in a match as it was played', () => {
    expect(rulesBroken(match.setup, match.events)).toEqual([]);
  });

  it.each<[string, RegExp, () => GameEvent[]]>([
    ['a bid that nobody made', /all bid but the last speaker/, () => tampered('bid')],
    [
      'a bid of another height',
      /the highest bid speaks|bids keep to the scale/,
      () => tampered('bid', () => ({ bid: 11 })),
    ],
    ['a debate that is too short', /a debate has its turns/, () => tampered('statement')],
    [
      'a speaker without the highest bid',
      /the highest bid speaks/,
      () => tampered('statement', ({ by }, { setup }) => ({ by: setup.players.find(({ name }) => name !== by)!.name })),
    ],
    ['a ballot that is missing', /every living player votes once/, () => tampered('ballot')],
    [
      'a ballot of one of the dead',
      /the dead do nothing/,
      () => tampered('ballot', (_event, all) => ({ by: dead(all) })),
    ],
    ['a ballot for oneself', /nobody votes for himself/, () => tampered('ballot', ({ by }) => ({ target: by }))],
    [
      'a check that lies',
      /a check tells the role/,
      () => tampered('learned', ({ role }) => ({ role: role === 'Seer' ? 'Doctor' : 'Seer' })),
    ],
    [
      'a death that lies',
      /a death tells|an exile tells/,
      () => tampered('death', () => ({ role: 'Doctor', team: 'villagers' })),
    ],
    ['a night without its dead', /the picked leave unless protected/, () => tampered('death')],
    [
      'a proposal that everybody knows',
      /an event is known to those it concerns/,
      () => tampered('proposal', () => ({ audience: 'everyone' })),
    ],
    ['an analysis that is missing', /a statement is analysed/, () => tampered('assessment')],
    [
      'a listener who judges himself',
      /an analysis is of the speaker/,
      () => tampered('assessment', ({ by }) => ({ about: by })),
    ],
    ['a vote for show that is missing', /all vote for show/, () => tampered('synthetic_vote')],
    ['a summary that is missing', /the living sum up/, () => tampered('summary')],
    [
      'an end without its winner',
      /who has won is said/,
      () => tampered('ended', ({ winner }) => ({ winner: winner === null ? 'villagers' : null })),
    ],
    ['an end that is missing', /a match ends once/, () => tampered('ended')],
  ])('finds %s', (_what, words, tamper) => {
    expect(rulesBroken(match.setup, tamper()).join('\n')).toMatch(words);
  });
});
