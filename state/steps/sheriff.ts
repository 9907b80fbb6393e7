// The steps of the Sheriff's office: election, the order of the debate, a word before the ballot, the badge.
import { electable, electionOutcome, electors, nextBallot, noSheriff, campaigners, unopposed } from '../election.ts';
import type { EventOf } from '../event.ts';
import type { Game } from '../game.ts';
import { stamp } from '../moment.ts';
import { badgeHolder, sheriffOf, tear } from '../sheriff.ts';
import { livingOthers } from '../view.ts';
import { createSpeechStep, type Speech } from './debate.ts';
import type { VoteFor } from './voting.ts';
import { freeText, markOf, recordThought, type Reply, type Step } from './step.ts';

export interface Candidacy extends Reply {
  stand: boolean;
}

/** All say at once whether they stand for Sheriff; whose answer could not be had does not. */
export const candidacyStep: Step<Candidacy> = {
  name: 'candidacy',
  listAskers: ({ alivePlayers }) => alivePlayers,
  listChoices: () => ({ stand: [true, false] }),
  apply: (game, answers) => {
    const declared = answers.map((answer): EventOf<'candidacy'> => ({
      ...stamp(game, 'everyone'),
      type: 'candidacy',
      by: answer.by,
      stands: answer.value?.stand ?? false,
      ...markOf(answer),
    }));
    const thoughts = answers.flatMap((answer) => recordThought(game, 'candidacy', answer));
    return { events: [...thoughts, ...declared, ...noSheriff(game, declared)] };
  },
};

/** One of those who stand for Sheriff speaks. */
export const campaignStep = createSpeechStep({
  name: 'campaign',
  occasion: 'campaign',
  findSpeaker: (game) => campaigners(game)[0]!,
});

/** The players vote for a Sheriff, all at once; a tie is voted on again, once. An only candidate needs no vote. */
export const electStep: Step<VoteFor> = {
  name: 'elect',
  listAskers: (game) => (unopposed(game) ? [] : electors(game)),
  listChoices: ({ events, me }) => ({ vote: electable(events).filter((name) => name !== me) }),
  apply: (game, answers) => {
    const only = unopposed(game);
    if (only) return { events: [only] };
    const ballot = nextBallot(game.gameLogs);
    const ballots = answers.flatMap((answer): EventOf<'badge_ballot'>[] =>
      answer.value
        ? [
            {
              ...stamp(game, 'everyone'),
              type: 'badge_ballot',
              by: answer.by,
              target: answer.value.vote,
              ballot,
              ...markOf(answer),
            },
          ]
        : [],
    );
    const outcome = electionOutcome(game, ballots);
    const thoughts = answers.flatMap((answer) => recordThought(game, 'elect', answer));
    return { events: [...thoughts, ...ballots, ...(outcome ? [outcome] : [])] };
  },
};

export interface SpeakingOrder extends Reply {
  direction: EventOf<'speaking_order'>['direction'];
}

/** The Sheriff decides in which direction the debate goes around the table. */
export const speakingOrderStep: Step<SpeakingOrder> = {
  name: 'speaking_order',
  listAskers: (game) => [sheriffOf(game)!],
  listChoices: () => ({ direction: ['up', 'down'] }),
  apply: (game, answers) => ({
    events: answers.flatMap((answer) =>
      answer.value
        ? [
            ...recordThought(game, 'speaking_order', answer),
            {
              ...stamp(game, 'everyone'),
              type: 'speaking_order' as const,
              by: answer.by,
              direction: answer.value.direction,
              ...markOf(answer),
            },
          ]
        : [],
    ),
  }),
};

export interface Recommendation extends Speech {
  recommendation: string;
}

/** The Sheriff sums up the pseudo-vote and recommends one player to exile. */
export const recommendStep = createSpeechStep<Recommendation>({
  name: 'recommend',
  occasion: 'recommendation',
  findSpeaker: (game) => sheriffOf(game)!,
  listChoices: (seen) => ({ statement: freeText, recommendation: livingOthers(seen) }),
  describe: ({ recommendation }) => ({ recommends: recommendation }),
});

export interface Succession extends Reply {
  successor: string;
}

/** A Sheriff who has left names a successor or tears the badge. */
export const passBadgeStep: Step<Succession> = {
  name: 'pass_badge',
  listAskers: ({ gameLogs }) => [badgeHolder(gameLogs)].filter((holder) => holder !== null),
  listChoices: ({ alive }) => ({ successor: [...alive, tear] }),
  apply: (game, answers) => ({
    events: answers.flatMap((answer) => [
      ...recordThought(game, 'pass_badge', answer),
      { ...createBadge(game, answer.by, answer.value?.successor ?? tear), ...markOf(answer) },
    ]),
  }),
};

const createBadge = (game: Game, by: string, successor: string): EventOf<'badge'> => ({
  ...stamp(game, 'everyone'),
  type: 'badge',
  by,
  to: successor === tear ? null : successor,
});
