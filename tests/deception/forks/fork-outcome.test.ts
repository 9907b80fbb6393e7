// Outcomes of forks read from whole records: what listeners made of the statement.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readForkOutcome } from '../../../deception/forks/fork-outcome.ts';
import { readRecord } from '../../../models/record/recorder.ts';
import { isEventOfType } from '../../../state/events.ts';

const record = readRecord(path.join(import.meta.dirname, '../../golden/wolf-bots-sealed'));

describe('the outcome of a statement', () => {
  it("has what each listener answered about it, and not the speaker's own analysis", () => {
    const asked = record.events.filter(isEventOfType('assessment'));
    const said = record.events.filter(isEventOfType('statement')).filter(({ id }) => asked.some(({ statement }) => statement === id)); // prettier-ignore
    expect(said.length).toBeGreaterThan(3);
    for (const { id, by: speaker } of said) {
      const { text, listeners } = readForkOutcome(record, id);
      expect(text).not.toBeNull();
      expect(listeners.map(({ name }) => name)).not.toContain(speaker);
      const answers = asked.filter(({ statement, by }) => statement === id && by !== speaker);
      const told = listeners.filter(({ suspicionAfter }) => suspicionAfter !== null);
      expect(Object.fromEntries(told.map(({ name, suspicionAfter }) => [name, suspicionAfter]))).toEqual(
        Object.fromEntries(answers.flatMap(({ by, suspicion }) => (suspicion == null ? [] : [[by, suspicion]]))),
      );
      expect(told.length).toBeGreaterThan(0);
    }
  });
});
