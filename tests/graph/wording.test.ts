// The wording of questions: its hash, and a match that resumes after a change of wording.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { playMatch } from '../../graph/play-match.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { templatesHash } from '../../prompts/prompt.ts';
import { hashQuestions, listWordedTexts } from '../../prompts/wording.ts';
import { boards } from '../../state/boards.ts';
import { deal } from '../../state/deal.ts';
import type { Setup } from '../../state/game.ts';
import { recordFiles } from '../../state/record.ts';
import { readRules } from '../../state/rulebook.ts';
import { anyPlan } from '../random-plans.ts';
import { rewrite } from '../record-folder.ts';
import { createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { playNodes } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { itLong } from '../it-long.ts';

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

  /** Returns a match with its first three answers only. */
  async function interrupt(id: string) {
    const { folder, events } = await playMatch(plan(id));
    for (const name of ['summary', 'prompts', 'events'] as const)
      rmSync(path.join(folder!, recordFiles[name]), { force: true });
    rewrite(folder!, recordFiles.answers, (text) => `${text.split('\n').slice(0, 3).join('\n')}\n`);
    return { folder: folder!, events };
  }

  /** Changes the recorded wording of a question. */
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
    await expect(again).rejects.toThrow(
      /another wording: the wording of vote has changed since\. Wolfgraph .* can finish it/,
    );
    expect(asked).toEqual([]);
  });

  it('goes on where an earlier version, which hashed fewer questions, recorded it', async () => {
    const { folder, events } = await interrupt('earlier');
    const moments = ['"eliminate as the last of the team"', '"protect in the second night"', '"history"'];
    rewrite(folder, recordFiles.manifest, (text) => {
      for (const moment of moments) expect(text).toContain(moment);
      return moments
        .reduce((left, moment) => left.replace(new RegExp(`${moment}: "[0-9a-f]{12}",?\\s*`), ''), text)
        .replace(/,(\s*\})/g, '$1');
    });
    expect(readRecord(folder).manifest.made_by.questions_sha256).not.toHaveProperty('history');
    expect((await playMatch(plan('earlier'))).events).toEqual(events);
  });

  it('is refused where a line of what players have seen has other words', async () => {
    const { folder } = await interrupt('history');
    reword(folder, 'history');
    await expect(playMatch(plan('history'))).rejects.toThrow(/the wording of history has changed/);
  });

  it('goes on where only a question has changed that it cannot ask', async () => {
    const { folder, events } = await interrupt('elect');
    rewrite(folder, recordFiles.manifest, (text) =>
      text.replace('"questions_sha256": {', '"questions_sha256": { "elect": "000000000000",'),
    );
    expect((await playMatch(plan('elect'))).events).toEqual(events);
  });
});

describe('a program that plays a match', () => {
  const out = createTemporaryFolder();
  const golden = path.join(import.meta.dirname, '../golden/wolf-6-tinyllama');
  cpSync(golden, path.join(out, 'wolf-6-tinyllama'), { recursive: true });
  const playHere = (more: Parameters<typeof playMatch>[0] = {}) => {
    const model = new ScriptedModel((question) => createLegalAnswer(question));
    return { model, ended: playMatch({ out, seed: 5, rule, model, ...more }) };
  };

  it('begins none in a folder that holds matches of another wording, before any call, unless it says so', async () => {
    const refused = playHere();
    await expect(refused.ended).rejects.toThrow(
      `${out} holds matches whose prompts have another wording (templates_sha256) than new matches would have: `,
    );
    await expect(refused.ended).rejects.toThrow(`New matches: ${templatesHash.slice(0, 12)}`);
    await expect(refused.ended).rejects.toThrow('a program: mixWordings: true)');
    expect(refused.model.asked).toEqual([]);
    expect(readdirSync(out)).toEqual(['wolf-6-tinyllama']);
    const { folder } = await playHere({ mixWordings: true }).ended;
    expect(path.dirname(folder!)).toBe(out);
    // Once the match has begun, resuming and reading it need no such permission.
    expect((await playHere().ended).folder).toBe(folder);
  });

  it('begins one of bots there, and one that is kept in no folder', async () => {
    expect((await playHere({ model: 'bot:random' }).ended).folder).not.toBeNull();
    expect((await playHere({ out: null }).ended).folder).toBeNull();
  });
});

describe('every word of a question', () => {
  /** Returns a line without the parts that differ between matches: names, numbers, speech. */
  const normalize = (line: string, names: readonly string[]) =>
    line
      .replace(/"[^"]*"/g, 'Q')
      .replace(/^(You left .* You were an?) .+/, '$1 role.') // the role's name is hashed in lines about others
      .replace(/^The order of the fields: .+/, 'The order of the fields')
      .replace(new RegExp(`\\b(${names.join('|')})\\b`, 'g'), 'N')
      .replace(/N(?:(?:, | and )N)+/g, 'N')
      .replace(/\d+(\.\d+)?/g, '0')
      .replace(/N 0(?:, N 0)+/g, 'N 0');
  const listLines = (text: string, names: readonly string[]) =>
    text.split('\n').map((line) => normalize(line.replace(/^- (?:- )?/, ''), names));

  const listStrings = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : Object.values(value ?? {}).flatMap(listStrings);

  const seats = Array.from({ length: 17 }, (_, seat) => `Seat${String.fromCharCode('a'.charCodeAt(0) + seat)}`);
  const plans = fc.sample(anyPlan, { seed: 11, numRuns: 10 });

  const dealtTables = [
    ...plans.map(
      ({ board, rule, seed }) =>
        [`a random plan of seed ${seed}`, deal({ board, rules: readRules('wolf', rule), seed })] as const,
    ),
    ...(['plus-8', 'plus-12-sheriff'] as const).map(
      (board) =>
        [board, deal({ board: boards[board]!, rules: readRules('plus', { sheriff: true }), seed: 4 })] as const,
    ),
  ];

  const areHashed = async (_: string, dealt: Setup) => {
    const people = dealt.players.map(({ name }) => name).slice(0, dealt.seed % 2);
    const setup = dealt.rules.disclose ? { ...dealt, people } : dealt;
    const hashed = new Set(listStrings(listWordedTexts(setup)).flatMap((text) => listLines(text, seats)));
    const names = setup.players.map(({ name }) => name);
    const model = new ScriptedModel((question) => createLegalAnswer(question));
    await playNodes(setup, model);
    // Each line once, because every prompt repeats the lines of those before it.
    const lines = model.asked.flatMap(({ messages }) => messages.flatMap(({ content }) => content.split('\n')));
    const said = [...new Set(lines)].flatMap((line) => listLines(line, names));
    expect([...new Set(said)].filter((line) => !hashed.has(line))).toEqual([]);
  };
  const title = 'of a match of %s stands in a text that is hashed under a name';

  it.each(dealtTables.slice(-3))(title, areHashed);
  itLong.each(dealtTables.slice(0, -3))(title, areHashed);
});
