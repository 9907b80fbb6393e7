// Rows of silences: public statements that were asked for but are missing, because the model refused or gave no
// readable answer.
import { hasBallotReasons } from '../../state/rules/common-rules.ts';
import { z } from 'zod';
import { AnswerMark, type GameEvent } from '../../state/events.ts';
import { Team } from '../../state/teams.ts';
import { createAnswerFinder, createSeatFinder, type MatchRecord, statementActions } from '../record/match-record.ts';
import { booleanColumn, statementColumns, textColumn } from './columns.ts';

export const SilenceRow = z.strictObject({
  ...statementColumns,
  speaker: textColumn.describe('who was asked for it'),
  role: textColumn.describe('who was asked for it'),
  team: Team.describe('who was asked for it'),
  model: textColumn.describe('who was asked for it'),
  is_bot: booleanColumn.describe('who was asked for it'),
  missing: AnswerMark.describe('`fallback` (nothing readable after all attempts) or `refusal`'),
  vendor: textColumn
    .nullable()
    .describe('whose server [refused](providers.md#refusals), and for what; missing if the model itself did'),
  category: textColumn
    .nullable()
    .describe('whose server [refused](providers.md#refusals), and for what; missing if the model itself did'),
});
export type SilenceRow = z.infer<typeof SilenceRow>;

/**
 * Builds one row for each missing statement, in the order of the match. A player who chose to say nothing has no row.
 */
export function buildSilenceRows({ manifest, events, answers }: MatchRecord): SilenceRow[] {
  const seatOf = createSeatFinder(manifest);
  const findAnswer = createAnswerFinder(answers);
  const hasExplanations = hasBallotReasons(manifest.setup.rules);
  return events.flatMap((event): SilenceRow[] => {
    const missing = readMissing(event, hasExplanations);
    if (missing === null) return [];
    const { id, round, by, kind, occasion, mark } = missing;
    const { role, team, model, isBot } = seatOf(by);
    const refusal = findAnswer(id, by, kind === 'debate' ? statementActions : ['vote'])?.refusal;
    return [
      {
        ...{ match_id: manifest.id, statement: id, round, kind, occasion },
        ...{ speaker: by, role, team, model, is_bot: isBot, missing: mark },
        ...{ vendor: refusal?.vendor ?? null, category: refusal?.category ?? null },
      },
    ];
  });
}

type MissingStatement = Pick<SilenceRow, 'round' | 'kind' | 'occasion'> & { id: string; by: string; mark: AnswerMark };

/**
 * Returns the missing statement of an event; null if no statement is missing. A statement is missing after a turn
 * without a usable answer, and after a public ballot that was drawn at random and so has no explanation.
 */
function readMissing(event: GameEvent, hasExplanations: boolean): MissingStatement | null {
  if (event.type === 'silence' && event.mark) {
    const { id, round, by, mark, occasion = 'debate' } = event;
    return { id, round, by, mark, kind: 'debate', occasion };
  }
  if (event.type !== 'ballot' || !event.mark || !hasExplanations || event.audience !== 'everyone') return null;
  const { id, round, by, mark } = event;
  return { id, round, by, mark, kind: 'ballot', occasion: id === `${round}.pk.${by}` ? 'pk_ballot' : 'ballot' };
}
