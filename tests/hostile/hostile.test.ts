// Every hostile text in every place where players' words occur: it stays one quoted line of its speaker.
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import { listStatements } from '../../deception/record/statements.ts';
import { summarizeMatch } from '../../deception/summary/match-summary.ts';
import { buildTables, groupRowsByTable, type TableName, tableNames } from '../../deception/tables/match-tables.ts';
import { parseAnswer } from '../../models/parse-answer.ts';
import { ballotPeerAnalysis, ballotSelfAnalysis, peerAnalysis, selfAnalysis } from '../../prompts/analysis.ts';
import { createCorrection } from '../../prompts/compose.ts';
import { debate } from '../../prompts/debate.ts';
import { renderHistory } from '../../prompts/history.ts';
import { quote } from '../../prompts/text.ts';
import { renderTableCsv } from '../../report/csv.ts';
import { escapeMarkdown, quoteSpeech, sanitizeLines, sanitizeText } from '../../report/format.ts';
import { renderSummary } from '../../report/match-summary-markdown.ts';
import { renderStoryLine } from '../../report/story.ts';
import { renderTranscript } from '../../report/transcript.ts';
import { formatMatchHeader } from '../../scripts/console/match-header.ts';
import { openStoryLayout } from '../../scripts/console/story-output.ts';
import type { GameEvent } from '../../state/events.ts';
import { draw } from '../../state/random.ts';
import { type Manifest, schemaVersion } from '../../state/record.ts';
import { readRules } from '../../state/rulebook.ts';
import { flattenToOneLine, truncateWords } from '../../state/text.ts';
import { createView } from '../../state/view.ts';
import { readTable } from '../csv.ts';
import { gameAt, said, summary, thought, votedFor } from '../game.ts';
import { listRulesBroken } from '../referee.ts';
import { createLegalAnswer, type Script, ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, type Options, play } from '../table.ts';
import {
  expectQuoted,
  expectVisible,
  readHistory,
  computeHistory,
  selectLetters,
  splitLines,
  type Told,
} from './lines.ts';
import { anyCodePoint, hostileTexts, ordinaryTexts, readable, small } from './texts.ts';

const createSeen = (events: readonly GameEvent[] = []) => createView(gameAt({ events }), 'Sam');

/** Returns the text that remains of a statement after reading and cutting. Null if nothing remains. */
function readStatement(text: string): string | null {
  const raw = JSON.stringify({ reasoning: '', statement: text });
  const reading = parseAnswer(raw, debate.put(createSeen(), draw(1), undefined));
  return 'answer' in reading ? truncateWords((reading.answer as { statement: string }).statement, 160).text : null;
}

const entered = readable.flatMap(({ tries, text }) => {
  const words = readStatement(text);
  return words === null ? [] : [[tries, words] as const];
});

describe('a statement that tries', () => {
  it.each(hostileTexts.map(({ tries, text }) => [tries, text]))(
    '%s enters as one short line or not',
    (_tries, text) => {
      const words = readStatement(text) ?? '';
      expectVisible(words);
      expect(words.length).toBeLessThanOrEqual(160 * 20 + 2);
      expect(flattenToOneLine(words).replace(/ …$/, '')).toBe(words.replace(/\s*…$/, '').trimEnd());
    },
  );

  it('anything at all mostly enters: only what has no visible character does not', () => {
    expect(entered.length).toBeGreaterThan(readable.length - 4);
  });

  it.each(entered)('%s is one line of history, of its speaker', (_tries, words) => {
    const proposed = {
      type: 'proposal',
      by: 'Leah',
      verb: 'eliminate',
      target: 'Dan',
      reason: words,
      ballot: 1,
    } as const;
    const places: [event: GameEvent, told: string][] = [
      [said('1.1', 'Dan', words), '- Dan said: '],
      [votedFor(1, 'Dan', 'Will', words), '- Dan voted for Will: '],
      [thought(1, 'Sam', 'vote', words), '- You thought: '],
      [summary(1, 'Sam', words), '- Your summary of the round: '],
      [
        { round: 1, phase: 'night', audience: ['Sam'], ...proposed },
        '- Leah proposed to the other Werewolves to remove Dan: ',
      ],
    ];
    for (const [event, told] of places) {
      const lines = splitLines(renderHistory(createSeen([event])));
      expect(lines).toHaveLength(4); // the title, an empty line, the heading of the day or night, the event
      expect(lines[3]!.startsWith(`${told}"`) && lines[3]!.endsWith('"')).toBe(true);
      const quoted = lines[3]!.slice(told.length + 1, -1);
      expectQuoted(quoted);
      expect(selectLetters(quoted)).toBe(selectLetters(words));
    }
  });

  it.each(entered)(
    '%s is one line of the task where it is analysed and the history has no room for it',
    (_tries, words) => {
      const statement = { id: '1.1', by: 'Dan', text: words };
      const ballot = { id: '1.Dan', by: 'Dan', text: words };
      const [heard, read] = [createSeen([said('1.1', 'Dan', words)]), createSeen([votedFor(1, 'Dan', 'Will', words)])];
      const prompts = [
        peerAnalysis.put(heard, draw(1), statement),
        selfAnalysis.put(heard, draw(1), statement),
        ballotPeerAnalysis.put(read, draw(1), [ballot]),
        ballotSelfAnalysis.put(createSeen([votedFor(1, 'Sam', 'Will', words)]), draw(1), {
          ...ballot,
          id: '1.Sam',
          by: 'Sam',
        }),
      ];
      const told = 'Dan: ';
      const tame = peerAnalysis.put(createSeen([said('1.1', 'Dan', 'Hm.')]), draw(1), { ...statement, text: 'Hm.' });
      const others = splitLines(tame.without(1)).filter((line) => !line.startsWith(told));
      expect(splitLines(prompts[0]!.without(1)).filter((line) => !line.startsWith(told))).toEqual(others);
      for (const [prompt, start] of prompts.map((one, at) => [one, at === 3 ? 'Sam: ' : told] as const)) {
        const [line, ...more] = splitLines(prompt.without(1)).filter((one) => one.startsWith(`${start}"`));
        expect(more).toEqual([]);
        expectQuoted(line!.slice(start.length + 1, -1));
      }
    },
  );

  it.each(entered)('%s is one line of the story, in colours or without', (_tries, words) => {
    const events: [event: GameEvent, told: string][] = [
      [said('1.1', 'Dan', words), 'Dan: '],
      [votedFor(1, 'Dan', 'Will', words), 'Dan votes for Will: '],
      [thought(1, 'Dan', 'vote', words), '  (Dan thinks: '],
    ];
    const [bare, colored] = [openStoryLayout(false, readRules('wolf')), openStoryLayout(true, readRules('wolf'))];
    for (const [event, told] of events) {
      const line = renderStoryLine(event, { reveal: true })!;
      expect(bare(event, line).trimStart()).toBe(line.trimStart());
      expect(colored(event, line).replace(/^\n|\u001b\[\d+m/g, '')).toBe(line); // eslint-disable-line no-control-regex
      const [, words_, rest] = new RegExp(`^${told.replace(/[()]/g, '\\$&')}“([^”]*)”(.*)$`, 'u').exec(line)!;
      expectVisible(line);
      expect(words_).not.toMatch(/["“”„‟«»]/u);
      expect(['', ')']).toContain(rest);
    }
  });
});

describe('any text', () => {
  it.each(hostileTexts.map(({ tries, text }) => [tries, text]))('that tries %s can be shown', (_tries, text) => {
    for (const shown of [sanitizeText(text), quoteSpeech(text), escapeMarkdown(text)]) expectVisible(shown);
    for (const line of sanitizeLines(text.slice(0, 10_000)).split('\n')) expectVisible(line);
    const [answer] = createCorrection(text, '');
    expect(answer.content.isWellFormed()).toBe(true);
    expect(answer.content.length).toBeLessThan(700);
  });

  it('is the same line when it is made one line again', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(fc.constantFrom('❤', '1', '\ufe0f', '\u200d', '\u0301', ' ', 'a'), anyCodePoint),
        }),
        (text) => {
          const line = flattenToOneLine(text);
          expectVisible(line);
          expect(flattenToOneLine(line)).toBe(line);
          expectQuoted(quote(line).slice(1, -1));
        },
      ),
      { numRuns: 200 },
    );
  });

  it.each(ordinaryTexts)('in which nothing is hostile stays as it was said: %s', (text) => {
    expect(readStatement(text)).toBe(text);
    expect(quote(text)).toBe(`"${text.replace(/["“”]/g, "'")}"`);
    expect(quoteSpeech(text)).toBe(`“${text.replace(/["“”]/g, "'")}”`);
  });

  it.each([
    ['joined emoji stand side by side', '👨‍👩‍👧 🏳️‍🌈', '👨👩👧 🏳️🌈'],
    ['what Persian parts without a space is parted by one', 'می‌خواهم', 'می خواهم'],
    ['letters that are joined for their look alone keep their order', 'ශ්‍රී', 'ශ්රී'],
    ['words lose the places where they might be divided', 'Were\u00adwolf', 'Werewolf'],
  ])('stays readable: %s', (_what, text, shown) => {
    expect(readStatement(text)).toBe(shown);
  });
});

// Whole matches between models that answer only with hostile texts, and all output about these matches.

const board = createBoard(2, 1, 1, 2);
const seed = 4;

/** Nobody leaves the game, so that every text reaches every field. The Doctor protects the Werewolves' target. */
function answerEndlessly(rules: string, rule: Options): Script {
  const { players } = dealTable({ board, rules, rule, seed });
  const guarded = players.find(({ role }) => role === 'Villager')!.name;
  const used = new Map<string, number>();
  const next = (field: string) => {
    const count = used.get(field) ?? 0;
    used.set(field, count + 1);
    const texts = field === 'reasoning' ? readable : hostileTexts; // there are too many thoughts to make each a megabyte long
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
    return { ...createLegalAnswer(question), ...Object.fromEntries(filled) };
  };
}

/** Returns the events with hostile parts of statements removed. */
const tameEvents = (events: readonly GameEvent[]): GameEvent[] =>
  events.map((event) => {
    const texts = Object.entries(event).filter(
      ([field, value]) =>
        (['text', 'reasoning', 'explanation'].includes(field) || (field === 'reason' && event.type === 'proposal')) &&
        value !== '',
    );
    return { ...event, ...Object.fromEntries(texts.map(([field]) => [field, 'Tame.'])) };
  });

/** Reads all tables of a match from their CSV text. */
function readTables(record: MatchRecord) {
  const rows = groupRowsByTable(buildTables(record));
  const read = (table: TableName) => readTable(renderTableCsv(table, rows[table]));
  return Object.fromEntries(tableNames.map((table) => [table, read(table)])) as Record<
    TableName,
    ReturnType<typeof read>
  >;
}

/** Removes everything in quotes from a text. */
const stripQuoted = (text: string) => text.replace(/“[^”\n]*”/g, '“”');

const twiceInOrder = { debateOrder: 'round-robin', debatePasses: 2 }; // without bids, which would be most calls of a debate
const tables: [rules: string, rule: Options, turns: number][] = [
  ['wolf', { debateTurns: 1, maxRounds: 6, analysis: 'self' }, 1],
  ['wolf', { debateTurns: 4, maxRounds: 2, beliefs: 'each-statement', syntheticVotes: true }, 4],
  ['arena', { ...twiceInOrder, maxRounds: 6, ballots: 'public', pack: 'vote', memory: 'full' }, 12],
];

describe.each(tables)('under %s with %j', (rules, rule, debateTurns) => {
  const model = new ScriptedModel(answerEndlessly(rules, rule));
  let match: Awaited<ReturnType<typeof play>>;
  beforeAll(async () => {
    match = await play({ board, rules, rule, seed, model });
  });

  it('the match goes by the rules', () => {
    expect(listRulesBroken(match.setup, match.events)).toEqual([]);
  });

  it('every text is said by somebody, as far as there are turns', () => {
    const { maxRounds } = match.setup.rules;
    const raw = match.lines.filter(({ action }) => action === 'debate').map((line) => line.raw);
    const turns = hostileTexts.slice(0, debateTurns * maxRounds);
    const isSaid = (said: string) => raw.some((one) => one.includes(said));
    const unsaid = turns.filter(({ text }) => !isSaid(JSON.stringify(text)));
    expect(unsaid.map(({ tries }) => tries)).toEqual([]);
  });

  it('every prompt tells what happened, in lines of the moderator, and nothing else', () => {
    const { memory } = match.setup.rules;
    const isTurn = ({ kind }: Told) => kind === 'statement' || kind === 'silence';
    const lines = new Set<string>();
    for (const { player, round, action, turn, messages } of model.asked) {
      const told = readHistory(messages[1]!.content, player);
      const isReport = /self_analysis$/.test(action); // analyses leave out own thoughts
      // A voter's report on the own vote is made without the other voters' explanations, which the voter did not know.
      const isUnknown = (event: GameEvent) =>
        action === 'ballot_self_analysis' && event.type === 'ballot' && event.round === round && event.by !== player;
      const events = match.events.filter((event) => !isUnknown(event));
      const known = computeHistory(events, player, round, match.setup.rules).filter(
        ({ kind }) => !(isReport && kind === 'thought'),
      );
      expect(JSON.stringify(told)).toBe(JSON.stringify(known.slice(0, told.length)));
      const before = memory === 'full' ? (round - 1) * debateTurns : 0;
      if (action === 'debate') expect(told.filter(isTurn)).toHaveLength(before + turn! - 1);
      if (action === 'vote') expect(told.filter(isTurn)).toHaveLength(before + debateTurns);
      expect(messages.every(({ content }) => content.isWellFormed())).toBe(true);
      for (const line of messages.slice(0, 2).flatMap(({ content }) => splitLines(content))) lines.add(line);
    }
    lines.forEach(expectVisible);
  });

  it('every line of the story is that of an event', () => {
    for (const [index, tame] of tameEvents(match.events).entries()) {
      const line = renderStoryLine(match.events[index]!, { reveal: true });
      expect(line && stripQuoted(line)).toBe(stripQuoted(renderStoryLine(tame, { reveal: true }) ?? '') || null);
      expectVisible(line ?? '');
    }
  });

  it('the transcript has no line more', () => {
    const { manifest, events } = match;
    const text = renderTranscript({ manifest, events });
    expect(stripQuoted(text)).toBe(stripQuoted(renderTranscript({ manifest, events: tameEvents(events) })));
    text.split('\n').forEach(expectVisible);
  });

  it('the tables have a row a statement, and no more of analyses and beliefs, in cells of plain text', () => {
    const { manifest, events, lines: answers } = match;
    const tablesFor = (told: readonly GameEvent[]) => readTables({ manifest, events: told, answers });
    const { matches, statements, claims, analyses, beliefs } = tablesFor(events);
    const said = listStatements(events);
    expect(statements.map(({ statement, speaker, text }) => [statement, speaker, selectLetters(text!)])).toEqual(
      said.map(({ id, by, text }) => [`s${id}`, by, selectLetters(text)]),
    );
    const tame = tablesFor(tameEvents(events));
    expect(analyses).toHaveLength(tame.analyses.length);
    expect(beliefs).toHaveLength(tame.beliefs.length);
    const cells = [matches, statements, claims, analyses, beliefs].flat().flatMap((row) => Object.values(row));
    expect(cells.filter((cell) => /^[=+\-@\t\r＝＋－＠]/u.test(cell))).toEqual([]);
    cells.forEach(expectVisible);
    expect(Math.max(...cells.map(({ length }) => length))).toBeLessThan(32_767); // content of a spreadsheet cell
  });

  it('the summary page is that of a match in which nothing hostile is said', () => {
    const { manifest, events, lines: answers } = match;
    const page = (told: readonly GameEvent[]) => renderSummary(summarizeMatch({ manifest, events: told, answers }));
    expect(page(match.events)).toBe(page(tameEvents(events)));
  });
});

describe('against hostile models', () => {
  it('bots play on by the rules', async () => {
    const script: Script = (question, number) => ({
      ...createLegalAnswer(question),
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
    expect(listRulesBroken(setup, events)).toEqual([]);
  });
});

describe('what a user’s file names, or a record from elsewhere,', () => {
  const tame = dealTable({ board, seed });
  const createManifest = (text: string): Manifest => ({
    schema_version: schemaVersion,
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

  const show = (words: string) => {
    const record = { manifest: createManifest(words), events: [statement] };
    return {
      story: formatMatchHeader(record.manifest, { reveal: true, isSeedDrawn: false }).split('\n'),
      read: renderTranscript(record).split('\n'),
      page: renderSummary(summarizeMatch({ ...record, answers: [] })).split('\n'),
      tables: Object.values(readTables({ ...record, answers: [] })),
    };
  };
  const other = show('tame');

  it.each(small.map(({ tries, text }) => [tries, text]))('stays in its place when it tries %s', (_tries, text) => {
    const hostile = show(text);
    for (const part of ['story', 'read', 'page'] as const) {
      expect(hostile[part]).toHaveLength(other[part].length);
      hostile[part].forEach(expectVisible);
    }
    const cells = (line: string) => line.match(/(?<!\\)\|/g)?.length ?? 0;
    expect(hostile.page.map(cells)).toEqual(other.page.map(cells));
    const rows = (tables: readonly (readonly object[])[]) => tables.map(({ length }) => length);
    expect(rows(hostile.tables)).toEqual(rows(other.tables));
    const texts = hostile.tables.flat().flatMap((row) => Object.values(row));
    expect(texts.filter((cell) => /^[=+\-@\t\r＝＋－＠]/u.test(cell))).toEqual([]);
    texts.forEach(expectVisible);
  });
});
