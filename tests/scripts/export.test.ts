// Output of `export lies`: independent code compares it with the records, and DuckDB reads it.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { DuckDBInstance } from '@duckdb/node-api';
import { BankRecord } from '../../deception/bank/bank-record.ts';
import type { BankJudgment, BankPair, BankPrompt, BankStatement } from '../../deception/bank/bank-rows.ts';
import { InspectLog } from '../inspect-log.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, smallBoard } from './process.ts';
import { itLong } from '../it-long.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const bank = at('bank');

function readRows<Row>(folder: string, table: string): Row[] {
  const text = readFileSync(path.join(folder, `${table}.jsonl`), 'utf8');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);
}

/** An event as parsed from a raw line of a record. */
type RawEvent = Record<string, unknown> & { type: string; round: number };
const readLines = (match: string, file: string) =>
  readFileSync(at('runs', match, file), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as RawEvent);

const exportLies = (out: string, ...more: string[]) =>
  run('export', ['lies', at('runs'), '--out', out, '--no-cache', ...more]);

const board = ['--board', smallBoard, '--rules', 'wolf', '--rule', 'debateTurns=4'];
const everything = ['--judge', 'bot:meant', '--with-judgments', '--license', 'CC0-1.0'];

beforeAll(async () => {
  const played = await run('match', ['--out', at('runs'), '--matches', '8', '--seed', '1', ...board]);
  expect(played.code).toBe(0);
  expect(await exportLies(bank, ...everything)).toMatchObject({ code: 0, stderr: '' });
}, 120_000);

describe('a bank', () => {
  it('has a row for each public statement', () => {
    const said = readdirSync(at('runs'))
      .filter((name) => existsSync(at('runs', name, 'events.ndjson')))
      .flatMap((match) =>
        readLines(match, 'events.ndjson').flatMap((event) => {
          if (event.type === 'statement') return [`${match}/s${String(event['id'])} ${event['text'] as string}`];
          if (event.type !== 'ballot' || event['explanation'] === undefined) return [];
          return [`${match}/s${String(event['id'])} ${event['explanation'] as string}`];
        }),
      );
    const rows = readRows<BankStatement>(bank, 'statements');
    expect(rows.map(({ row, text }) => `${row} ${text}`).sort()).toEqual(said.sort());
    expect(rows.length).toBeGreaterThan(100);
  });

  it('has labels that raw events and claims give, computed anew', () => {
    const rows = readRows<BankStatement>(bank, 'statements');
    let lies = 0;
    for (const row of rows) {
      const events = readLines(row.match_id, 'events.ndjson');
      const roles = new Map(events.filter(({ type }) => type === 'dealt').map((e) => [e['player'], e['role']]));
      const place = events.findIndex((event) => event['id'] === row.statement.slice(1));
      const learned = events.slice(0, place).filter((e) => e.type === 'learned');
      const sideOf = (name: unknown) => (roles.get(name) === 'Werewolf' ? 'werewolves' : 'villagers');
      /**
       * Players whose side the speaker knows: the speaker; every player if the speaker is a Werewolf; the checked
       * players if the speaker is a Seer.
       */
      const isKnown = (name: unknown) =>
        name === row.speaker ||
        sideOf(row.speaker) === 'werewolves' ||
        learned.some((e) => e['by'] === row.speaker && e['about'] === name);
      const isKnownFalse = (claim: BankStatement['claims'][number]): boolean => {
        const { type, subject, object, claimed_role: role, claimed_team: team, polarity } = claim;
        if (claim.is_hedged) return false;
        const isSo = (found: boolean) => found === polarity;
        if (type === 'own_role') return !isSo(role === null ? sideOf(subject) === team : roles.get(subject) === role);
        if (type === 'accusation') return isKnown(subject) && !isSo(sideOf(subject) === 'werewolves');
        if (type === 'defence') return isKnown(subject) && sideOf(subject) === 'werewolves';
        if (type !== 'check') return false;
        const found = learned.some(
          (e) =>
            e['by'] === subject &&
            e['about'] === object &&
            (role === null ? team === null || sideOf(object) === team : e['role'] === role),
        );
        const knows =
          subject === row.speaker || (sideOf(row.speaker) === 'werewolves' && roles.get(subject) !== 'Seer');
        return knows && !isSo(found);
      };
      const isLie = row.claims.some(isKnownFalse);
      const isDecided = row.claims.some(({ type }) => type !== 'promise');
      const isInsincere = row.claims.some(({ verdict }) => verdict === 'insincere'); // from the answer to a question for beliefs
      const label = isLie || (isDecided && !isInsincere ? false : null);
      expect({ row: row.row, is_lie: row.is_lie }).toEqual({ row: row.row, is_lie: label });
      if (isLie) lies += 1;
    }
    expect(lies).toBeGreaterThan(10);
  });

  it('has the lines that decide a claim', () => {
    for (const { match_id, claims } of readRows<BankStatement>(bank, 'statements')) {
      const lines = readFileSync(at('runs', match_id, 'events.ndjson'), 'utf8').split('\n');
      for (const { decided_by: decided } of claims)
        for (const { line, event } of decided) {
          const { chain, ...raw } = JSON.parse(lines[line - 1]!) as Record<string, unknown>;
          expect(chain).toBeDefined();
          expect(JSON.parse(event)).toEqual(raw);
        }
    }
  });

  it('has raw answers, and thoughts, as they were recorded', () => {
    for (const row of readRows<BankStatement>(bank, 'statements').slice(0, 60)) {
      const answers = readLines(row.match_id, 'answers.ndjson');
      const own = answers.filter((line) => line['raw'] === row.raw && line['player'] === row.speaker);
      expect(own.length).toBeGreaterThan(0);
      expect(own.map(({ answer }) => (answer as { reasoning: string }).reasoning)).toContain(row.reasoning);
    }
  });

  it('has prompts as they were sent', () => {
    const prompts = readRows<BankPrompt>(bank, 'prompts');
    for (const { prompt_sha256: hash, messages } of prompts) {
      const pairs = JSON.stringify(messages.map(({ role, content }) => [role, content]));
      expect(createHash('sha256').update(pairs).digest('hex')).toBe(hash);
    }
    const known = new Map(prompts.map((one) => [one.prompt_sha256, one.messages]));
    expect(known.size).toBe(prompts.length);
    const [first] = readRows<BankStatement>(bank, 'statements');
    const stored = gunzipSync(readFileSync(at('runs', first!.match_id, 'prompts.ndjson.gz'))).toString('utf8');
    const messages = known.get(first!.prompt_sha256!);
    expect(stored).toContain(JSON.stringify(messages));
    for (const row of readRows<BankStatement>(bank, 'statements')) {
      expect(known.has(row.prompt_sha256!)).toBe(true);
      expect(row.villager === null || known.has(row.villager_prompt_sha256!)).toBe(true);
    }
    for (const row of readRows<BankJudgment>(bank, 'judgments')) expect(known.has(row.prompt_sha256!)).toBe(true);
  });

  it('asks in the view of a living plain villager who could not know', () => {
    const prompts = new Map(readRows<BankPrompt>(bank, 'prompts').map((one) => [one.prompt_sha256, one.messages]));
    const judged = readRows<BankJudgment>(bank, 'judgments');
    const asked = readRows<BankStatement>(bank, 'statements').filter(({ villager }) => villager !== null);
    expect(asked.length).toBeGreaterThan(50);
    for (const row of asked) {
      const events = readLines(row.match_id, 'events.ndjson');
      const roles = new Map(events.filter(({ type }) => type === 'dealt').map((e) => [e['player'], e['role']]));
      const place = events.findIndex((event) => event['id'] === row.statement.slice(1));
      const dead = events.slice(0, place).filter(({ type }) => type === 'death');
      expect(roles.get(row.villager)).toBe('Villager');
      expect(dead.map((event) => event['player'])).not.toContain(row.villager);
      expect(row.villager).not.toBe(row.speaker);
      const own = judged.find((one) => one.row === row.row && one.listener === row.villager);
      expect(own?.could_know ?? false).toBe(false);
      const [system, user] = prompts.get(row.villager_prompt_sha256!)!;
      expect(system!.content).toContain(`You are ${row.villager!}\n`);
      expect(user!.content).toContain(`${row.speaker} has just said to everybody: "`);
      const others = [...roles].filter(([name, role]) => name !== row.villager && role === 'Werewolf');
      for (const [name] of others) expect(system!.content).not.toContain(`You are ${String(name)}`);
      expect(system!.content + user!.content).not.toMatch(/other Werewol(f|ves) (is|are)/);
    }
  });

  it('has each deal in one split, and pairs of comparable statements', () => {
    const rows = new Map(readRows<BankStatement>(bank, 'statements').map((row) => [row.row, row]));
    const deals = Map.groupBy(rows.values(), ({ deal }) => deal);
    for (const some of deals.values()) expect(new Set(some.map(({ split }) => split)).size).toBe(1);
    const pairs = readRows<BankPair>(bank, 'matched');
    expect(pairs.length).toBeGreaterThan(3);
    for (const { lie, truth, type, round, split } of pairs) {
      const [one, other] = [rows.get(lie)!, rows.get(truth)!];
      expect([one.is_lie, other.is_lie]).toEqual([true, false]);
      expect(one.team).not.toBe(other.team);
      for (const row of [one, other]) expect([row.round, row.split]).toEqual([round, split]);
      expect(one.claims.some((claim) => claim.type === type && claim.verdict === 'lie')).toBe(true);
      expect(other.claims.some((claim) => claim.type === type && claim.is_true)).toBe(true);
    }
  });

  it('has the hashes that its record says, and their hash', () => {
    const record = BankRecord.parse(JSON.parse(readFileSync(path.join(bank, 'bank.json'), 'utf8')));
    const lines = Object.keys(record.files)
      .sort()
      .map((name) => {
        const hash = createHash('sha256')
          .update(readFileSync(path.join(bank, name)))
          .digest('hex');
        expect(record.files[name]!.sha256).toBe(hash);
        return `${hash}  ${name}\n`;
      });
    expect(record.sha256).toBe(createHash('sha256').update(lines.join('')).digest('hex'));
    expect(record.license).toBe('CC0-1.0');
    expect(record.claims_by).toBe('bot:meant');
    const rows = readRows<BankStatement>(bank, 'statements');
    for (const split of ['train', 'validation', 'test'] as const) {
      const own = rows.filter((row) => row.split === split);
      expect(record.counts.splits[split]).toEqual({
        deals: new Set(own.map(({ deal }) => deal)).size,
        statements: own.length,
        lies: own.filter(({ is_lie: isLie }) => isLie === true).length,
        truths: own.filter(({ is_lie: isLie }) => isLie === false).length,
      });
    }
    const card = readFileSync(path.join(bank, 'README.md'), 'utf8');
    expect(card).toContain('license: "CC0-1.0"');
    expect(card).toContain(record.sha256);
    expect(card).toContain('built-in bots');
    expect(card).toContain('Errors were not measured');
  });

  itLong('is the same bytes when it is written again, and by rules has their measured error on its card', async () => {
    await exportLies(at('again'), ...everything);
    for (const name of readdirSync(bank))
      expect(readFileSync(path.join(at('again'), name)).equals(readFileSync(path.join(bank, name)))).toBe(true);
    expect(await exportLies(at('again'), '--no-judge')).toMatchObject({ stderr: '' });
    expect(readdirSync(at('again'))).not.toContain('judgments.jsonl'); // no table of an earlier bank is left
    const card = readFileSync(at('again', 'README.md'), 'utf8');
    expect(card).toMatch(/claims made that were extracted \(recall\) +\| 0\.\d{3} \|/);
    expect(card).toContain('**not stated**');
  });

  it('leaves out damaged records by name, and counts them on the card', async () => {
    const [match] = readdirSync(at('runs')).filter((name) => existsSync(at('runs', name, 'events.ndjson')));
    cpSync(at('runs'), at('damaged'), { recursive: true });
    const events = at('damaged', match!, 'events.ndjson');
    writeFileSync(events, readFileSync(events, 'utf8').replace('Villager', 'Seer'));
    const { code, stderr } = await run('export', ['lies', at('damaged'), '--out', at('less'), '--no-cache']);
    expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 1, lines: 3 });
    expect(stderr).toMatch(/^These matches name no judge\. The built-in rules extract the claims/);
    expect(stderr).toContain(`Left out: ${at('damaged', match!)}`);
    expect(readFileSync(at('less', 'README.md'), 'utf8')).toContain('1 record left out: damaged.');
    rmSync(at('damaged'), { recursive: true });
  });

  it('leaves an earlier bank where nothing can be exported', async () => {
    const before = readFileSync(at('less', 'bank.json'), 'utf8');
    const { code } = await run('export', ['lies', at('nowhere'), '--out', at('less')]);
    expect(code).toBe(2);
    expect(readFileSync(at('less', 'bank.json'), 'utf8')).toBe(before);
    expect(readdirSync(at('less')).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});

describe('logs of Inspect', () => {
  it('have every field of its schema and no other, for all matches', async () => {
    const written = await run('export', ['inspect', at('runs'), '--out', at('logs'), '--no-cache', '--no-judge']);
    expect(written.code).toBe(0);
    const samples = readdirSync(at('logs')).flatMap(
      (name) => InspectLog.parse(JSON.parse(readFileSync(at('logs', name), 'utf8'))).samples,
    );
    expect(samples).toHaveLength(8);
    expect(samples.every(({ events }) => events.length > 5)).toBe(true);
  });
});

describe('DuckDB', () => {
  const query = async (sql: string) => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    return (await connection.runAndReadAll(sql)).getRowObjectsJson();
  };

  it.each(['statements', 'prompts', 'matched', 'silences', 'judgments'])('reads the same rows of %s', async (table) => {
    const found = await query(`select * from '${path.join(bank, table)}.parquet'`);
    expect(found).toEqual(readRows(bank, table));
  });

  it('cuts the very words of every claim out of statements and raw answers', async () => {
    const cut = (text: string, span: string) => `substring(${text}, ${span}."from" + 1, ${span}."to" - ${span}."from")`;
    const [counts] = (await query(`
      select count(*) as claims,
        count(*) filter (${cut('text', 'c.spans[1]')} = c.words) as in_text,
        count(*) filter (c.raw_spans is not null) as with_raw,
        count(*) filter (${cut('raw', 'c.raw_spans[1]')} = c.words) as in_raw
      from (select text, raw, unnest(claims) as c from '${bank}/statements.parquet')`)) as unknown as Record<
      string,
      string
    >[];
    expect(Number(counts!['claims'])).toBeGreaterThan(30);
    expect(counts!['in_text']).toBe(counts!['claims']);
    expect(counts!['in_raw']).toBe(counts!['with_raw']);
    expect(counts!['with_raw']).toBe(counts!['claims']); // bots write no escapes
  });
});
