// `npm run validate -- --claims` with a judge that answers from the labels, with planted misses and inventions.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExtractorErrors } from '../../deception/claims/extractor-errors.ts';
import type { JudgePlan } from '../../deception/claims/majority-claims.ts';
import { Report } from '../../deception/summary/report-schema.ts';
import { charactersPerToken } from '../../models/prefix-cache.ts';
import type { StatedClaim } from '../../prompts/judge.ts';
import { quote } from '../../prompts/text.ts';
import { formatWhole } from '../../report/format.ts';
import {
  type Corpus,
  type CorpusStatement,
  type LabelledClaim,
  readCorpus,
} from '../../scripts/validate/corpora/read-corpus.ts';
import { readErrors, ruleErrorsFile } from '../../scripts/report/read-extractor-errors.ts';
import { type MeasuredExtractor, renderAccuracy } from '../../scripts/validate/corpora/render-accuracy.ts';
import { createErrors, measureRules } from '../../scripts/validate/validate-claims.ts';
import { draw } from '../../state/random.ts';
import { UsageError } from '../../state/usage-error.ts';
import { openOpenaiServer, type OpenAIServer, type Received } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { reaching } from '../scripts/local-model.ts';
import { run, short } from '../scripts/process.ts';

const out = createTemporaryFolder();
const at = (...parts: string[]) => path.join(out, ...parts);
/** Intervals need many moments, so they use `voices`; everything else uses the few statements of `table`. */
const corpora = { voices: readCorpus('voices'), table: readCorpus('table') };
const labels = new Map(
  Object.values(corpora).flatMap((corpus) => corpus.labels.first!.map(({ id, claims }) => [id, claims])),
);
const listAsked = ({ statements }: Corpus) => statements.filter(({ split }) => split === 'development');
const asked = { voices: listAsked(corpora.voices), table: listAsked(corpora.table) };

/** Converts a label to the form of a judge's answer. */
const state = ({ said }: CorpusStatement, claim: LabelledClaim): StatedClaim => ({
  quote: said.text,
  type: claim.type,
  subject: claim.subject,
  object: claim.object ?? null,
  role: claim.role ?? null,
  team: claim.team ?? (claim.type === 'accusation' ? 'werewolves' : claim.type === 'defence' ? 'villagers' : null),
  verbs: claim.verb === undefined ? [] : [claim.verb],
  cause: claim.cause ?? null,
  round: claim.when ?? null,
  polarity: claim.polarity ?? true,
  hedged: claim.hedged ?? false,
  presupposed: claim.presupposed ?? false,
});

/** Invents the claim that a player has left the game. No label mentions this player. */
const invent = (statement: CorpusStatement): StatedClaim[] => {
  const told = labels.get(statement.id)!.map(({ subject }) => subject);
  const untold = statement.match.manifest.setup.players.find(({ name }) => !told.includes(name));
  return untold ? [state(statement, { type: 'departure', subject: untold.name })] : [];
};

const servers: OpenAIServer[] = [];
afterAll(() => Promise.all(servers.map((server) => server.close())));

/** Misses one label in `n` and adds an invention to one statement in `n`, or otherwise at each repetition. */
async function openJudge(planted: { missed: number; invented: number }) {
  const times = new Map<string, number>();
  const stated = { labelled: 0, drawn: 0, invented: 0 };
  const judgeStatement = (statement: CorpusStatement) => {
    const time = (times.get(statement.id) ?? 0) + 1;
    times.set(statement.id, time);
    const chance = draw(1, 'stand-in', statement.id, time);
    const isSo = (rate: number) => chance.integer(1000) < 1000 * rate;
    const claims = labels.get(statement.id)!;
    const drawn = claims.filter(() => !isSo(planted.missed)).map((claim) => state(statement, claim));
    const added = isSo(planted.invented) ? invent(statement) : [];
    stated.labelled += claims.length;
    stated.drawn += drawn.length;
    stated.invented += added.length;
    return { claims: [...drawn, ...added], count: drawn.length + added.length };
  };
  const answer = ({ body }: Received) => {
    const user = body.messages[1]!.content;
    const find = (line: (words: string) => boolean) =>
      [...asked.voices, ...asked.table].find(({ said }) => line(quote(said.text)))!;
    const numbered = user
      .split(/^Statement \d+: /m)
      .slice(1)
      .map((text, index) => ({
        ...{ statement: index + 1, ...judgeStatement(find((words) => text.includes(`: ${words}\n`))) },
      }));
    const found =
      numbered.length > 0 ? { statements: numbered } : judgeStatement(find((words) => user.includes(`\n${words}\n`)));
    return { text: JSON.stringify(found) };
  };
  const server = await openOpenaiServer(answer);
  servers.push(server);
  return { server, stated, answer };
}

const createArgs = (corpus: 'voices' | 'table', answers: string, ...more: string[]) => [
  ...['--claims', '--judge', 'openai:stand-in?priceIn=1&priceOut=2', '--corpus', corpus],
  ...['--split', 'development', '--json', '--no-guard'],
  ...['--answers', at(answers), ...more],
];

const measure = async (args: readonly string[], surroundings: Parameters<typeof run>[2] = {}) => {
  const { code, stdout, stderr } = await run('validate', args, surroundings);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as MeasuredExtractor;
};

describe('a judge that says what the labels say', () => {
  it('is right throughout, in claims and in lies', async () => {
    const { server } = await openJudge({ missed: 0, invented: 0 });
    const { measured, judge } = await measure(createArgs('table', 'exact'), reaching(server));
    expect(measured.statements).toBe(asked.table.length);
    expect(measured.unread).toBe(0);
    expect(judge).toMatchObject({ repeats: 1, retest: null, effort: { calls: asked.table.length } });
    for (const { precision, recall } of [measured.claims, measured.withPresupposed, measured.lies.claims]) {
      expect(precision.estimate).toBeGreaterThan(0.99);
      expect(recall.estimate).toBeGreaterThan(0.98);
    }
    expect(measured.lies.statements.f1).toBeGreaterThan(0.98);
    expect(measured.reach.lies.estimate).toBeGreaterThan(0.98);
  });
});

describe('a judge of all statements of a day at once', () => {
  it('is right as far as its labels are, with fewer calls and tokens', async () => {
    const { server } = await openJudge({ missed: 0, invented: 0 });
    const { extractor, measured, judge } = await measure(
      createArgs('table', 'days', '--judge-per', 'day'),
      reaching(server),
    );
    expect(extractor).toBe('openai:stand-in (per day, no guard)');
    expect(measured).toMatchObject({ statements: asked.table.length, unread: 0 });
    expect(measured.withPresupposed.recall.estimate).toBeGreaterThan(0.98);
    expect(judge!.effort.calls).toBe(server.requests.length);
    expect(server.requests.length).toBeLessThan(asked.table.length / 5);
  });
});

describe('the dry run of a judge', () => {
  /** The sentence that names the claim's subject, as models quote it. */
  const quoteShortly = (claim: StatedClaim) => {
    const sentences = claim.quote.split(/(?<=[.!?])\s+/);
    const own = sentences.find((sentence) => sentence.includes(claim.object ?? claim.subject)) ?? sentences[0] ?? '';
    return { ...claim, quote: own.split(' ').slice(0, 16).join(' ') };
  };

  it.each(['statement', 'day'])('estimates calls, tokens and cost within a quarter, per %s', async (per) => {
    const { answer } = await openJudge({ missed: 0, invented: 0 });
    const took = { calls: 0, in: 0, out: 0 };
    const server = await openOpenaiServer((request: Received) => {
      const { messages } = request.body;
      const text = JSON.stringify(JSON.parse(answer(request).text), (_key, value: StatedClaim | null) =>
        typeof value?.quote === 'string' ? quoteShortly(value) : value,
      );
      took.calls += 1;
      took.in += messages.reduce((total, { content }) => total + content.length, 0) / charactersPerToken;
      took.out += text.length / charactersPerToken;
      return { text };
    });
    servers.push(server);
    const args = createArgs('voices', `estimated-${per}`, '--judge-per', per); // the guard's questions are counted separately
    const { stdout } = await run('validate', [...args.filter((word) => word !== '--json'), '--dry-run']);
    const estimate = /To ask: ([\d,]+) calls, about ([\d,]+) tokens in and ([\d,]+) out; cost USD ([\d.]+)\./.exec(
      stdout,
    );
    const [calls, tokensIn, tokensOut, cost] = estimate!.slice(1).map((text) => Number(text.replaceAll(',', '')));
    await measure(args, reaching(server));
    const isNear = (estimated: number, real: number) => Math.abs(estimated / real - 1) <= 0.25;
    const pairs = { calls: [calls!, took.calls], in: [tokensIn!, took.in], out: [tokensOut!, took.out], cost: [cost!, (took.in + 2 * took.out) / 1e6] }; // prettier-ignore
    for (const [name, [estimated, real]] of Object.entries(pairs))
      expect([name, estimated, real, isNear(estimated!, real!)]).toEqual([name, estimated, real, true]);
  });
});

describe('several judges', () => {
  it('are measured together, by the most of them, and each alone, with their agreement', async () => {
    const models = ['openai:exact', 'openai:same', 'openai:silent'];
    const exact = await openJudge({ missed: 0, invented: 0 });
    const server = await openOpenaiServer((request: Received) =>
      request.body['model'] === 'silent' ? { text: '{"claims":[],"count":0}' } : exact.answer(request),
    );
    servers.push(server);
    const args = ['--claims', '--judge', ...models, '--corpus', 'table', '--split', 'development', '--no-guard'];
    const found = await measure([...args, '--answers', at('several'), '--json'], reaching(server));
    const { extractor, measured, judge } = found;
    expect(extractor).toBe('openai:exact + openai:same + openai:silent (no guard)');
    expect(measured.withPresupposed.recall.estimate).toBeGreaterThan(0.98);
    expect(judge!.each.map(({ model }) => model)).toEqual(models);
    const recalls = judge!.each.map(({ measured: { claims } }) => claims.recall.estimate);
    expect(recalls).toEqual([measured.claims.recall.estimate, measured.claims.recall.estimate, 0]);
    expect(judge!.effort.calls).toBe(3 * asked.table.length);
    expect(Math.abs(judge!.alpha!)).toBeLessThan(0.2); // one of three never agrees, so agreement is at chance
    const page = renderAccuracy(found);
    expect(page).toContain('3 judges together (a claim counts if more than half of them extract it)');
    expect(page).toMatch(/\| openai:silent .*\b0 %/);
  });
});

describe('a judge that misses and invents', () => {
  const planted = { missed: 0.2, invented: 0.5 };
  const errors = at('judge-errors.json');
  let judge: Awaited<ReturnType<typeof openJudge>>;
  beforeAll(async () => {
    judge = await openJudge(planted);
  });

  it('is found to miss and invent as often as planted, at the price that it had', async () => {
    const { server, stated } = judge;
    const whole = await measure(createArgs('voices', 'planted', '--out', errors), reaching(server));
    const { measured, judge: found } = whole;
    const page = 'docs/evidence/judge-accuracy.md';
    if (process.env['WOLFGRAPH_DOCS']) writeFileSync(page, renderAccuracy(whole));
    expect(readFileSync(page, 'utf8')).toBe(renderAccuracy(whole));
    const all = measured.withPresupposed;
    const right = (1 - planted.missed) * stated.labelled;
    const precision = right / (right + planted.invented * server.requests.length);
    expect(all.recall.low).toBeLessThan(1 - planted.missed);
    expect(all.recall.high).toBeGreaterThan(1 - planted.missed);
    expect(all.precision.low).toBeLessThan(precision);
    expect(all.precision.high).toBeGreaterThan(precision);
    expect(all.recall.high! - all.recall.low!).toBeLessThan(0.15);
    expect(all.precision.high! - all.precision.low!).toBeLessThan(0.15);
    expect(measured.types['departure']!.withPresupposed.precision.estimate).toBeLessThan(precision);
    expect(server.requests).toHaveLength(asked.voices.length);
    expect(server.requests[0]!.body['temperature']).toBe(0);
    // Each call has twenty tokens in and five out.
    expect(found).toMatchObject({
      repeats: 1,
      retest: null,
      alpha: null,
      each: [],
      effort: { calls: asked.voices.length },
    });
    expect(found!.effort.cost).toBeCloseTo((asked.voices.length * (20 + 2 * 5)) / 1e6, 9);
  });

  it('is better by the most of three answers, which agree as far as planted', async () => {
    const alone = (await measure(createArgs('table', 'repeated'), reaching(judge.server))).measured.withPresupposed;
    const args = createArgs('table', 'repeated', '--repeat', '3');
    const { extractor, measured, judge: found } = await measure(args, reaching(judge.server));
    expect(extractor).toBe('openai:stand-in ×3 (no guard)');
    expect(found).toMatchObject({ repeats: 3, effort: { calls: 3 * asked.table.length } });
    expect(found!.retest).toBeGreaterThan(0.6);
    expect(found!.retest).toBeLessThan(0.9);
    const most = (1 - planted.missed) ** 3 + 3 * (1 - planted.missed) ** 2 * planted.missed;
    expect(measured.withPresupposed.recall.low).toBeLessThan(most);
    expect(measured.withPresupposed.recall.estimate).toBeGreaterThan(alone.recall.estimate!);
    const labelled = asked.table.reduce((total, { id }) => total + labels.get(id)!.length, 0);
    const precision = (most * labelled) / (most * labelled + planted.invented * asked.table.length); // all judges invent the same claim
    expect(measured.withPresupposed.precision.low).toBeLessThan(precision);
    expect(measured.withPresupposed.precision.high).toBeGreaterThan(precision);
    expect(Math.abs(measured.withPresupposed.precision.estimate! - precision)).toBeLessThan(0.1);
  });

  it('is asked nothing twice, and not for what is kept already without a key', async () => {
    const again = await measure(createArgs('table', 'repeated', '--repeat', '3'));
    expect(again.measured.statements).toBe(asked.table.length);
    const { code, stdout } = await run('validate', createArgs('table', 'repeated', '--repeat', '5', '--dry-run'));
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stdout).toContain(
      `${formatWhole(5 * asked.table.length)} questions, ${formatWhole(3 * asked.table.length)} answered already.`,
    );
  });

  it('leaves errors by which a report on its claims is corrected, and no other', async () => {
    const found = ExtractorErrors.parse(JSON.parse(readFileSync(errors, 'utf8')));
    expect(found).toMatchObject({ extractor: 'openai:stand-in (no guard)', split: 'development' });
    await run('match', ['--out', at('played'), ...short, '--matches', '2', '--quiet']);
    const report = [at('played'), '--no-tables', '--no-baselines', '--resamples', '20'];
    const server = await openOpenaiServer([{ text: '{"claims":[],"count":0}' }]);
    const judged = [...report, '--judge', 'openai:stand-in?priceIn=1&priceOut=2', '--no-guard'];
    const [corrected, uncorrected] = [at('corrected'), at('uncorrected')];
    const withErrors = await run('report', [...judged, '--out', corrected, '--errors', errors], reaching(server));
    const without = await run('report', [...judged, '--out', uncorrected]);
    await server.close();
    expect([withErrors.code, without.code]).toEqual([0, 0]);
    const read = (folder: string) => Report.parse(JSON.parse(readFileSync(path.join(folder, 'report.json'), 'utf8')));
    expect(read(corrected).reach).toEqual(found.reach);
    expect(read(uncorrected).reach).toBeNull();
    const guarded = await run('report', [...judged.slice(0, -1), '--errors', errors]);
    expect(guarded).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(no guard), but the claims') as unknown,
    });
    expect(readFileSync(path.join(uncorrected, 'details/headlines.md'), 'utf8')).toContain(
      'Lie rates are not corrected',
    );
    const mixed = await run('report', [...report, '--errors', errors]);
    expect(mixed.code).toBe(2);
    expect(mixed.stderr).toContain(
      'contains the errors of openai:stand-in (no guard), but the claims are extracted by rules',
    );
    const before = await run('report', [...report, '--judge', 'openai:unasked', '--errors', errors]);
    expect(before).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('but the claims are extracted by') as unknown,
    });
    expect(() => readErrors(errors, { models: ['openai:a?priceIn=1&priceOut=2', 'openai:b'] })).toThrow(
      'Measure the errors of that extractor: npm run validate -- --claims --judge openai:a openai:b --out FILE',
    );
  });
});

describe('a file that holds no measured errors', () => {
  it.each([
    [
      'report.json',
      '{"matches": 3}',
      /^--errors \S+report\.json contains no measured errors \(schema_version: .*\)\. /,
    ],
    ['errors.yaml', 'extractor: rules', /^--errors \S+errors\.yaml is not JSON\. /],
    ['nowhere.json', null, /^--errors \S+nowhere\.json cannot be read: ENOENT.*\. /],
  ])('is refused in one line, with the command that makes one: %s', (name, text, says) => {
    const file = at(name);
    if (text !== null) writeFileSync(file, text);
    const read = (judge?: JudgePlan) => () => readErrors(file, judge);
    expect(read()).toThrow(UsageError);
    expect(read()).toThrow(says);
    expect(read()).toThrow(/^.*Expected the measured errors .*: npm run validate -- --claims --out FILE$/);
    expect(read({ models: ['openai:a'] })).toThrow(/: npm run validate -- --claims --judge openai:a --out FILE$/);
  });
});

describe('the command', () => {
  it('prints tables for the rules', async () => {
    const { code, stdout } = await run('validate', ['--claims', '--corpus', 'table', '--split', 'development']);
    expect(code).toBe(0);
    for (const words of [
      '# Claims extracted by rules',
      `On the development part of table: ${asked.table.length} labeled statements at `,
      '| claims, including presupposed |',
      '## By writer',
      '## By board',
      "Reweighted to 25 % of statements by the Werewolves' side",
      '| `lie_rate`           |',
    ])
      expect(stdout).toContain(words);
  });

  it('knows a judge by its name in a models file', async () => {
    const file = at('models.yaml');
    writeFileSync(file, 'mini: { model: openai:stand-in, priceIn: 1, priceOut: 2 }\n');
    const named = ['--claims', '--corpus', 'table', '--dry-run', '--answers', at('named'), '--judge', 'mini'];
    const { code, stdout } = await run('validate', [...named, '--models', file]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('questions') as unknown });
    expect((await run('validate', named)).code).toBe(2);
  });

  it.each([
    [['--judge', 'openai:x'], '--judge needs --claims.'],
    [['--judge', 'openai:x', '--json'], '--judge, --json need --claims.'],
    [['--claims', '--quick'], '--quick is not for --claims'],
    [['--claims', '--dry-run'], '--dry-run needs --judge, because the rules make no calls.'],
    [
      ['--claims', '--max-cost', '1', '--dry-run'],
      '--max-cost, --dry-run need --judge, because the rules make no calls.',
    ],
    [['--claims', '--judge', 'bot:classic'], 'bot:classic cannot be the judge'],
    [['--claims', '--corpus', 'voice'], 'It must be some of: voices, verdicts, table.'],
  ])('refuses %j', async (args, says) => {
    const { code, stderr } = await run('validate', args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(says) as unknown });
  });
});

describe('the rules', () => {
  it('read what docs/evidence/rules-accuracy.md says, with the errors by which reports correct lie rates', () => {
    const found = measureRules([corpora.voices, corpora.table], { split: 'test' });
    // If this fails, run: npm run --silent validate -- --claims --out scripts/validate/corpora/rule-errors.json >
    // docs/evidence/rules-accuracy.md
    expect(JSON.parse(readFileSync(ruleErrorsFile, 'utf8'))).toEqual(createErrors(found, 'test'));
    expect(readFileSync('docs/evidence/rules-accuracy.md', 'utf8')).toBe(renderAccuracy(found));
  });
});
