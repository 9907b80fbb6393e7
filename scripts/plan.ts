// Computes the number of deals that a study needs for its endpoints, with calls, tokens, cost and time, and writes the
// study's plan: `npm run plan -- [pilot]`.
import { InvalidArgumentError, Option } from 'commander';
import { stringify } from 'yaml';
import { AnalysisPlan, defaultAlpha, type Endpoint, hashPlan } from '../deception/comparison/analysis-plan.ts';
import { metrics } from '../deception/metrics/index.ts';
import { getFiniteRange } from '../deception/metrics/metric.ts';
import { effectPartNames, type EffectPartName } from '../deception/comparison/comparison-schema.ts';
import {
  computeReplicatedSpread,
  computeSpreadBounds,
  computeSpreadLimit,
  countDealsForHalfWidth,
  countDealsNeeded,
  type PowerTarget,
} from '../deception/statistics/sample-size.ts';
import {
  estimateBeliefs,
  estimateBothTurns,
  estimateFromRuns,
  playSampledRuns,
  type SampledRuns,
} from '../graph/estimate.ts';
import { defaultConcurrency } from '../graph/play-match.ts';
import type { MatchPlan } from '../graph/prepare-match.ts';
import { addSilentPolicy } from '../models/key-policy.ts';
import { addMissingKeys } from '../models/providers/index.ts';
import { getDisk } from '../models/machine/machine.ts';
import { formatCommand, nameCommand } from '../state/command-name.ts';
import { identifyModel } from '../state/model-identity.ts';
import { readRuleFlag } from '../state/rulebook.ts';
import { UsageError } from '../state/usage-error.ts';
import {
  type CommandIO,
  createCommand,
  createReader,
  explainPercent,
  readCount,
  runScript,
  writeFile,
} from './command/command-line.ts';
import { tellForksLeftOut } from './command/match-folder.ts';
import {
  addJudgeOptions,
  readJudgePlan,
  resolveJudges,
  resolveNames,
  type TypedJudge,
} from './command/judge-options.ts';
import { chooseJudge } from './report/choose-judge.ts';
import { KnownManifests } from './report/known-manifests.ts';
import { openJudgeCounter } from './run/estimate-judge.ts';
import { readBoardFile } from './command/match-options.ts';
import { formatPlanJson, formatPlanTable, type PlannedEndpoint } from './plan/plan-text.ts';
import {
  type Candidate,
  type Design,
  designs,
  type Pilot,
  planFromOneArm,
  readPilot,
} from './plan/endpoint-candidates.ts';
import { planStudySet, playTrials } from './plan/study-set.ts';
import { checkStudySeed, chooseStudySeed, listModelsOfPilot, listSeedRanges } from './plan/study-deals.ts';
import { chooseCache, MeasurementCache, noCacheOption } from './report/measurement-cache.ts';

interface Flags extends TypedJudge {
  endpoint?: readonly Endpoint[];
  effect?: number;
  precision?: number;
  power: number;
  alpha: number;
  design?: Design;
  replicates?: number;
  spread: 'bound' | 'estimate';
  models?: readonly string[];
  seed?: number;
  board?: string;
  rules?: string;
  rule?: readonly string[];
  trials: number;
  presupposed?: boolean;
  concurrency: number;
  cache: boolean;
  question?: string;
  out?: string;
  json?: boolean;
}

const mostEndpoints = AnalysisPlan.shape.endpoints;

/**
 * Reads `NAME` or `NAME:dimension=value,…`. The keys `part`, `models` and `effect` are not dimensions: they belong to
 * the endpoint itself.
 */
function readEndpoint(text: string, before: readonly Endpoint[] = []): Endpoint[] {
  const [, metric = '', rest] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  const pairs = (rest ?? '')
    .split(',')
    .filter((one) => one !== '')
    .map((one) => one.split(/=(.*)/s));
  const wrong = metric === '' || pairs.some(([name, value]) => !name || !value);
  if (wrong) throw new InvalidArgumentError('Expected NAME or NAME:key=value,…, e.g. lie_turn_rate:team=werewolves.');
  const { part, effect, models, ...of } = Object.fromEntries(pairs) as Record<string, string>;
  if (part !== undefined && !effectPartNames.includes(part as EffectPartName))
    throw new InvalidArgumentError(`The part must be one of: ${effectPartNames.join(', ')}.`);
  const [x, y, ...more] = models?.split('+') ?? [];
  if (models !== undefined && (!x || !y || more.length > 0))
    throw new InvalidArgumentError('Name exactly two models, as models=X+Y.');
  return [
    ...before,
    {
      ...{ metric, of },
      ...(part === undefined ? {} : { part: part as EffectPartName }),
      ...(x && y ? { models: [x, y] } : {}),
      ...(effect === undefined ? {} : { effect: readEffect(effect) }),
    },
  ];
}

/** Reads an effect, in the unit of the figure. */
const readEffect = createReader(
  'a number above 0: the smallest difference that matters',
  (value) => value > 0 && value < Infinity,
  explainPercent,
);

/** Throws a UsageError for an impossible effect, such as a percentage where a share is expected. */
function checkEffect(name: string, effect: number): void {
  const [least, most] = getFiniteRange(metrics.find((metric) => metric.name === name)!.range) ?? [0, Infinity];
  if (effect >= most - least)
    throw new UsageError(tellTooLarge(effect, `${name}, which goes from ${least} to ${most}`));
}

const tellTooLarge = (effect: number, figure: string) =>
  `An effect of ${effect} is too large for ${figure}. Write percentages as shares: .1 for ten points.`;

const readSeed = createReader('a whole number of at least 0', (value) => Number.isSafeInteger(value) && value >= 0);

const readOpenShare = createReader('a number above 0 and below 1', (value) => value > 0 && value < 1, explainPercent);

const about =
  'Compute the number of deals that shows a difference, with matches, calls, tokens, cost and time, for the endpoints that a study may choose, and write its plan. The spread of deals comes from a pilot, or from matches of built-in bots. Makes no calls. See docs/reference/plan.md.';

function readFlags(argv: readonly string[], io: CommandIO): { folders: readonly string[]; flags: Flags } {
  const program = createCommand('plan', about, io)
    .argument(
      '[pilot...]',
      'pilot: the folder of a crossed design, two folders with the same deals, or one folder of any matches',
    )
    .option(
      '--endpoint <name[:key=value,…]>',
      'figure to test, e.g. lie_turn_rate:team=werewolves or belief_brier:part=village,effect=.05; repeatable, at most five (default: all headlines on one scale)',
      readEndpoint,
    )
    .option(
      '--effect <difference>',
      'the smallest true difference that matters, in the unit of the figure, for endpoints that do not name their own',
      readEffect,
    )
    .option(
      '--precision <half-width>',
      'instead of --effect: plan for a 95% interval of a difference with this half-width, in the unit of the figure',
      readEffect,
    )
    .option('--power <share>', 'probability of finding an effect of this size', readOpenShare, 0.8)
    .option('--alpha <share>', 'two-sided level, over all named endpoints together', readOpenShare, defaultAlpha)
    .addOption(
      new Option(
        '--design <name>',
        'crossed (every ordered pair of models), two-arms (a condition, two matches per deal) or single (one arm against a fixed value); default: the pilot’s, crossed for several --models, else two-arms',
      ).choices(designs),
    )
    .option(
      '--replicates <n>',
      'number of times the study plays each deal with the same seats (default: as in the pilot); other numbers need a pilot with replicates',
      readCount,
    )
    .addOption(
      new Option(
        '--spread <which>',
        'bound: plan for a bound that the spread stays below with probability .8, so that studies reach the power; estimate: plan for the estimated spread',
      )
        .choices(['bound', 'estimate'])
        .default('bound'),
    )
    .option(
      '--models <models...>',
      'models of the study: two or more to cross, or one in all seats (default: the pilot’s); a YAML file among them names models for use here and in --judge',
    )
    .option(
      '--seed <n>',
      'seed of the study’s first deal; the study may not repeat deals of the pilot (default: the seed after the pilot’s last, or 1 without a pilot)',
      readSeed,
    )
    .option('--board <name or YAML file>', 'board of the study, if there is no pilot (default: classic-8)')
    .option('--rules <preset>', 'rules of the study, if there is no pilot (default: wolf)')
    .option(
      '--rule <key=value>',
      'single rule of the study, if there is no pilot; repeatable',
      (text, before: string[] = []) => [...before, text],
    )
    .option('--trials <n>', 'number of matches of built-in bots to play, if there is no pilot', readCount, 40)
    .option('--judge <models...>', 'judge that extracts the claims, of the pilot and in the plan')
    .option('--no-judge', 'let the rules extract the claims, whatever judge the pilot names');
  addJudgeOptions(program)
    .option('--presupposed', 'also count claims that a statement only presupposes (default with a judge)')
    .option('--no-presupposed', 'do not count presupposed claims (default with the rules)')
    .option('--concurrency <n>', 'maximum number of concurrent calls', readCount, defaultConcurrency)
    .option(...noCacheOption)
    .option('--question <text>', 'with --out: the research question, in words')
    .option('--out <file>', 'write the plan of the named endpoints, e.g. plan.yaml')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Examples:
  ${nameCommand('plan')} --effect .1
  ${nameCommand('plan')} runs/pilot --effect .1
  ${nameCommand('plan')} runs/pilot --precision .05
  ${nameCommand('plan')} runs/pilot --endpoint belief_brier:part=village --effect .05 --out plan.yaml
  ${nameCommand('match')} --plan plan.yaml --crossed X Y --out runs/study`,
    )
    .parse(argv, { from: 'user' });
  return { folders: program.args, flags: program.opts<Flags>() };
}

/** Throws a UsageError for conflicting options. */
function checkFlags(
  folders: readonly string[],
  { endpoint = [], effect, precision, out, question, board, rules, rule, json }: Flags,
): void {
  const named = endpoint.find((one) => one.effect !== undefined);
  if (precision !== undefined && (effect !== undefined || named !== undefined || out !== undefined))
    throw new UsageError(
      `--precision ${precision} plans for the width of an interval; ${out === undefined ? 'METRIC=EFFECT' : '--out'} plans for the power to find a difference. Remove one of the two.`,
    );
  const ground = Object.entries({ board, rules, rule }).filter(([, value]) => value !== undefined);
  if (folders.length > 0 && ground.length > 0)
    throw new UsageError(
      `--${ground[0]![0]} is for plans without a pilot: board and rules are those of ${folders[0]!}.`,
    );
  if (
    precision === undefined &&
    effect === undefined &&
    (endpoint.length === 0 || endpoint.some((one) => one.effect === undefined))
  )
    throw new UsageError(
      'The number of deals depends on the smallest difference that matters: give it with --effect, e.g. --effect .1, or with each endpoint, e.g. --endpoint belief_brier:part=village,effect=.05.',
    );
  if (endpoint.length === 0 && effect! >= 1)
    throw new UsageError(
      tellTooLarge(effect!, 'figures that go from 0 to 1, which are planned where no endpoint is named'),
    );
  if (!mostEndpoints.safeParse(endpoint).success && endpoint.length > 0)
    throw new UsageError(
      `A plan has at most five endpoints, not ${endpoint.length}: more endpoints would each have little power.`,
    );
  if (out !== undefined && endpoint.length === 0)
    throw new UsageError('--out needs endpoints for the plan: name one to five with --endpoint.');
  if (out !== undefined && getDisk().exists(out))
    throw new UsageError(`${out} already exists, and a plan is not overwritten. Name another file.`);
  if (question !== undefined && out === undefined)
    throw new UsageError('--question is part of a plan: name the plan’s file with --out.');
  if (json && out !== undefined)
    throw new UsageError('--json prints the table, but --out writes a plan. Remove one of the two.');
}

const isModelsFile = (text: string) => /\.ya?ml$/i.test(text);

/** Resolves the names of the study's models and judges by a models file. */
function resolvePlanModels({ models = [], judge }: Flags) {
  const [file, ...more] = models.filter(isModelsFile);
  if (more.length > 0)
    throw new UsageError(`--models names several models files: ${[file, ...more].join(', ')}. Name one.`);
  const named = models.filter((model) => !isModelsFile(model));
  return { models: resolveNames(named, file), judge: resolveJudges(judge, file) };
}

export async function runPlan(argv: readonly string[], io: CommandIO): Promise<void> {
  const { folders, flags } = readFlags(argv, io);
  checkFlags(folders, flags);
  const known = new KnownManifests();
  tellForksLeftOut(folders, io, known);
  const { models, judge: typed } = resolvePlanModels(flags);
  const { endpoint: endpoints = [], design, effect, precision, power, concurrency, presupposed } = flags;
  const { judgePer, repeat, guard } = flags;
  const how = { judgePer, repeat, guard };
  const ground: MatchPlan = {
    ...{ board: readBoardFile(flags.board), rules: flags.rules },
    rule: Object.fromEntries((flags.rule ?? []).map(readRuleFlag)),
  };
  const judge =
    folders.length > 0
      ? await chooseJudge(
          { judge: typed, ...how },
          { folders, presupposed, cache: flags.cache ? chooseCache(io) : null, known, tellsRules: true },
          io,
        )
      : readJudgePlan(typed || undefined, how);
  const wish = { design, models, endpoints, wanted: { judge, presupposed } };
  const cache = flags.cache ? new MeasurementCache(chooseCache(io)) : null;
  const pilot =
    folders.length > 0
      ? await readPilot(folders, wish, { cache, known, onStep: io.step })
      : planFromOneArm(
          await playTrials(ground, flags.trials, io.step),
          `${flags.trials} matches of built-in bots (bot:classic), because there is no pilot`,
          [],
          wish,
        );
  if (folders.length > 0) cache?.trim();
  const pilotSeeds = pilot.manifests.flatMap(({ setup, imported }) => (imported ? [] : [setup.seed]));
  const seed = flags.seed ?? chooseStudySeed(pilotSeeds);
  const players = pilot.design === 'crossed' && models.length === 0 ? listModelsOfPilot(pilot.manifests) : models;
  const set = planStudySet({ design: pilot.design, models: players, manifests: pilot.manifests, ground, seed });
  const env = addSilentPolicy(
    addMissingKeys(JSON.stringify([players, pilot.manifests.map(({ setup }) => setup.models)]), io.env),
  );
  const only =
    judge?.models.length === 1 && judge.per !== 'day' && (judge.repeat ?? 1) === 1 ? judge.models[0] : undefined;
  const counter = await openJudgeCounter(only, env);
  const runs = await playSampledRuns(set, { env, onStep: io.step, ...(counter && { onRun: counter.onRun }) });
  const alpha = flags.alpha / Math.max(1, endpoints.length);
  const replicates = flags.replicates ?? Math.round(pilot.replicates);
  if (replicates !== pilot.replicates && pilot.replicates === 1)
    throw new UsageError(
      `--replicates ${replicates} needs a pilot played with replicates, which shows the spread within a deal: match … --replicates 2.`,
    );
  const rows = pilot.candidates
    .map((candidate): PlannedEndpoint => {
      const wanted = precision ?? candidate.endpoint.effect ?? effect!;
      checkEffect(candidate.endpoint.metric, wanted);
      const spread = candidate.variance ? computeReplicatedSpread(candidate.variance, replicates) : candidate.spread;
      const own = { ...candidate, spread: replicates === pilot.replicates ? candidate.spread : spread };
      const { wish, asFound, bound, dealsBetween } = computeSize(
        own,
        { effect: wanted, alpha, power },
        precision !== undefined,
      );
      const estimate = (deals: number) => ({
        deals,
        ...estimateEffort(deals, { ...pilot, replicates }, runs, concurrency),
      });
      const [ofFound, ofBound] = [estimate(asFound), estimate(bound)];
      const chosen = flags.spread === 'bound' ? ofBound : ofFound;
      return { ...own, wish, dealsBetween, ...chosen, asFound: ofFound, bound: ofBound };
    })
    .sort((one, other) => one.deals - other.deals || one.spread - other.spread);
  const last = rows.at(-1);
  const options = { env, concurrency, left: last?.matches ?? 0, onStep: io.step };
  const total = last === undefined ? null : estimateFromRuns(runs.played, { ...options, seeds: runs.seeds });
  const isPrecision = precision !== undefined;
  const isJudged = judge !== undefined;
  const settings = {
    ...{ power, alpha: flags.alpha, endpoints: endpoints.length, concurrency, isPrecision, isJudged, replicates },
    spread: flags.spread,
    judge: last === undefined ? null : (counter?.finish(last.matches) ?? null),
    turns: total === null ? null : await estimateBothTurns(set, total, options),
    beliefs: total === null ? null : await estimateBeliefs(set, options),
  };
  io.stdout.write(flags.json ? formatPlanJson(rows, pilot, settings) : formatPlanTable(rows, pilot, settings));
  if (flags.out === undefined) return;
  const deals = Math.max(...rows.map((row) => row.deals));
  checkStudySeed(seed, deals, pilotSeeds);
  const named = (flags.models ?? []).filter((model) => !isModelsFile(model));
  const called = named.length > 0 ? named : players.map(identifyModel);
  const plan = {
    ...(flags.question === undefined ? {} : { question: flags.question }),
    ...(judge?.models[0] === undefined ? {} : { judge: (flags.judge || judge.models.map(identifyModel)).join(', ') }),
    endpoints: endpoints.map(({ of, ...one }) => ({
      ...one,
      ...(Object.keys(of).length > 0 ? { of } : {}),
      effect: one.effect ?? effect,
    })),
    ...(pilot.design === 'crossed' && called.length > 0 ? { crossed: called } : {}),
    ...{ seed, ...(pilotSeeds.length > 0 && { pilot_seeds: listSeedRanges(pilotSeeds) }) },
    ...{ deals, ...(replicates > 1 && { replicates }), stop: 'fixed', alpha: flags.alpha, power },
  };
  const opening = pilot.from.map((line) => `# ${line}\n`).join('');
  writeFile(flags.out, `${opening}${stringify(plan)}`);
  io.stdout.write(
    `\n${flags.out}: ${deals} deals, SHA-256 ${hashPlan(plan)}. Its deals have the seeds ${seed} to ${seed + deals - 1}${pilotSeeds.length > 0 ? ', none of them the pilot’s' : ''}. Play it with: ${formatCommand('match', '--plan', flags.out, ...(pilot.design === 'crossed' ? ['--crossed', ...called] : ['…']), '--out', 'FOLDER')}\n`,
  );
}

/** Probability that the true spread does not exceed the bound used for planning. */
const LIKELY = 0.8;

/**
 * Computes the number of deals that a candidate needs, for the estimated spread and for its bound, and the range of
 * numbers that the pilot's uncertainty allows. `isPrecision`: whether the effect is the half-width of an interval.
 */
function computeSize(candidate: Candidate, wish: PowerTarget, isPrecision: boolean) {
  const count = (spread: number) =>
    isPrecision ? countDealsForHalfWidth(spread, wish.effect) : countDealsNeeded(spread, wish);
  const [low, high] = computeSpreadBounds(candidate).map(count) as [number, number];
  const limit = computeSpreadLimit(candidate, LIKELY);
  return { wish, asFound: count(candidate.spread), bound: count(limit), dealsBetween: [low, high] as const };
}

function estimateEffort(
  deals: number,
  { matchesPerDeal, replicates }: Pilot,
  { played, seeds }: SampledRuns,
  concurrency: number,
) {
  const matches = deals * matchesPerDeal * replicates;
  const { calls, tokens, cost, seconds } = estimateFromRuns(played, { seeds, concurrency, left: matches });
  return { matches, calls, tokens, cost, seconds };
}

if (import.meta.main) await runScript(runPlan);
