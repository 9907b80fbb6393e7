// Seats as chats with rewards: the questions and answers of one player of one match, as libraries for fine-tuning and
// reinforcement learning take them.
import type { MatchTables } from '../deception/tables/match-tables.ts';
import { getDealKey } from '../deception/design/schedule.ts';
import { findSplit } from '../deception/bank/bank-split.ts';
import type { AnswerLine } from '../state/record.ts';

/** A message as chat APIs take it. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A call with the messages as they were sent; null if they are not there. */
export interface RecordedChatCall {
  answer: AnswerLine;
  messages: readonly ChatMessage[] | null;
  /** Whether another program recorded it, so that times and attempts are unknown. */
  isImported: boolean;
}

/** The actions of a seat, in numbers. */
export interface SeatRewards {
  /** 1: the seat's side won, 0: it lost, 0.5: nobody won. */
  result: number;
  /** Public statements with a label, and those among them that are verified lies. */
  labelled_statements: number;
  verified_lies: number;
  /** Ballots for an exile, and those among them for Werewolves. */
  ballots: number;
  ballots_on_werewolves: number;
}

/** A seat as one line of JSON. */
export interface SeatChat {
  id: string;
  match_id: string;
  deal: string;
  split: string;
  player: string;
  role: string;
  team: string;
  model: string;
  is_bot: boolean;
  messages: ChatMessage[];
  rewards: SeatRewards;
  /** Calls that are left out: their answer was not used, or their prompt or answer is not recorded. */
  calls_left_out: number;
}

/**
 * Returns one chat for each seat, in seat order. A chat begins with the rules as the system message; then each question
 * as it was sent is a user message, and the answer that was used, unchanged, an assistant message.
 *
 * @example buildSeatChats(tables, calls)[0].rewards.verified_lies
 */
export function buildSeatChats(tables: MatchTables, calls: readonly RecordedChatCall[]): SeatChat[] {
  const deal = getDealKey(tables.match);
  const callsOf = Map.groupBy(calls, ({ answer }) => answer.player);
  return tables.players.map(({ match_id, player, role, team, model, is_bot, has_won: hasWon }) => {
    const own = callsOf.get(player) ?? [];
    const used = own.filter(isUsed);
    return {
      id: `${match_id}/${player}`,
      ...{ match_id, deal, split: findSplit(deal), player, role, team, model, is_bot },
      messages: used.flatMap((call, place) => listTurn(call, place === 0 ? 'first' : 'later')),
      rewards: { result: hasWon === null ? 0.5 : Number(hasWon), ...countDeeds(tables, player) },
      calls_left_out: own.length - used.length,
    };
  });
}

const isUsed = ({ answer, messages }: RecordedChatCall) =>
  messages !== null && answer.raw !== '' && answer.error === undefined && answer.mark === undefined;

/** The messages of one question; later ones repeat no system message. */
const listTurn = ({ answer, messages }: RecordedChatCall, turn: 'first' | 'later'): ChatMessage[] => [
  ...(messages ?? [])
    .filter(({ role }) => turn === 'first' || role !== 'system')
    .map(({ role, content }) => ({ role, content })),
  { role: 'assistant', content: answer.raw },
];

function countDeeds({ statements, ballots }: MatchTables, player: string): Omit<SeatRewards, 'result'> {
  const labelled = statements.filter((row) => row.speaker === player && row.is_lie !== null);
  const cast = ballots.filter((row) => row.voter === player && row.vote.startsWith('exile') && !row.is_drawn);
  return {
    labelled_statements: labelled.length,
    verified_lies: labelled.filter((row) => row.is_lie).length,
    ballots: cast.length,
    ballots_on_werewolves: cast.filter((row) => row.target_team === 'werewolves').length,
  };
}
