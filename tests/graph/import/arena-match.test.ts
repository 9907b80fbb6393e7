// Sessions of Werewolf Arena and DSGBench told again by the rules: what becomes an event, and where the rules differ.
import { describe, expect, it } from '@jest/globals';
import { replaySession } from '../../../graph/import/arena-replay.ts';
import type { Session } from '../../../graph/import/arena-format.ts';
import { createSetup } from '../../../graph/import/import-match.ts';
import { GameEvent, isType } from '../../../state/event.ts';
import type { Team } from '../../../state/teams.ts';
import { allFor, log, round, session, without } from './session.ts';

const play = (given: Session, winner: Team = 'werewolves') => replaySession(given, createSetup(given), winner);

/** One Villager a night and a day, until four are left. */
const first = round({
  left: without('Jacob', 'Ginger'),
  night: { eliminated: 'Jacob', protected: 'Dan', unmasked: 'Paul' },
  exiled: 'Ginger',
  said: [['Ginger', 'Good morning.']],
  votes: [allFor('Ginger', without('Jacob'))],
  summaries: { Scott: 'Ginger is gone.', Paul: 'All goes well.' },
});
const last = round({
  left: without('Jacob', 'Ginger', 'Scott', 'Harold'),
  night: { eliminated: 'Scott', protected: 'Dan', unmasked: 'Leah' },
  exiled: 'Harold',
  votes: [allFor('Harold', without('Jacob', 'Ginger', 'Scott'))],
});

describe('a session that followed its rules', () => {
  const { events, differences, uncounted } = play(session(first, last));

  it('has nothing that is different', () => {
    expect({ differences, uncounted }).toEqual({ differences: [], uncounted: [] });
  });

  it('gives events as a match has them', () => {
    for (const event of events) expect(GameEvent.parse(event)).toEqual(event);
    expect(
      events.filter(({ type }) => type !== 'dealt' && type !== 'ballot').map(({ type, round: of }) => `${of} ${type}`),
    ).toEqual([
      '0 acquainted',
      '1 round_started',
      ...['1 pick', '1 acted', '1 acted', '1 learned', '1 death'],
      ...['1 thought', '1 statement', '1 death', '1 summary', '1 summary'],
      '2 round_started',
      ...['2 pick', '2 acted', '2 acted', '2 learned', '2 death', '2 death', '2 ended'],
    ]);
  });

  it('tells nobody what the original told nobody', () => {
    const audienceOf = (type: GameEvent['type']) => events.find((event) => event.type === type)?.audience;
    expect(audienceOf('pick')).toEqual(['Paul', 'Leah']);
    expect(audienceOf('learned')).toEqual(['Dan']);
    expect(audienceOf('ballot')).toEqual(['Ginger']);
    expect(audienceOf('summary')).toEqual(['Scott']);
  });

  it('ends as recorded', () => {
    expect(events.at(-1)).toMatchObject({ type: 'ended', winner: 'werewolves', reason: 'Werewolves at parity' });
  });
});

describe('bids and votes after every statement', () => {
  const bids = [
    { Scott: 1, Dan: 4 },
    { Scott: 3, Paul: 2 },
  ];
  const talked = round({
    ...{ left: without('Jacob', 'Ginger'), night: { eliminated: 'Jacob' }, exiled: 'Ginger', bids },
    said: [
      ['Dan', 'I am the Seer.'],
      ['Scott', 'Are you?'],
    ],
    votes: [allFor('Dan', without('Jacob')), allFor('Ginger', without('Jacob'))],
  });
  const { events } = play(session(talked, last));

  it('are bids and synthetic votes, and the last vote counts', () => {
    expect(events.filter(isType('bid')).map(({ by, step, bid }) => [by, step, bid])).toEqual([
      ...[
        ['Scott', 0, 1],
        ['Dan', 0, 4],
      ],
      ...[
        ['Scott', 1, 3],
        ['Paul', 1, 2],
      ],
    ]);
    const tried = events.filter(isType('synthetic_vote'));
    expect(new Set(tried.map(({ step, by, target }) => (by === 'Dan' ? 'Dan' : `${step} ${target}`)))).toEqual(
      new Set(['1 Dan', 'Dan']),
    );
    expect(
      events.filter(isType('ballot')).filter(({ round: of, target }) => of === 1 && target === 'Ginger'),
    ).toHaveLength(6);
  });

  it('make it a match under the rules of Werewolf Arena', () => {
    const { rules } = createSetup(session(talked, last));
    expect(rules).toMatchObject({ debateOrder: 'bidding', debateTurns: 2, syntheticVotes: true, talkTemperature: 1 });
    expect(createSetup(session(first, last)).rules).toMatchObject({
      debateOrder: 'round-robin',
      talkTemperature: null,
    });
  });
});

describe('where the original left its rules', () => {
  it("leaves out a dead Doctor's protection, and says that it had counted", () => {
    const doctorExiled = round({
      ...{ left: without('Jacob', 'Isaac'), night: { eliminated: 'Jacob', protected: 'Dan' }, exiled: 'Isaac' },
      votes: [allFor('Isaac', without('Jacob'))],
    });
    const spared = round({
      ...{ left: without('Jacob', 'Isaac', 'Dan'), night: { eliminated: 'Scott', protected: 'Scott' }, exiled: 'Dan' },
      votes: [allFor('Dan', without('Jacob', 'Isaac'))],
    });
    const end = round({ left: without('Jacob', 'Isaac', 'Dan', 'Scott'), night: { eliminated: 'Scott' } });
    const { events, differences } = play(session(doctorExiled, spared, end));
    expect(differences.map(({ round: of, kind, text }) => [of, kind, text])).toEqual([
      [2, 'act', 'Left out: protect by Isaac on Scott, since nobody who can was left.'],
      [2, 'death', 'Recorded as removed: nobody; by the rules: Scott. What was left out had counted.'],
    ]);
    expect(events.filter(isType('quiet_night')).map((event) => event.round)).toEqual([2]);
  });

  it("keeps a dead player's ballot apart, and says that it decided", () => {
    const ballots = {
      Paul: 'Ginger',
      Leah: 'Ginger',
      Scott: 'Ginger',
      Jacob: 'Ginger',
      Ginger: 'Paul',
      Harold: 'Paul',
      Dan: 'Paul',
    };
    const { events, differences, uncounted } = play(
      session(
        {
          ...first,
          ...round({
            left: without('Jacob', 'Ginger'),
            night: { eliminated: 'Jacob' },
            exiled: 'Ginger',
            votes: [ballots],
          }),
        },
        last,
      ),
    );
    expect(uncounted).toEqual([{ round: 1, by: 'Jacob', target: 'Ginger', cast_in_round: 1 }]);
    expect(differences.map(({ text }) => text)).toEqual([
      "Recorded as exiled: Ginger; by the rules: nobody. The original also counted Jacob's ballot for Ginger.",
    ]);
    expect(events.filter(isType('ballot')).some(({ by }) => by === 'Jacob')).toBe(false);
    expect(events.filter(isType('death')).find(({ cause }) => cause === 'exile')).toMatchObject({ player: 'Ginger' });
  });

  it('says whom the choices left out', () => {
    const cast = first.log.votes[0]!.map((vote) => ({
      ...vote,
      log: log(null, 'Choose from: Ginger, Scott, Harold, Paul, Leah, Isaac\n'),
    }));
    const { differences } = play(session({ ...first, log: { ...first.log, votes: [cast] } }, last));
    expect(differences.map(({ kind, text }) => [kind, text])).toEqual([
      ['choices', 'Dan was alive and was no choice to vote for.'],
    ]);
  });

  it('says that the game was over, and that another side had won', () => {
    const more = round({ left: without('Jacob', 'Ginger', 'Scott', 'Harold', 'Dan'), night: { eliminated: 'Dan' } });
    const { differences } = play(session(first, last, more), 'villagers');
    expect(differences.map(({ round: of, phase, text }) => [of, phase, text])).toEqual([
      [2, 'day', 'By the rules the Werewolves had won here; the original went on.'],
      [3, 'day', 'Recorded as the winner: the village; by the rules: the Werewolves.'],
    ]);
  });

  it('says that nothing explains a death', () => {
    const { differences } = play(session({ ...first, eliminated: 'Harold' }, last));
    expect(differences.map(({ text }) => text)).toEqual([
      'Recorded as removed: Jacob; by the rules: Harold. Nothing recorded explains it.',
    ]);
  });
});
