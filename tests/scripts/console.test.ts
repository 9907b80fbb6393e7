// Console output: totals and remaining time during play, the command to resume, each error once, and the story.
import { describe, expect, it } from '@jest/globals';
import { playMatch } from '../../graph/play-match.ts';
import { formatRoughTime, formatSharesToHundred } from '../../report/format.ts';
import { renderStoryLine } from '../../report/story.ts';
import { formatCapWarning } from '../../scripts/console/estimate-text.ts';
import type { CallLimiters } from '../../models/limiters-by-server.ts';
import { formatEnd, formatProgress, openProgressReport, RunCounts } from '../../scripts/console/progress.ts';
import { formatResumeCommand, formatCommandWithOtherCap } from '../../scripts/command/resume-command.ts';
import { RunErrors } from '../../scripts/console/closing-summary.ts';
import { openLogger } from '../../scripts/console/logger.ts';
import { openStoryLayout } from '../../scripts/console/story-output.ts';
import type { GameEvent } from '../../state/events.ts';
import { readRules } from '../../state/rulebook.ts';

const { summary } = await playMatch({ out: null, rules: 'arena', rule: { debateTurns: 1, maxRounds: 1 } });
const { calls } = summary.model_calls.total;

const answer = { tokens: { in: 900, out: 100, cached: null, reasoning: null }, cost: 0.5 };

function tallyOf(matches: number) {
  const time = { now: 0 };
  return { time, tally: new RunCounts(matches, () => time.now) };
}

/** Opens a match with `live` answers after `recorded` ones. */
function open(tally: RunCounts, id: string, live: number, recorded = 0) {
  tally.begin(id);
  for (let index = 0; index < recorded; index++) tally.answer(id, answer, true);
  for (let index = 0; index < live; index++) tally.answer(id, answer, false);
}

describe('the time left', () => {
  it('is unknown before anything was answered or is known of the length of a match', () => {
    const { tally, time } = tallyOf(4);
    expect(tally.timeLeft()).toBeNull();
    open(tally, 'one', 10);
    time.now = 1000;
    expect(tally.timeLeft()).toBeNull();
    tally.expect(50);
    expect(tally.timeLeft()).toBe(100 * (40 + 3 * 50));
  });

  it('follows the answers that came since the start, and recorded ones only as far as they need not come again', () => {
    const { tally, time } = tallyOf(2);
    tally.expect(50);
    open(tally, 'one', 10, 20);
    time.now = 1000;
    expect(tally.timeLeft()).toBe(100 * (20 + 50));
  });

  it('leaves out matches that have failed, and is nothing when all are over', () => {
    const { tally, time } = tallyOf(2);
    open(tally, 'one', 10);
    time.now = 1000;
    tally.end({ id: 'two', folder: null, error: new Error('No.') });
    tally.end({ id: 'one', folder: null, summary, isPlayed: true });
    expect(tally).toMatchObject({ finished: 1, failed: 1, underWay: 0 });
    expect(tally.timeLeft()).toBe(0);
  });

  it('is no less than the server that holds calls back takes', () => {
    const { tally, time } = tallyOf(4);
    tally.expect(50);
    open(tally, 'one', 10);
    time.now = 100; // ten calls in a tenth of a second, before the server refused
    const servers = [{ server: 'openai', underWay: 1, waiting: 5, perMinute: 60, heldMs: 61_000 }];
    const limiters = { list: () => servers } as unknown as CallLimiters;
    expect(formatProgress(tally, 300, limiters)).toContain('; 4 min left; '); // 190 calls at one a second, after 61 s
  });

  it('is measured by finished matches once they are ten', () => {
    const { tally, time } = tallyOf(11);
    tally.expect(1000);
    for (let index = 0; index < 10; index++) {
      open(tally, String(index), 1);
      tally.end({ id: String(index), folder: null, summary, isPlayed: true });
    }
    time.now = 100;
    expect(tally.timeLeft()).toBe((100 / 10) * calls);
  });
});

describe('what was spent', () => {
  it('is what is known, in all matches, whether they are finished or not', () => {
    const { tally } = tallyOf(4);
    tally.end({ id: 'over', folder: null, summary, isPlayed: false });
    tally.recorded([answer, { tokens: null, cost: null }], 'left');
    open(tally, 'one', 2, 5);
    expect(tally.spent).toEqual({ calls: calls + 4, tokens: 3000, cost: 1.5, calls_with_unknown_cost: 1 });
  });

  it('counts an answer once that stood in the record of a match which another command has finished', () => {
    const took = { calls: 5, tokens: { in: 4000, out: 500, cached: null, reasoning: null }, cost: 2 };
    const total = { ...summary.model_calls.total, ...took };
    const finished = { ...summary, model_calls: { ...summary.model_calls, total } };
    const { tally } = tallyOf(4);
    tally.recorded([answer], 'over');
    tally.end({ id: 'over', folder: null, summary: finished, isPlayed: false });
    expect(tally.spent).toEqual({ calls: 5, tokens: 4500, cost: 2, calls_with_unknown_cost: 0 });
  });

  it('is shown in one line that never is longer than the terminal is wide', () => {
    const { tally } = tallyOf(4);
    open(tally, 'one', 2);
    tally.calls('one', 7);
    const line = '0 of 4 done, 1 under way, 0 failed; USD 1.00; 2 calls (7 now); 2k tokens';
    expect(formatProgress(tally, 100)).toBe(line);
    expect(formatProgress(tally, line.length - 1)).toBe('0/4 done, 1 playing, 0 failed; $1.00; 2 calls, 2k tok');
    expect(formatProgress(tally, 20)).toBe('0/4 done, 1 playing…');
  });

  it('says which server holds calls back, and how', () => {
    const { tally } = tallyOf(4);
    const free = { server: 'fast', underWay: 3, waiting: 0, perMinute: 900, heldMs: 0 };
    const servers = [
      free,
      { ...free, server: 'openai', underWay: 12, waiting: 5, perMinute: 300.4 },
      { ...free, server: '127.0.0.1:8080', underWay: 1, waiting: 2, perMinute: null },
      { ...free, server: 'groq', waiting: 2, heldMs: 39_500 },
    ];
    const limiters = { list: () => servers } as unknown as CallLimiters;
    expect(formatProgress(tally, 300, limiters)).toBe(
      '0 of 4 done, 0 under way, 0 failed; 0 calls (0 now); openai: 12 under way, 300 a minute; 127.0.0.1:8080: 1 under way; groq: asks to wait 40 s',
    );
  });

  it('of a tournament has the matches that wait, and after a minute the pace of each provider in the last one', () => {
    const time = { now: 0 };
    const tally = new RunCounts(4, () => time.now, true);
    tally.begin('one');
    for (const at of [10_000, 70_000, 80_000]) {
      time.now = at;
      tally.answer('one', { ...answer, model: 'openai:x?temperature=1' }, false);
      tally.answer('one', { ...answer, model: 'bot:classic' }, false);
    }
    expect(formatProgress(tally)).toMatch(
      /^0 of 4 done, 1 under way, 3 waiting, 0 failed; .*; openai 2 calls and 2k tokens a minute$/,
    );
  });

  it('is whole on 80 columns with hundreds of matches', () => {
    const { tally, time } = tallyOf(1000);
    tally.expect(200);
    for (let index = 0; index < 100; index++) tally.end({ id: String(index), folder: null, summary, isPlayed: false });
    for (let index = 0; index < 32; index++) open(tally, `now ${index}`, 100);
    time.now = 9_600_000;
    const text = formatProgress(tally, 77);
    expect(text).toMatch(
      /^100\/1000 done, 32 playing, 0 failed; \d+ (h|min|days) left; \$1600; \d(\.\d)?k calls, 3\.2M tok$/,
    );
  });
});

describe('without a terminal', () => {
  it('a match that ends is told with what all have come to', () => {
    const { tally } = tallyOf(4);
    open(tally, 'one', 2);
    const end = { id: 'over', folder: null, summary, isPlayed: false };
    tally.end(end);
    expect(formatEnd(end, tally)).toMatch(/^over: .* in 1 round; \d+ calls.* \| 1 of 4 done, 1 under way, 0 failed; /);
    const place = { werewolves: 'openai:gpt-4o?rpm=3', villagers: 'bot:classic' };
    expect(formatEnd(end, tally, place)).toMatch(/^over, openai:gpt-4o as Werewolves against bot:classic: /);
    expect(formatEnd(end, tally, { sides: { werewolves: 'a', villagers: 'b' } })).toMatch(
      /^over, a as Werewolves against b: /,
    );
    expect(formatEnd(end, tally)).toContain(`; USD 1.00; ${calls + 2} calls; 2k tokens`);
    expect(formatEnd({ id: 'bad', folder: null, error: new Error('No.') }, tally)).toMatch(
      /^bad: stopped\. No\. \| 1 of 4/,
    );
  });

  it('a line comes every ten seconds until the end, whether or not a match has ended', () => {
    const { tally } = tallyOf(4);
    const beats: { ms: number; beat: () => void }[] = [];
    const lines: string[] = [];
    let isStopped = false;
    const repeat = (ms: number, beat: () => void) => {
      beats.push({ ms, beat });
      return () => void (isStopped = true);
    };
    const progress = openProgressReport(
      () => formatProgress(tally),
      (line) => lines.push(line),
      { repeat },
    );
    open(tally, 'one', 2);
    for (let times = 0; times < 2; times += 1) beats[0]!.beat();
    expect(beats.map(({ ms }) => ms / 1000)).toEqual([10]);
    expect(lines).toEqual(Array(2).fill('0 of 4 done, 1 under way, 0 failed; USD 1.00; 2 calls (0 now); 2k tokens'));
    progress.stop();
    expect(isStopped).toBe(true);
  });
});

describe('shares of a whole', () => {
  it.each([
    [
      [1, 1, 1],
      ['34 %', '33 %', '33 %'],
    ],
    [
      [1, 5, 2],
      ['13 %', '62 %', '25 %'],
    ],
    [
      [7, 0, 0],
      ['100 %', '0 %', '0 %'],
    ],
    [
      [0, 0],
      ['–', '–'],
    ],
  ])('of %j add up to a hundred per cent', (counts, shares) => {
    expect(formatSharesToHundred(counts)).toEqual(shares);
  });
});

describe('a span of time', () => {
  it.each([
    [1, '1 s'],
    [99_000, '99 s'],
    [101_000, '2 min'],
    [5_900_000, '98 min'],
    [12_000_000, '3 h 20 min'],
    [187_200_000, '2 days 4 h'],
  ])('of %i ms is told as %s', (ms, text) => {
    expect(formatRoughTime(ms)).toBe(text);
  });
});

describe('the command that goes on', () => {
  it.each([
    [['--max-cost', '4', '--matches', '3']],
    [['--max-cost=4', '--matches', '3']],
    [['--max-cost', '2', '--matches', '3', '--max-cost=4']],
    [['--matches', '3']], // the cap was set in a file
  ])('after a reached cap leaves room for another: %j', (argv) => {
    expect(formatCommandWithOtherCap(argv)).toBe('npm run match -- --matches 3 --max-cost …');
  });
});

describe('the command that goes on with one match', () => {
  it('is its id, and where it lies', () => {
    expect(formatResumeCommand('one', 'runs')).toBe('npm run match -- --id one');
    expect(formatResumeCommand('one', 'my runs')).toBe("npm run match -- --id one --out 'my runs'");
  });

  it('keeps its cap and its calls under way, which no record keeps', () => {
    expect(formatResumeCommand('one', 'runs', { maxCost: 0.02, concurrency: 1 })).toBe(
      'npm run match -- --id one --concurrency 1 --max-cost 0.02',
    );
    expect(formatResumeCommand('one', 'runs', { maxCost: 0 })).toBe('npm run match -- --id one --max-cost 0');
  });

  it('after a reached cap leaves room for another', () => {
    expect(formatResumeCommand('one', 'runs', { maxCost: 0.02, concurrency: 1, isCapReached: true })).toBe(
      'npm run match -- --id one --concurrency 1 --max-cost …',
    );
  });
});

describe('the warning of a cap', () => {
  it('comes where what is left would not be paid, and never where nothing is left', () => {
    expect(formatCapWarning({ matches: 2, cost: 3 }, { maxCost: 5, spent: 2.5 })).toContain('USD 5');
    expect(formatCapWarning({ matches: 2, cost: 3 }, { maxCost: 5, spent: 1.5 })).toBeNull();
    expect(formatCapWarning({ matches: 0, cost: 0 }, { maxCost: 5, spent: 6 })).toBeNull();
  });
});

describe('an error of several matches', () => {
  it('is new once', () => {
    const errors = new RunErrors();
    const failed = (id: string, words: string) => errors.add({ id, folder: null, error: new Error(words) });
    expect([failed('one', 'one is bad'), failed('two', 'two is bad'), failed('two', 'Other.')]).toEqual([
      true,
      false,
      true,
    ]);
    expect(errors.lines()).toHaveLength(2);
  });
});

const inDay = { round: 1, phase: 'day', audience: 'everyone' } as const;
const rules = readRules('plus', { sheriff: true });

function shown(events: readonly GameEvent[]): string[] {
  const layOut = openStoryLayout(false, rules);
  return events.flatMap((event) => {
    const line = renderStoryLine(event, { reveal: false });
    return line === null ? [] : layOut(event, line).split('\n');
  });
}

const vote = (type: 'ballot' | 'pseudo_ballot', by: string, target: string): GameEvent =>
  type === 'ballot' ? { ...inDay, type, id: `1.${by}`, by, target } : { ...inDay, type, by, target };

const elected: GameEvent = { ...inDay, type: 'elected', player: 'Dan', how: 'vote' };
const exiled: GameEvent = { ...inDay, type: 'death', player: 'Will', cause: 'exile' };

describe('the count of a vote', () => {
  it("gives the Sheriff's ballot its weight", () => {
    const lines = shown([elected, vote('ballot', 'Dan', 'Will'), vote('ballot', 'Leah', 'Dan'), exiled]);
    expect(lines.at(-1)).toBe('Will is exiled. Votes: Will 1.5, Dan 1.');
  });

  it('gives it to whoever has been passed the badge', () => {
    const passed: GameEvent = { ...inDay, type: 'badge', by: 'Dan', to: 'Leah' };
    const lines = shown([elected, passed, vote('ballot', 'Leah', 'Will'), vote('ballot', 'Paul', 'Leah'), exiled]);
    expect(lines.at(-1)).toBe('Will is exiled. Votes: Will 1.5, Leah 1.');
  });

  it('stands above the summing up of a pseudo-vote, and not in that of the vote which counts', () => {
    const sums: GameEvent = {
      ...{ ...inDay, type: 'statement', id: '1.2', by: 'Dan', text: 'Will it is.' },
      ...{ occasion: 'recommendation', recommends: 'Will' },
    };
    const votes = [vote('pseudo_ballot', 'Leah', 'Dan'), sums, vote('ballot', 'Leah', 'Will'), exiled];
    expect(shown([elected, ...votes])).toEqual([
      ...['Dan is elected Sheriff.', '', 'Leah votes for Dan in the pseudo-vote.', 'Pseudo-votes: Dan 1.'],
      ...[
        'Dan (Sheriff, recommends Will): “Will it is.”',
        '',
        'Leah votes for Will.',
        'Will is exiled. Votes: Will 1.',
      ],
    ]);
  });

  it('is told of a tie too', () => {
    const tie: GameEvent = { ...inDay, type: 'tie', players: ['Will', 'Leah'] };
    const lines = shown([vote('ballot', 'Dan', 'Will'), vote('ballot', 'Paul', 'Leah'), tie]);
    expect(lines.at(-1)).toBe(
      'The vote is tied between Will and Leah: they speak once more (PK). Votes: Will 1, Leah 1.',
    );
  });
});

describe('a log that is closed', () => {
  it('is spoken to without harm: a match that ends last may still warn', async () => {
    const said: string[] = [];
    const stream = { write: (text: string) => said.push(text) };
    const io = {
      stdout: stream,
      stderr: stream,
      env: {},
      listenToSignals: () => new AbortController().signal,
      releaseSignals: () => undefined,
    };
    const log = openLogger(io, { story: true, warnings: true });
    await log.close();
    log.warn('Late.');
    log.note('stopped', {});
    expect(said).toEqual(['Warning: Late.\n']);
  });
});
