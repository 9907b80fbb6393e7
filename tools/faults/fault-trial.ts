// Plays a match or a set in a simulated world whose steps fail, runs the command again, and lists everything that is
// wrong afterwards.
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isDeepStrictEqual } from 'node:util';
import { StudyPlan, studyFileName } from '../../deception/design/study-plan.ts';
import { playMatch } from '../../graph/play-match.ts';
import { playMatches } from '../../graph/play-matches.ts';
import type { MatchPlan } from '../../graph/prepare-match.ts';
import { runMatch } from '../../scripts/match.ts';
import { type CommandIO, exitCodes, runCommand } from '../../scripts/command/command-line.ts';
import { runOnMachine } from '../../models/machine/machine.ts';
import { checkRecord } from '../../models/record/recorder.ts';
import { boards } from '../../state/boards.ts';
import { defaultPlan } from '../../state/game.ts';
import { draw } from '../../state/random.ts';
import { type KeptReplies, ReplyKeeper, SimulatedModel } from './simulated-provider.ts';
import {
  type FaultWay,
  listFaultWays,
  type PlannedFault,
  ProcessGone,
  type SimulatedProcess,
  SimulatedWorld,
  type WorldStep,
} from './simulated-world.ts';

/** The matches to play: a set with consecutive seeds, or a single match. */
export interface Scenario {
  seed: number;
  matches: number;
  /**
   * Whether bots play through the command `npm run match`. Otherwise models play through the function that this command
   * calls.
   */
  isCommand?: boolean;
}

/** A scenario played without any fault. */
export interface Undisturbed extends Scenario {
  /** Seed of the match → answers to its prompts. */
  replies: ReadonlyMap<number, KeptReplies>;
  steps: readonly WorldStep[];
  /** File → contents that the file must also have after the faults. */
  contents: ReadonlyMap<string, unknown>;
}

/** The result of one trial. */
export interface TrialResult {
  /** Descriptions of the processes with a fault: the failed step, and how the process ended. */
  told: string[];
  /** Number of steps that failed. */
  failed: number;
  /** Everything that is wrong; empty if nothing is. */
  faults: string[];
}

const out = '/simulated/runs';

/** Kinds of short matches. The seed of a match chooses its kind. */
const manners = [
  { rules: 'arena', rule: { debateTurns: 1, maxRounds: 1 } },
  { rules: 'arena', rule: { debateTurns: 1, maxRounds: 1, analysis: 'self' } },
  { rules: 'arena', rule: { debateTurns: 1, maxRounds: 2, beliefs: 'each-round' } },
] as const;

/** The usual board without one player of each role that several players have. */
const fewer = Object.fromEntries(
  Object.entries(boards[defaultPlan.board]!.roles).map(([role, count]) => [role, Math.max(1, count - 1)]),
);

const planMatch = (seed: number): MatchPlan => ({
  board: { name: 'six', roles: fewer },
  ...manners[seed % manners.length]!,
  seed,
});

/** Plays the scenario twice without faults: first with bots, whose answers are stored, then in a simulated world. */
export async function playUndisturbed(scenario: Scenario): Promise<Undisturbed> {
  const replies = new Map<number, KeptReplies>();
  for (const seed of scenario.isCommand ? [] : listSeeds(scenario)) {
    const kept: KeptReplies = new Map();
    await playMatch({ ...planMatch(seed), model: new ReplyKeeper(kept), out: null, env: {} });
    replies.set(seed, kept);
  }
  const world = createWorld(scenario, scenario.seed);
  const life = await liveOnce(world, { ...scenario, replies }, null);
  if (life.error !== null) throw life.error as Error;
  return { ...scenario, replies, steps: life.process.steps, contents: readContents(world) };
}

const matchFile = '/simulated/match.yaml';

/** A command that ended with an exit code other than 0, with its output. */
class CommandFailed extends Error {
  override name = 'CommandFailed';
}

const listSeeds = ({ seed, matches }: Scenario) => Array.from({ length: matches }, (_, index) => seed + index);

function createWorld({ seed }: Scenario, worldSeed: number): SimulatedWorld {
  const world = new SimulatedWorld(worldSeed);
  const { disk } = world.start(null).machine;
  disk.write(
    matchFile,
    JSON.stringify({ ...planMatch(seed), seed: undefined, model: 'bot:random', out, quiet: true }),
    true,
  );
  disk.syncFolder('/simulated');
  return world;
}

/** The life of one process, from its start to its end. */
interface Life {
  process: SimulatedProcess;
  /** Error; null if the command finished. */
  error: unknown;
  /**
   * Prompts, by seed and hash. `made`: prompts that were answered. `acknowledged`: prompts whose answers were
   * acknowledged as recorded.
   */
  made: string[];
  acknowledged: string[];
}

/** Starts the command in a separate process. */
function begin(
  world: SimulatedWorld,
  { seed, matches, replies, isCommand = false }: Scenario & Pick<Undisturbed, 'replies'>,
  fault: PlannedFault | null,
  isElsewhere = false,
): { life: Life; running: Promise<void> } {
  const process = world.start(fault, isElsewhere);
  const life: Life = { process, error: null, made: [], acknowledged: [] };
  const plan = (one: number): MatchPlan => ({
    ...planMatch(one),
    model: new SimulatedModel(process, replies.get(one)!, (prompt) => void life.made.push(`${one} ${prompt}`)),
  });
  const listen = (one: number) => ({
    onAnswer: ({ prompt_sha256: prompt }: { prompt_sha256: string }, isRecorded: boolean) => {
      if (!isRecorded && !process.isGone) life.acknowledged.push(`${one} ${prompt}`);
    },
  });
  const seedOf = (id: string) => Number(/^six-(\d+)-/.exec(id)?.[1]);
  const task = async () => {
    if (matches === 1) return void (await playMatch({ ...plan(seed), out, env: {}, ...listen(seed) }));
    const errors: unknown[] = [];
    const { finished, reason } = await playMatches(
      { seed, matches, planOf: plan },
      {
        ...{ out, env: {}, concurrency: 1 + (seed % 8) },
        onBegin: ({ id }) => listen(seedOf(id)),
        onEnd: (end) => void ('error' in end && errors.push(end.error)),
      },
    );
    for (const error of errors.filter((one) => !isTold(one))) throw error as Error;
    const [first = reason] = errors;
    if (finished < matches)
      throw first instanceof Error ? first : new Error('The set is not done, and nothing says why.');
  };
  const command = async () => {
    let said = '';
    const silent = { write: (_text: string, written?: () => void) => written?.() };
    const io: CommandIO = {
      ...{ stdout: silent, stderr: { write: (text) => void (said += text) }, env: {} },
      listenToSignals: () => new AbortController().signal,
      releaseSignals: () => undefined,
    };
    const typed = [matchFile, '--seed', String(seed), ...(matches === 1 ? [] : ['--matches', String(matches)])];
    const code = await runCommand(runMatch, typed, io);
    if (code !== exitCodes.done) throw new CommandFailed(said);
  };
  const running = process.run(isCommand ? command : task).catch((error: unknown) => void (life.error = error));
  return { life, running };
}

async function liveOnce(...[world, ...how]: Parameters<typeof begin>): Promise<Life> {
  const { life, running } = begin(world, ...how);
  await world.live([running]);
  return life;
}

/**
 * Starts one process after another, each with its planned fault, and then repeats the command without faults. A frozen
 * process resumes while the next one runs.
 */
export async function playThroughFaults(
  undisturbed: Undisturbed,
  plan: readonly PlannedFault[],
  seed = undisturbed.seed,
): Promise<TrialResult> {
  const world = createWorld(undisturbed, seed);
  const trial = new Trial(world, undisturbed);
  let frozen: (ReturnType<typeof begin> & { before: ReadonlySet<string> }) | null = null;
  for (const fault of plan) {
    const isElsewhere = frozen !== null || fault.way === 'late' || fault.way === 'freeze';
    const before = trial.look();
    if (isElsewhere) world.pass(patience);
    const one = begin(world, undisturbed, fault, isElsewhere);
    const stopped = Promise.race([one.running, one.life.process.whenFrozen]);
    await world.live([stopped]);
    if (frozen) {
      world.happenNow();
      await world.live([frozen.running]);
      trial.judge(frozen.life, frozen.before);
    }
    if (one.life.process.wasFrozen) frozen = { ...one, before };
    else {
      trial.judge(one.life, before);
      frozen = null;
      if (one.life.error === null && world.random.pick([true, false])) world.cutPower(); // what the process wrote must stay
    }
  }
  world.pass(patience);
  const before = trial.look();
  const last = begin(world, undisturbed, null, frozen !== null || plan.some(({ way }) => way === 'late'));
  await world.live([last.running]);
  if (frozen) {
    world.happenNow();
    await world.live([frozen.running]);
    trial.judge(frozen.life, frozen.before);
  }
  world.happenNow();
  trial.judge(last.life, before);
  if (frozen && isRefused(last.life.error)) {
    // The frozen process may have resumed first, so the command is run once more.
    const again = await liveOnce(world, undisturbed, null);
    trial.judge(again, before);
    return trial.finish(again);
  }
  return trial.finish(last.life);
}

/** Milliseconds without a sign of life after which a process counts as dead. */
const patience = 61_000;

const isRefused = (error: unknown) => error instanceof Error && error.constructor.name === 'LockedElsewhere';

/** Whether an error explains itself to users, so that a command may end with it. */
const isTold = (error: unknown): boolean =>
  error instanceof Error &&
  (['RecordError', 'ProviderFailure', 'ProcessGone'].includes(error.name) ||
    'syscall' in error ||
    (error instanceof CommandFailed && !/\n {4}at /.test(error.message)));

/** Everything observed of one world so far, and the errors found. */
class Trial {
  readonly #world: SimulatedWorld;
  readonly #undisturbed: Undisturbed;
  readonly #told: string[] = [];
  readonly #faults: string[] = [];
  #failed = 0;
  #isDone = false;

  constructor(world: SimulatedWorld, undisturbed: Undisturbed) {
    [this.#world, this.#undisturbed] = [world, undisturbed];
  }

  /**
   * Returns the prompts, by seed and hash, whose answers are on the disk. `withLate`: whether to include answers that
   * reached the disk after their process had died; readers may ignore such answers.
   */
  look(withLate = false): ReadonlySet<string> {
    const late = withLate ? '' : this.#world.lateLines.join('\n');
    const disk = this.#world.storage.connect();
    const kept = this.#world.storage
      .listFiles(out)
      .filter((file) => file.endsWith('/answers.ndjson'))
      .flatMap((file) => {
        const seed = /six-(\d+)-/.exec(file)?.[1];
        return disk
          .readText(file)
          .split('\n')
          .slice(0, -1)
          .filter((_line, index, lines) => !lines.slice(0, index + 1).some((line) => line.includes('\0'))) // lost in a power failure
          .flatMap((line) => /"prompt_sha256":"(\w+)"/.exec(line)?.[1] ?? [])
          .filter((prompt) => !late.includes(prompt))
          .map((prompt) => `${seed} ${prompt}`);
      });
    return new Set(kept);
  }

  /** Compares what a process did with the contents of the disk before and after it. */
  judge({ process, error, made, acknowledged }: Life, before: ReadonlySet<string>) {
    const { failed } = process;
    if (failed) this.#failed += 1;
    const where = failed
      ? `${failed.kind}${failed.file === null ? '' : ` ${normalizeFileName(failed.file)}`}`
      : 'nothing';
    this.#told.push(`${where} failed: ${describeEnd(error)}`);
    const isCut = error instanceof ProcessGone && /power/.test(error.message);
    const now = this.look(true);
    const report = (what: string, prompts: readonly string[]) => {
      if (prompts.length > 0) this.#faults.push(`${what}: ${prompts.length} (${where} failed)`);
    };
    report(
      'calls made again whose answers are on record',
      made.filter((prompt) => before.has(prompt)),
    );
    const lost = (prompts: Iterable<string>) => [...prompts].filter((prompt) => !now.has(prompt));
    if (!isCut && !this.#world.isCut) {
      report('answers lost that had been acknowledged', lost(acknowledged));
      report('answers lost that were on record', lost(before));
    }
    if (this.#isDone && made.length > 0) this.#faults.push('calls made after the command had been done');
    if (error === null) this.#isDone = true;
    else if (!isTold(error)) this.#faults.push(`an error that is not told in words: ${describeError(error)}`);
  }

  /** Checks everything that must be true at the end. */
  finish({ error }: Life): TrialResult {
    if (error !== null) this.#faults.push(`the command given again does not end: ${describeError(error)}`);
    else {
      const contents = readContents(this.#world);
      for (const [file, wanted] of this.#undisturbed.contents)
        if (!isDeepStrictEqual(contents.get(file), wanted))
          this.#faults.push(`${file} is ${contents.has(file) ? 'another' : 'missing'}`);
      for (const file of contents.keys())
        if (!this.#undisturbed.contents.has(file)) this.#faults.push(`${file} is left over`);
      this.#faults.push(...findRecordFaults(this.#world));
    }
    return { told: this.#told, failed: this.#failed, faults: this.#faults };
  }
}

const describeEnd = (error: unknown) =>
  error === null ? 'done' : error instanceof ProcessGone ? error.message : describeError(error);

const describeError = (error: unknown) =>
  error instanceof Error ? (isTold(error) ? `${error.name}: ${error.message}` : (error.stack ?? '')) : String(error);

/** Returns the file's name without parts that differ between processes. */
export const normalizeFileName = (file: string) => file.replace(/.*\//, '').replace(/\.\d+-[0-9a-f]{8}/, '.*');

/**
 * Returns the contents of each file of a match that must be equal with and without faults. Locks and logs are left out,
 * because dead processes may leave locks, and logs may be lost.
 */
function readContents(world: SimulatedWorld): Map<string, unknown> {
  const disk = world.storage.connect();
  const files = world.storage.listFiles(out).filter((file) => !/\/(lock\.json|log\.ndjson)/.test(file));
  return new Map(files.map((file) => [file, readComparable(file, disk.read(file))]));
}

function readComparable(file: string, bytes: Buffer): unknown {
  if (file.endsWith('prompts.ndjson.gz')) return gunzipSync(bytes).toString();
  if (file.endsWith('events.ndjson')) return bytes.toString();
  if (file.endsWith('answers.ndjson')) return readAnswers(bytes.toString());
  if (path.basename(file) === studyFileName) {
    const plan = StudyPlan.parse(JSON.parse(bytes.toString()));
    return { ...plan, begun_at: null, played_since: null, runs: null }; // every further command changes these fields
  }
  if (file.endsWith('.json')) return dropTimes(JSON.parse(bytes.toString()));
  return bytes.toString('base64');
}

/**
 * Sorts answers and removes everything that depends on faults and timing. Also removes lines that a process wrote after
 * it had lost the match, as every reader does.
 */
function readAnswers(text: string): string[] {
  const lines = text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return [...new Set(lines.map((line) => JSON.stringify(dropTimes(line))))].sort();
}

/** Fields that depend on time, retries and processes. */
const changing = /^(seal|retries|started_at|created_at|ms|epoch|chain|wall_ms|.*_ms|.*latency.*)$/;

const dropTimes = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key: string, held: unknown) => (changing.test(key) ? undefined : held)));

function findRecordFaults(world: SimulatedWorld): string[] {
  const process = world.start(null);
  const manifests = world.storage.listFiles(out).filter((file) => file.endsWith('/manifest.json'));
  return runOnMachine(process.machine, () =>
    manifests.flatMap((file) => {
      const { record, faults } = checkRecord(file.slice(0, file.lastIndexOf('/')), { isThorough: true });
      return record.seal === null ? [...faults, `${file}: not sealed`] : faults;
    }),
  );
}

/** Lists all faults of one process: each step of the undisturbed match, failing in each possible way. */
export const listEveryFault = ({ steps }: Pick<Undisturbed, 'steps'>): PlannedFault[] =>
  steps.flatMap((step, number) => listFaultWays(step).map((way) => ({ step: number, way })));

/** Draws the faults of one to three successive processes. */
export function drawFaults({ steps }: Pick<Undisturbed, 'steps'>, seed: number): PlannedFault[] {
  const by = draw(seed, 'faults');
  return Array.from({ length: 1 + by.integer(3) }, () => {
    const number = by.integer(steps.length);
    return { step: number, way: by.pick(listFaultWays(steps[number]!)) };
  });
}

/**
 * Formats faults as they are typed and printed.
 *
 * @example formatFaults([{ step: 12, way: 'kill' }, { step: 40, way: 'full' }]) // '12.kill,40.full'
 */
export const formatFaults = (plan: readonly PlannedFault[]) => plan.map(({ step, way }) => `${step}.${way}`).join(',');

/** Parses the output of `formatFaults`. Returns null for invalid text. */
export function parseFaults(text: string, ways: readonly string[]): PlannedFault[] | null {
  const plan = text.split(',').map((one) => /^(\d+)\.(\w+)$/.exec(one));
  if (plan.some((one) => !one || !ways.includes(one[2]!))) return null;
  return plan.map((one) => ({ step: Number(one![1]), way: one![2] as FaultWay }));
}
