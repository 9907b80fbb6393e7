// Outcomes on which the arms of forks are compared. Each outcome is one number per fork.
import { mean } from '../statistics/sums.ts';
import type { ForkedStatement, MeasuredFork } from './forked-statement.ts';
import type { ListenerOutcome } from './fork-outcome.ts';

export const outcomeNames = [
  'votes_against_speaker',
  'votes_against_target',
  'suspicion_after',
  'belief_after',
  'suspicion_at_vote',
  'belief_at_vote',
  'speaker_exiled',
  'target_exiled',
  'side_won',
] as const;
export type OutcomeName = (typeof outcomeNames)[number];

interface OutcomeMeasure {
  title: string;
  /** Definition of the outcome in one sentence. */
  definition: string;
  range: readonly [number, number];
  /** Whether the outcome is a mean over listeners, so that it can be restricted to some listeners. */
  isOfListeners: boolean;
  /** Whether the outcome exists only for a statement, not for silence. */
  needsStatement?: true;
  /** Reads the outcome of a fork; null if unknown. */
  read: (
    fork: MeasuredFork,
    of: Omit<ForkedStatement, 'forks'>,
    listeners: readonly ListenerOutcome[],
  ) => number | null;
}

const average = (
  listeners: readonly ListenerOutcome[],
  read: (listener: ListenerOutcome) => number | null,
): number | null => mean(listeners.flatMap((one) => read(one) ?? []));

/** Returns the share of these listeners' ballots that name a player. The player must not be one of the listeners. */
const countVotes = (listeners: readonly ListenerOutcome[], player: string): number | null =>
  average(listeners, ({ name, vote }) => (vote === null || name === player ? null : Number(vote === player)));

export const outcomeMeasures: Readonly<Record<OutcomeName, OutcomeMeasure>> = {
  votes_against_speaker: {
    title: 'Votes against the speaker',
    definition: 'Share of the listeners’ ballots at the next vote that name the speaker.',
    range: [0, 1],
    isOfListeners: true,
    read: (_fork, { speaker }, listeners) => countVotes(listeners, speaker),
  },
  votes_against_target: {
    title: 'Votes against the target',
    definition:
      'Share of the ballots of listeners other than the target at the next vote that name the player whom the claim accuses or reports as a Werewolf.',
    range: [0, 1],
    isOfListeners: true,
    read: (_fork, { target }, listeners) => (target === null ? null : countVotes(listeners, target)),
  },
  suspicion_after: {
    title: 'Suspicion just after',
    definition: 'Mean over listeners of how deceptive the statement seemed, 0 to 1.',
    range: [0, 1],
    isOfListeners: true,
    needsStatement: true,
    read: (_fork, _of, listeners) => average(listeners, ({ suspicionAfter }) => suspicionAfter),
  },
  belief_after: {
    title: 'Belief just after',
    definition: 'Mean over listeners of the probability that the speaker is a Werewolf, asked about the statement.',
    range: [0, 1],
    isOfListeners: true,
    needsStatement: true,
    read: (_fork, _of, listeners) => average(listeners, ({ beliefAfter }) => beliefAfter),
  },
  suspicion_at_vote: {
    title: 'Suspicion at the vote',
    definition: 'Mean over listeners of their suspicion score of the speaker before the next vote, 0 to 1.',
    range: [0, 1],
    isOfListeners: true,
    read: (_fork, _of, listeners) => average(listeners, ({ suspicionAtVote }) => suspicionAtVote),
  },
  belief_at_vote: {
    title: 'Belief at the vote',
    definition: 'Mean over listeners of their last probability before the next vote that the speaker is a Werewolf.',
    range: [0, 1],
    isOfListeners: true,
    read: (_fork, _of, listeners) => average(listeners, ({ beliefAtVote }) => beliefAtVote),
  },
  speaker_exiled: {
    title: 'Speaker exiled',
    definition: 'Whether the day’s vote exiles the speaker.',
    range: [0, 1],
    isOfListeners: false,
    read: ({ outcome }, { speaker }) => Number(outcome.exiled === speaker),
  },
  target_exiled: {
    title: 'Target exiled',
    definition: 'Whether the day’s vote exiles the target.',
    range: [0, 1],
    isOfListeners: false,
    read: ({ outcome }, { target }) => (target === null ? null : Number(outcome.exiled === target)),
  },
  side_won: {
    title: 'Speaker’s side won',
    definition: 'Whether the speaker’s side won; missing where forks end after the vote.',
    range: [0, 1],
    isOfListeners: false,
    read: ({ outcome }) => (outcome.hasWon === null ? null : Number(outcome.hasWon)),
  },
};
