// Finds the answer by which a statement was made or judged, by what was asked of whom and when.
import type { AnswerLine } from '../state/record.ts';

/** The last attempt; null where the record has no such answer, e.g. because the match was imported. */
export type AnswerAbout = (statement: string, player: string, actions: readonly string[]) => AnswerLine | null;

export const speeches: readonly string[] = ['campaign', 'debate', 'recommend', 'pk_debate'];
export const analysesOf = {
  debate: { self: ['self_analysis'], peer: ['peer_analysis'] },
  ballot: { self: ['ballot_self_analysis'], peer: ['ballot_peer_analysis'] },
} as const;

/**
 * A debate's statement `2.3` is the answer at step 2 of round 2, and analysed at step 3. Ballots and their analyses are
 * the first such question of their round to that player, and after a tie the last.
 */
export function answersAbout(answers: readonly AnswerLine[]): AnswerAbout {
  const asked = Map.groupBy(answers, ({ round, player, action }) => key(round, player, action));
  return (statement, player, actions) => {
    const [round, ...rest] = statement.split('.');
    const turn = Number(rest[0]);
    const lines = actions.flatMap((action) => asked.get(key(Number(round), player, action)) ?? []);
    const steps = [...new Set(lines.map(({ step }) => step))].sort((one, other) => one - other);
    const isSpeech = actions.some((action) => speeches.includes(action));
    const step = Number.isInteger(turn) ? (isSpeech ? turn - 1 : turn) : rest[0] === 'pk' ? steps.at(-1) : steps[0];
    const ofIt = lines.filter((line) => line.step === step);
    return ofIt.toSorted((one, other) => one.attempt - other.attempt).at(-1) ?? null;
  };
}

const key = (round: number, player: string, action: string) => `${round} ${action} ${player}`;
