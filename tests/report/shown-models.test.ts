// The names of models in the table at the beginning of every page.
import { describe, expect, it } from '@jest/globals';
import { AnswerTable } from '../../deception/metrics/answer-table-schema.ts';
import { renderAnswersHtml } from '../../report/answer-table-html.ts';
import { renderAnswers, tellAnswers } from '../../report/answer-table-markdown.ts';

const createTable = (...models: string[]): AnswerTable =>
  AnswerTable.parse({
    ...{ condition: null, matches: 2, deals: 1, differences: [], unknown: [] },
    cautions: [`Read as Werewolf or as village, whichever is less: 9% of ${models[0]!}.`],
    rows: models.map((model) => ({ model, cells: [] })),
  });

describe('a model to whose identity its provider adds how it is asked', () => {
  const table = createTable('openai:gpt-4o?structured=family', 'openai:gpt-4o-mini?structured=family', 'bot:classic');

  it('has the name that was typed on every page, and its identity in a note', () => {
    for (const page of [renderAnswers([table]).join('\n'), renderAnswersHtml([table])]) {
      expect(page.split('structured=family')).toHaveLength(3); // both in the note
      expect(page.replaceAll('\\', '')).toContain(
        'write openai:gpt-4o as openai:gpt-4o?structured=family, openai:gpt-4o-mini as openai:gpt-4o-mini?structured=family: how answers are requested',
      );
    }
    expect(tellAnswers([table])).not.toContain('structured=family');
    expect(tellAnswers([table])).toContain('9% of openai:gpt-4o.');
  });

  it('keeps its identity beside the same model that was asked otherwise', () => {
    const both = createTable('openai:gpt-4o?structured=family', 'openai:gpt-4o');
    expect(tellAnswers([both])).toMatch(/openai:gpt-4o\?structured=family +openai:gpt-4o\n/);
    expect(renderAnswers([both]).join('\n')).not.toContain('how answers are requested');
  });
});
