// The form of a question: every field of every question has a label, and a legal answer can be filled in.
import { describe, expect, it } from '@jest/globals';
import { createForm, type FormField } from '../../prompts/form.ts';
import { listBranches } from '../../prompts/shapes.ts';
import { ballotPeerAnalysis, beliefs, peerAnalysis } from '../../prompts/analysis.ts';
import { bid, debate } from '../../prompts/debate.ts';
import { vote } from '../../prompts/voting.ts';
import { summarize } from '../../prompts/summarize.ts';
import { draw } from '../../state/random.ts';
import { readRules } from '../../state/rulebook.ts';
import { createView } from '../../state/view.ts';
import { gameAt, setupOf } from '../game.ts';

const options = draw(1, 'options');
const view = createView(gameAt(), 'Ginger');
const spoken = { id: '1.1', by: 'Sam', text: 'I am the Seer.' };

describe('the form of a question', () => {
  it('has the words of the question and its legal choices, and asks for no private reasoning', () => {
    const { task, fields } = createForm(vote.put(view, options));
    expect(task[0]).toContain('Whom do you vote to exile?');
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['vote', 'choice'],
      ['explanation', 'text'],
    ]);
    const [names] = fields as [FormField & { kind: 'choice' }];
    expect(names.options.map(({ value }) => value).sort()).toEqual(
      [...view.players].filter((name) => name !== 'Ginger').sort(),
    );
  });

  it('fits bids, statements, notes, probabilities and entries for several players', () => {
    const kinds = (fields: readonly FormField[]) => fields.map(({ kind }) => kind);
    expect(createForm(bid.put(view, options)).fields).toMatchObject([{ kind: 'scale', from: 0, to: 10 }]);
    expect(createForm(debate.put(view, options)).fields).toMatchObject([
      { kind: 'text', maxWords: 80, isOptional: false },
    ]);
    expect(createForm(summarize.put(view, options)).fields).toMatchObject([{ kind: 'text', isOptional: true }]);
    expect(kinds(createForm(peerAnalysis.put(view, options, spoken)).fields)).toEqual([
      'share',
      'share',
      'several',
      'share',
    ]);
    expect(createForm(beliefs.put(view, options)).fields).toMatchObject([
      {
        kind: 'each',
        entries: expect.arrayContaining([{ player: 'Sam', fields: [{ name: 'value', kind: 'share', label: 'Sam' }] }]),
      },
    ]);
    const [judgments] = createForm(ballotPeerAnalysis.put(view, options, [spoken])).fields as [
      FormField & { kind: 'each' },
    ];
    expect(judgments.entries.map(({ player, fields }) => [player, kinds(fields)])).toEqual([
      ['Sam', ['share', 'share', 'several', 'share']],
    ]);
  });

  it.each([['probability'], ['paper']])('labels every field of every question under questions=%s', (questions) => {
    const setup = { ...setupOf({ rules: readRules('wolf', { questions, beliefs: 'each-statement', sheriff: true }) }) };
    const asked = { ...setup, players: setup.players.map(({ name }) => name) };
    const names = (['play', 'analysis'] as const).flatMap((family) =>
      listBranches(family, asked).flatMap(({ fields }) => Object.keys(fields)),
    );
    expect(names.length).toBeGreaterThan(10);
    const schema = { properties: Object.fromEntries([...new Set(names)].map((name) => [name, { type: 'string' }])) };
    const { fields } = createForm({ ...vote.put(view, options), schema });
    expect(fields.filter(({ name, label }) => label === name.replaceAll('_', ' ')).map(({ name }) => name)).toEqual([]);
  });
});
