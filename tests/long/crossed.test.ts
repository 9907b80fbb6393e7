// A crossed design, run as a user would: one command plays every ordered pair of models on the same deals.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Comparison } from '../../deception/comparison/comparison-schema.ts';
import { listModelPairs } from '../../deception/design/schedule.ts';
import type { Manifest } from '../../state/record.ts';
import { listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run, smallBoard } from '../scripts/process.ts';

const root = createTemporaryFolder();
const out = path.join(root, 'study');
const [x, y] = ['bot:classic?lie=1', 'bot:classic?lie=0'];
const short = ['--board', smallBoard, '--rule', 'debateTurns=1', '--rule', 'maxRounds=1', '--rule', 'analysis=off'];
const createStudyArgs = (matches = 2, ...more: string[]) => [
  ...['--crossed', x, y, '--matches', String(matches)],
  ...['--out', out, ...short, ...more],
];

const readManifests = (folder: string) =>
  listFolderNames(path.join(out, folder)).map(
    (id) => JSON.parse(readFileSync(path.join(out, folder, id, 'manifest.json'), 'utf8')) as Manifest,
  );

const listModels = ({ setup }: Manifest, team: string) => [
  ...new Set(setup.players.filter((player) => player.team === team).map(({ name }) => setup.models[name])),
];

describe('crossed rules', () => {
  const to = path.join(root, 'rules');
  const brief = ['--board', smallBoard, '--rule', 'debateTurns=1', '--rule', 'maxRounds=1'];
  const rules = [...brief, '--seed', '3', '--matches', '2', '--out', to];
  const flags = ['--model', 'bot:random', '--cross-rules', 'analysis=both,off', 'scores=bands,hidden', ...rules];
  const arms = ['analysis-both_scores-bands', 'analysis-both_scores-hidden', 'analysis-off'];

  it('are played by one command on the same deals, a folder each, whose manifests say so', async () => {
    const { code, stdout } = await run('match', flags);
    expect(code).toBe(0);
    expect(stdout).toContain('Crossed: each of 3 arms plays every seed, in its own folder.');
    expect(stdout).toContain('Crossed rules: analysis=both, scores=bands; analysis=both, scores=hidden; analysis=off.');
    expect(listFolderNames(to).sort()).toEqual(arms);
    const setups = arms.map((arm) =>
      listFolderNames(path.join(to, arm)).map(
        (id) => (JSON.parse(readFileSync(path.join(to, arm, id, 'manifest.json'), 'utf8')) as Manifest).setup,
      ),
    );
    expect(setups.map(([first]) => [first!.rules.analysis, first!.rules.scores])).toEqual([
      ['both', 'bands'],
      ['both', 'hidden'],
      ['off', 'hidden'],
    ]);
    const deals = setups.map((some) => some.map(({ players }) => JSON.stringify(players)).sort());
    expect(deals[0]).toHaveLength(2);
    for (const other of deals) expect(other).toEqual(deals[0]);
  });

  it('are gone on with by the same command, and stand in a file too', async () => {
    expect((await run('match', flags)).stdout).toContain('All 6 matches are already finished.');
    const file = path.join(root, 'rules.yaml');
    writeFileSync(file, 'model: bot:random\ncrossRules: { analysis: [both, off], scores: [bands, hidden] }\n');
    expect((await run('match', [file, ...rules])).stdout).toContain('All 6 matches are already finished.');
  });

  it('are crossed with models', async () => {
    const { stdout } = await run('match', createStudyArgs(1, '--dry-run', '--cross-rules', 'honesty=unsaid,forbidden'));
    expect(stdout).toMatch(/^Estimate for 8 matches/m);
  });

  it.each([
    [['analysis=both,off'], /--cross-rules needs --matches N/],
    [['analysis', '--matches', '2'], /--cross-rules takes key=value,value.*not "analysis"/],
    [['analyse=both,off', '--matches', '2'], /unknown rule "analyse"/],
    [['analysis=both', '--matches', '2'], /at least two different values/],
    [['analysis=both,loud', '--matches', '2'], /Rule "analysis" cannot be "loud"/],
    [['analysis=both,off', '--rule', 'analysis=self', '--matches', '2'], /crosses analysis, but --rule sets it/],
  ])('refuses %j', async (argv, message) => {
    const { code, stderr } = await run('match', ['--cross-rules', ...argv, '--out', path.join(root, 'refused')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});

describe('a crossed design', () => {
  it('is estimated as a whole, and nothing is written', async () => {
    const { code, stdout } = await run('match', createStudyArgs(2, '--dry-run'));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Estimate for 8 matches/m);
    expect(stdout.replaceAll('\n', ' ')).toMatch(/12 matches of built-in bots .* seeds 1 to 12\. They took/);
    expect(readdirSync(root)).not.toContain('study');
  });

  it('is played by one command, every pair in a folder of its own, on the same deals', async () => {
    const { code, stdout } = await run('match', createStudyArgs());
    expect(code).toBe(0);
    expect(stdout).toMatch(/^8 matches: board small.*; seeds 1 to 2\.$/m);
    expect(stdout).toContain(`Crossed: each of 4 pairs plays every seed, in its own folder. Models: ${x}, ${y}.`);
    const folders = listFolderNames(out);
    expect(folders).toHaveLength(4);
    const deals = folders.map((folder) => readManifests(folder).map(({ setup }) => JSON.stringify(setup.players)));
    for (const other of deals) expect(other).toEqual(deals[0]);
    const sides = folders.map((folder) => {
      const manifests = readManifests(folder);
      return [
        manifests.flatMap((one) => listModels(one, 'werewolves')),
        manifests.flatMap((one) => listModels(one, 'villagers')),
      ];
    });
    expect(sides).toEqual(
      [x, y]
        .flatMap((pack) =>
          [x, y].map((village) => [
            [pack, pack],
            [village, village],
          ]),
        )
        .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)),
    );
  });

  it('goes on with what is left, and grows by models and deals without playing anything twice', async () => {
    const again = await run('match', createStudyArgs());
    expect(again.stdout).toContain('All 8 matches are already finished.');
    const more = ['--crossed', x, y, 'bot:random', '--matches', '3', '--out', out, ...short, '--dry-run'];
    expect((await run('match', more)).stdout).toContain('8 of 27 matches are already finished');
  });

  it('is reported as one', async () => {
    const to = path.join(root, 'report');
    expect(await run('report', [out, '--out', to, '--resamples', '20', '--no-baselines'])).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(to, 'report.md'), 'utf8')).toContain('8 matches');
  });

  it('is compared part by part, of one folder or several', async () => {
    const to = path.join(root, 'comparison');
    const flags = ['--out', to, '--resamples', '20'];
    const { code, stdout } = await run('compare', [out, ...flags]);
    expect({ code, files: stdout.match(/comparison\.(md|json)$/gm)!.length }).toEqual({ code: 0, files: 2 });
    expect(stdout).toContain('A crossed design: 4 ordered pairs of models, 2 deals that every pair played.');
    const text = readFileSync(path.join(to, 'comparison.json'), 'utf8');
    const { by, a, b, crossed, deals, secondary } = Comparison.parse(JSON.parse(text));
    expect({ by, a, b, deals }).toEqual({ by: 'crossed', a: null, b: null, deals: 2 });
    expect(crossed).toMatchObject({ not_identified: [], arms: Array.from({ length: 4 }, () => ({ matches: 2 })) });
    const parts = new Set(secondary.map(({ part }) => part!.name));
    expect([...parts].sort()).toEqual(['actor', 'interaction', 'opponent', 'pack', 'village']); // no listener was asked, so there is no part of speakers or listeners
    const page = readFileSync(path.join(to, 'comparison.md'), 'utf8');
    expect(page).toMatch(/^# .* compared with .*\n/);
    expect(page).toContain('- A crossed design: 4 ordered pairs of models, 2 deals that every pair played.');
    const folders = listFolderNames(out).map((folder) => path.join(out, folder));
    expect((await run('compare', [...folders, ...flags])).code).toBe(0);
    expect(readFileSync(path.join(to, 'comparison.json'), 'utf8')).toBe(text);
  });

  it('is compared as far as there are pairs, and what cannot be told is named', async () => {
    const to = path.join(root, 'comparison-of-some');
    const [xx, xy, yx] = [
      [x, x],
      [x, y],
      [y, x],
    ].map(([pack, village]) => {
      const { folder } = listModelPairs([x, y]).find((pair) => pair.werewolves === pack && pair.villagers === village)!;
      return path.join(out, folder);
    }) as [string, string, string];
    const flags = ['--by', 'crossed', '--out', to, '--resamples', '20'];
    expect((await run('compare', [xx, yx, ...flags])).code).toBe(0);
    expect(readFileSync(path.join(to, 'comparison.md'), 'utf8')).toMatch(
      /\*\*Not identified:\*\* the difference as village of .* needs both as the village against the same model; the interaction of/,
    );
    const { code, stderr } = await run('compare', [xy, yx, ...flags]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /cannot show what either model contributes\. .*The difference as Werewolf of .* npm run match -- --crossed 'bot:\S+' 'bot:\S+' --matches 30 --out \S+-crossed/,
    );
  });

  it('may stand in a file', async () => {
    const file = path.join(root, 'study.yaml');
    writeFileSync(
      file,
      `crossed: ['${x}', '${y}']\nmatches: 2\nboard: ${smallBoard}\nout: ${out}\nrule: { debateTurns: 1, maxRounds: 1, analysis: 'off' }\n`,
    );
    expect((await run('match', [file, '--dry-run'])).stdout).toContain('All 8 matches are already finished.');
  });

  it.each([
    [['--crossed', x, y], /--crossed needs --matches N/],
    [['--crossed', x, '--matches', '2'], /--crossed .* cannot be used/],
    [['--crossed', x, x, '--matches', '2'], /The crossed design names .* twice/],
    [
      ['--crossed', x, y, '--matches', '2', '--villagers', y, '--seat', `Dan=${x}`],
      /Remove the models given for: villagers, seats\./,
    ],
    [['--crossed', x, 'no:model', '--matches', '2'], /no:model/],
  ])('refuses %j', async (argv, message) => {
    const { code, stderr } = await run('match', [...argv, '--out', path.join(root, 'refused')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(message);
  });
});
