// The steps of a debate: bids for the next turn, and public statements on every occasion.
import { bidders, nextSpeaker, pkSpeakers, statementId } from '../debate.ts';
import type { EventOf, GameEvent, Occasion } from '../event.ts';
import type { Game } from '../game.ts';
import { stamp } from '../moment.ts';
import { cutAt } from '../words.ts';
import type { View } from '../view.ts';
import { freeText, markOf, recordThought, type Answer, type Choices, type Reply, type Step } from './step.ts';

export interface Bid extends Reply {
  bid: number;
}

/** The living bid for the next turn to speak; who has just spoken does not. An unreadable bid is no bid. */
export const bidStep: Step<Bid> = {
  name: 'bid',
  listAskers: bidders,
  listChoices: ({ rules }) => ({ bid: Array.from({ length: rules.bidScale + 1 }, (_, bid) => bid) }),
  apply: (game, answers) => ({
    change: { bids: Object.fromEntries(answers.map(({ by, value }) => [by, value?.bid ?? null])) },
    events: answers.flatMap((answer): GameEvent[] => [
      ...recordThought(game, 'bid', answer),
      { ...createBid(game, answer.by, answer.value?.bid ?? null), ...markOf(answer) },
    ]),
  }),
};

const createBid = (game: Game, by: string, bid: number | null): EventOf<'bid'> => ({
  ...stamp(game, [by]),
  type: 'bid',
  by,
  step: game.step,
  bid,
});

export interface Speech extends Reply {
  statement: string;
}

interface SpeechStep<Said extends Speech> {
  name: string;
  /** Absent: the debate. */
  occasion?: Occasion;
  findSpeaker: (game: Game) => string;
  /** Absent: words alone. */
  listChoices?: (view: View) => Choices<Said>;
  /** What the statement's event says besides its words; absent: nothing. */
  describe?: (said: Said) => Partial<EventOf<'statement'>>;
  /** What changes besides the number of turns taken; absent: nothing. */
  change?: Pick<Game, 'bids'>;
}

/** Somebody makes a statement, or is silent where nothing could be understood; either takes a turn. */
export const createSpeechStep = <Said extends Speech = Speech>({
  name,
  occasion,
  findSpeaker,
  listChoices = () => ({ statement: freeText }),
  describe = () => ({}),
  change = undefined,
}: SpeechStep<Said>): Step<Said> => ({
  name,
  listAskers: (game) => [findSpeaker(game)],
  listChoices,
  apply: (game, answers) => ({
    change: { ...change, step: game.step + 1 },
    events: answers.flatMap((answer) => createTurn(game, name, answer, occasion, describe)),
  }),
});

function createTurn<Said extends Speech>(
  game: Game,
  name: string,
  answer: Answer<Said>,
  occasion: Occasion | undefined,
  describe: (said: Said) => Partial<EventOf<'statement'>>,
): GameEvent[] {
  const { by, value } = answer;
  const at = { ...stamp(game, 'everyone'), id: statementId(game), by, ...(occasion ? { occasion } : {}) };
  const { text, cut } = cutAt(value?.statement ?? '', game.setup.rules.maxWords * 2);
  return [
    ...recordThought(game, name, answer),
    value && text !== ''
      ? { ...at, type: 'statement', text, ...(cut || answer.cut ? { cut: true } : {}), ...describe(value) }
      : { ...at, type: 'silence', ...markOf(answer) },
  ];
}

/** Somebody speaks in the debate: the highest bidder, or whose turn it is. */
export const debateStep = createSpeechStep({ name: 'debate', findSpeaker: nextSpeaker, change: { bids: {} } });

/** A tie is decided by a PK: one of the tied speaks once more. */
export const pkDebateStep = createSpeechStep({
  name: 'pk_debate',
  occasion: 'pk',
  findSpeaker: (game) => pkSpeakers(game)[0]!,
});
