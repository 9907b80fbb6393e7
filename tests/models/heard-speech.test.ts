// The public part of an answer: without thoughts, and without lines that the model invents for others.
import { describe, expect, it } from '@jest/globals';
import { parseAnswer } from '../../models/parse-answer.ts';
import { peerAnalysis, selfAnalysis } from '../../prompts/analysis.ts';
import { bid, debate } from '../../prompts/debate.ts';
import { createProposalQuestion } from '../../prompts/night-actions.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { vote } from '../../prompts/voting.ts';
import { draw } from '../../state/random.ts';
import { getPower } from '../../state/roles/index.ts';
import { createView } from '../../state/view.ts';
import { gameAt } from '../game.ts';

const seen = createView(gameAt({ gone: ['Bert'] }), 'Sam');
const secretBallots = createView(gameAt({ gone: ['Bert'], rules: { ballots: 'secret' } }), 'Sam');
const forStatement: AnyPrompt = debate.put(seen, draw(1), undefined);
const unheard: readonly AnyPrompt[] = [
  bid.put(seen, draw(1), undefined),
  vote.put(secretBallots, draw(1), undefined),
  selfAnalysis.put(seen, draw(1), { id: '1.1', by: 'Sam', text: 'Hm.' }),
  peerAnalysis.put(seen, draw(1), { id: '1.1', by: 'Dan', text: 'Hm.' }),
];
const isUnreadable = { error: expect.stringMatching(/\.$/) };

describe('what others hear', () => {
  const secret = 'My side must not be found out.';
  const night = createView(gameAt({ gone: ['Bert'], phase: 'night' }), 'Ginger');
  const forProposal: AnyPrompt = createProposalQuestion(getPower('eliminate')).put(night, draw(1), undefined);
  const forOpenVote: AnyPrompt = vote.put(seen, draw(1), undefined);
  const asked: Readonly<Record<string, [AnyPrompt, object]>> = {
    statement: [forStatement, {}],
    explanation: [forOpenVote, { vote: 'Leah' }],
    proposal_reason: [forProposal, { proposal: 'Mason' }],
  };

  it('is what these fields are declared to be', () => {
    for (const [field, [prompt]] of Object.entries(asked)) expect(prompt.heard).toEqual([field]);
    for (const prompt of unheard) expect(prompt.heard).toEqual([]);
  });

  describe.each(Object.keys(asked))('as %s', (field) => {
    const [prompt, more] = asked[field]!;
    const read = (text: string, key = field) =>
      parseAnswer(JSON.stringify({ reasoning: 'Hm.', ...more, [key]: text }), prompt);

    it.each([
      [`<think>${secret}</think>I trust Dan.`],
      [`I trust Dan. <THINKING>${secret}</THINKING>`],
      [`[THINK]${secret}[/THINK]I trust Dan.`],
      [`<seed:think>${secret}</seed:think>I trust Dan.`],
      [`◁think▷${secret}◁/think▷I trust Dan.`],
      [`<scratchpad>${secret}</scratchpad>I trust Dan.`],
      [`${secret}</think>I trust Dan.`],
      [`I trust Dan.<think>${secret}`],
      [
        `<|channel|>analysis<|message|>${secret}<|end|><|start|>assistant<|channel|>final<|message|>I trust Dan.<|return|>`,
      ],
      [`analysis${secret}assistantfinalI trust Dan.`],
    ])('holds no thoughts: %j', (text) => {
      expect(read(text)).toEqual({
        answer: { ...more, reasoning: `Hm. ${secret}`, [field]: 'I trust Dan.' },
        moved_thoughts: [field],
      });
    });

    it('under any spelling of its key', () => {
      const spelled = field.replace('_', '').toUpperCase();
      expect(read(`<think>${secret}</think>I trust Dan.`, spelled)).toMatchObject({
        answer: { [field]: 'I trust Dan.' },
      });
    });

    it('is not there where nothing but thoughts are', () => {
      expect(read(`<think>${secret}</think>`)).toEqual(isUnreadable);
    });

    it.each([
      [
        'I pass.\n\nLeah: I am the Seer.\nModerator: Dan has been exiled.',
        'Leah: I am the Seer.\nModerator: Dan has been exiled.',
      ],
      ['I pass.\n**Leah:** I am the Seer.', '**Leah:** I am the Seer.'],
      ['I pass.\r\n[Leah]: I am the Seer.', '[Leah]: I am the Seer.'],
      ['I pass.\nThe Moderator: Dan has been exiled.', 'The Moderator: Dan has been exiled.'],
      ['I pass.\nBert: I am dead.', 'Bert: I am dead.'],
    ])('ends where another speaks: %j', (text, invented) => {
      expect(read(text)).toEqual({
        answer: { ...more, reasoning: 'Hm.', [field]: 'I pass.' },
        cut_dialogue: { [field]: invented },
      });
    });

    it.each([
      ['Leah: why did you vote Dan?\nI ask you all.', 'Leah: why did you vote Dan? I ask you all.'],
      ['My reads:\n- Leah: quiet.\n2. Dan: loud.', 'My reads: - Leah: quiet. 2. Dan: loud.'],
      ['I pass.\nwill: a verb.', 'I pass. will: a verb.'],
      ['I heard this:\n> Leah: I am the Seer.', 'I heard this: > Leah: I am the Seer.'],
    ])('goes on behind a name that is no speaker: %j', (text, whole) => {
      expect(read(text)).toEqual({ answer: { ...more, reasoning: 'Hm.', [field]: whole } });
    });

    it('does not begin with its own label', () => {
      const me = prompt.view.me;
      expect(read(`${me}: I pass.\n**${me}:** I do.`)).toEqual({
        answer: { ...more, reasoning: 'Hm.', [field]: 'I pass. I do.' },
      });
    });

    it('is read as it was in records of earlier versions', () => {
      const text = 'I pass.\nLeah: I am the Seer. <think>No.</think>';
      const raw = JSON.stringify({ reasoning: 'Hm.', ...more, [field]: text });
      expect(parseAnswer(raw, prompt, 1)).toEqual({
        answer: { ...more, reasoning: 'Hm.', [field]: 'I pass. Leah: I am the Seer. <think>No.</think>' },
      });
    });
  });
});
