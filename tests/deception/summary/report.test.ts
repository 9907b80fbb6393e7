// The contents of a report: the order of figures, variants beside the whole sample, and notes about the sample.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rulesExtractor } from '../../../deception/metrics/comparability.ts';
import { correctFigures } from '../../../deception/summary/corrected-figures.ts';
import { isMixedSpread } from '../../../deception/summary/match-conditions.ts';
import { Report } from '../../../deception/summary/report-schema.ts';
import { buildTables } from '../../../deception/tables/match-tables.ts';
import { CellSumsBuilder, groupAlikeCells, listClusters } from '../../../deception/summary/sufficient-statistics.ts';
import type { MatchRecord } from '../../../deception/record/match-record.ts';
import { prepareFolders } from '../../../scripts/compare/comparison-sources.ts';
import type { ExperienceSetup } from '../../../state/experience-setup.ts';
import type { Manifest } from '../../../state/record.ts';
import { called, manifestOf, names } from '../match-builder.ts';
import { renderReportDetails } from '../../../report/report-details.ts';
import { renderReportHtml } from '../../../report/report-html.ts';
import { renderReport } from '../../../report/report-markdown.ts';
import { errors, reportOn, createSeerDispute, createSeerDisputes } from './report-builder.ts';

const findLieRate = (report: Report) => report.metrics.find(({ name }) => name === 'lie_rate')!;
const listSampleNames = ({ samples }: Report) => samples.map(({ name }) => name);

describe('a report', () => {
  const report = reportOn(createSeerDisputes(12));

  it('has the shape that its schema says', () => {
    expect(Report.parse(report)).toEqual(report);
  });

  it('counts lies over what the speakers knew', () => {
    expect(findLieRate(report).figures[0]).toMatchObject({ cell: {}, value: 8 / 20, opportunities: 20, matches: 12 });
    expect(findLieRate(report).figures[0]!.low).not.toBeNull();
  });

  it('gives no interval under ten matches', () => {
    const few = reportOn(createSeerDisputes(9));
    expect(findLieRate(few).figures[0]).toMatchObject({ low: null, high: null, reason: 'too few' });
  });

  it('has figures table by table, in the order of the metric', () => {
    const dimensions = findLieRate(report).figures.map(({ cell }) => Object.keys(cell).join(' '));
    expect([...new Set(dimensions)].slice(0, 4)).toEqual(['', 'team', 'role', 'model']);
    expect(dimensions).toEqual([...new Set(dimensions)].flatMap((one) => dimensions.filter((other) => other === one)));
  });

  it('shows headlines of the whole, and of its variants', () => {
    expect(listSampleNames(report)).toEqual(['all', 'few_fallbacks', 'first_answers']);
    const [whole, ...variants] = report.samples;
    expect(whole!.figures[0]).toEqual({ metric: 'lie_turn_rate', ...report.metrics[0]!.figures[0] });
    for (const { figures } of variants) expect(figures.length).toBe(whole!.figures.length);
  });

  it('has a variant of the matches in which one question of fifty had no usable answer, or fewer', () => {
    const dispute = (number: number, unanswered: number) => ({
      ...createSeerDispute(number),
      answers: Array.from({ length: 100 }, (_, index) =>
        called('Dan', 'bid', index < unanswered ? { mark: 'fallback', answer: null } : {}),
      ),
    });
    const { samples } = reportOn([0, 2, 3, 100].map((unanswered, number) => dispute(number, unanswered)));
    expect(samples.find(({ name }) => name === 'few_fallbacks')!.matches).toBe(2);
  });

  it('is corrected only where errors of the rules are known', () => {
    expect(report.corrected).toEqual([]);
    expect(report.reach).toBeNull();
    const { corrected, reach } = reportOn(createSeerDisputes(12), { errors });
    expect(reach).toEqual(errors.reach);
    const accuracy = { sensitivity: 0.9, sensitivity_low: 0.8, sensitivity_high: 0.95 };
    expect(corrected[0]).toMatchObject({ metric: 'lie_rate', cell: {}, found: 0.4, ...accuracy, is_clipped: false });
    expect(corrected[0]!.value).toBeCloseTo((0.4 + 0.9 - 1) / 0.8);
  });
});

describe('corrected figures', () => {
  it('of a model are corrected by the errors on its own statements, and not at all without them', () => {
    const share = (right: number) => ({ right, of: 100, low: (right - 5) / 100, high: (right + 4) / 100 });
    const rates = (right: number) => ({ lie_rate: { sensitivity: share(right), specificity: share(95) } });
    const [one, other] = ['openai:x', 'openai:y'];
    const found = (model: string) => ({
      ...{ sample: 'all', metric: 'lie_rate', cell: { team: 'werewolves', model }, value: 0.4, low: 0.3, high: 0.5 },
      ...{ method: 'studentized' as const, reason: null, opportunities: 50, matches: 12, mean_of_matches: 0.4 },
      ...{ matches_with_value: 12, lowest: null, highest: null },
    });
    const byWriter = { [one]: rates(90), [other]: rates(60) };
    const corrected = correctFigures([one, other, 'openai:z'].map(found), { ofLabels: rates(80), byWriter });
    expect(corrected.map(({ cell }) => cell['model'])).toEqual([one, other]);
    expect(corrected[0]!.value).toBeCloseTo((0.4 + 0.95 - 1) / (0.9 + 0.95 - 1));
    expect(corrected[1]!.value).toBeCloseTo((0.4 + 0.95 - 1) / (0.6 + 0.95 - 1));
  });

  it('stand in the order of the figures themselves, whoever computed them first', () => {
    const { corrected, metrics } = reportOn(createSeerDisputes(12), { errors });
    const cells = metrics.find(({ name }) => name === 'lie_rate')!.figures.map(({ cell }) => JSON.stringify(cell));
    const places = corrected.map(({ cell }) => cells.indexOf(JSON.stringify(cell)));
    expect(places.length).toBeGreaterThan(4);
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });
});

describe('matches under different conditions', () => {
  const other = manifestOf().setup.board;

  it('are said to be, and their boards are shown apart', () => {
    const small = createSeerDisputes(10);
    const [changed] = [createSeerDispute(10)];
    changed.manifest.setup.board = { ...other, name: 'other-4' };
    const report = reportOn([...small, changed]);
    expect(report.notes[0]).toBe(
      'The matches differ in: board. other-4 (1 × Werewolf, 1 × Seer, 2 × Villager) in 1; tiny-4 (1 × Werewolf, 1 × Seer, 2 × Villager) in 10.',
    );
    expect(listSampleNames(report).slice(3)).toEqual(['board tiny-4', 'board other-4']);
    expect(report.samples.slice(3).map(({ matches }) => matches)).toEqual([10, 1]);
  });

  it('have no sample of a board without a match, nor of the one board that is left', () => {
    const boards = [other.name, 'other-4', 'third-4'];
    const [changed] = [createSeerDispute(2)];
    changed.manifest.setup.board = { ...other, name: 'other-4' };
    expect(listSampleNames(reportOn(createSeerDisputes(2), { boards })).slice(3)).toEqual([]);
    expect(listSampleNames(reportOn([...createSeerDisputes(2), changed], { boards })).slice(3)).toEqual([
      'board tiny-4',
      'board other-4',
    ]);
  });

  it('differ where a value is not in all of them, though another is', () => {
    const spread = (...counts: number[]) => ({
      name: 'models',
      values: counts.map((matches, place) => ({ value: `openai:${place}`, matches })),
    });
    expect(isMixedSpread(spread(10, 3), 10)).toBe(true);
    expect(isMixedSpread(spread(7, 3), 10)).toBe(true);
    expect(isMixedSpread(spread(10, 10), 10)).toBe(false);
    expect(isMixedSpread(spread(), 10)).toBe(false);
  });

  it('name each model whose answers came from several addresses, models or fingerprints', () => {
    const disputes = createSeerDisputes(3);
    const answered = (number: number, changes: Parameters<typeof called>[2]) => ({
      ...disputes[number]!,
      answers: [called('Dan', 'bid', changes), called('Dan', 'debate', { model: 'openai:b?name=mine&seed=1' })],
    });
    const [same, address] = [{ system_fingerprint: 'f1' }, 'http://127.0.0.1:8080/v1'];
    expect(reportOn([answered(0, same), answered(1, same)]).notes.join()).not.toContain('may not be');
    const { notes } = reportOn([
      answered(0, same),
      answered(1, { address, model_returned: null }),
      answered(2, { model: 'openai:b?name=mine&seed=1', model_returned: 'two-2026' }),
    ]);
    expect(notes).toEqual([
      'The answers of mine are of 2 models returned (model_returned): one-2026 in 3; two-2026 in 1. They may not be those of one model.',
      `The answers of openai:one are of 2 addresses: ${address} in 1; the provider’s own in 1. They may not be those of one model.`,
    ]);
  });

  it('say when a provider changed a model for good, and not where its fingerprints come and go', () => {
    const tell = (fingerprints: readonly string[]) =>
      reportOn(
        createSeerDisputes(fingerprints.length).map((dispute, day) => ({
          ...dispute,
          answers: [
            called('Dan', 'bid', {
              system_fingerprint: fingerprints[day]!,
              started_at: `2026-01-0${fingerprints.length - day}T00:00:00Z`, // the matches were given in reverse order
            }),
          ],
        })),
      ).notes.join(' ');
    expect(tell(['f2', 'f1', 'f1', 'f1'])).toContain(
      'f1 in 3; f2 in 1. It changed for good to f2 at 2026-01-04T00:00:00Z, after 3 of 4 matches.',
    );
    expect(tell(['f2', 'f1', 'f2', 'f1'])).not.toContain('changed for good');
  });

  it('warn at the top that a server named another model from some match on', () => {
    const warn = (returned: readonly string[]) =>
      reportOn(
        createSeerDisputes(returned.length).map((dispute, day) => ({
          ...dispute,
          answers: [
            called('Dan', 'bid', { model_returned: returned[day]!, started_at: `2026-01-0${day + 1}T00:00:00Z` }),
          ],
        })),
      ).drift_notice;
    expect(warn(['one-1', 'one-1', 'one-2'])).toBe(
      'A provider changed its model during the study: openai:one to one-2 at 2026-01-03T00:00:00Z, after 2 of 3 matches. Figures mix both.',
    );
    expect(warn(['one-2', 'one-1', 'one-2'])).toBeNull();
  });

  it('name each model whose answers are a mixture of upstreams, or of calls with and without a schema', () => {
    const [dispute] = createSeerDisputes(1);
    const reportAnswers = (...changes: Parameters<typeof called>[2][]) =>
      reportOn([{ ...dispute!, answers: changes.map((change, round) => called('Dan', 'bid', { round, ...change })) }])
        .notes;
    const [one, two] = [{ upstream: 'One' }, { upstream: 'Two' }];
    expect(reportAnswers(one, one, {})).toEqual([]);
    expect(reportAnswers(one, two, one, {})).toEqual([
      'The answers of openai:one were served by 2 upstreams: One 67%, Two 33% of 3 answers. They may run the model at different precision. Pin one with extraBody in a models file.',
    ]);
    expect(reportAnswers({ schema: true }, { schema: true }, {})).toEqual([]);
    expect(reportAnswers({ schema: true }, { schema: false }, { schema: true })).toEqual([
      'openai:one was asked with the JSON schema of the answer in 2 calls and without it in 1: its answers differ in how they were asked for.',
    ]);
  });

  it('count by model what was taken out of answers, or found in their reasoning', () => {
    const [dispute] = createSeerDisputes(1);
    const answers = [
      { moved_thoughts: ['statement'] },
      { cut_dialogue: { statement: 'Kai: I am the Seer.' } },
      { cut_dialogue: { explanation: 'Kai: Me too.' } },
      { answer_from: 'reasoning' as const },
    ].map((change, round) => called('Dan', 'bid', { round, ...change }));
    expect(reportOn([{ ...dispute!, answers }]).notes).toEqual([
      'In 1 of 4 questions to openai:one, the public part of the answer contained private thoughts. They were moved to the private reasoning.',
      'In 2 of 4 questions to openai:one, the answer continued with lines for other players or the moderator. These lines were cut, and their claims count for nobody.',
      'In 1 of 4 questions to openai:one, the answer was in the reasoning field and was taken from there.',
    ]);
  });

  it('say how each model was asked, with the first answers that could not be read, and both pages tell it', () => {
    const [dispute] = createSeerDisputes(1);
    const other = { attempt: 1, answer: null, error: 'Your answer is of another kind.' } as const;
    const answers = [
      called('Dan', 'bid', { round: 1, structured: 'family', ...other }),
      called('Dan', 'bid', { round: 1, structured: 'schema', attempt: 2 }),
      called('Dan', 'bid', { round: 2, structured: 'family' }),
      called('Dan', 'bid', { round: 3, structured: 'family', ...other, mark: 'refusal' }),
      called('Dan', 'vote', { round: 4, structured: 'json' }),
      called('Dan', 'vote', { round: 5 }),
    ];
    const report = reportOn([{ ...dispute!, answers }]);
    expect(report.asked_as).toEqual([
      { model: 'openai:one', form: 'family', questions: 3, unreadable: 1 },
      { model: 'openai:one', form: 'json', questions: 1, unreadable: 0 },
      { model: 'openai:one', form: null, questions: 1, unreadable: 0 },
    ]);
    const line =
      /Form of structured answers \(structured\) by model: openai:one family, 1 of 3 first answers unreadable; /;
    for (const page of [renderReport(report), renderReportHtml(report)]) expect(page).toMatch(line);
    expect(renderReportDetails(report)['details/reliability.md']).toMatch(/openai:one +\| family +\| +3 \| +1 \|/);
    const rows = buildTables({ ...dispute!, answers }).calls;
    expect(rows.map(({ action, unreadable_in_family: some }) => [action, some])).toEqual([
      ['bid', 1],
      ['vote', null],
    ]);
    expect(renderReport(reportOn([{ ...dispute!, answers: [called('Dan', 'bid')] }]))).not.toContain('(structured)');
  });

  it('name who refused questions and for what, and the report counts them by role, model and question', () => {
    const [dispute] = createSeerDisputes(1);
    const refusal = { vendor: 'DeepSeek', category: 'content risk' };
    const answers = [
      { refusal, mark: 'refusal' as const },
      { refusal, mark: 'refusal' as const },
      { mark: 'refusal' as const },
      ...Array.from({ length: 60 }, () => ({})),
    ].map((change, round) => called('Dan', 'bid', { round, ...change }));
    const { notes, refusals } = reportOn([{ ...dispute!, answers }]);
    expect(notes).toEqual([
      expect.stringMatching(
        /^3 of 63 questions to openai:one were refused: DeepSeek \(content risk\) 2, the model itself \(or not recorded\) 1\./,
      ),
    ]);
    expect(refusals).toEqual([
      { role: 'Seer', model: 'openai:one', action: 'bid', count: 1 },
      { role: 'Seer', model: 'openai:one', action: 'bid', ...refusal, count: 2 },
    ]);
  });

  it('name each model that left more than one question in twenty without a usable answer', () => {
    const [dispute] = createSeerDisputes(1);
    const reportAnswers = (unread: number, of: number) => {
      const answers = Array.from({ length: of }, (_, round) =>
        called('Dan', 'bid', { round, ...(round < unread ? { answer: null, mark: 'fallback' as const } : {}) }),
      );
      return reportOn([{ ...dispute!, answers }]).notes;
    };
    expect(reportAnswers(1, 20)).toEqual([]);
    expect(reportAnswers(2, 20)[0]).toMatch(/^openai:one gave no usable answer to 2 of 20 questions: /);
  });

  it('name the rules and the versions in which they differ', () => {
    const [one, two] = createSeerDisputes(2, {});
    const changed = createSeerDispute(3, { rules: { honesty: 'forbidden' } });
    two!.manifest.made_by.wolfgraph = '9.9.9';
    two!.manifest.made_by.templates_sha256 = 'f'.repeat(64);
    const text = reportOn([one!, two!, changed]).notes.join('\n');
    expect(text).toContain('wolfgraph. 0.0.0 in 2; 9.9.9 in 1.');
    expect(text).toContain('templates_sha256). 000000000000 in 2; ffffffffffff in 1.');
    expect(text).toContain('different rules: honesty are not the same');
  });

  describe('that were imported', () => {
    const imported = [3, 4].map((number) => {
      const { manifest, events } = createSeerDispute(number, { seed: 0 });
      return {
        manifest: { ...manifest, imported: { format: 'arena' as const, source: 'session_1' } },
        events,
        answers: [],
      };
    });
    const report = reportOn([...createSeerDisputes(2), ...imported]);

    it('are said to be', () => {
      expect(report.notes[0]).toContain('played by. imported from arena in 2; wolfgraph in 2.');
      expect(report.notes.at(-1)).toContain('2 of 4 matches were imported. Seeds and failed answers');
    });

    it('have neither a seed nor prompts of ours', () => {
      expect(report.seeds).toEqual({ matches: 2, different: 2, lowest: 0, highest: 1 });
      expect(report.notes.join()).not.toContain('seeds are different');
      for (const named of ['wording of prompts (templates_sha256)', 'sentence about lying'])
        expect(report.conditions.find(({ name }) => name === named)?.values.map(({ value }) => value)).toContain(
          'imported',
        );
    });

    it('are not taken for matches with few fallbacks: nothing is known of theirs', () => {
      expect(report.samples.map(({ name, matches }) => [name, matches])).toEqual([
        ['all', 4],
        ['few_fallbacks', 2],
        ['first_answers', 4],
      ]);
    });
  });

  it('that share seeds are said to', () => {
    expect(reportOn([createSeerDispute(1), createSeerDispute(2, { seed: 1 })]).notes).toEqual([
      'Only 1 of 2 seeds are different: matches with the same seed may share their deal, and matches of one deal are one unit of the intervals.',
    ]);
    expect(reportOn(createSeerDisputes(3)).notes).toEqual([]);
  });
});

describe('the notice of bots', () => {
  it.each([
    [[names, names], 'Built-in bots played in all seats of all 2 matches. These figures say'],
    [[names, []], 'Built-in bots played in all seats of 1 of 2 matches.'],
    [[['Dan'], names], 'Built-in bots played in seats of 2 of 2 matches.'],
  ])('with bots %j', (bots, notice) => {
    const report = reportOn(bots.map((some, number) => createSeerDispute(number, { bots: [...some] })));
    expect(report.bot_notice).toContain(notice);
  });

  it('is not there where none played', () => {
    expect(reportOn(createSeerDisputes(2)).bot_notice).toBeNull();
  });
});

// Packed sums: no value changes on the way from several workers to the figures.

const key = { sample: 'all', metric: 'lie_rate', cell: { team: 'villagers' } };
const sums = fc.dictionary(fc.constantFrom('lies', 'words', 'pairs'), fc.double({ noNaN: true, min: 0.5, max: 9 }));

describe('sums of a cell', () => {
  it('come back as they were, in the order of the matches, whoever gathered them', () => {
    fc.assert(
      fc.property(fc.array(sums, { maxLength: 20 }), fc.array(fc.nat({ max: 2 })), (matches, readers) => {
        const builders = [0, 1, 2].map(() => new CellSumsBuilder());
        matches.forEach((one, unit) => builders[readers[unit] ?? 0]!.open([key]).add(unit, one));
        const parts = builders.flatMap((builder) => builder.take()).reverse();
        expect(listClusters(parts)).toEqual(matches.map((one, unit) => ({ unit: String(unit), sums: { ...one } })));
      }),
    );
  });

  it('stand together with those of cells that have the same, and with no others', () => {
    const [one, other] = [
      { unit: '0', sums: { lies: 1 } },
      { unit: '3', sums: { lies: 1, words: 4 } },
    ];
    const collected = [
      { changes: {}, clusters: [one, other] },
      { changes: { cell: { model: 'a' } }, clusters: [one, other] },
      { changes: { sample: 'few_fallbacks' }, clusters: [one, other] },
      { changes: { metric: 'words' }, clusters: [one, other] },
      { changes: { cell: { model: 'b' } }, clusters: [one, { ...other, unit: '4' }] },
      { changes: { cell: { model: 'c' } }, clusters: [one, { ...other, sums: { lies: 1, words: 5 } }] },
      { changes: { cell: { model: 'd' } }, clusters: [one, { ...other, sums: { lies: 1, pairs: 4 } }] },
    ];
    const builder = new CellSumsBuilder();
    for (const { changes, clusters } of collected)
      for (const { unit, sums } of clusters) builder.open([{ ...key, ...changes }]).add(Number(unit), sums);
    const groups = groupAlikeCells(builder.take().map((part) => [part]));
    expect(groups.map(({ cells }) => cells)).toEqual([
      collected.slice(0, 4).map(({ changes }) => ({ ...key, ...changes })),
      ...collected.slice(4).map(({ changes }) => [{ ...key, ...changes }]),
    ]);
    expect(groups.map(({ parts }) => listClusters(parts))).toEqual([0, 4, 5, 6].map((at) => collected[at]!.clusters));
  });

  it('are kept apart by sample, metric and cell', () => {
    const builder = new CellSumsBuilder();
    const add = (changes: Partial<typeof key>) => builder.open([{ ...key, ...changes }]).add(0, { a: 1 });
    for (const changes of [{}, { sample: 'other' }, { metric: 'other' }, { cell: { team: 'werewolves' } }, {}])
      add(changes);
    expect(builder.take().map(({ unit }) => unit.length)).toEqual([2, 1, 1, 1]);
  });
});

describe('what a report says of memories', () => {
  const experience: ExperienceSetup = {
    ...{ pool: 'a'.repeat(64), retriever: 'bm25', reward: 'result', arm: 'pool', k: 3, threshold: 0, good: 0.5 },
    ...{
      from: 'own',
      role: 'own',
      seat: 'any',
      wording: 'w',
      seats: ['Dan'],
      rank: 'likeness',
      moments: ['debate', 'ballot', 'night'],
    },
  };
  /**
   * Creates a match in which Dan makes one decision for each number in `entries`. The number says how many remembered
   * entries the prompt had.
   */
  const remember = (number: number, entries: readonly number[], ofManifest: Partial<Manifest> = {}): MatchRecord => {
    const { manifest, events } = createSeerDispute(number);
    const lines = entries.map((count, at) =>
      called('Dan', at === 0 ? 'vote' : 'debate', {
        ...(count > 0 && { remembered: Array.from({ length: count }, (_, id) => ({ id: `${id}`, text: 'x' })) }),
      }),
    );
    return {
      manifest: { ...manifest, setup: { ...manifest.setup, experience }, ...ofManifest },
      events,
      answers: [...lines, called('Dan', 'bid'), called('Will', 'vote')],
    };
  };
  const findFigures = ({ metrics }: Report, wanted: string) =>
    metrics
      .find(({ name }) => name === wanted)!
      .figures.filter(({ cell }) => !('model' in cell) && !('action' in cell));
  const listWarnings = ({ notes }: Report) => notes.filter((note) => /memor(y|ies)/i.test(note));

  it('is how many entries a decision had, and how many had none, over those who could remember', () => {
    const report = reportOn([remember(1, [3, 0]), remember(2, [2, 3]), createSeerDispute(3)]);
    expect(findFigures(report, 'remembered_entries')).toMatchObject([{ value: 2, opportunities: 4, matches: 2 }]);
    expect(findFigures(report, 'empty_memory_rate')).toMatchObject([{ value: 1 / 4, opportunities: 4 }]);
    expect(listWarnings(report)).toEqual([]);
    expect(findFigures(reportOn(createSeerDisputes(2)), 'remembered_entries')).toEqual([]);
  });

  it('is a warning where an arm had none before more than half of its decisions', () => {
    expect(listWarnings(reportOn([remember(1, [3, 0])]))).toEqual([]);
    const [warning, ...others] = listWarnings(reportOn([remember(1, [3, 0]), remember(2, [0])]));
    expect(warning).toMatch(
      /^Memories were empty before 2 of 3 decisions, more than half, in the arm: pool of aaaaaaaaaaaa, k=3/,
    );
    expect(others).toEqual([]);
  });

  it('is said by a comparison too', () => {
    const readArm = (entries: readonly number[]) => [{ folder: '', tables: buildTables(remember(1, entries)) }];
    const compareMemories = (...[a, b]: readonly [number[], number[]]) =>
      prepareFolders(['a', 'b'], { a: readArm(a), b: readArm(b) }, rulesExtractor, 'condition').notes.filter((note) =>
        note.includes('Memories'),
      );
    expect(compareMemories([3, 0], [2, 3])).toEqual([]);
    expect(compareMemories([3, 0], [0])).toEqual([
      expect.stringMatching(/^Memories were empty before 2 of 3 decisions, more than half, in the arm: pool of aaaa/),
    ]);
  });

  it('is said block by block where pools grow, and no warning of a first block that begins with nothing', () => {
    const grow = (block: number, entries: readonly number[], more: Partial<Manifest> = {}) =>
      remember(block, entries, { experience_block: block, ...more });
    const early = listWarnings(reportOn([grow(1, [0, 0, 0]), grow(2, [2])]));
    expect(early).toEqual([expect.stringMatching(/^In block 1 .* empty by design\.$/)]);
    const late = listWarnings(reportOn([grow(1, [0]), grow(2, [0, 0, 3]), grow(3, [3])]));
    expect(late).toEqual([
      expect.stringMatching(/^Memories were empty before 2 of 3 decisions of block 2, more than half/),
      expect.stringContaining('by design'),
    ]);
    const given = { experience_grown_from: 'c'.repeat(64) };
    expect(listWarnings(reportOn([grow(1, [0], given), grow(2, [3], given)]))).toEqual([
      expect.stringMatching(/^Memories were empty before 1 of 1 decisions of block 1, /),
    ]);
  });
});
