// Rows of a bank for imported records. Such records contain thoughts but no answers.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildBankMatch } from '../../../deception/bank/build-bank.ts';
import { buildTables } from '../../../deception/tables/match-tables.ts';
import { readRecord } from '../../../models/record/recorder.ts';
import { isEventOfType } from '../../../state/events.ts';

describe('a statement of a record without answers', () => {
  it('has the last thought of its speaker before it', () => {
    const whole = readRecord(path.join(import.meta.dirname, '../../golden/wolf-bots-sealed'));
    const record = { ...whole, answers: [] };
    const sources = { record, promptOf: () => null, views: new Map<string, never>(), withJudgments: false };
    const { statements } = buildBankMatch({ ...sources, tables: buildTables(record) });
    const debated = statements.filter(({ kind }) => kind === 'debate');
    expect(debated.length).toBeGreaterThan(3);
    for (const { statement, speaker, reasoning } of debated) {
      const place = record.events.findIndex((event) => event.type === 'statement' && `s${event.id}` === statement);
      const thoughts = record.events.slice(0, place).filter(isEventOfType('thought'));
      const own = thoughts.findLast(({ by, action }) => by === speaker && action === 'debate');
      expect({ statement, reasoning }).toEqual({ statement, reasoning: own!.reasoning });
    }
  });
});
