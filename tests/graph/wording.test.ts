// The words of a match's questions: what is hashed, and what happens to an unfinished match when they have changed.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { hashQuestions } from '../../prompts/wording.ts';
import { recordFiles } from '../../state/record.ts';
import { rewrite } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const rule = { debateTurns: 1, maxRounds: 1 };
const prepareSetup = async (plan: object) =>
  (await prepareMatch({ model: 'bot:random', ...plan }, {}, 0)).manifest.setup;

describe('the hash of the words of questions', () => {
  it('is the same for all matches of the same rules, and tells what a match can ask', async () => {
    const [one, other] = [await prepareSetup({ seed: 1 }), await prepareSetup({ seed: 2 })];
    expect(one.players).not.toEqual(other.players);
    expect(hashQuestions(one)).toEqual(hashQuestions(other));
    const asked = Object.keys(hashQuestions(one));
    expect(asked).toEqual(
      expect.arrayContaining(['bid', 'debate', 'vote', 'eliminate', 'unmask', 'protect', 'peer_analysis']),
    );
    for (const never of ['candidacy', 'synthetic_vote', 'beliefs', 'poison']) expect(asked).not.toContain(never);
  });

  it('is another where rules, roles or the variant say other words, of each question that says them', async () => {
    const usual = hashQuestions(await prepareSetup({ seed: 1 }));
    const listChanged = (now: Readonly<Record<string, string>>) =>
      Object.keys(now).filter((action) => action in usual && now[action] !== usual[action]);
    expect(listChanged(hashQuestions(await prepareSetup({ seed: 1, rule: { bidScale: 4 } })))).toEqual(
      expect.arrayContaining(['bid', 'vote', 'debate']),
    );
    const ofAnalyses = listChanged(hashQuestions(await prepareSetup({ seed: 1, rule: { questions: 'paper' } })));
    expect(ofAnalyses.length).toBeGreaterThan(2);
    for (const action of ofAnalyses) expect(action).toMatch(/analysis$/);
    const paraphrased = hashQuestions(await prepareSetup({ seed: 1, variant: 'paraphrased' }));
    expect(listChanged(paraphrased).sort()).toEqual(Object.keys(usual).sort());
  });
});

describe('an unfinished match', () => {
  const out = createTemporaryFolder();
  const plan = (id: string) => ({ out, id, seed: 3, rule, model: 'bot:random' });

  /** A match with its first three answers, and nothing of what is made of them. */
  async function interrupt(id: string) {
    const { folder, events } = await playMatch(plan(id));
    for (const name of ['summary', 'prompts', 'events'] as const)
      rmSync(path.join(folder!, recordFiles[name]), { force: true });
    rewrite(folder!, recordFiles.answers, (text) => `${text.split('\n').slice(0, 3).join('\n')}\n`);
    return { folder: folder!, events };
  }

  /** Records other words of a question. */
  const reword = (folder: string, action: string) =>
    rewrite(folder, recordFiles.manifest, (text) =>
      text.replace(new RegExp(`("${action}": ")[0-9a-f]{12}`), '$1000000000000'),
    );

  it('of the same words goes on', async () => {
    const { folder, events } = await interrupt('same');
    expect((await playMatch(plan('same'))).events).toEqual(events);
    expect(readRecord(folder).manifest.made_by.questions_sha256).toHaveProperty('vote');
  });

  it('is refused before any call where a question that it will ask has other words, though none was asked yet', async () => {
    const { folder } = await interrupt('vote');
    expect(readRecord(folder).answers.map(({ action }) => action)).not.toContain('vote');
    reword(folder, 'vote');
    const asked: string[] = [];
    const again = playMatch({ ...plan('vote'), onAnswer: ({ action }) => void asked.push(action) });
    await expect(again).rejects.toThrow(/another wording: that of vote has changed since\. Wolfgraph .* can finish it/);
    expect(asked).toEqual([]);
  });

  it('goes on where only a question has changed that it cannot ask', async () => {
    const { folder, events } = await interrupt('elect');
    rewrite(folder, recordFiles.manifest, (text) =>
      text.replace('"questions_sha256": {', '"questions_sha256": { "elect": "000000000000",'),
    );
    expect((await playMatch(plan('elect'))).events).toEqual(events);
  });
});
