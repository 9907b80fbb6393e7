// A running study: the files that a real command writes, what `--status` and the page show, also after a kill, and what
// a hostile folder cannot do.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { StudyProgress } from '../../deception/design/study-progress.ts';
import { StudyPlan } from '../../deception/design/study-plan.ts';
import { playMatch } from '../../graph/play-match.ts';
import type { ViewedStudy } from '../../report/viewer/viewed-study.ts';
import { surveyStudy } from '../../scripts/study/survey-study.ts';
import { MatchIndex } from '../../scripts/view/match-index.ts';
import { openViewServer } from '../../scripts/view/view-server.ts';
import { AnswerCounter } from '../../scripts/study/match-facts.ts';
import { createBoard } from '../table.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { key, legally, reaching } from '../scripts/local-model.ts';
import { run, startScript } from '../scripts/process.ts';

const smallStudy = (out: string) => [
  ...['--crossed', 'openai:a?priceIn=1&priceOut=2', 'openai:b', '--matches', '2', '--out', out, '--concurrency', '3'],
  ...['--rules', 'arena', '--rule', 'debateTurns=1', '--rule', 'maxRounds=1', '--quiet'],
];

/** Waits until the study is in the wanted state, for half a minute. */
async function untilStudy(folder: string, isAsWanted: (study: StudyProgress) => boolean): Promise<StudyProgress> {
  for (let looks = 0; looks < 300; looks += 1) {
    try {
      const study = surveyStudy(folder);
      if (isAsWanted(study)) return study;
    } catch {
      // There is no match yet.
    }
    await wait(100);
  }
  throw new Error(`Not as wanted: ${JSON.stringify(surveyStudy(folder))}`);
}

const listHidden = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('.'));

describe('a crossed study', () => {
  it('tells how far it is while it is played, after a kill, and once it is over, the same in every place', async () => {
    const out = path.join(createTemporaryFolder(), 'study');
    let isLimited = false;
    const server = await openOpenaiServer(
      (request) =>
      isLimited ? { status: 429, headers: { 'retry-after': '30' }, body: { error: { message: 'slow down' } } } : { ...legally(request), latency: 20 }, // prettier-ignore
    );
    try {
      const first = startScript('match', smallStudy(out), reaching(server));
      const running = await untilStudy(out, ({ underWay, spent }) => underWay > 0 && spent.calls > 5);
      expect(running).toMatchObject({ state: 'running', planned: 8, failed: 0, runs: 1, concurrency: 3 });
      expect(running.pairings.map(({ werewolves, villagers, planned }) => [werewolves, villagers, planned])).toEqual([
        ['openai:a', 'openai:a', 2],
        ['openai:a', 'openai:b', 2],
        ['openai:b', 'openai:a', 2],
        ['openai:b', 'openai:b', 2],
      ]);
      expect(running.running[0]?.path).toMatch(/^pack-openai-a_village-openai-a\/classic-8-1-/);
      isLimited = true;
      const held = await untilStudy(out, ({ servers }) => servers.some(({ heldMs }) => heldMs > 0));
      expect(held.servers).toHaveLength(1);
      first.child.kill('SIGKILL');
      await first.ended;
      const killed = surveyStudy(out);
      expect(killed).toMatchObject({ state: 'stopped', underWay: 0, servers: [], secondsLeft: null });
      expect(killed.stopped).toBeGreaterThan(0);
      isLimited = false;
      const { code, stderr } = await run('match', smallStudy(out), reaching(server));
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')]);
      const over = surveyStudy(out);
      expect(over).toMatchObject({ state: 'complete', finished: 8, toCome: 0, stopped: 0, runs: 2, others: 0 });
      const calls = readdirSync(out, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('answers.ndjson'))
        .flatMap((name) => readFileSync(path.join(out, name), 'utf8').trim().split('\n'));
      expect(over.spent.calls).toBe(calls.length);
      expect(over.models.map(({ model }) => model)).toEqual(['openai:a', 'openai:b']);
      expect(over.spent.callsOfUnknownCost).toBe(over.models[1]?.calls);
      expect(listHidden(out)).toEqual([]);
      expect(readFileSync(path.join(out, 'study.json'), 'utf8')).not.toContain(key);
      const told = await run('match', ['--status', '--out', out]);
      expect(told.stdout).toContain('Complete: 8 of 8 finished, 0 under way, 0 failed, 0 to come.');
      expect(told.stdout).toContain('openai:a / openai:b: 2 of 2');
      const printed = await run('match', [...smallStudy(out), '--status', '--json']);
      expect(withoutPace(JSON.parse(printed.stdout) as StudyProgress)).toEqual(withoutPace(over));
      expect(withoutPace((await askStudy(out, '.')).progress)).toEqual(withoutPace(over));
      expect(withoutPace((await askStudy(path.dirname(out), 'study')).progress)).toEqual(withoutPace(over));
      const pages = ['--no-judge', '--resamples', '20', '--no-cache'];
      expect((await run('compare', [out, ...pages])).stdout).toMatch(
        /No price is known for all of the calls of openai:b/,
      );
      const priced = await run('compare', [out, ...pages, '--price', 'openai:b=1,2']);
      expect([priced.code, priced.stdout]).toEqual([0, expect.not.stringContaining('No price is known')]);
    } finally {
      await server.close();
    }
  }, 120_000);

  it('counts answers as they come what the summary says in the end', async () => {
    const out = createTemporaryFolder();
    await playMatch({ out, id: 'm', seed: 3, board: createBoard(2, 1, 0, 3), rule: { maxRounds: 1 } });
    const [{ uses: over }] = [new MatchIndex(out, null)].map((index) => (index.list(), index)).flatMap(() => [{ uses: surveyStudy(out).models }]) as [{ uses: StudyProgress['models'] }]; // prettier-ignore
    const counter = new AnswerCounter();
    const folder = path.join(out, 'm');
    expect(counter.count(folder)).toEqual(over);
    const line = readFileSync(path.join(folder, 'answers.ndjson'), 'utf8').split('\n')[0] ?? '';
    appendFileSync(path.join(folder, 'answers.ndjson'), line.slice(0, 20));
    expect(counter.count(folder)).toEqual(over);
    appendFileSync(path.join(folder, 'answers.ndjson'), `${line.slice(20)}\n`);
    expect(counter.count(folder)[0]?.calls).toBe((over[0]?.calls ?? 0) + 1);
    writeFileSync(path.join(folder, 'answers.ndjson'), `${line}\n`);
    expect(counter.count(folder)[0]?.calls).toBe(1);
  });
});

describe('a folder that holds matches of other rules', () => {
  const play = (out: string, rule: string) => {
    const small = ['--rule', 'maxRounds=1', '--rule', `debateTurns=${rule}`, '--board', 'tests/small-board.yaml'];
    return run('match', ['--matches', '2', '--model', 'bot:random', ...small, '--out', out]);
  };

  it('is told of, with the rules of both, by the command that plays into it, and once', async () => {
    const out = path.join(createTemporaryFolder(), 'study');
    expect((await play(out, '1')).stderr).toBe('');
    const { code, stderr } = await play(out, '2');
    expect(code).toBe(0);
    expect(stderr).toContain(`${out} also contains 2 matches under preset wolf@2 with debateTurns=1, maxRounds=1`);
    expect(stderr).toContain('plays matches under preset wolf@2 with debateTurns=2, maxRounds=1');
    expect((await play(out, '2')).stderr).toBe(''); // nothing is left to play
    expect(surveyStudy(out)).toMatchObject({ state: 'complete', finished: 2, others: 2 });
  });
});

/** Returns a study without its pace, which depends on the time of the request. */
const withoutPace = ({ matchesPerHour, secondsLeft, ...study }: StudyProgress) => {
  void [matchesPerHour, secondsLeft];
  return study;
};

async function askStudy(root: string, study: string): Promise<ViewedStudy> {
  const server = await openViewServer(root, { index: new MatchIndex(root, null), script: '', port: 0 });
  try {
    const reply = await fetch(`${server.address}api/study?path=${encodeURIComponent(study)}`);
    return (await reply.json()) as ViewedStudy;
  } finally {
    await server.close();
  }
}

describe('a folder from anybody', () => {
  const out = path.join(createTemporaryFolder(), 'runs');
  const folder = path.join(out, 'study');
  const file = path.join(folder, 'study.json');
  const secret = path.join(path.dirname(out), 'secret.json');

  const sound: StudyPlan = {
    ...{ study_version: 1, begun_at: '2026-11-26T11:00:00Z', played_since: '2026-11-26T11:00:00Z', runs: 1 },
    ...{ judge: '<img src=x onerror=alert(1)>', max_cost: 1e300, concurrency: 1, expected: { calls: 1e300, cost: 0 } },
    pairings: [
      {
        ...{ folder: '../../../etc', board: '__proto__', werewolves: '\u202e<b>', villagers: '\u001b[2J', name: null },
        ...{ rules: null, models: null, seeds: [[-1, 1e15]], matches: 2 ** 40 },
      },
    ],
  };

  const plant: Readonly<Record<string, () => void>> = {
    'a plan full of markup and paths': () => writeFileSync(file, JSON.stringify(sound)),
    'a plan of another form': () => writeFileSync(file, JSON.stringify({ ...sound, study_version: 2 })),
    'half a plan': () => writeFileSync(file, JSON.stringify(sound).slice(0, 100)),
    'a plan nested without end': () => writeFileSync(file, '['.repeat(1_000_000)),
    'a plan of ten megabytes': () => writeFileSync(file, JSON.stringify({ ...sound, judge: 'x'.repeat(10 * 2 ** 20) })),
    'a folder in place of the plan': () => mkdirSync(file),
    'a pipe in place of the plan': () => execFileSync('mkfifo', [file]),
    'a link out of the folder': () => {
      writeFileSync(secret, JSON.stringify({ ...sound, judge: 'SECRET' }));
      symlinkSync(secret, file);
    },
    'signs of life by the thousand': () => {
      writeFileSync(file, JSON.stringify(sound));
      for (let index = 0; index < 1000; index += 1) writeFileSync(path.join(folder, `.running-${index}.json`), '{"servers":'); // prettier-ignore
    },
    'a sign of life that is a pipe': () => {
      writeFileSync(file, JSON.stringify(sound));
      execFileSync('mkfifo', [path.join(folder, '.running-a.json')]);
    },
  };

  it.each(Object.keys(plant))('breaks neither the list nor --status by %s', async (what) => {
    rmSync(out, { recursive: true, force: true });
    const setup = { out: folder, seed: 1, board: createBoard(2, 1, 0, 3), rule: { maxRounds: 1, debateTurns: 1 } };
    await playMatch({ ...setup, id: 'm1' });
    plant[what]?.();
    const server = await openViewServer(out, { index: new MatchIndex(out, null), script: '', port: 0 });
    try {
      const listed = await (await fetch(`${server.address}api/matches`)).text();
      expect((JSON.parse(listed) as { matches: unknown[] }).matches).toMatchObject([{ path: 'study/m1', winner: expect.not.stringContaining('cannot') }]); // prettier-ignore
      expect(listed).not.toContain('SECRET');
      const study = await fetch(`${server.address}api/study?path=study`);
      expect([200, 404]).toContain(study.status);
      expect(await study.text()).not.toContain('SECRET');
      for (const wrong of ['..', '/etc', '../runs/study', 'study/../study', 'nowhere'])
        expect((await fetch(`${server.address}api/study?path=${encodeURIComponent(wrong)}`)).status).toBe(404);
    } finally {
      await server.close();
    }
    const { code, stdout } = await run('match', ['--status', '--out', folder]);
    expect(code).toBe(0);
    // eslint-disable-next-line no-control-regex -- what a terminal would obey
    expect(stdout).not.toMatch(/[\u001b\u202e]/);
    expect(stdout).not.toContain('SECRET');
  });
});
