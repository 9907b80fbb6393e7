// Forks: they continue matches from a statement, are sealed and verified like all records, and are left out by all
// other commands.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ViewedForks } from '../../report/viewer/viewed-forks.ts';
import { MatchIndex } from '../../scripts/view/match-index.ts';
import { readViewedMatch } from '../../scripts/view/read-match.ts';
import type { ShownParts } from '../../scripts/view/read-match.ts';
import { ViewAnswers } from '../../scripts/view/view-answers.ts';
import { commandNames } from '../../scripts/wolfgraph.ts';
import { listEventsBefore } from '../../graph/fork/fork-point.ts';
import { readRecord } from '../../models/record/recorder.ts';
import type { ForkReport } from '../../report/fork-effects-parts.ts';
import { isEventOfType } from '../../state/events.ts';
import { copyUnfinished, forge, readContents, rewrite, rewriteLine } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { filesIn } from '../scripts/match-folder.ts';
import { run, smallBoard } from '../scripts/process.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const quick = ['--board', smallBoard, '--rules', 'wolf', '--rule', 'debateTurns=3', '--rule', 'maxRounds=2'];
const lies = 'verdict=lie team=werewolves kind=debate';
const listForks = (out: string) => readdirSync(path.join(out, 'forks')).sort();
const fork = (...args: string[]) => run('fork', args);
const readReport = (out: string) => JSON.parse(readFileSync(path.join(out, 'effects.json'), 'utf8')) as ForkReport;

beforeAll(async () => {
  await run('match', [...quick, '--matches', '12', '--out', at('study'), '--quiet']);
  const { code, stderr } = await fork(
    ...[at('study'), '--where', lies, '--arms', 'neutral,silence,honest,resample,say:"I am, in fact, calm."'],
    ...['--sample', '3', '--out', at('study', 'effects')],
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

describe('a study of forks', () => {
  it('keeps every statement twice, with other draws than its origin, and has it once in each other arm', () => {
    const manifests = listForks(at('study', 'effects')).map(
      (name) => readRecord(at('study', 'effects', 'forks', name)).manifest,
    );
    const arms = Map.groupBy(manifests, ({ fork_of: of }) => of?.arm);
    expect([...arms].map(([arm, own]) => [arm, own.length]).sort()).toEqual(
      [['honest', 3], ['keep', 6], ['neutral', 3], ['resample', 3], ['say', 3], ['silence', 3]], // prettier-ignore
    );
    expect(new Set(manifests.map(({ setup }) => setup.replicate))).toEqual(new Set([1001, 1002]));
    for (const { setup, fork_of: of } of manifests)
      expect(setup.cut_after_round).toBe(Number(of?.statement.split('.')[0]));
  });

  it('has the past of the origin, asks nothing of it again, and ends after the vote of the day', () => {
    for (const name of listForks(at('study', 'effects'))) {
      const { manifest, events, answers } = readRecord(at('study', 'effects', 'forks', name));
      const { match, statement, arm } = manifest.fork_of!;
      const origin = readRecord(at('study', match));
      const past = listEventsBefore(origin.events, statement);
      expect(past.length).toBeGreaterThan(10);
      expect(events.slice(0, past.length)).toEqual(past);
      const copied = answers.filter(({ forked }) => forked === 'copied');
      expect(copied.every(({ cost }) => cost === 0)).toBe(true);
      expect(copied.map(({ raw }) => raw)).toEqual(origin.answers.slice(0, copied.length).map(({ raw }) => raw));
      expect(answers.filter(({ forked }) => forked === 'replaced')).toHaveLength(
        ['neutral', 'say', 'silence'].includes(arm) ? 1 : 0,
      );
      const ended = events.at(-1)!;
      expect(ended).toMatchObject({ type: 'ended', round: Number(statement.split('.')[0]) });
      expect(events.some(({ type, round }) => type === 'ballot' && round === ended.round)).toBe(true);
    }
  });

  it('replaces the reasoning together with the statement', () => {
    const said = (arm: string) =>
      listForks(at('study', 'effects'))
        .filter((name) => name.includes(`.${arm}`))
        .map((name) => readRecord(at('study', 'effects', 'forks', name)))
        .map(({ manifest, events }) => {
          const turn = events.findIndex((event) => 'id' in event && event.id === manifest.fork_of!.statement);
          return [events[turn - 1]?.type, events[turn]] as const;
        });
    for (const [before, turn] of said('keep')) expect([before, turn?.type]).toEqual(['thought', 'statement']);
    for (const [before, turn] of said('silence')) {
      expect(before).not.toBe('thought');
      expect(turn?.type).toBe('silence');
    }
    for (const [before, turn] of said('say')) {
      expect(before).not.toBe('thought');
      expect(turn).toMatchObject({ type: 'statement', text: 'I am, in fact, calm.' });
    }
  });

  it('is sealed, verified and replayed', async () => {
    const { code, stdout } = await run('verify', [at('study', 'effects')]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '21 records: sealed 21 of 21, replayed 21 of 21\n' });
  });

  it('gives the same files again, and plays nothing twice', async () => {
    const before = filesIn(at('study', 'effects'));
    const { code, stdout } = await fork('--out', at('study', 'effects'));
    expect({ code, all: stdout.includes('21 of 21 forks are already finished.') }).toEqual({ code: 0, all: true });
    expect(filesIn(at('study', 'effects'))).toEqual(before);
  });

  it('compares silence at the vote alone, and says how many of those asked again told no lie', () => {
    const { effects, compliance, moved } = readReport(at('study', 'effects'));
    const outcomes = (arm: string) => new Set(effects.filter((one) => one.arm === arm).map(({ outcome }) => outcome));
    expect(outcomes('silence').has('suspicion_after')).toBe(false);
    expect(outcomes('neutral').has('suspicion_after')).toBe(true);
    expect(compliance.map(({ arm, statements }) => [arm, statements])).toEqual([['honest', 3], ['resample', 3]]); // prettier-ignore
    expect(compliance[0]).toMatchObject({ read: 3, withoutLie: 3 });
    expect(effects.some(({ isSelected }) => isSelected)).toBe(true);
    expect(moved).toHaveLength(5);
    expect(effects.some(({ outcome }) => outcome === 'side_won')).toBe(false);
  });

  it('fails where a fork has another past than its origin', async () => {
    cpSync(at('study', 'effects'), at('forged'), { recursive: true });
    const [name] = listForks(at('forged')) as [string];
    const folder = at('forged', 'forks', name);
    rewriteLine(folder, 'events.ndjson', 1, (line) => line.replace('"phase":"night"', '"phase":"day"'));
    forge(folder);
    const { code, stderr } = await fork('--out', at('forged'));
    expect(code).toBe(1);
    expect(stderr).toContain(`${path.join(folder, 'events.ndjson')}, line 1: this fork differs from its origin`);
  });

  it('keeps its settings: what is typed otherwise is refused, a larger sample adds statements', async () => {
    cpSync(at('study', 'effects'), at('grown'), { recursive: true });
    const out = ['--out', at('grown')];
    const other = await fork('--neutral', 'Well.', ...out);
    expect({ code: other.code, says: other.stderr.includes('was begun with --neutral') }).toEqual({
      code: 2,
      says: true,
    });
    expect((await fork('--sample', '2', ...out)).code).toBe(2);
    const { code } = await fork('--sample', '4', ...out);
    expect({ code, forks: listForks(at('grown')).length }).toEqual({ code: 0, forks: 28 });
  });

  it('says in a dry run what is left and which half-width statements give, and writes nothing', async () => {
    const before = filesIn(at('study', 'effects'));
    const { code, stdout } = await fork('--dry-run', '--sample', '5', '--out', at('study', 'effects'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/5 statements, 35 forks, 21 finished/);
    expect(stdout).toMatch(/400 statements/);
    expect(filesIn(at('study', 'effects'))).toEqual(before);
  });
});

describe('the viewer', () => {
  const answers = (shown?: ShownParts) =>
    new ViewAnswers(at('study'), new MatchIndex(at('study'), null), '', 't', shown);
  const ask = async (of: string, moment: string, shown?: ShownParts) => {
    const query = new URLSearchParams({ path: of, moment });
    const found = await answers(shown).find(new URL(`http://localhost/t/api/forks?${query.toString()}`));
    return found === null ? null : (JSON.parse(found.body) as ViewedForks);
  };
  const isForked = (one: string) => readRecord(at('study', 'effects', 'forks', one));

  it('has the arms of a statement side by side, with what came of them and where they part, from each of them', async () => {
    const [name] = listForks(at('study', 'effects')) as [string];
    const { match, statement } = isForked(name).manifest.fork_of!;
    const shown = (await ask(match, statement))!;
    expect(await ask(match, statement, { isPublic: true })).toBeNull();
    expect(shown.arms.map((one) => one.name)).toEqual([
      ...['as recorded', 'keep', 'keep', 'honest', 'neutral', 'resample', 'say:I am, in fact, calm.', 'silence'],
    ]);
    expect(shown.arms.filter(({ copy }) => copy === 2).map((one) => one.name)).toEqual(['keep']);
    expect(await ask(`effects/forks/${name}`, statement)).toEqual(shown);
    for (const arm of shown.arms) {
      const { events } = readRecord(at('study', arm.path));
      const later = events.slice(events.findIndex((event) => 'id' in event && event.id === statement) + 1);
      const day = later.filter(({ round }) => String(round) === statement.split('.')[0]);
      const ballots = day.filter(isEventOfType('ballot'));
      expect(arm.isVoted).toBe(true);
      for (const [listener, target] of Object.entries(arm.votes))
        expect(ballots.find(({ by }) => by === listener)?.target).toBe(target);
      expect(arm.exiled).toBe(
        day.filter(isEventOfType('death')).find(({ cause }) => cause === 'exile')?.player ?? null,
      );
      expect(arm.text === null).toBe(arm.name === 'silence');
      expect(arm.suspicionAfter === null).toBe(arm.name === 'silence');
    }
    const [, keep, , ...others] = shown.arms;
    expect(keep!.partsAt).toBeNull();
    for (const { partsAt, path: folder } of others) {
      if (partsAt === null) continue;
      const { steps } = await readViewedMatch(at('study', folder));
      const step = steps.find(({ id }) => id === partsAt.id)!;
      const text = step.text ?? step.toldToAll!;
      expect(partsAt.told).toContain(text.slice(0, 12));
    }
    expect(others.some(({ partsAt }) => partsAt !== null)).toBe(true);
  });

  it('says of a fork what it is, marks its first own moment, and has no arms of statements without forks', async () => {
    const [name] = listForks(at('study', 'effects')) as [string];
    const { match, statement } = isForked(name).manifest.fork_of!;
    const { notes, forkPoint } = await readViewedMatch(at('study', 'effects', 'forks', name));
    expect(forkPoint).toBe(statement);
    expect(notes.join()).toContain(`A fork of match ${match} from statement ${statement}`);
    expect(await ask(match, '9.9')).toBeNull();
    expect(await ask('../secret', statement)).toBeNull();
    const { stdout } = await run('show', [at('study', 'effects', 'forks', name)]);
    expect(stdout).toContain(`A fork of match ${match} from statement ${statement}`);
  });
});

it('plays to the end where that is wanted, and then says who won', async () => {
  const args = [
    at('study'),
    '--where',
    lies,
    '--arms',
    'neutral',
    '--sample',
    '2',
    '--until',
    'end',
    '--out',
    at('to-the-end'),
  ];
  expect((await fork(...args)).code).toBe(0);
  const endings = listForks(at('to-the-end')).map((name) => readRecord(at('to-the-end', 'forks', name)).events.at(-1));
  expect(endings.every((event) => event?.type === 'ended' && event.reason !== 'cut')).toBe(true);
});

describe('what is wrong is told with what is known', () => {
  const out = ['--out', at('wrong')];
  it.each<[string, () => string[], RegExp]>([
    [
      'a column',
      () => [at('study'), '--where', 'verdikt=lie', '--arms', 'neutral'],
      /Unknown column "verdikt".*Did you mean "?verdict.*Columns of statements/s,
    ],
    [
      'a column of claims',
      () => [at('study'), '--where', 'claim.kin=x', '--arms', 'neutral'],
      /Unknown column "claim.kin".*claim\.type/s,
    ],
    ['a value', () => [at('study'), '--where', 'role=Werwolf', '--arms', 'neutral'], /No role is "Werwolf".*Werewolf/s],
    ['no condition', () => [at('study'), '--where', 'lie', '--arms', 'neutral'], /is no condition/],
    ['an arm', () => [at('study'), '--where', lies, '--arms', 'quiet'], /Unknown arm "quiet".*silence/s],
    ['an arm twice', () => [at('study'), '--where', lies, '--arms', 'silence,silence'], /names silence twice/],
    ['keep alone', () => [at('study'), '--where', lies, '--arms', 'keep'], /names only "keep"/],
    [
      'ballots',
      () => [at('study'), '--where', 'team=werewolves', '--arms', 'neutral'],
      /explanations of ballots.*kind=debate/s,
    ],
    [
      'words that refuse',
      () => [at('study'), '--where', lies, '--arms', 'say:"I cannot help with that request."'],
      /cannot replace a statement/,
    ],
    [
      'a fork',
      () => [
        at('study', 'effects', 'forks', listForks(at('study', 'effects'))[0]!),
        '--where',
        lies,
        '--arms',
        'neutral',
      ],
      /is a fork, and forks cannot be forked again/,
    ],
    ['forks alone', () => [at('study', 'effects'), '--where', lies, '--arms', 'neutral'], /contains only forks \(21\)/],
    ['nothing to resume', () => [], /contains no study of forks to resume/],
  ])('%s', async (_what, args, message) => {
    // prettier-ignore
    const { code, stderr } = await fork(...args(), ...out);
    expect(stderr).toMatch(message);
    expect({ code, isWritten: existsSync(at('wrong')) }).toEqual({ code: 2, isWritten: false });
  });

  it('an imported match, and one whose prompts had other words', async () => {
    mkdirSync(at('imported'));
    const [name] = readdirSync(at('study')).filter((one) => one !== 'effects') as [string];
    const change = (folder: string, more: object) => {
      cpSync(at('study', name), folder, { recursive: true });
      rewrite(folder, 'manifest.json', (text) => JSON.stringify({ ...(JSON.parse(text) as object), ...more }));
      forge(folder);
    };
    const { manifest } = readRecord(at('study', name));
    change(at('imported', name), { imported: { format: 'arena', source: 'x' } });
    const where = ['--where', 'kind=debate', '--arms', 'neutral', ...out];
    const imported = await fork(at('imported'), ...where);
    expect(imported.stderr).toMatch(/was imported \(arena\) and has no prompts/);
    change(at('reworded', name), {
      made_by: {
        ...manifest.made_by,
        questions_sha256: { ...manifest.made_by.questions_sha256, vote: '000000000000' },
      },
    });
    const reworded = await fork(at('reworded'), ...where);
    expect(reworded.stderr).toMatch(/prompts of another wording \(vote\)/);
  });
});

describe('everything else leaves forks out, and says how many', () => {
  const told = 'Left out: 21 forks, which only npm run fork reports.\n';
  /** Arguments that make each command read a folder of matches; null for commands that read none. */
  const readers: Readonly<Record<string, ((folder: string) => string[]) | null>> = {
    match: null, // plays matches and reads none
    tournament: null,
    worker: null,
    view: null, // lists forks under their origin; a separate test checks this
    show: null, // reads a single record
    fork: null,
    verify: null,
    import: null,
    redact: null, // takes forks too
    simulate: null,
    validate: null,
    doctor: null,
    bank: null, // reads banks, not matches
    report: (folder) => [
      folder,
      '--out',
      `${folder}-report`,
      '--no-baselines',
      '--no-cache',
      '--no-tables',
      '--resamples',
      '20',
    ],
    plan: (folder) => [folder, '--effect', '.2', '--no-cache'],
    compare: (folder) => [folder, at('other'), '--out', `${folder}-compared`, '--no-cache', '--resamples', '20'],
    annotate: (folder) => [folder, '--model', 'ollama:x', '--dry-run'],
    export: (folder) => ['lies', folder, '--out', `${folder}-bank`, '--no-cache'],
    label: (folder) => [folder, '--out', `${folder}.csv`, '--no-cache', '--n', '5'],
    pool: (folder) => ['build', folder, '--out', `${folder}-pool`],
  };

  it('in every command that reads a folder of matches', () => {
    expect(Object.keys(readers).sort()).toEqual([...commandNames].sort());
  });

  it.each(Object.entries(readers).flatMap(([name, args]) => (args === null ? [] : [[name, args] as const])))(
    '%s is unchanged by forks but for that line',
    async (name, args) => {
      const matches = readdirSync(at('study')).filter((one) => one !== 'effects');
      for (const one of matches.slice(0, 4)) cpSync(at('study', one), at(name, 'a', one), { recursive: true });
      if (name === 'compare') cpSync(at(name, 'a'), at('other'), { recursive: true });
      const command = name as Parameters<typeof run>[0];
      const plain = await run(command, args(at(name, 'a')));
      const written = filesIn(at(name));
      for (const one of readdirSync(at(name))) if (one !== 'a') rmSync(at(name, one), { recursive: true });
      cpSync(at('study', 'effects'), at(name, 'a', 'effects'), { recursive: true });
      const beside = await run(command, args(at(name, 'a')));
      rmSync(at(name, 'a', 'effects'), { recursive: true });
      expect(beside.stderr).toContain(told);
      expect({ ...beside, stderr: beside.stderr.replace(told, '') }).toEqual(plain);
      expect(filesIn(at(name))).toEqual(written);
    },
  );

  it('and none takes a fork for a match to go on with', async () => {
    const [name] = listForks(at('study', 'effects')) as [string];
    const folder = copyUnfinished(at('study', 'effects', 'forks', name), at('begun', name));
    const before = readContents(folder);
    const resumed = await run('match', ['--id', name, '--out', at('begun')]);
    expect(resumed.code).toBe(2);
    expect(resumed.stderr).toContain('belongs to a fork of match');
    const reported = await run('report', [folder]);
    expect(reported.stderr).toContain('contains only forks');
    expect(readContents(folder)).toEqual(before);
  });
});
