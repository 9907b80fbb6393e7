// Claims around the Possessed and the Medium: what is a lie, and that their names are ordinary words on other boards.
import { describe, expect, it } from '@jest/globals';
import { extractMatchClaims } from '../../../deception/claims/match-claims.ts';
import type { Verdict } from '../../../deception/claims/verify-claim.ts';
import { buildTables } from '../../../deception/tables/match-tables.ts';
import { createDealEvents } from '../../../state/deal.ts';
import type { GameEvent } from '../../../state/events.ts';
import { eight, exiled, picked, removed, said, setupOf, votedFor } from '../../game.ts';
import { called, manifestOf } from '../match-builder.ts';

const seats = { ...eight, Paul: 'Medium', Dan: 'Possessed' };
const startRound = (round: number): GameEvent => ({
  ...{ round, phase: 'night', audience: 'everyone', type: 'round_started' },
});

/** Bert is removed, and Mason, a Villager, is exiled. Paul learns Mason's side. Then the second day begins. */
const past: GameEvent[] = [
  startRound(1),
  picked(1, 'Bert'),
  removed(1, 'Bert'),
  ...['Ginger', 'Leah', 'Sam', 'Paul', 'Dan', 'Will'].map((name) => votedFor(1, name, 'Mason')),
  exiled(1, 'Mason'),
  startRound(2),
  { round: 2, phase: 'night', audience: ['Paul'], type: 'learned', by: 'Paul', about: 'Mason', team: 'villagers' },
];

function createRecord(by: string, text: string, dealt: Record<string, string> = seats) {
  const setup = setupOf({ seats: dealt, rules: { memory: 'full' } });
  const { setup: dummy, ...rest } = manifestOf();
  const manifest = { ...rest, setup: { ...dummy, ...setup, players: [...setup.players] } };
  const told = dealt === seats ? past : past.filter(({ type }) => type !== 'learned');
  const events = [...createDealEvents(setup), ...told, said('2.1', by, text)];
  return { manifest, events, answers: [called(by, 'debate', { round: 2, step: 0, answer: { statement: text } })] };
}

const listClaims = (...given: Parameters<typeof createRecord>) =>
  extractMatchClaims(createRecord(...given)).claims.map(({ type, verdict }): [string, Verdict] => [type, verdict]);

describe('claims about a Medium and a Possessed', () => {
  it.each<[by: string, text: string, claims: [string, Verdict][]]>([
    ['Paul', 'I am the Medium.', [['own_role', 'true']]],
    ['Paul', 'I identified Mason: he is not a Werewolf.', [['check', 'true']]],
    ['Paul', 'I identified Mason: he is a Werewolf.', [['check', 'lie']]],
    ['Will', 'I identified Mason: he is not a Werewolf.', [['check', 'lie']]],
    ['Paul', 'Mason was a Werewolf.', [['accusation', 'lie']]],
    ['Will', 'I am the Medium.', [['own_role', 'lie']]],
    ['Dan', 'I am the Medium.', [['own_role', 'lie']]],
    ['Dan', 'I am the Possessed.', [['own_role', 'true']]],
    ['Dan', 'I am not a Werewolf.', [['own_role', 'true']]],
    [
      'Dan',
      'I am the Seer. I checked Sam: he is a Werewolf.',
      [
        ['own_role', 'lie'],
        ['check', 'lie'],
      ],
    ],
    ['Ginger', 'I am the Possessed.', [['own_role', 'lie']]],
    ['Ginger', 'Dan is a Werewolf.', [['accusation', 'lie']]],
  ])('%s: %s', (by, text, claims) => {
    expect(listClaims(by, text)).toEqual(claims);
  });

  it('are none on a board without them, where the names are ordinary words', () => {
    for (const text of ['I am the Medium.', 'Dan is possessed.', 'I divined nothing from that.'])
      expect(listClaims('Will', text, eight)).toEqual([]);
  });

  it('a Possessed is no Werewolf in ballots, rounds and exiles, and wins with the Werewolves', () => {
    const { manifest, events, answers } = createRecord('Will', 'Nothing.');
    const more: GameEvent[] = [
      votedFor(2, 'Will', 'Dan'),
      exiled(2, 'Dan'),
      { ...{ round: 2, phase: 'day', audience: 'everyone', type: 'ended' }, winner: 'werewolves', reason: 'Werewolves at parity' }, // prettier-ignore
    ];
    const tables = buildTables({ manifest, events: [...events, ...more], answers });
    expect(tables.ballots.find(({ target }) => target === 'Dan')?.target_team).toBe('villagers');
    expect(tables.rounds[1]).toMatchObject({ exiled: 'Dan', exiled_team: 'villagers', werewolves_alive: 2 });
    expect(tables.players.find(({ player }) => player === 'Dan')).toMatchObject({ team: 'werewolves', has_won: true });
  });
});
