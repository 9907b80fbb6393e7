// A model judges recorded statements from the views of those who heard them; its answers lie beside the record.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { claimsOf } from '../../deception/claims/claims-of.ts';
import { labelKnownTo } from '../../deception/claims/label.ts';
import { tablesOf } from '../../deception/tables/tables-of.ts';
import { annotate, annotationItems, unannotated } from '../../graph/annotate.ts';
import type { InquiryOptions } from '../../graph/inquiry.ts';
import { playMatch } from '../../graph/play-match.ts';
import { readAnnotations } from '../../graph/read-annotations.ts';
import { openModel } from '../../models/index.ts';
import { keptFile } from '../../models/record/kept-answers.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { isType } from '../../state/event.ts';
import type { AnswerLine } from '../../state/record.ts';
import { openaiServer, type Scripted } from '../openai-server.ts';
import { linesOf } from '../record-folder.ts';
import { legally } from '../scripts/local-model.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const out = temporaryFolder();
const bot = await openModel('bot:classic', { temperature: null, env: {} });
let original: string;
beforeAll(async () => {
  original = (await playMatch({ out, id: 'original', seed: 3, rule: { debateTurns: 3, maxRounds: 2 } })).folder!;
});

let copies = 0;

/** A copy of the record, and ways to have it annotated. */
function recordCopy() {
  const folder = path.join(out, `copy-${++copies}`);
  cpSync(original, folder, { recursive: true });
  const record = readRecord(folder);
  return {
    folder,
    record,
    items: (plan = {}) => annotationItems(record, plan),
    read: () => readAnnotations(folder, record),
  };
}

const served = async (script: Parameters<typeof openaiServer>[0], spec = 'openai:local') => {
  const server = await openaiServer(script);
  const env = { OPENAI_API_KEY: 'sk-local-0123456789abcdef', OPENAI_BASE_URL: server.baseUrl };
  return { server, model: await openModel(spec, { temperature: 0.5, env }), env };
};

const listening = () => {
  const live: AnswerLine[] = [];
  const onAnswer: InquiryOptions['onAnswer'] = (line, isRecorded) => void (isRecorded || live.push(line));
  return { live, onAnswer };
};

describe('the annotator', () => {
  it('that is the bot of the match makes of every statement what its listeners made of it', async () => {
    const { folder, record, items, read } = recordCopy();
    await annotate(folder, record, items({ listeners: 'all' }), bot);
    const assessed = record.events
      .filter(isType('assessment'))
      .filter(({ by, about }) => by !== about)
      .map(({ statement, by, suspicion, deceptive }) => ({ statement, by, suspicion, deceptive }));
    const annotated = read().map(({ statement, observer: by, opinion }) => {
      const { suspicion, deceptive } = opinion!;
      return { statement, by, suspicion, deceptive };
    });
    const sorted = (some: typeof annotated | typeof assessed) => some.map((one) => JSON.stringify(one)).sort();
    expect(annotated.length).toBeGreaterThan(50);
    expect(sorted(annotated)).toEqual(sorted(assessed));
  });

  it('is given the view of one who could not know the label, wherever there is one', () => {
    const { record, items } = recordCopy();
    const judged = new Map(claimsOf(record).statements.map((one) => [one.id, one]));
    const debate = items().filter(({ prompt }) => prompt.action === 'peer_analysis');
    expect(debate.map(({ statements: [id] }) => id)).toEqual(
      [...judged.values()].filter(({ kind }) => kind === 'debate').map(({ id }) => id),
    );
    for (const { prompt, statements } of debate) {
      const { listeners, by, ...statement } = judged.get(statements[0]!)!;
      const knowing = labelKnownTo({ listeners, by, ...statement });
      expect(prompt.view.me).not.toBe(by);
      if (knowing.length < listeners.length) expect(knowing).not.toContain(prompt.view.me);
    }
    expect(new Set(debate.map(({ prompt }) => prompt.view.me)).size).toBeGreaterThan(2);
  });

  it('fills the rows of analyses', async () => {
    const { folder, record, items, read } = recordCopy();
    await annotate(folder, record, items({ repeat: 2 }), bot);
    const rows = tablesOf(record, { annotations: read() }).analyses.filter(({ source }) => source === 'bot:classic');
    expect(new Set(rows.map(({ repeat }) => repeat))).toEqual(new Set([1, 2]));
    expect(rows.every(({ suspicion, observer_model: model }) => suspicion !== null && model === 'bot:classic')).toBe(
      true,
    );
  });

  it('is asked each thing as often as it is to repeat it, and never again', async () => {
    const { folder, record, items } = recordCopy();
    const { server, model } = await served(legally);
    const once = items().length;
    await annotate(folder, record, items({ repeat: 1 }), model);
    expect(server.requests).toHaveLength(once);
    await annotate(folder, record, items({ repeat: 3 }), model);
    expect(server.requests).toHaveLength(3 * once);
    await annotate(folder, record, items({ repeat: 3 }), model);
    expect(server.requests).toHaveLength(3 * once);
    await server.close();
  });

  it('is asked again where a prompt is worded otherwise now, and the last answer counts', async () => {
    const { folder, record, items, read } = recordCopy();
    await annotate(folder, record, items(), bot);
    const file = keptFile(folder, 'annotations', 'bot:classic');
    const [first, ...rest] = linesOf(file) as [string, ...string[]];
    const older = first.replace(/"prompt_sha256":"\w+"/, `"prompt_sha256":"${'0'.repeat(64)}"`);
    writeFileSync(file, `${[older.replaceAll(/suspicion(\\*)":[\d.]+/g, 'suspicion$1":0.123'), ...rest].join('\n')}\n`);
    expect(read()[0]!.opinion!.suspicion).toBe(0.123);
    expect(unannotated(folder, items(), 'bot:classic')).toHaveLength(1);
    const { live, onAnswer } = listening();
    await annotate(folder, record, items(), bot, { onAnswer });
    expect(live).toHaveLength(1);
    expect(read().map(({ opinion }) => opinion!.suspicion)).not.toContain(0.123);
    expect(read()).toHaveLength(items().flatMap(({ statements }) => statements).length);
  });

  it('that talks nonsense is asked three times, and what it thinks is missing', async () => {
    const { folder, record, items, read } = recordCopy();
    const { server, model } = await served([{ text: 'I would rather not say.' }]);
    const debate = items()
      .filter(({ prompt }) => prompt.action === 'peer_analysis')
      .slice(0, 2);
    await annotate(folder, record, debate, model);
    expect(server.requests).toHaveLength(6);
    expect(server.requests.at(-1)!.body.messages.at(-1)!.content).toContain('Your answer could not be used');
    expect(read()).toMatchObject([
      { attempt: 3, opinion: null, mark: 'fallback' },
      { attempt: 3, opinion: null, mark: 'fallback' },
    ]);
    await annotate(folder, record, debate, model);
    expect(server.requests).toHaveLength(6);
    await server.close();
  });

  it('goes on after a line that was torn, with that call alone', async () => {
    const { folder, record, items, read } = recordCopy();
    await annotate(folder, record, items(), bot);
    const file = keptFile(folder, 'annotations', 'bot:classic');
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.slice(0, -200));
    const warnings: string[] = [];
    const { live, onAnswer } = listening();
    await annotate(folder, record, items(), bot, { onAnswer, onWarning: (words) => warnings.push(words) });
    expect(live).toHaveLength(1);
    expect(warnings).toEqual([expect.stringContaining('the last line was cut off in the middle')]);
    expect(read().length).toBe(items().flatMap(({ statements }) => statements).length);
  });

  it('stops at the cap, and goes on with a higher one', async () => {
    const { folder, record, items } = recordCopy();
    const priced: Scripted['usage'] = { prompt_tokens: 1000, completion_tokens: 0, total_tokens: 1000 };
    const { server, model } = await served(
      (request) => ({ ...legally(request), usage: priced }),
      'openai:local?priceIn=1000&priceOut=0',
    );
    const plan = items();
    await expect(annotate(folder, record, plan, model, { maxCost: 3, concurrency: 1 })).rejects.toThrow(
      'The budget of $3 is reached',
    );
    expect(server.requests).toHaveLength(3);
    await annotate(folder, record, plan, model, { maxCost: 1000 });
    expect(server.requests).toHaveLength(plan.length);
    await server.close();
  });

  it("is of no use for another match's record", async () => {
    const { folder, record, items } = recordCopy();
    await annotate(folder, record, items(), bot);
    const file = keptFile(folder, 'annotations', 'bot:classic');
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll('"statements":["1.1"]', '"statements":["9.1"]'));
    expect(() => readAnnotations(folder, record)).toThrow(
      'judges statement "9.1", which is not in the record beside it',
    );
  });
});
