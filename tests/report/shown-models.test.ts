// The names of models on pages.
import { describe, expect, it } from '@jest/globals';
import { AnswerTable } from '../../deception/metrics/answer-table-schema.ts';
import { renderAnswersHtml } from '../../report/answer-table-html.ts';
import { renderAnswers, tellAnswers } from '../../report/answer-table-markdown.ts';
import { nameModels, replaceIdentities } from '../../report/shown-models.ts';
import { listTypedNames } from '../../state/model-identity.ts';

const createTable = (...models: string[]): AnswerTable =>
  AnswerTable.parse({
    ...{ condition: null, matches: 2, deals: 1, differences: [], unknown: [], cautions: [] },
    names: listTypedNames(models),
    rows: models.map((model) => ({ model, cells: [] })),
  });

describe('a model to whose identity its provider adds how it is asked', () => {
  const table = createTable('openai:gpt-4o?structured=family', 'openai:o3?seed=1&structured=family', 'bot:classic');

  it('has the name that was typed on every page, and its identity in a note', () => {
    for (const page of [
      renderAnswers([table], { title: 'Report' }).join('\n'),
      renderAnswersHtml([table], { title: 'Report' }),
    ]) {
      expect(page.split('structured=family')).toHaveLength(3); // both in the note
      expect(page.replaceAll('\\', '').replaceAll('&amp;', '&')).toContain(
        'write openai:gpt-4o as openai:gpt-4o?structured=family, openai:o3?seed=1 as openai:o3?seed=1&structured=family: how answers are requested',
      );
    }
    expect(tellAnswers([table])).not.toContain('structured=family');
  });

  it('has this name in all fields, keys and notes of a document but its tables of answers', () => {
    const identity = 'openai:gpt-4o?structured=family';
    const document = {
      ...{ of: { model: identity }, matches: 3, none: null, byModel: { [identity]: 1 } },
      ...{ notes: [`${identity} played in 3.`, `azure-openai:o3?seed=1&structured=family`], answers: [table] },
    };
    expect(nameModels(document, [table])).toEqual({
      ...{ of: { model: 'openai:gpt-4o' }, matches: 3, none: null, byModel: { 'openai:gpt-4o': 1 } },
      ...{ notes: ['openai:gpt-4o played in 3.', 'azure-openai:o3?seed=1'], answers: [table] },
    });
    expect(replaceIdentities(document, {})).toBe(document);
  });

  it('keeps its identity beside the same model that was asked otherwise', () => {
    const both = createTable('openai:gpt-4o?structured=family', 'openai:gpt-4o');
    expect(tellAnswers([both])).toMatch(/openai:gpt-4o\?structured=family +openai:gpt-4o\n/);
    expect(renderAnswers([both], { title: 'Report' }).join('\n')).not.toContain('how answers are requested');
  });
});
