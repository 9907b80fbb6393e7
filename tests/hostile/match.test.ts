// Whole matches between models that answer with nothing but hostile texts, and everything that is made of them.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { MatchRecord } from '../../deception/match-record.ts';
import { summarizeMatch } from '../../deception/summary.ts';
import { rowsByTable, tableNames, type TableName } from '../../deception/tables/columns.ts';
import { tablesOf } from '../../deception/tables/tables-of.ts';
import { summaryMarkdown } from '../../report/markdown.ts';
import { storyLine } from '../../report/story.ts';
import { tableCsv } from '../../report/table-csv.ts';
import { transcript } from '../../report/transcript.ts';
import { formatMatchHeader } from '../../scripts/console/header.ts';
import { statementsOf } from '../../deception/statements.ts';
import type { GameEvent } from '../../state/event.ts';
import type { Manifest } from '../../state/record.ts';
import { readTable } from '../csv.ts';
import { rulesBroken } from '../referee.ts';
import { legalAnswer, ScriptedModel, type Script } from '../scripted-model.ts';
import { boardOf, dealt, play, type Options } from '../table.ts';
import { expectVisible, historyIn, historyOf, letters, linesOf, type Told } from './lines.ts';
import { hostileTexts, readable, small } from './texts.ts';

const board = boardOf(2, 1, 1, 2);
const seed = 4;

/** Nobody ever leaves the game, so that every text has its turn in every field: the Doctor guards whom the pack picks. */
function endless(rules: string, rule: Options): Script {
  const { players } = dealt({ board, rules, rule, seed });
  const guarded = players.find(({ role }) => role === 'Villager')!.name;
  const used = new Map<string, number>();
  const next = (field: string) => {
    const count = used.get(field) ?? 0;
    used.set(field, count + 1);
    const texts = field === 'reasoning' ? readable : hostileTexts; // thoughts are too many to be of a megabyte
    return texts[count % texts.length]!.text;
  };
  return (question) => {
    const { fields, alive, player, action } = question;
    const others = alive.filter((name) => name !== player);
    const chosen: Record<string, string> = { eliminate: guarded, protect: guarded };
    chosen['vote'] = others[alive.indexOf(player) % others.length]!;
    const filled = Object.entries(fields).flatMap(([field, { kind }]): [string, string][] => {
      if (kind === 'text') return [[field, next(field)]];
      return kind === 'choice' && chosen[action] !== undefined && field !== 'type' ? [[field, chosen[action]]] : [];
    });
    return { ...legalAnswer(question), ...Object.fromEntries(filled) };
  };
}

/** The same events, in which nobody says anything hostile. */
const tamed = (events: readonly GameEvent[]): GameEvent[] =>
  events.map((event) => {
    const texts = Object.entries(event).filter(
      ([field, value]) =>
        (['text', 'reasoning', 'explanation'].includes(field) || (field === 'reason' && event.type === 'proposal')) &&
        value !== '',
    );
    return { ...event, ...Object.fromEntries(texts.map(([field]) => [field, 'Tame.'])) };
  });

/** All tables of a match as they are read from CSV. */
function readTables(record: MatchRecord) {
  const rows = rowsByTable(tablesOf(record));
  const read = (table: TableName) => readTable(tableCsv(table, rows[table]));
  return Object.fromEntries(tableNames.map((table) => [table, read(table)])) as Record<
    TableName,
    ReturnType<typeof read>
  >;
}

/** What is left of a text of people where all that is quoted is left out. */
const unquoted = (text: string) => text.replace(/“[^”\n]*”/g, '“”');

const tables: [rules: string, rule: Options][] = [
  ['wolf', { debateTurns: 1, maxRounds: 6, analysis: 'self' }],
  ['wolf', { debateTurns: 4, maxRounds: 2, beliefs: 'each-statement' }],
  ['arena', { debateTurns: 11, maxRounds: 6, ballots: 'public', pack: 'vote', memory: 'full' }],
];

describe.each(tables)('under %s with %j', (rules, rule) => {
  const model = new ScriptedModel(endless(rules, rule));
  let match: Awaited<ReturnType<typeof play>>;
  beforeAll(async () => {
    match = await play({ board, rules, rule, seed, model });
  });

  it('the match goes by the rules', () => {
    expect(rulesBroken(match.setup, match.events)).toEqual([]);
  });

  it('every text is said by somebody, as far as there are turns', () => {
    const { debateTurns, maxRounds } = match.setup.rules;
    const raw = match.lines.filter(({ action }) => action === 'debate').map((line) => line.raw);
    const turns = hostileTexts.slice(0, debateTurns * maxRounds);
    const isSaid = (said: string) => raw.some((one) => one.includes(said));
    const unsaid = turns.filter(({ text }) => !isSaid(JSON.stringify(text)));
    expect(unsaid.map(({ tries }) => tries)).toEqual([]);
  });

  it('every prompt tells what happened, in lines of the moderator, and nothing else', () => {
    const { debateTurns, memory } = match.setup.rules;
    const isTurn = ({ kind }: Told) => kind === 'statement' || kind === 'silence';
    const lines = new Set<string>();
    for (const { player, round, action, turn, messages } of model.asked) {
      const told = historyIn(messages[1]!.content, player);
      const known = historyOf(match.events, player, round, memory);
      expect(JSON.stringify(told)).toBe(JSON.stringify(known.slice(0, told.length)));
      const before = memory === 'full' ? (round - 1) * debateTurns : 0;
      if (action === 'debate') expect(told.filter(isTurn)).toHaveLength(before + turn! - 1);
      if (action === 'vote') expect(told.filter(isTurn)).toHaveLength(before + debateTurns);
      expect(messages.every(({ content }) => content.isWellFormed())).toBe(true);
      for (const line of messages.slice(0, 2).flatMap(({ content }) => linesOf(content))) lines.add(line);
    }
    lines.forEach(expectVisible);
  });

  it('every line of the story is that of an event', () => {
    for (const [index, tame] of tamed(match.events).entries()) {
      const line = storyLine(match.events[index]!, { reveal: true });
      expect(line && unquoted(line)).toBe(unquoted(storyLine(tame, { reveal: true }) ?? '') || null);
      expectVisible(line ?? '');
    }
  });

  it('the transcript has no line more', () => {
    const { manifest, events } = match;
    const text = transcript({ manifest, events });
    expect(unquoted(text)).toBe(unquoted(transcript({ manifest, events: tamed(events) })));
    text.split('\n').forEach(expectVisible);
  });

  it('the tables have a row a statement, and no more of analyses and beliefs, in cells of plain text', () => {
    const { manifest, events, lines: answers } = match;
    const tablesFor = (told: readonly GameEvent[]) => readTables({ manifest, events: told, answers });
    const { matches, statements, claims, analyses, beliefs } = tablesFor(events);
    const said = statementsOf(events);
    expect(statements.map(({ statement, speaker, text }) => [statement, speaker, letters(text!)])).toEqual(
      said.map(({ id, by, text }) => [id, by, letters(text)]),
    );
    const tame = tablesFor(tamed(events));
    expect(analyses).toHaveLength(tame.analyses.length);
    expect(beliefs).toHaveLength(tame.beliefs.length);
    const cells = [matches, statements, claims, analyses, beliefs].flat().flatMap((row) => Object.values(row));
    expect(cells.filter((cell) => /^[=+\-@\t\r＝＋－＠]/u.test(cell))).toEqual([]);
    cells.forEach(expectVisible);
    expect(Math.max(...cells.map(({ length }) => length))).toBeLessThan(32_767); // what a cell of a spreadsheet holds
  });

  it('the summary page is that of a match in which nothing hostile is said', () => {
    const { manifest, events, lines: answers } = match;
    const page = (told: readonly GameEvent[]) => summaryMarkdown(summarizeMatch({ manifest, events: told, answers }));
    expect(page(match.events)).toBe(page(tamed(events)));
  });
});

describe('against hostile models', () => {
  it('bots play on by the rules', async () => {
    const script: Script = (question, number) => ({
      ...legalAnswer(question),
      ...Object.fromEntries(
        Object.entries(question.fields)
          .filter(([, { kind }]) => kind === 'text')
          .map(([field]) => [field, readable[number % readable.length]!.text]),
      ),
    });
    const { setup, events } = await play({
      ...{ seed, rule: { debateTurns: 3, maxRounds: 2 } },
      ...{ werewolves: new ScriptedModel(script), villagers: 'bot:classic' },
    });
    expect(rulesBroken(setup, events)).toEqual([]);
  });
});

describe('what a user’s file names, or a record from elsewhere,', () => {
  const tame = dealt({ board, seed });
  const manifestWith = (text: string): Manifest => ({
    schema_version: 1,
    id: text,
    setup: {
      ...tame,
      board: { ...tame.board, name: text },
      honesty_sentence: null,
      models: Object.fromEntries(tame.players.map(({ name }) => [name, text])),
      bots: [],
    },
    made_by: {
      wolfgraph: '1',
      node: 'v1',
      packages: {},
      commit: null,
      templates_sha256: '',
      prices: {},
      created_at: '',
    },
  });
  const statement: GameEvent = {
    ...{ round: 1, phase: 'day', audience: 'everyone', type: 'statement' },
    ...{ id: '1.1', by: tame.players[0]!.name, text: 'Hm.' },
  };

  it.each(small.map(({ tries, text }) => [tries, text]))('stays in its place when it tries %s', (_tries, text) => {
    const [hostile, other] = [text, 'tame'].map((words) => {
      const record = { manifest: manifestWith(words), events: [statement] };
      return {
        story: formatMatchHeader(record.manifest, { reveal: true, isSeedDrawn: false }).split('\n'),
        read: transcript(record).split('\n'),
        page: summaryMarkdown(summarizeMatch({ ...record, answers: [] })).split('\n'),
        tables: Object.values(readTables({ ...record, answers: [] })),
      };
    });
    for (const part of ['story', 'read', 'page'] as const) {
      expect(hostile![part]).toHaveLength(other![part].length);
      hostile![part].forEach(expectVisible);
    }
    const cells = (line: string) => line.match(/(?<!\\)\|/g)?.length ?? 0;
    expect(hostile!.page.map(cells)).toEqual(other!.page.map(cells));
    const rows = (tables: readonly (readonly object[])[]) => tables.map(({ length }) => length);
    expect(rows(hostile!.tables)).toEqual(rows(other!.tables));
    const texts = hostile!.tables.flat().flatMap((row) => Object.values(row));
    expect(texts.filter((cell) => /^[=+\-@\t\r＝＋－＠]/u.test(cell))).toEqual([]);
    texts.forEach(expectVisible);
  });
});
