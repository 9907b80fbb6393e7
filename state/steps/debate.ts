// The debate: the rules that choose the next speaker, and the steps of bidding and of speaking in public.
import { draftAction } from '../event-descriptions.ts';
import { findNames } from '../name-reader.ts';
import { type EventOf, type GameEvent, isEventOfType, type Occasion } from '../events.ts';
import { createEventHeader, type Game } from '../game.ts';
import { draw } from '../random.ts';
import type { Rules } from '../rules/common-rules.ts';
import { findSheriff } from '../sheriff.ts';
import { truncateWords } from '../text.ts';
import type { View } from '../view.ts';
import {
  type Answer,
  asksNobody,
  type Choices,
  freeText,
  getAnswerMark,
  recordThought,
  type Reply,
  type Step,
} from './step.ts';
import { findTiedToday } from './voting.ts';

// Rules of the debate: turns taken so far, who may bid, who speaks next.

/** A public turn to speak: a statement, or silence if nothing could be read. */
export type Turn = EventOf<'statement'> | EventOf<'silence'>;

const [isStatement, isSilence] = [isEventOfType('statement'), isEventOfType('silence')];

export const isTurn = (event: { type: string }): event is Turn => isStatement(event) || isSilence(event);

/** Returns whether an event is a turn on this occasion; undefined means the debate. */
export const isTurnFor =
  (occasion: Occasion | undefined) =>
  (event: { type: string }): event is Turn =>
    isTurn(event) && event.occasion === occasion;

/** Returns today's last public turn, spoken or silent. */
export function findLastTurn({ gameLogs, roundNum }: Pick<Game, 'gameLogs' | 'roundNum'>): Turn | undefined {
  const last = gameLogs.findLast(isTurn);
  return last?.round === roundNum ? last : undefined;
}

/**
 * Counts the turns on an occasion in a round; undefined means the debate. Accepts the events of a Game or of a View.
 */
export const countTurns = (events: readonly { type: string }[], round: number, occasion?: Occasion): number =>
  events.filter(isTurnFor(occasion)).filter((turn) => turn.round === round).length;

/** Returns the number of turns in a day's debate, given the number of living players. */
export const getTurnsPerDay = (rules: Rules, living: number): number =>
  rules.debateOrder === 'bidding' ? rules.debateTurns : rules.debatePasses * living;

/** Returns whether today's debate continues. Nobody leaves during a debate, so its number of turns is fixed. */
export const hasTurnsLeft = ({ gameLogs, roundNum, setup, alivePlayers }: Game) =>
  countTurns(gameLogs, roundNum) < getTurnsPerDay(setup.rules, alivePlayers.length);

/**
 * Returns whether players bid for the next turn. They do not if everybody speaks in order, nor for the Sheriff's
 * opening turn.
 */
export const isBidFor = (game: Game) =>
  game.setup.rules.debateOrder === 'bidding' &&
  (findSheriff(game) === null || countTurns(game.gameLogs, game.roundNum) > 0);

/**
 * Lists the living players who may bid for the next turn, in seat order. Under `bidders=others` the last speaker is
 * excluded.
 */
export const listBidders = (game: Game) =>
  game.setup.rules.bidders === 'all'
    ? [...game.alivePlayers]
    : game.alivePlayers.filter((name) => name !== findLastTurn(game)?.by);

/** Finds the names that occur in `text` as whole words, in the order of `names`. */
export const findMentionedNames = (text: string, names: readonly string[]) => {
  const found = new Set(findNames(text, names).map(({ name }) => name));
  return names.filter((name) => found.has(name));
};

/** Returns the next speaker in the debate. */
export function chooseNextSpeaker(game: Game): string {
  if (game.setup.rules.debateOrder === 'round-robin') return findNextInOrder(game);
  return isBidFor(game) ? chooseHighestBidder(game) : findSheriff(game)!;
}

/**
 * Returns the player with the highest bid. A draw breaks ties. Under `bidTies=named-twice`, players whom the last
 * statement named count twice in the draw.
 */
function chooseHighestBidder(game: Game): string {
  const { roundNum, step, bids, setup } = game;
  const eligible = listBidders(game);
  const readable = eligible.filter((name) => typeof bids[name] === 'number');
  const highest = Math.max(...readable.map((name) => bids[name]!));
  const tied = readable.length > 0 ? readable.filter((name) => bids[name] === highest) : eligible;
  const last = findLastTurn(game);
  const isNamedTwice = setup.rules.bidTies === 'named-twice' && last?.type === 'statement';
  const named = isNamedTwice ? findMentionedNames(last.text, tied) : [];
  return draw(setup.seed, 'speaker', roundNum, step).pick([...tied, ...named]);
}

/**
 * Returns the next player around the table, starting with the first speaker and in the direction that the Sheriff
 * chose.
 */
function findNextInOrder(game: Game): string {
  const { alivePlayers, gameLogs, roundNum } = game;
  const chosen = gameLogs.filter(isEventOfType('speaking_order')).find(({ round }) => round === roundNum);
  const around = chosen?.direction === 'down' ? alivePlayers.toReversed() : alivePlayers;
  const first = around.indexOf(findFirstSpeaker(game));
  return around[(first + countTurns(gameLogs, roundNum)) % around.length]!;
}

/** Returns the first speaker if everybody speaks in order: the Sheriff, or the player that the rules determine. */
function findFirstSpeaker(game: Game): string {
  const { setup, alivePlayers, roundNum } = game;
  const sheriff = findSheriff(game);
  if (sheriff !== null) return sheriff;
  if (setup.rules.debateLead === 'seed') return draw(setup.seed, 'first speaker', roundNum).pick(alivePlayers);
  const seats = setup.players.map(({ name }) => name);
  const from = (roundNum - 1) % seats.length;
  return [...seats.slice(from), ...seats].find((name) => alivePlayers.includes(name))!;
}

/** Lists today's tied players who have not yet given their speech after the tie, in seat order. */
export function listPkSpeakers(game: Game): string[] {
  const { gameLogs, roundNum } = game;
  const spoken = gameLogs.filter(isTurnFor('pk')).filter(({ round }) => round === roundNum);
  return (findTiedToday(game) ?? []).filter((name) => !spoken.some(({ by }) => by === name));
}

/** Returns the id of the next statement, e.g. `2.3` for the third of round 2. */
export const getNextStatementId = ({ roundNum, step }: Pick<Game, 'roundNum' | 'step'>) => `${roundNum}.${step + 1}`;

// Steps of the debate.

export interface Bid extends Reply {
  bid: number;
}

const countUpTo = (top: number) => Array.from({ length: top + 1 }, (_, bid) => bid);

/** Highest bid of the scale → all legal bids. */
const bids = { 4: countUpTo(4), 10: countUpTo(10) };

/** The living players bid for the next turn to speak. An unreadable bid counts as no bid. */
export const bidStep: Step<Bid> = {
  name: 'bid',
  listAskers: listBidders,
  listChoices: ({ rules }) => ({ bid: bids[rules.bidScale] }),
  apply: (game, answers) => ({
    change: { bids: Object.fromEntries(answers.map(({ by, value }) => [by, value?.bid ?? null])) },
    events: answers.flatMap((answer): GameEvent[] => [
      ...recordThought(game, 'bid', answer),
      { ...createBid(game, answer.by, answer.value?.bid ?? null), ...getAnswerMark(answer) },
    ]),
  }),
};

const createBid = (game: Game, by: string, bid: number | null): EventOf<'bid'> => ({
  ...createEventHeader(game, [by]),
  type: 'bid',
  by,
  step: game.step,
  bid,
});

export interface Speech extends Reply {
  statement: string;
}

/** A bid, and the statement that the bidder makes if the bid is the highest. */
export interface DraftedTurn extends Bid, Speech {}

/** Returns the words of a statement as they are recorded; null if there is none. */
function cutSpeech(game: Game, { value, cut: wasCut }: Answer<Speech>): { text: string; cut?: true } | null {
  const { text, cut } = truncateWords(value?.statement ?? '', game.setup.rules.maxWords * 2);
  return text === '' ? null : { text, ...(cut || wasCut ? { cut: true } : {}) };
}

/**
 * Under `turn=draft` the living players bid and draft a statement in one answer, because a speaker who is asked after
 * the bids would know more than the bidders did. `speakStep` makes the statement of the highest bidder.
 */
export const draftStep: Step<DraftedTurn> = {
  name: draftAction,
  listAskers: listBidders,
  listChoices: ({ rules }) => ({ bid: bids[rules.bidScale], statement: freeText }),
  apply: (game, answers) => ({
    change: {
      bids: Object.fromEntries(answers.map(({ by, value }) => [by, value?.bid ?? null])),
      drafts: Object.fromEntries(
        answers.map((answer) => [
          answer.by,
          { ...(cutSpeech(game, answer) ?? { text: null }), ...getAnswerMark(answer) },
        ]),
      ),
    },
    events: answers.flatMap((answer): GameEvent[] => [
      ...recordThought(game, draftAction, answer),
      { ...createBid(game, answer.by, answer.value?.bid ?? null), ...getAnswerMark(answer) },
    ]),
  }),
};

/** Makes the statement of the highest bidder. The drafts of all others go into the record, and nobody hears them. */
export const speakStep: Step = {
  name: 'speak',
  ...asksNobody,
  apply: (game) => {
    const speaker = chooseNextSpeaker(game);
    const id = getNextStatementId(game);
    const { text = null, cut, mark } = game.drafts[speaker] ?? {};
    const at = { ...createEventHeader(game, 'everyone'), id, by: speaker };
    const marked = mark === undefined ? {} : { mark };
    return {
      change: { bids: {}, drafts: {}, step: game.step + 1 },
      events: [
        text === null ? { ...at, type: 'silence', ...marked } : { ...at, type: 'statement', text, ...(cut && { cut }) },
        ...Object.entries(game.drafts).flatMap(([by, draft]): GameEvent[] =>
          by === speaker || draft.text === null
            ? []
            : [
                {
                  ...createEventHeader(game, 'moderator'),
                  ...{ type: 'draft', id, by, text: draft.text },
                  ...(draft.cut && { cut: draft.cut }),
                },
              ],
        ),
      ],
    };
  },
};

interface SpeechStepOptions<Said extends Speech> {
  name: string;
  /** Occasion of the statement. If absent: the debate. */
  occasion?: Occasion;
  findSpeaker: (game: Game) => string;
  /**
   * Lists the legal values of the answer's fields besides the statement. If absent, the answer has only a statement.
   */
  listChoices?: (view: View) => Choices<Said>;
  /** Returns further fields of the statement's event. */
  describe?: (said: Said) => Partial<EventOf<'statement'>>;
  /** Changes to the state besides the number of turns taken. */
  change?: Pick<Game, 'bids'>;
}

/**
 * Creates a step in which one player speaks in public. If no statement can be read, the player is silent, which also
 * takes a turn.
 */
export const createSpeechStep = <Said extends Speech = Speech>({
  name,
  occasion,
  findSpeaker,
  listChoices = () => ({ statement: freeText }),
  describe = () => ({}),
  change = undefined,
}: SpeechStepOptions<Said>): Step<Said> => ({
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
  const at = {
    ...createEventHeader(game, 'everyone'),
    id: getNextStatementId(game),
    by,
    ...(occasion ? { occasion } : {}),
  };
  const said = cutSpeech(game, answer);
  return [
    ...recordThought(game, name, answer),
    value && said
      ? { ...at, type: 'statement', ...said, ...describe(value) }
      : { ...at, type: 'silence', ...getAnswerMark(answer) },
  ];
}

/**
 * Returns whether all bidders for the next turn draft a statement. False for the Sheriff's opening turn, for which
 * nobody bids.
 */
export const isDrafted = (game: Game) => game.setup.rules.turn === 'draft' && isBidFor(game);

/** One player speaks in the debate: the highest bidder, or the next around the table. */
export const debateStep = createSpeechStep({ name: 'debate', findSpeaker: chooseNextSpeaker, change: { bids: {} } });

/** After a tie, one of the tied players speaks once more (a PK). */
export const pkDebateStep = createSpeechStep({
  name: 'pk_debate',
  occasion: 'pk',
  findSpeaker: (game) => listPkSpeakers(game)[0]!,
});
