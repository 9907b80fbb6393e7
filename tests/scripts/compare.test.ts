// `npm run compare`: two folders of matches, their deals, and a plan; two annotators of one folder. All tests are in
// one file because they compare the same matches, and playing them takes most of the time.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { Comparison } from '../../deception/comparison/comparison-schema.ts';
import { type ArmRecords, listDifferenceExamples } from '../../deception/comparison/difference-examples.ts';
import { addSums } from '../../deception/statistics/sums.ts';
import { Report } from '../../deception/summary/report-schema.ts';
import { MetricCollection } from '../../deception/metrics/metric-collection.ts';
import { getFigureKey } from '../../deception/metrics/metric.ts';
import { buildTables } from '../../deception/tables/match-tables.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { memoize } from '../../prompts/text.ts';
import { report as reportOfProgram } from '../../scripts/package-api.ts';
import { findOpenStudies } from '../../scripts/study/open-study.ts';
import { MeasurementCache } from '../../scripts/report/measurement-cache.ts';
import { ruleErrorsFile } from '../../scripts/report/read-extractor-errors.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import { endpointMetrics, metrics } from '../../deception/metrics/index.ts';
import { readTable } from '../csv.ts';
import { findNoClaims, openOpenaiServer } from '../openai-server.ts';
import { forge, rewriteLine, listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from './local-model.ts';
import { run, smallBoard } from './process.ts';
import { itLong } from '../it-long.ts';

const out = createTemporaryFolder();
const [x, y] = ['bot:classic?lie=1', 'bot:classic?lie=0'];
const short = ['--board', smallBoard, '--rule', 'debateTurns=2', '--rule', 'maxRounds=1', '--quiet'];
const play = (name: string, ...more: string[]) => run('match', ['--out', path.join(out, name), ...short, ...more]);
const six = ['--matches', '6'];
await Promise.all([
  play('xy', ...six, '--villagers', x, '--werewolves', y),
  play('yx', ...six, '--villagers', y, '--werewolves', x),
  play('forbidden', ...six, '--villagers', x, '--werewolves', y, '--rule', 'honesty=forbidden'),
  play('other', '--seed', '500', '--matches', '1'),
]);

let comparisons = 0;

const compare = (a: string, b: string, ...more: string[]) => compared([a, b], ...more);

/** Runs `compare` once for all tests that read the same result. */
const compareOnce = memoize(9, (...args: Parameters<typeof compare>) => args.join(' '), compare);

async function compared(folders: readonly string[], ...more: string[]) {
  const to = path.join(out, `comparison-${++comparisons}`);
  const named = folders.map((folder) => path.join(out, folder));
  const ended = await run('compare', [...named, '--out', to, '--resamples', '20', ...more]);
  const read = (file: string) => readFileSync(path.join(to, file), 'utf8');
  return { ...ended, read, json: () => Comparison.parse(JSON.parse(read('comparison.json'))) };
}

/** Copies a set without its plan, so that matches may be missing. Returns its matches. */
function setOf(name: string, of = 'xy'): string[] {
  const folder = path.join(out, name);
  cpSync(path.join(out, of), folder, { recursive: true });
  rmSync(path.join(folder, 'study.json'), { force: true });
  return listFolderNames(folder).map((id) => path.join(folder, id));
}

setOf('another', 'other');
// Copies two deals of each set, enough for tests that do not count deals.
for (const set of ['xy', 'yx', 'forbidden'])
  for (const match of setOf(`few-${set}`, set).sort().slice(2)) rmSync(match, { recursive: true });

let plans = 0;

function plan(text: string): string {
  const file = path.join(out, `analysis-${++plans}.yaml`);
  writeFileSync(file, text);
  return file;
}

describe('compare', () => {
  itLong('leads from what both arms gave to what it counts, as much as the figure says', async () => {
    const plan = path.join(out, 'flags.yaml');
    writeFileSync(plan, 'endpoints: [{ metric: perceived_flag_rate, of: { source: match, kind: debate } }]');
    const { code, read } = await compare('xy', 'forbidden', '--plan', plan);
    expect(code).toBe(0);
    const createArm = (name: string): ArmRecords => {
      const folders = listFolderNames(path.join(out, name)).map((id) => path.join(out, name, id));
      return {
        metrics: endpointMetrics,
        matches: folders.map((folder) => ({ folder, tables: buildTables(readRecord(folder)) })),
      };
    };
    const arms = { a: createArm('yx'), b: createArm('xy') };
    const cells = new MetricCollection(endpointMetrics);
    for (const { tables } of arms.a.matches) cells.add(tables);
    const rows = cells.listCells().map(({ metric, cell }) => ({ metric: metric.name, of: cell }));
    const counted = listDifferenceExamples(rows, arms, 1);
    const numerators = new Map(
      cells.listCells().map(({ metric, cell, clusters }) => {
        const sums = addSums(clusters.map((one) => one.sums));
        return [getFigureKey({ metric: metric.name, cell }), metric.value(sums)! * metric.opportunities(sums)!];
      }),
    );
    const ofA = counted.filter(({ cell }) => cell['arm'] === 'a');
    for (const { metric, cell, total } of ofA) {
      const of = Object.fromEntries(Object.entries(cell).filter(([name]) => name !== 'arm' && name !== 'items'));
      expect({ metric, of, total }).toEqual({ metric, of, total: Math.round(numerators.get(getFigureKey({ metric, cell: of }))!) }); // prettier-ignore
    }
    const kinds = new Set(counted.map(({ metric, cell }) => `${metric} ${cell['items']}`));
    expect([...kinds]).toEqual(expect.arrayContaining(['lie_turn_rate statements', 'perceived_flag_rate judgements']));
    expect(new Set(counted.map(({ cell }) => cell['items']))).toEqual(
      new Set(['statements', 'judgements', 'ballots', 'matches']),
    );
    expect(Math.max(...counted.map(({ shown }) => shown.length))).toBe(20);
    expect(read('comparison.html')).toMatch(
      /<a href="#counted-0">.*<h3 id="counted-0">A: [^<]+: \d+ (?:statement|judgment|ballot|belief|match)/s,
    );
  });

  it('sets two models that changed sides against each other, and says so', async () => {
    const { code, stdout, json, read } = await compareOnce('xy', 'yx');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Built-in bots played in all seats of all 12 matches\. .*\n/m);
    expect(stdout).toMatch(/^Nothing could be compared\. The reasons are listed below\.\n/m);
    expect(stdout).toMatch(/comparison\.md\n.*comparison\.html\n.*comparison\.json\n.*comparison\.csv\n$/);
    expect(json()).toMatchObject({ by: 'model', deals: 6, a: { name: x }, b: { name: y }, plan: null, primary: [] });
    expect(read('comparison.md')).toContain('Built-in bots played in all seats');
    expect(read('comparison.md')).toContain('Two models that changed sides');
    expect(read('comparison.md')).toContain('The smallest p that 6 deals can give is 0.031');
    const { secondary, notes } = json();
    for (const { p, least_p: least } of secondary) expect(p === null || p >= least!).toBe(true);
    expect(secondary.some(({ p, low }) => p !== null && low === null)).toBe(true);
    expect(notes).toEqual([expect.stringMatching(/are joint: a difference.*A crossed design separates the parts/)]);
    for (const { metric, joint, of } of secondary) {
      expect([metric, joint]).toEqual([metric, metrics.find(({ name }) => name === metric)!.isOwnDeed !== true]);
      for (const name of Object.values(of)) expect([x, y]).not.toContain(name);
    }
    const names = secondary.flatMap((row) => [row, ...row.also].map(({ metric, of }) => JSON.stringify([metric, of])));
    expect(new Set(names).size).toBe(names.length);
  });

  it('sets the folders themselves against each other where that is wanted', async () => {
    const { json } = await compareOnce('few-xy', 'few-yx', '--by', 'condition');
    expect(json()).toMatchObject({ by: 'condition', a: { name: path.join(out, 'few-xy'), matches: 2 } });
    expect(json().contrasts.map(({ what }) => what)).toEqual(['model of the village', 'model of the Werewolves']);
  });

  it('gives the same for the same seed', async () => {
    const [one, other] = [
      await compareOnce('few-xy', 'few-yx', '--by', 'condition'),
      await compare('few-xy', 'few-yx', '--by', 'condition'),
    ];
    for (const file of ['comparison.json', 'comparison.md', 'comparison.csv'])
      expect(other.read(file)).toBe(one.read(file));
  });

  itLong('counts claims that a statement only takes for granted where that is wanted, and says so', async () => {
    const [plain, presupposed] = await Promise.all([
      compareOnce('xy', 'forbidden'),
      compare('few-xy', 'few-forbidden', '--presupposed'),
    ]);
    const told = 'Claims that a statement only presupposes count too (--no-presupposed leaves them out).';
    expect([plain.json().notes.includes(told), presupposed.json().notes.includes(told)]).toEqual([false, true]);
    expect(presupposed.read('comparison.md')).toContain('only presupposes count too');
  });

  it('refuses to be told how judges were asked where none is named', async () => {
    const { code, stderr } = await compare('xy', 'forbidden', '--judge-per', 'day', '--repeat', '3');
    expect({ code, stderr }).toMatchObject({ code: 2 });
    expect(stderr).toContain('--judge-per day, --repeat 3 need a judge. Name one with --judge.');
  });

  it('puts what a plan names first, with the plan’s hash', async () => {
    const text = 'question: Who wins?\nendpoints:\n  - metric: win_rate\n    of: { team: werewolves }\n';
    const { json, read } = await compare('few-xy', 'few-yx', '--by', 'condition', '--plan', plan(text));
    expect(json().primary).toMatchObject([{ metric: 'win_rate', of: { team: 'werewolves' } }]);
    expect(json().plan).toMatchObject({ question: 'Who wins?', endpoints: 1 });
    expect(read('comparison.md')).toContain(json().plan!.sha256);
  });

  it('refuses an endpoint that is joint with the opponent where two models only changed sides', async () => {
    const named = plan('endpoints: [{ metric: win_rate, of: { team: werewolves } }]');
    const { code, stderr } = await compare('few-xy', 'few-yx', '--plan', named);
    expect(code).toBe(2);
    expect(stderr).toMatch(/endpoints\.0: win_rate is joint with the opponent.*npm run match -- --crossed X Y/);
  });

  it('compares no models by claims that rules drew, and names what it leaves out', async () => {
    for (const by of ['model', 'condition']) {
      const { json, read } = await (by === 'model'
        ? compareOnce('xy', 'yx')
        : compareOnce('few-xy', 'few-yx', '--by', by));
      const { not_compared: notCompared, secondary, claims_by: drawnBy, notes } = json();
      const refused = notCompared.map(({ metric }) => metric);
      expect(refused).toEqual(
        expect.arrayContaining([
          'lie_turn_rate',
          'lie_rate',
          'coverage',
          'paired_detection',
          'accusation_correct_rate',
        ]),
      );
      expect(new Set(notCompared.map(({ reason }) => reason))).toEqual(new Set(['claims drawn by rules']));
      const compared = secondary.map(({ metric }) => metric);
      expect(compared.filter((metric) => refused.includes(metric))).toEqual([]);
      expect(compared).toEqual(expect.arrayContaining(['perceived_flag_rate', 'words_per_turn']));
      expect({ drawnBy, notes: notes.length }).toEqual({ drawnBy: 'rules', notes: by === 'model' ? 1 : 0 });
      expect(read('comparison.md')).toContain(`**${refused.length} figures are not compared between models: `);
      expect(read('comparison.md')).toMatch(
        /## Figures not compared\n[^]*: Statements with a lie; [^\n]*Lies among claims about oneself; /,
      );
    }
  });

  it('refuses an endpoint made of such claims, and says what to do', async () => {
    const named = plan('endpoints: [{ metric: words_per_turn }, { metric: lie_rate }]');
    const { code, stderr } = await compare('few-xy', 'few-yx', '--plan', named);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /analysis-\d+\.yaml, endpoints\.1: lie_rate cannot compare models, because it uses claims that the rules extracted.* Name a judge \(--judge MODEL, or judge: MODEL in the plan\)/,
    );
  });

  it('compares by claims what the same models did under two conditions, with a note', async () => {
    const { json, read } = await compare(
      'few-xy',
      'few-forbidden',
      '--plan',
      plan('endpoints: [{ metric: coverage }]'),
    );
    const { by, not_compared: notCompared, primary, notes } = json();
    expect({ by, notCompared }).toEqual({ by: 'condition', notCompared: [] });
    expect(primary).toMatchObject([{ metric: 'coverage', pairs: 2 }]);
    expect(notes).toEqual([
      expect.stringMatching(/^Both arms have the same models .* a difference may be one of style\.$/),
    ]);
    expect(read('comparison.md')).toContain('a difference may be one of style');
  });

  it('finds no difference between a folder and its copy', async () => {
    setOf('copy', 'few-xy');
    const { json } = await compare('few-xy', 'copy');
    for (const { difference, p } of json().secondary) {
      expect(difference === null || difference === 0).toBe(true);
      expect(p === null || p === 1).toBe(true);
    }
  });

  it('lists what it leaves out, on the page too', async () => {
    const [torn] = setOf('torn', 'few-xy');
    rewriteLine(torn!, 'events.ndjson', 3, () => 'no JSON');
    const { code, stderr, json, read } = await compare('torn', 'few-yx');
    expect([code, json().deals]).toEqual([0, 1]);
    expect(stderr).toMatch(/^Left out: .*: .*events\.ndjson, line 3 is damaged/);
    expect(json().left_out).toMatchObject([{ folder: torn, reason: 'damaged' }]);
    expect(json().unpaired.b).toHaveLength(1);
    expect(read('comparison.md')).toContain('1 record is left out, listed at the end of `comparison.md`.');
    expect(read('comparison.md')).toMatch(/## Records left out\n\n.*\n.*\n\|.*torn.*\| damaged +\|.*line 3 is damaged/);
  });

  it.each([
    ['other', [], /share no deal: no two matches have the same board, names, seats and roles/],
    ['other', ['--by', 'model'], /--by model compares two models that changed sides/],
    ['other', ['--plan', plan('endpoints: []')], /is not an analysis plan: .*endpoints/s],
    [
      'other',
      ['--plan', plan('endpoints: [{ metric: luck }]')],
      /endpoints\.0: unknown metric "luck"\. Known metrics: /,
    ],
    ['other', ['--plan', plan('a: [')], /cannot be read: Flow sequence/],
    ['other', ['--plan', '/nowhere/analysis.yaml'], /There is no file \/nowhere\/analysis\.yaml\./],
    ['nowhere', [], /does not exist/],
    ['xy', [], /xy and .*xy are the same folder. Name two/],
  ])('refuses %s %j', async (b, more, message) => {
    const { code, stderr } = await compare(more.length > 0 ? 'another' : 'xy', b, ...more);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('a study that is not complete', () => {
  const part = path.join(out, 'part');
  cpSync(path.join(out, 'xy'), part, { recursive: true });
  rmSync(path.join(part, listFolderNames(part)[0] ?? ''), { recursive: true });
  const pages = path.join(out, 'part-report');
  const report = (...more: string[]) =>
    run('report', [part, '--out', pages, '--no-tables', '--no-baselines', '--resamples', '20', ...more]);
  /** Pattern of a model's name, or of a figure with its interval. */
  const anyFigure = /\[\d+–\d+\]|too few|Wins as/;

  it('shows how far it is and no figure on any page, in place of what stood there', async () => {
    mkdirSync(pages);
    for (const name of ['report.json', 'leaderboard.html']) writeFileSync(path.join(pages, name), 'of before');
    const { code, stdout } = await report();
    expect([code, stdout]).toEqual([0, expect.stringContaining('part: 5 of 6 matches finished, 0 under way, 0 failed, 1 to come.')]); // prettier-ignore
    expect(readdirSync(pages).sort()).toEqual(['details', 'pictures', 'report.html', 'report.md'].filter((name) => existsSync(path.join(pages, name)))); // prettier-ignore
    const compared = await compare('part', 'yx');
    expect([compared.code, compared.stdout]).toEqual([0, expect.stringContaining('5 of 6 matches finished')]);
    const texts = ['report.md', 'report.html'].map((name) => readFileSync(path.join(pages, name), 'utf8'));
    for (const text of [
      stdout,
      compared.stdout,
      ...texts,
      compared.read('comparison.md'),
      compared.read('comparison.html'),
    ]) {
      expect(text).toContain('Figures by model are shown once all planned matches are over');
      expect(text).not.toMatch(anyFigure);
    }
    expect(stdout).toMatch(/Figures so far, not for decisions: npm run report -- .*part .*--so-far/);
  });

  it('is named as such by an export, and reported by programs only if they ask for figures so far', async () => {
    const { code, stderr } = await run('export', ['lies', part, '--out', path.join(out, 'part-bank')]);
    expect([code, stderr]).toEqual([0, expect.stringContaining('5 of 6 matches of part are finished. Figures made')]);
    const options = { out: path.join(out, 'part-api'), isTabled: false, resamples: 20 };
    await expect(reportOfProgram([part], options)).rejects.toThrow(/5 of 6 matches of part are finished.*soFar: true/);
    expect(existsSync(options.out)).toBe(false);
    const { report: found } = await reportOfProgram([part], { ...options, soFar: true });
    expect(found.answers[0]?.cautions[0]).toContain('Figures so far, not for decisions: 5 of 6');
  });

  it('is found from the cache as from its records, which are read again once they change', () => {
    const study = path.join(out, 'cached');
    cpSync(path.join(out, 'part'), study, { recursive: true });
    const cache = new MeasurementCache({
      folder: path.join(out, 'cache'),
      program: 'this',
      settling: 0,
      most: 1e9,
      measureEvery: 0,
    });
    const find = (kept: MeasurementCache | null) =>
      findOpenStudies([study], kept).map(({ progress }) => ({ ...progress, matchesPerHour: 'depends on the clock' }));
    const read = find(null);
    expect(read).toMatchObject([{ planned: 6, finished: 5 }]);
    expect([find(cache), find(cache)]).toEqual([read, read]);
    rmSync(path.join(study, listFolderNames(study)[0] ?? '', 'deception_summary.json'));
    expect(find(cache)).toEqual(find(null));
    expect(find(cache)).toMatchObject([{ planned: 6, finished: 4 }]);
  });

  it('is reported without the matches that failed or are damaged, if no other is left to play', async () => {
    const damaged = path.join(out, 'damaged');
    cpSync(path.join(out, 'xy'), damaged, { recursive: true });
    const lost = path.join(damaged, listFolderNames(damaged)[0] ?? '');
    writeFileSync(path.join(lost, 'events.ndjson'), 'garbage\n');
    const to = path.join(out, 'damaged-report');
    const { stdout } = await run('report', [
      damaged,
      '--out',
      to,
      '--no-tables',
      '--no-baselines',
      '--resamples',
      '20',
    ]);
    expect(stdout).toMatch(anyFigure);
    const { left_out: leftOut } = Report.parse(JSON.parse(readFileSync(path.join(to, 'report.json'), 'utf8')));
    expect(leftOut.map(({ folder }) => path.basename(folder))).toEqual([path.basename(lost)]);
  });

  itLong('shows its figures marked, and compares nothing, where that is wanted', async () => {
    const { stdout } = await report('--so-far');
    const compared = await compare('part', 'yx', '--so-far');
    const mark =
      'Figures so far, not for decisions: 5 of 6 matches of part are finished. Nothing is compared or ranked';
    for (const text of [
      stdout,
      compared.stdout,
      readFileSync(path.join(pages, 'report.md'), 'utf8'),
      compared.read('comparison.md'),
    ])
      expect(text).toContain(mark);
    const { primary, secondary, equivalence } = compared.json();
    for (const row of [...primary, ...secondary]) expect([row.p, row.p_adjusted, row.low]).toEqual([null, null, null]);
    expect(equivalence).toEqual([]);
    expect(compared.read('comparison.md')).toContain('once all planned matches are over');
    expect(compared.read('comparison.html')).not.toContain('excluded');
    const { answers } = Report.parse(JSON.parse(readFileSync(path.join(pages, 'report.json'), 'utf8')));
    expect(answers.flatMap(({ differences }) => differences)).toEqual([]);
    expect(stdout).toMatch(anyFigure);
  });
});

describe('compare with a judge', () => {
  const server = openOpenaiServer(findNoClaims);
  afterAll(async () => (await server).close());
  const judge = 'openai:local';
  /** Creates a file of errors measured on statements of these writers. */
  const measureErrors = (extractor: string, ...writers: string[]) => {
    const file = path.join(out, `errors-${getModelLabel(extractor).replaceAll(/\W/g, '-')}-${writers.length}.json`);
    const known = JSON.parse(readFileSync(ruleErrorsFile, 'utf8')) as { lie_rates: object };
    const measured = { precision: null, recall: null, lie_rates: known.lie_rates };
    writeFileSync(
      file,
      JSON.stringify({ ...known, extractor, writers: Object.fromEntries(writers.map((name) => [name, measured])) }),
    );
    return file;
  };

  itLong('compares models by the claims that the judge has drawn, named in a plan or on the command line', async () => {
    const args = [path.join(out, 'few-xy'), path.join(out, 'few-yx'), '--out', path.join(out, 'judged')];
    const flags = ['--judge', judge, '--no-tables', '--no-baselines', '--resamples', '20'];
    expect((await run('report', [...args, ...flags], reaching(await server))).code).toBe(0);
    const figures = readTable(readFileSync(path.join(out, 'judged', 'figures.csv'), 'utf8'));
    expect(figures.filter((row) => row['metric'] === 'coverage').map((row) => row['comparable'])).not.toContain('true');
    expect(readFileSync(path.join(out, 'judged', 'report.md'), 'utf8')).toContain(
      'Nothing shows that the judge reads all models alike',
    );
    const named = plan(`judge: ${judge}\nendpoints: [{ metric: coverage }]`);
    const unshown = await compare('few-xy', 'few-yx', '--plan', named);
    expect(unshown).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /coverage cannot compare models, because .*nothing shows that the judge reads.*--errors FILE/,
      ),
    });
    const shown = measureErrors(judge, x, y);
    expect(await compare('few-xy', 'few-yx', '--plan', named, '--errors', shown)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /coverage cannot compare models, because .*\. Name lie_turn_rate, which they correct/,
      ),
    });
    const ofLies = plan(`judge: ${judge}\nendpoints: [{ metric: lie_turn_rate, of: { team: werewolves } }]`);
    const { code, json, stderr } = await compare('few-xy', 'few-yx', '--plan', ofLies, '--errors', shown);
    expect([code, stderr]).toEqual([0, '']);
    expect(json()).toMatchObject({ claims_by: judge, primary: [{ metric: 'lie_turn_rate', pairs: 2 }] });
    const byCondition = ['few-xy', 'few-yx', '--by', 'condition', '--judge', judge] as const;
    const half = await compare(...byCondition, '--errors', measureErrors(judge, x));
    expect(half.json().not_compared).toContainEqual({
      ...{ metric: 'lie_rate', reason: 'judge not shown to read models alike' },
    });
    expect(half.json().answers[0]?.cautions.join(' ')).toMatch(
      /Nothing shows that the judge reads all models alike.*not compared/,
    );
    const other = await compare(...byCondition, '--errors', measureErrors('openai:other', x, y));
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('contains the errors of openai:other') });
    const { not_compared: left } = (await compare(...byCondition, '--errors', shown)).json();
    expect(left).toContainEqual({ metric: 'kappa_rules_judge', reason: 'claims of the rules beside a judge' });
    expect(left).toContainEqual({ metric: 'lie_rate', reason: 'judge errors not corrected' });
    expect(left.map(({ metric }: { metric: string }) => metric)).not.toContain('lie_turn_rate');
    const refused = await compare('few-xy', 'few-yx', '--plan', named, '--judge', 'openai:other');
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/--judge openai:other is not the judge named by .*, openai:local\./);
    const contrary = await compare('few-xy', 'few-yx', '--plan', named, '--no-judge');
    expect(contrary).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--no-judge contradicts .* names openai:local/),
    });
  });

  itLong('takes the judge that all matches name, as a report does, unless that is not wanted', async () => {
    const named = ['xy', 'yx'].flatMap((name) => {
      cpSync(path.join(out, `few-${name}`), path.join(out, `named-${name}`), { recursive: true });
      return listFolderNames(path.join(out, `few-${name}`)).map((id) =>
        path.join(out, `named-${name}`, id, 'manifest.json'),
      );
    });
    const nameJudge = (file: string, by: string | undefined) => {
      writeFileSync(file, JSON.stringify({ ...(JSON.parse(readFileSync(file, 'utf8')) as object), judge: by }));
      forge(path.dirname(file));
    };
    for (const file of named) nameJudge(file, judge);
    const { code, stderr, json } = await compare('named-xy', 'named-yx');
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`extracted by ${judge}, the judge`),
    });
    expect(json().claims_by).toBe(judge);
    expect(json().answers[0]?.cautions.join(' ')).toContain('Nothing shows that the judge reads all models alike');
    const byRules = await compare('named-xy', 'named-yx', '--no-judge');
    expect([byRules.code, byRules.stderr, byRules.json().claims_by]).toEqual([0, '', 'rules']);
    const unasked = await compare('named-xy', 'named-yx', '--repeat', '3');
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('--judge openai:local --repeat 3') });
    nameJudge(named.at(-1)!, undefined);
    const mixed = await compare('named-xy', 'named-yx');
    expect([mixed.code, mixed.json().claims_by]).toEqual([0, 'rules']);
    expect(mixed.stderr).toContain(
      'These matches do not name the same judge: none (in 1), openai:local (in 3). The built-in rules extract the claims. Name one judge for all with --judge',
    );
    expect((await compare('named-xy', 'named-yx', '--judge', judge)).json().claims_by).toBe(judge);
  });
});

const [classic, random] = ['bot:classic', 'bot:random'];
const annotate = (folder: string, ...flags: string[]) => run('annotate', [folder, '--quiet', '--model', ...flags]);
const matches = setOf('annotated');
const folder = path.dirname(matches[0]!);
await Promise.all([annotate(folder, classic), annotate(folder, random, '--repeat', '2')]);
rmSync(path.join(matches[0]!, 'annotations.bot-random.ndjson'));
for (const file of readdirSync(matches[1]!).filter((name) => name.startsWith('annotations.')))
  rmSync(path.join(matches[1]!, file));

describe('compare --annotators', () => {
  it('sets what two made of the same statements against each other', async () => {
    const named = plan('endpoints: [{ metric: perceived_flag_rate, of: { kind: debate } }]');
    const { code, json, read } = await compared(['annotated'], '--annotators', classic, random, '--plan', named);
    expect(code).toBe(0);
    const { by, a, b, deals, judgements, secondary, unpaired, left_out: leftOut } = json();
    expect({ by, a, b, deals }).toEqual({
      ...{ by: 'annotator', deals: 4 },
      ...{ a: { name: classic, matches: 5 }, b: { name: random, matches: 4 } },
    });
    expect(unpaired).toEqual({ a: [path.basename(matches[0]!)], b: [] });
    expect(leftOut).toMatchObject([{ folder: matches[1], reason: 'not judged' }]);
    expect(json().primary).toMatchObject([{ metric: 'perceived_flag_rate', of: { kind: 'debate' }, pairs: 4 }]);
    expect(judgements!.both).toBeGreaterThan(20);
    expect(judgements!.alone.a).toBeGreaterThan(0); // from the match that only one annotator judged
    expect(judgements!.alone.b).toBe(judgements!.both); // the second repeat
    expect(secondary.map(({ metric }) => metric)).toEqual(
      expect.arrayContaining(['perceived_flag_rate', 'perceived_suspicion']),
    );
    expect(json().not_compared.map(({ metric }) => metric)).toContain('paired_detection'); // whose labels come from the rules
    for (const { of } of secondary) expect(of).not.toHaveProperty('source');
    expect(read('comparison.md')).toContain('Built-in bots played and judged.');
    expect(read('comparison.md')).toContain(`${judgements!.both} judgments by both, in 4 deals.`);
    expect(read('comparison.md')).toContain(`${judgements!.alone.a} by A and ${judgements!.alone.b} by B.`);
  });

  it.each([
    [
      ['annotated'],
      [classic, 'match'],
      /"match" has annotated no match in .*Annotators there: bot:classic, bot:random\./,
    ],
    [['other'], [classic, random], /"bot:classic" has annotated no match in .*There are no annotations/],
    [['annotated'], [classic, classic], /two different annotators of one folder/],
    [['annotated', 'xy'], [classic, random], /two different annotators of one folder/],
    [['annotated'], [classic, random, '--by', 'model'], /'--annotators <models\.\.\.>' cannot be used with/],
  ])('refuses %j %j', async (folders, models, message) => {
    const { code, stderr } = await compared(folders, '--annotators', ...models);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
