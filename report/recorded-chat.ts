// Seats as chats with rewards: the questions and answers of one player in one match, in the form that libraries for
// fine-tuning and reinforcement learning read.
import type { MatchTables } from '../deception/tables/match-tables.ts';
import { getDealKey } from '../deception/design/schedule.ts';
import { findSplit } from '../deception/bank/bank-split.ts';
import type { AnswerLine } from '../state/record.ts';

/** A message in the form of chat APIs. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** A call with the messages that were sent. `messages` is null if they were not stored. */
export interface RecordedChatCall {
  answer: AnswerLine;
  messages: readonly ChatMessage[] | null;
  /** Whether another program recorded the call. Times and attempts are then unknown. */
  isImported: boolean;
}

/** Numbers that rate a seat's acts. */
export interface SeatRewards {
  /** 1: the seat's side won, 0: it lost, 0.5: nobody won. */
  result: number;
  /** Number of public statements with a label. `verified_lies`: how many of them are verified lies. */
  labelled_statements: number;
  verified_lies: number;
  /** Number of ballots for an exile. `ballots_on_werewolves`: how many of them name a Werewolf. */
  ballots: number;
  ballots_on_werewolves: number;
}

/** One seat, as one line of JSON. */
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
  /** Number of calls left out because the answer was not used, or because prompt or answer is not recorded. */
  calls_left_out: number;
}

/**
 * Returns one chat for each seat, in seat order. A chat begins with the rules as the system message. Each question is
 * then a user message, exactly as it was sent. The answer that was used follows unchanged as an assistant message.
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

/** Lists the messages of one question. Only the first question repeats the system message. */
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
