// The steps of voting: the ballot that counts, those before it that do not, and the exile.
import { resolveExile, tiedIn, tiedToday, voters } from '../ballots.ts';
import type { EventOf } from '../event.ts';
import type { Game } from '../game.ts';
import { stamp } from '../moment.ts';
import { livingOthers, type View } from '../view.ts';
import { cutAt } from '../words.ts';
import { freeText, markOf, nobody, recordThought, type Answer, type Reply, type Step } from './step.ts';

/** A vote for one of the players. */
export interface VoteFor extends Reply {
  vote: string;
}

export interface Vote extends VoteFor {
  /** Only where ballots are public. */
  explanation?: string;
}

/** Whom a player may vote for to be exiled: the others, or those between whom a tie is decided. */
export const listVotable = (seen: View) => tiedIn(seen.events, seen.round) ?? livingOthers(seen);

/** The living vote, all at once; between the tied, all others do. */
export const voteStep: Step<Vote> = {
  name: 'vote',
  listAskers: voters,
  listChoices: (seen) => ({
    vote: listVotable(seen),
    ...(seen.rules.ballots === 'public' ? { explanation: freeText } : {}),
  }),
  apply: (game, answers) => {
    const ballots = answers.flatMap((answer) => createBallot(game, answer));
    return {
      change: { votes: ballots.map(({ by, target }) => ({ by, target })) },
      events: [...answers.flatMap((answer) => recordThought(game, 'vote', answer)), ...ballots],
    };
  },
};

function createBallot(game: Game, answer: Answer<Vote>): EventOf<'ballot'>[] {
  const { by, value } = answer;
  if (!value) return [];
  const { ballots, maxWords } = game.setup.rules;
  const explained = value.explanation === undefined ? null : cutAt(value.explanation, maxWords * 2);
  return [
    {
      ...stamp(game, ballots === 'public' ? 'everyone' : [by]),
      type: 'ballot',
      id: `${game.roundNum}.${tiedToday(game) ? 'pk.' : ''}${by}`,
      by,
      target: value.vote,
      ...(explained ? { explanation: explained.text } : {}),
      ...(explained?.cut || (explained && answer.cut) ? { cut: true } : {}),
      ...markOf(answer),
    },
  ];
}

/** A vote that changes nothing and enters no memory: how a statement was received. */
export const syntheticVoteStep: Step<VoteFor> = {
  name: 'synthetic_vote',
  listAskers: voters,
  listChoices: (seen) => ({ vote: listVotable(seen) }),
  apply: (game, answers) => ({
    events: answers.flatMap((answer): EventOf<'synthetic_vote'>[] =>
      answer.value
        ? [
            {
              ...stamp(game, 'moderator'),
              type: 'synthetic_vote',
              by: answer.by,
              step: game.step,
              target: answer.value.vote,
              ...markOf(answer),
            },
          ]
        : [],
    ),
  }),
};

/** A first ballot that exiles nobody and is shown, for the Sheriff to sum up. */
export const pseudoVoteStep: Step<VoteFor> = {
  name: 'pseudo_vote',
  listAskers: voters,
  listChoices: (seen) => ({ vote: listVotable(seen) }),
  apply: (game, answers) => {
    const ballots = answers.flatMap((answer): EventOf<'pseudo_ballot'>[] =>
      answer.value
        ? [
            {
              ...stamp(game, 'everyone'),
              type: 'pseudo_ballot',
              by: answer.by,
              target: answer.value.vote,
              ...markOf(answer),
            },
          ]
        : [],
    );
    return { events: [...answers.flatMap((answer) => recordThought(game, 'pseudo_vote', answer)), ...ballots] };
  },
};

/**
 * Counts the ballots and announces who is exiled, if anybody; after a tie the ballots start anew where it is decided by a
 * PK.
 */
export const exileStep: Step = {
  ...nobody,
  name: 'exile',
  apply: (game) => {
    const outcome = resolveExile(game);
    return { change: outcome.type === 'tie' ? { votes: [] } : {}, events: [outcome] };
  },
};
