// The moments of a match are made again from its record: what is asked about them later is what was asked in it.
import { describe, expect, it } from '@jest/globals';
import { annotationItems } from '../../graph/annotate.ts';
import { hashOf } from '../../models/call-model.ts';
import { conversation } from '../../models/fit.ts';
import { canaries } from '../canaries.ts';
import { legalAnswer, ScriptedModel } from '../scripted-model.ts';
import { play, type Options } from '../table.ts';

const both = { analysis: 'both' };
const plays: { board: string; rules: string; rule: Options }[] = [
  { board: 'classic-8', rules: 'wolf', rule: { debateTurns: 2, maxRounds: 3 } },
  {
    board: 'classic-8',
    rules: 'wolf',
    rule: { debateTurns: 3, maxRounds: 2, scores: 'numbers', memory: 'full', coaching: 'paper' },
  },
  {
    board: 'classic-8',
    rules: 'wolf',
    rule: { debateTurns: 3, maxRounds: 2, scores: 'bands', beliefs: 'each-statement' },
  },
  { board: 'plus-12-sheriff', rules: 'plus', rule: { ...both, analyzeBallots: true, maxRounds: 2 } },
];

describe.each(plays)('at $board under $rules with $rule', ({ board, rules, rule }) => {
  it('a later listener is put the very prompts of the match', async () => {
    const model = new ScriptedModel((question) => legalAnswer(question, 1));
    const { manifest, events, lines } = await play({ board, rules, rule, seed: 4, model });
    const asked = annotationItems({ manifest, events, answers: lines }, { listeners: 'all' }).map(({ prompt }) =>
      hashOf(conversation(prompt, 0)),
    );
    const recorded = lines.filter(({ action, attempt }) => /peer_analysis/.test(action) && attempt === 1);
    expect(recorded.length).toBeGreaterThan(20);
    expect(asked.sort()).toEqual(recorded.map((line) => line.prompt_sha256).sort());
  });
});

describe('a later listener', () => {
  it('reads no private word of anybody else', async () => {
    const { script, heard } = canaries();
    const rule = { debateTurns: 2, maxRounds: 2, memory: 'full', ballots: 'public' };
    const { manifest, events, lines, setup } = await play({ rule, seed: 2, model: new ScriptedModel(script) });
    const pack = setup.players.filter(({ team }) => team === 'werewolves').map(({ name }) => name);
    const items = annotationItems({ manifest, events, answers: lines }, { listeners: 'all' });
    const fromOthers = items.flatMap(({ prompt }) => {
      const { me } = prompt.view;
      const messages = conversation(prompt, 0);
      return heard({ messages } as Parameters<typeof heard>[0])
        .filter(({ by }) => by !== me)
        .map(({ field }) => (field === 'proposal_reason' && pack.includes(me) ? 'within the pack' : field));
    });
    expect([...new Set(fromOthers)].sort()).toEqual(['explanation', 'statement', 'within the pack']);
  });
});
