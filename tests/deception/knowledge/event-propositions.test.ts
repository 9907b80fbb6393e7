// Players' knowledge of events: events that they saw, events that they cannot have missed, and events that no role
// allows.
import { describe, expect, it } from '@jest/globals';
import { deriveKnowledge } from '../../../deception/knowledge/player-knowledge.ts';
import {
  conjoin,
  disjoin,
  didAct,
  didCheck,
  hasRole,
  isOnTeam,
  didLeave,
  negate,
  didVote,
  type Proposition,
  type TruthValue,
} from '../../../deception/knowledge/propositions.ts';
import type { GameEvent } from '../../../state/events.ts';
import { createView } from '../../../state/view.ts';
import { acted, exiled, gameAt, learned, removed, votedFor, type Moment } from '../../game.ts';

const createRoundStart = (round: number): GameEvent => ({
  round,
  phase: 'night',
  audience: 'everyone',
  type: 'round_started',
});
const picked: GameEvent = {
  round: 1,
  phase: 'night',
  audience: ['Ginger', 'Leah'],
  type: 'pick',
  verb: 'eliminate',
  target: 'Bert',
};

/** Events among eight players: Sam checks Ginger, Paul protects Dan, Bert is removed, Mason is exiled. */
const events = [
  createRoundStart(1),
  acted(1, 'Sam', 'unmask', 'Ginger'),
  acted(1, 'Paul', 'protect', 'Dan'),
  picked,
  learned(1, 'Sam', 'Ginger', 'Werewolf'),
  removed(1, 'Bert'),
  ...['Ginger', 'Leah', 'Sam', 'Paul', 'Dan', 'Will'].map((name) => votedFor(1, name, 'Mason')),
  votedFor(1, 'Mason', 'Dan'),
  exiled(1, 'Mason'),
  createRoundStart(2),
];
const moment: Moment = { events, round: 2, phase: 'night', gone: ['Bert', 'Mason'] };

const secret: Moment = {
  ...moment,
  rules: { ballots: 'secret' },
  events: events.map((event) => (event.type === 'ballot' ? { ...event, audience: [event.by] } : event)),
};

const pickedByGinger: GameEvent = { ...picked, round: 2, audience: ['Ginger'], target: 'Dan' };

/** Leah is exiled on the first day. In the second night Ginger is the only living Werewolf. */
const leahGone: Moment = {
  events: [...events.slice(0, -2), exiled(1, 'Leah'), createRoundStart(2), pickedByGinger, removed(2, 'Dan')],
  round: 2,
  phase: 'day',
  gone: ['Bert', 'Leah', 'Dan'],
};

/** The day after the night in which Bert was removed. */
const morning: Moment = { events: events.slice(0, 6), round: 1, phase: 'day', gone: ['Bert'] };

/** A match with a Witch. The Werewolves pick Bert, who is removed. */
const withWitch: Moment = {
  ...morning,
  seats: { Ginger: 'Werewolf', Wanda: 'Witch', Paul: 'Doctor', Dan: 'Villager', Will: 'Villager', Bert: 'Villager' },
  events: [createRoundStart(1), { ...picked, audience: ['Ginger'] }, removed(1, 'Bert')],
};

const didProtect = (by: string, target: string, round?: number) =>
  didAct({ by, verb: 'protect', target, ...(round === undefined ? {} : { round }) });

const didEliminate = (by: string, target: string, round?: number) =>
  didAct({ by, verb: 'eliminate', target, ...(round === undefined ? {} : { round }) });

const foundGinger = { by: 'Sam', about: 'Ginger' };

type Case = [me: string, what: Proposition, truth: TruthValue, moment?: Moment];
const cases: Record<string, Case> = {
  'A public vote is known': ['Dan', didVote({ by: 'Mason', target: 'Dan', round: 1 }), 'true'],
  'A public vote that was not given is known not to have been': [
    'Dan',
    didVote({ by: 'Mason', target: 'Will' }),
    'false',
  ],
  'Nobody has voted in a round to come': ['Dan', didVote({ by: 'Sam', target: 'Will', round: 2 }), 'false'],
  'A secret vote of another is not known': ['Dan', didVote({ by: 'Mason', target: 'Will' }), 'unknown', secret],
  'The own secret vote is': ['Dan', didVote({ by: 'Dan', target: 'Mason' }), 'true', secret],
  'The dead do not vote, in secret either': [
    'Dan',
    didVote({ by: 'Mason', target: 'Will', round: 2 }),
    'false',
    secret,
  ],
  'Who left is known': ['Dan', didLeave({ player: 'Bert', round: 1, cause: 'night' }), 'true'],
  'How they left too': ['Dan', didLeave({ player: 'Bert', cause: 'exile' }), 'false'],
  'Who has not left is known': ['Dan', didLeave({ player: 'Will' }), 'false'],
  'A Doctor knows whom he protected': [
    'Paul',
    didAct({ by: 'Paul', verb: 'protect', target: 'Dan', round: 1 }),
    'true',
  ],
  'And whom he did not': ['Paul', didAct({ by: 'Paul', verb: 'protect', target: 'Will' }), 'false'],
  'And that nobody else protects': ['Paul', didAct({ by: 'Will', verb: 'protect', target: 'Dan' }), 'false'],
  'A Villager knows neither': ['Dan', didAct({ by: 'Paul', verb: 'protect', target: 'Will' }), 'unknown'],
  'But that the dead protect nobody': [
    'Dan',
    didAct({ by: 'Bert', verb: 'protect', target: 'Will', round: 2 }),
    'false',
  ],
  'That nobody protected who was removed': ['Dan', didProtect('Will', 'Bert', 1), 'false', morning],
  'Nor in a round that is not said, where there was but one night': [
    'Dan',
    didProtect('Will', 'Bert'),
    'false',
    morning,
  ],
  'Somebody may have protected who was not': ['Dan', didProtect('Will', 'Sam', 1), 'unknown', morning],
  'As whoever denies it says the truth': ['Dan', negate(didProtect('Will', 'Bert', 1)), 'true', morning],
  'In a night that is not over anybody may be protected': ['Dan', didProtect('Will', 'Sam'), 'unknown'],
  'Nobody was poisoned who is there': [
    'Dan',
    didAct({ by: 'Wanda', verb: 'poison', target: 'Will', round: 1 }),
    'false',
    withWitch,
  ],
  'Whoever is not may have been': [
    'Dan',
    didAct({ by: 'Wanda', verb: 'poison', target: 'Bert', round: 1 }),
    'unknown',
    withWitch,
  ],
  'Or protected in vain, against poison': ['Dan', didProtect('Paul', 'Bert', 1), 'unknown', withWitch],
  'Nobody was saved who is not there, but poisoned as well': [
    'Dan',
    didAct({ by: 'Will', verb: 'save', target: 'Bert', round: 1 }),
    'unknown',
    withWitch,
  ],
  'Who knows the victim knows that nobody else was saved': [
    'Ginger',
    didAct({ by: 'Will', verb: 'save', target: 'Dan', round: 1 }),
    'false',
    withWitch,
  ],
  'Who does not, does not': [
    'Dan',
    didAct({ by: 'Will', verb: 'save', target: 'Paul', round: 1 }),
    'unknown',
    withWitch,
  ],
  'Nobody poisons where there is no Witch': ['Dan', didAct({ by: 'Sam', verb: 'poison', target: 'Bert' }), 'false'],
  'A Werewolf knows whom the pack picked': [
    'Ginger',
    didAct({ by: 'Leah', verb: 'eliminate', target: 'Bert' }),
    'true',
  ],
  'And whom it did not': ['Ginger', didAct({ by: 'Leah', verb: 'eliminate', target: 'Dan' }), 'false'],
  'What the pack did after one of it had left was not done by that one': [
    'Ginger',
    didEliminate('Leah', 'Dan'),
    'false',
    leahGone,
  ],
  'In whatever round': ['Ginger', didEliminate('Leah', 'Dan', 2), 'false', leahGone],
  'What it did while all were there was done by all': ['Ginger', didEliminate('Leah', 'Bert'), 'true', leahGone],
  'And by those who are left': ['Ginger', didEliminate('Ginger', 'Dan'), 'true', leahGone],
  'Whoever of the pack has left knows what it did before': [
    'Leah',
    didEliminate('Ginger', 'Will', 1),
    'false',
    leahGone,
  ],
  'Not what it did later': ['Leah', didEliminate('Ginger', 'Dan', 2), 'unknown', leahGone],
  'Nor in a round that is not said': ['Leah', didEliminate('Ginger', 'Dan'), 'unknown', leahGone],
  'But that others who have left did nothing later': ['Leah', didEliminate('Leah', 'Dan'), 'false', leahGone],
  'A Villager knows that he did not pick anybody': [
    'Dan',
    didAct({ by: 'Dan', verb: 'eliminate', target: 'Bert' }),
    'false',
  ],
  'A Seer knows what she learned': ['Sam', didCheck({ ...foundGinger, role: 'Werewolf' }), 'true'],
  'Also as a team': ['Sam', didCheck({ ...foundGinger, team: 'werewolves', round: 1 }), 'true'],
  'And what she did not': ['Sam', didCheck({ by: 'Sam', about: 'Will', team: 'villagers' }), 'false'],
  'And that nobody else checked anybody': [
    'Sam',
    didCheck({ by: 'Ginger', about: 'Will', team: 'villagers' }),
    'false',
  ],
  'A Werewolf knows that nobody checked him and found him good': [
    'Ginger',
    didCheck({ by: 'Sam', about: 'Ginger', team: 'villagers' }),
    'false',
  ],
  'Not whether he was found out': ['Ginger', didCheck({ ...foundGinger, team: 'werewolves' }), 'unknown'],
  'A Villager knows nothing of a check': ['Dan', didCheck({ ...foundGinger, role: 'Werewolf' }), 'unknown'],
  'But that he was not found to be a Werewolf': [
    'Dan',
    didCheck({ by: 'Sam', about: 'Dan', team: 'werewolves' }),
    'false',
  ],
  'A part that is known to fail fails the whole': [
    'Dan',
    conjoin(didVote({ by: 'Mason', target: 'Will' }), isOnTeam('Will', 'werewolves')),
    'false',
  ],
  'A part that is known to hold is enough for one of two': [
    'Dan',
    disjoin(didLeave({ player: 'Bert' }), isOnTeam('Will', 'werewolves')),
    'true',
  ],
  'What is not known is not known not to be': ['Dan', negate(isOnTeam('Will', 'werewolves')), 'unknown'],
  'Not what is false is true': ['Dan', negate(hasRole('Dan', 'Seer')), 'true'],
  'Of two that exclude each other not both': ['Dan', conjoin(hasRole('Will', 'Seer'), hasRole('Sam', 'Seer')), 'false'],
};

describe('What a player knows of what happened', () => {
  it.each(Object.entries(cases))('%s.', (_what, [me, what, truth, at = moment]) => {
    expect(deriveKnowledge(createView(gameAt(at), me)).evaluate(what)).toBe(truth);
  });
});
