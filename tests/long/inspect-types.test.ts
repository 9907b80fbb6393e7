// Logs of Inspect against the types that Inspect's authors publish: the compiler reads a log as a literal, so it finds
// missing fields, unknown fields and wrong values. The types have no log as a whole: tests/inspect-log.ts has.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { importMatches } from '../../graph/import/import-match.ts';
import { writeImported } from '../../graph/import/imported-match.ts';
import { playMatch } from '../../graph/play-match.ts';
import { writeInspect } from '../../scripts/export/write-logs.ts';
import { InspectLog } from '../inspect-log.ts';
import { openOpenaiServer, type Scripted } from '../openai-server.ts';
import { seatPeople } from '../people.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const folder = createTemporaryFolder();
const runs = path.join(folder, 'runs');
const quiet = { stderr: { write: () => true } } as never;
const types = path.join(import.meta.dirname, '../inspect-types.d.ts');
let logs: InspectLog[] = [];

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  const games = path.join(import.meta.dirname, '../invented-games/kaggle-native');
  writeImported(importMatches('kaggle', [games], 0).matches, runs);
  let calls = 0;
  const server = await openOpenaiServer(({ body }) => {
    calls += 1;
    const text = JSON.stringify(createLegalAnswer(readQuestion(body.messages)));
    if (body['model'] === 'tiny') return { text };
    const kinds: readonly Scripted[] = [
      { text: null, refusal: 'I cannot do that.' },
      { text: 'no answer' },
      { text: '', finish: 'content_filter' },
      { text, usage: null },
      { text, reasoning_content: 'Nobody must know.' },
    ];
    return kinds[calls % kinds.length]!;
  });
  const env = { OPENAI_API_KEY: 'none' };
  const model = `openai:tiny?baseUrl=${server.baseUrl}`;
  const unruly = `openai:unruly?baseUrl=${server.baseUrl}`;
  const rule = { maxRounds: 2, sheriff: true };
  await playMatch({ model, rule, out: path.join(folder, 'played'), env });
  await playMatch({ model: unruly, rule, out: path.join(folder, 'refused'), env, maxFallbacks: 1 });
  await playMatch({ board: 'plus-12', model: 'bot:classic', rule: { maxRounds: 2 }, out: path.join(folder, 'bots') });
  await playMatch({ rule: { maxRounds: 2, turn: 'draft' }, out: path.join(folder, 'drafts') });
  const person = { seats: { Ginger: 'human:Tim' }, people: seatPeople() };
  await playMatch({ ...person, rule: { maxRounds: 2 }, out: path.join(folder, 'people') });
  await server.close();
  for (const name of ['runs', 'played', 'bots', 'refused', 'drafts', 'people']) {
    const given = { folders: [path.join(folder, name)], out: path.join(folder, `${name}-logs`) };
    const { files } = await writeInspect({ ...given, judge: undefined, cache: null }, quiet);
    logs = [...logs, ...files.map((file) => InspectLog.parse(JSON.parse(readFileSync(file, 'utf8'))))];
  }
});

/** Compiles a log as a literal, and returns the compiler's errors. */
function compileLog({ plan, samples, stats }: InspectLog): string[] {
  const file = path.join(folder, 'log.ts');
  const declare = (name: string, type: string, value: unknown) =>
    `export const ${name}: ${type} = ${JSON.stringify(value)};`;
  writeFileSync(
    file,
    [
      `import type { components } from ${JSON.stringify(types)};`,
      "type S = components['schemas'];",
      '// Fields that later versions of Inspect have added to the format of the logs.',
      "type Config = Omit<S['GenerateConfig'], 'attempt_timeout' | 'cache' | 'effort' | 'verbosity'>;",
      "type Event = Omit<S['ModelEvent'], 'config'> & { config: Config };",
      "type Message = S['ChatMessageSystem'] | S['ChatMessageUser'] | S['ChatMessageAssistant'];",
      declare('config', 'Config', plan.config),
      declare('total', "Record<string, S['ModelUsage']>", stats.model_usage),
      declare(
        'messages',
        'Message[]',
        samples.flatMap(({ messages }) => messages),
      ),
      declare(
        'events',
        'Event[]',
        samples.flatMap(({ events }) => events),
      ),
      declare(
        'outputs',
        "S['ModelOutput'][]",
        samples.map(({ output }) => output),
      ),
      declare(
        'usage',
        "Record<string, S['ModelUsage']>[]",
        samples.map(({ model_usage: usage }) => usage),
      ),
      declare(
        'scores',
        "Record<string, S['Score']>[]",
        samples.map(({ scores }) => scores),
      ),
    ].join('\n'),
  );
  const options = {
    noEmit: true,
    skipDefaultLibCheck: true,
    lib: ['lib.es2022.d.ts'],
    strict: true,
    types: [],
    allowImportingTsExtensions: true,
  };
  const errors = ts.getPreEmitDiagnostics(ts.createProgram([file], options));
  return errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

describe('the types of Inspect', () => {
  it('accept every log: of imported games, models, refused and unreadable answers, bots, drafts and people', () => {
    expect(logs).toHaveLength(6);
    expect(logs.filter(({ samples }) => samples.some(({ events }) => events.length > 0)).length).toBeGreaterThan(3);
    for (const log of logs) expect(compileLog(log)).toEqual([]);
  });

  it('refuse a log with a wrong, an unknown or a missing field', () => {
    const change = (edit: (log: InspectLog) => void) => {
      const log = structuredClone(logs[0]!);
      edit(log);
      return compileLog(log).join('\n');
    };
    const first = (log: InspectLog) => log.samples[0]!.messages[0] as object;
    expect(change((log) => Object.assign(first(log), { content: 7 }))).toContain("Type 'number' is not assignable");
    expect(change((log) => Object.assign(first(log), { invented: true }))).toContain(`'"invented"' does not exist`);
    expect(change((log) => delete (log.samples[0]!.output as Partial<InspectLog['samples'][0]['output']>).choices)).toContain("Property 'choices' is missing"); // prettier-ignore
  });
});
