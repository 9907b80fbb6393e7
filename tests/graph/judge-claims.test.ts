// A judge that knows only what is public draws the claims from a record's statements; its answers lie beside the record.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { claimsOf } from '../../deception/claims/claims-of.ts';
import { ClaimType } from '../../deception/claims/claim.ts';
import { tablesOf } from '../../deception/tables/tables-of.ts';
import { judgeItems, judgeRecord, readJudged } from '../../graph/judge-claims.ts';
import { playMatch } from '../../graph/play-match.ts';
import { conversation } from '../../models/fit.ts';
import { openModel } from '../../models/index.ts';
import { keptFile } from '../../models/record/kept-answers.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { claimTypes, type StatedClaim } from '../../prompts/judge.ts';
import { canaries } from '../canaries.ts';
import { openaiServer, type Received, type Scripted } from '../openai-server.ts';
import { linesOf } from '../record-folder.ts';
import { ScriptedModel } from '../scripted-model.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { play } from '../table.ts';

const name = 'openai:local-judge';
const out = temporaryFolder();
let original: string;
beforeAll(async () => {
  original = (
    await playMatch({ out, id: 'original', seed: 3, rule: { debateTurns: 4, maxRounds: 2, analysis: 'off' } })
  ).folder!;
});

let copies = 0;

function recordCopy() {
  const folder = path.join(out, `copy-${++copies}`);
  cpSync(original, folder, { recursive: true });
  const record = readRecord(folder);
  return { folder, record, size: judgeItems(record).length };
}

async function judgeAt(script: (request: Received) => Scripted) {
  const server = await openaiServer(script);
  const env = { OPENAI_API_KEY: 'sk-local-0123456789abcdef', OPENAI_BASE_URL: server.baseUrl };
  return { server, judge: { name, open: () => openModel(name, { temperature: null, env }) } };
}

const noKey = { name, open: () => Promise.reject(new Error('nobody opens the model')) };

const wordsIn = ({ body }: Received) => /has just .*?: "([^"]*)"/.exec(body.messages[1]!.content)![1]!;
const speakerIn = ({ body }: Received) => /^(\p{L}+) has just /mu.exec(body.messages[1]!.content)![1]!;

/** Takes every statement for the claim of its speaker to be the Seer. */
const claiming = (request: Received, changes: Partial<Record<keyof StatedClaim, unknown>> = {}): Scripted => {
  const claim = { quote: wordsIn(request), type: 'own_role', subject: speakerIn(request), object: null, role: 'Seer' };
  const rest = { team: null, verbs: [], cause: null, round: null, polarity: true, hedged: false };
  return { text: JSON.stringify({ claims: [{ ...claim, ...rest, ...changes }], count: 1 }) };
};

describe('the judge', () => {
  it('draws the claims behind the verdicts, and a report repeats without a call', async () => {
    const { folder, record, size } = recordCopy();
    const { server, judge } = await judgeAt((request) => claiming(request));
    const judged = await judgeRecord(folder, record, judge);
    await server.close();
    expect(server.requests).toHaveLength(size);
    expect(judged).toMatchObject({ name, missing: [], dropped: 0 });
    const again = await judgeRecord(folder, record, noKey);
    const tables = tablesOf(record, { judge: again });
    expect(tables.claims.filter(({ extractor }) => extractor === name)).toHaveLength(size);
    for (const { verdict, role } of tables.statements) expect(verdict).toBe(role === 'Seer' ? 'true' : 'lie');
    expect(tablesOf(record, { judge: judged })).toEqual(tables);
  });

  it('whose answer cannot be read is asked with the error, and then leaves the claims missing', async () => {
    const { folder, record, size } = recordCopy();
    const unread = claimsOf(record).statements[0]!.by;
    const { server, judge } = await judgeAt((request) =>
      speakerIn(request) === unread
        ? claiming(request, { subject: 'Nobody', role: 'Wizard' })
        : { text: '{"claims": [], "count": 0}' },
    );
    const { missing, extract } = await judgeRecord(folder, record, judge);
    await server.close();
    const own = claimsOf(record).statements.filter(({ by }) => by === unread);
    expect(missing).toEqual(own.map(({ id }) => id));
    expect(server.requests).toHaveLength(size + 2 * missing.length);
    const told = server.requests.flatMap(({ body }) => body.messages.slice(2)).filter(({ role }) => role === 'user');
    expect(told[0]!.content).toMatch(/"claims\.0\.subject": .*"claims\.0\.role": /);
    const { statements } = claimsOf(record, extract);
    for (const { id, isUnread, verdict, claims } of statements)
      expect({ isUnread, verdict, claims }).toEqual({ isUnread: missing.includes(id), verdict: null, claims: [] });
    const rows = tablesOf(record, { judge: { name, extract } }).statements;
    expect(rows.filter((row) => row.is_judge_missing).map((row) => row.statement)).toEqual(missing);
  });

  it('may not put words into the mouth of a speaker', async () => {
    const { folder, record, size } = recordCopy();
    const { server, judge } = await judgeAt((request) => claiming(request, { quote: 'I have never said this' }));
    const { dropped, missing } = await judgeRecord(folder, record, judge);
    await server.close();
    expect({ dropped, missing }).toEqual({ dropped: size, missing: [] });
  });

  it('whose list was cut off is asked again: what is left of it is no shorter list', async () => {
    const { folder, record, size } = recordCopy();
    const { server, judge } = await judgeAt((request) => {
      const { text } = claiming(request);
      return { text: `${text!.slice(0, text!.indexOf('}]'))}}, {"quote": "I am th`, finish: 'length' };
    });
    const { missing } = await judgeRecord(folder, record, judge);
    await server.close();
    expect(missing).toHaveLength(size);
    expect(server.requests.at(-1)!.body.messages.at(-1)!.content).toMatch(/"count": .* It was cut off/);
  });

  it('is asked again where the prompt has changed, and offline that is an error', async () => {
    const { folder, record, size } = recordCopy();
    const { server, judge } = await judgeAt(() => ({ text: '{"claims": [], "count": 0}' }));
    await expect(judgeRecord(folder, record, judge, { offline: true })).rejects.toThrow(
      `has no answer of ${name} to ${size} of ${size} statements`,
    );
    await judgeRecord(folder, record, judge);
    const file = keptFile(folder, 'claims', name);
    const lines = linesOf(file);
    lines[4] = lines[4]!.replace(/"prompt_sha256":"\w+"/, `"prompt_sha256":"${'0'.repeat(64)}"`);
    writeFileSync(file, `${lines.join('\n')}\n`);
    expect(() => readJudged(folder, record, name)).toThrow(
      `to 1 of ${size} statements, to 1 of them only in answer to prompts of another wording`,
    );
    await judgeRecord(folder, record, judge);
    await server.close();
    expect(server.requests).toHaveLength(size + 1);
    expect(readJudged(folder, record, name).missing).toEqual([]);
  });

  it('that was stopped has lost only the calls under way', async () => {
    const { folder, record, size } = recordCopy();
    const stop = new AbortController();
    const { server, judge } = await judgeAt(() => ({ text: '{"claims": [], "count": 0}' }));
    let answered = 0;
    const onAnswer = () => void (++answered === 7 && stop.abort(new Error('enough')));
    const options = { concurrency: 1, signal: stop.signal, onAnswer };
    await expect(judgeRecord(folder, record, judge, options)).rejects.toThrow('enough');
    const kept = linesOf(keptFile(folder, 'claims', name)).length;
    expect(kept).toBe(7);
    const before = server.requests.length;
    await judgeRecord(folder, record, judge);
    expect(server.requests.length - before).toBe(size - kept);
    await server.close();
    expect(readFileSync(keptFile(folder, 'claims', name), 'utf8')).not.toContain('sk-local');
  });

  it('is no bot', async () => {
    const { folder, record } = recordCopy();
    const bot = { name: 'bot:classic', open: () => openModel('bot:classic', { temperature: null, env: {} }) };
    await expect(judgeRecord(folder, record, bot)).rejects.toThrow('bot:classic cannot be the judge');
  });

  it('is told the types of claims that there are', () => {
    expect(Object.keys(claimTypes)).toEqual(ClaimType.options);
  });
});

describe('what the judge reads', () => {
  const { script, heard } = canaries();
  let record: Parameters<typeof judgeItems>[0];
  beforeAll(async () => {
    const rule = {
      debateTurns: 2,
      maxRounds: 2,
      analysis: 'off',
      reveal: 'none',
      memory: 'summary',
      ballots: 'public',
    };
    const { manifest, events, lines } = await play({ rule, seed: 2, model: new ScriptedModel(script) });
    record = { manifest, events, answers: lines };
  });
  const prompts = (of = record) => judgeItems(of).map(({ prompt }) => conversation(prompt, 0));

  it('is what was said to everybody, of all rounds, and nothing private', () => {
    const fields = prompts().map((messages) => heard({ messages } as Parameters<typeof heard>[0]));
    expect([...new Set(fields.flat().map(({ field }) => field))].sort()).toEqual(['explanation', 'statement']);
    expect(new Set(fields.at(-1)!.map(({ round }) => round)).size).toBeGreaterThan(1);
  });

  it('is the same whoever has which role, and whatever happened in private', () => {
    const { manifest, events } = record;
    const { players } = manifest.setup;
    const moved = players.map(({ name }, seat) => ({ ...players[(seat + 3) % players.length]!, name }));
    const bare = {
      manifest: { ...manifest, setup: { ...manifest.setup, players: moved } },
      events: events.filter(({ audience }) => audience === 'everyone'),
      answers: [],
    };
    expect(prompts(bare)).toEqual(prompts());
  });

  it('ends with the statement: of a ballot, nobody else’s', () => {
    const ballots = judgeItems(record).filter(({ statements: [id] }) => !/^\d+\.\d+$/.test(id!));
    for (const { prompt, statements } of ballots) {
      const now = prompt.view.events.filter((event) => event.type === 'ballot' && event.round === prompt.view.round);
      expect(now.map((event) => 'id' in event && event.id)).toEqual(statements);
    }
    expect(ballots.length).toBeGreaterThan(5);
  });
});
