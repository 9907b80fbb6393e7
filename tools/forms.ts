// Measures how often the first answers of a model can be read, by kind of question and form of structured output: `npm
// run forms -- <model> --file <file>`. The questions come from matches played by bots.
import { computeShareBounds } from '../deception/statistics/proportion.ts';
import { roundOutward } from '../deception/statistics/round-outward.ts';
import { playDryRun } from '../graph/dry-run-match.ts';
import { type MatchPlan, prepareMatch } from '../graph/prepare-match.ts';
import { drawLegalAnswer } from '../models/bots/random.ts';
import { callModel } from '../models/call-model.ts';
import { buildConversation } from '../models/context-trimming.ts';
import { getDisk, getMachine } from '../models/machine/machine.ts';
import { type Environment, type Structured, structuredForms } from '../models/model.ts';
import { type ModelCall, placeShapes } from '../models/send-question.ts';
import type { AnyPrompt } from '../prompts/prompt.ts';
import { renderTable } from '../report/format.ts';
import { type CommandIO, createCommand, readCount, runScript } from '../scripts/command/command-line.ts';
import { draw } from '../state/random.ts';
import { lastActs, roles } from '../state/roles/index.ts';
import type { Role } from '../state/roles/role.ts';
import { latestReading } from '../state/record.ts';
import { UsageError } from '../state/usage-error.ts';
import { writeStatement } from './bench/servers.ts';

const playable = [...roles.values()];

/** Creates a board with this number of seats for each role. */
const createBoard = (name: string, count: (role: Role) => number) => ({
  name,
  roles: Object.fromEntries(playable.map((role) => [role.name, count(role)])),
});

/** Board with few players, one of whom has a last act. */
const few = createBoard('few', (role) => {
  if (role.team === 'werewolves') return 1;
  if (role.special) return lastActs.some((last) => last.role.name === role.name) ? 1 : 0;
  return 3;
});

/** Board with every special role. */
const special = createBoard('special', (role) => (role.special ? 1 : 0));

/** Matches that together ask every kind of question, with prompts that are short enough for small models. */
const plans: readonly MatchPlan[] = [
  { rules: 'arena', rule: { analysis: 'both', beliefs: 'each-round', debateTurns: 4 } },
  {
    ...{ rules: 'arena', board: few },
    rule: { analysis: 'both', ballots: 'public', analyzeBallots: true, debateTurns: 1, maxWords: 40 },
  },
  { rules: 'arena', board: few, rule: { turn: 'draft', debateTurns: 2, maxWords: 40 } },
  { rules: 'arena', board: few, rule: { sheriff: true, debateTurns: 1, maxWords: 40 } },
  { rules: 'plus', board: special, rule: { maxWords: 20 } },
  { rules: 'plus', board: few, rule: { sheriff: true, voteSummary: true, maxWords: 20 } },
];

/** A first answer. */
export interface FormRow {
  form: Structured;
  kind: string;
  /** Place of the question among the questions of its kind, of which the shortest is first. */
  place: number;
  isReadable: boolean;
  /** Whether the answer was cut off at the limit of its tokens. */
  isCut: boolean;
  error?: string | undefined;
  raw: string;
}

interface PlacedQuestion {
  prompt: AnyPrompt;
  plan: MatchPlan;
}

/**
 * Lists the questions of matches in which bots play, by kind of question. In each kind, the shortest question is first.
 * If matches of several plans ask a kind, the first of these plans provides its questions.
 */
export async function listQuestions(
  seeds: readonly number[],
  model: string,
  env: Environment,
): Promise<Map<string, PlacedQuestion[]>> {
  const found = new Map<string, PlacedQuestion[]>();
  for (const each of plans) {
    const asked = new Map<string, PlacedQuestion[]>();
    for (const seed of seeds) {
      const plan = { ...each, seed };
      await playDryRun(await prepareMatch({ ...plan, model }, env, 0), (prompt) => {
        const { schema, action, step, view } = prompt;
        asked.set(action, [...(asked.get(action) ?? []), { prompt, plan }]);
        return { answer: drawLegalAnswer(schema, draw(seed, view.round, step, action, view.me), writeStatement) };
      });
    }
    for (const [kind, questions] of asked)
      if (!found.has(kind))
        found.set(
          kind,
          questions.sort((one, other) => one.prompt.user.length - other.prompt.user.length),
        );
  }
  return found;
}

/** Appends an option to a model string. */
const addForm = (model: string, form: Structured) => `${model}${model.includes('?') ? '&' : '?'}structured=${form}`;

interface FormsOptions {
  model: string;
  env: Environment;
  signal: AbortSignal;
  warn: (message: string) => void;
}

/** Asks a question once in this form, as a match would. */
async function askInForm(
  { prompt, plan }: PlacedQuestion,
  form: Structured,
  { model, env, signal, warn }: FormsOptions,
): Promise<Omit<FormRow, 'form' | 'kind' | 'place'>> {
  const { action, step, view } = prompt;
  const { seats } = await prepareMatch({ ...plan, model: addForm(model, form) }, env, 0);
  const asked = seats[view.me]?.[prompt.kind];
  if (asked === undefined) throw new Error(`${view.me} is not in the match of the question.`);
  const shapes = prompt.family === undefined ? 'prompt' : placeShapes(asked);
  const call: ModelCall = {
    ...{ key: { round: view.round, step, action, player: view.me, attempt: 1 }, prompt, shapes, leftOut: 0 },
    ...{ messages: buildConversation(prompt, 0, [], shapes), reading: latestReading, model: asked },
    ...{ seed: plan.seed ?? 0, clock: getMachine().clock, signal, stop: signal, warn, metadata: {} },
    ...{ schemaUse: new Map(), warned: new Set() },
  };
  const { raw, error, mark, finish_reason: finish } = await callModel(call);
  return { isReadable: error === undefined && mark === undefined, isCut: finish === 'length', error, raw };
}

const readRows = (file: string): FormRow[] =>
  getDisk().exists(file)
    ? getDisk()
        .readText(file)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as FormRow)
    : [];

function appendRow(file: string, row: FormRow): void {
  const opened = getDisk().open(file, 'append');
  opened.write(`${JSON.stringify(row)}\n`);
  opened.close();
}

/** Renders how many of these answers are unreadable, with the exact 95% interval of their share. */
function renderShare(rows: readonly FormRow[]): string {
  if (rows.length === 0) return '–';
  const unreadable = rows.filter(({ isReadable }) => !isReadable).length;
  const [low, high] = computeShareBounds(unreadable / rows.length, rows.length);
  const outward = roundOutward({ low, high }, 2);
  const [from, to] = [outward.low, outward.high].map((bound) => bound.toFixed(2).replace(/^0/, ''));
  const cut = rows.filter(({ isReadable, isCut }) => isCut && !isReadable).length;
  return `${unreadable} of ${rows.length} (${from} to ${to})${cut === 0 ? '' : `, ${cut} cut`}`;
}

/**
 * Renders the unreadable first answers by kind and form as a Markdown table. The word `cut` in a cell marks the number
 * of unreadable answers that ended at the token limit.
 *
 * @example renderFormShares([{ form: 'schema', kind: 'bid', place: 0, isReadable: true, isCut: false, raw: '{"bid":1}' }])
 */
export function renderFormShares(rows: readonly FormRow[]): string {
  const kinds = [...Map.groupBy(rows, ({ kind }) => kind)];
  const split = (some: readonly FormRow[]) =>
    structuredForms.map((form) => renderShare(some.filter((row) => row.form === form)));
  return renderTable(
    ['Question', ...structuredForms.map((form) => `\`${form}\``)],
    [...kinds.map(([kind, some]) => [`\`${kind}\``, ...split(some)]), ['all', ...split(rows)]],
    structuredForms.length,
  );
}

const about =
  'Asks a model questions of matches in each form of structured output, each once, and prints how many answers could not be read. Run it again to continue.';

export async function runForms(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('forms', about, io)
    .argument('<model>', 'the model, as in npm run match; options such as maxTokens hold for all forms')
    .requiredOption('--file <file>', 'file of answers (JSON Lines), to which new ones are added')
    .option('--questions <n>', 'questions of each kind', readCount, 4)
    .option('--seeds <n>', 'matches of each set-up to take questions from', readCount, 12)
    .option('--only <kinds>', 'only these kinds of questions, with commas between')
    .parse(argv, { from: 'user' });
  const [model = ''] = program.args;
  const {
    file,
    questions: most,
    seeds,
    only,
  } = program.opts<{ file: string; questions: number; seeds: number; only?: string }>();
  const options = {
    model,
    env: io.env,
    signal: io.listenToSignals(),
    warn: (text: string) => void io.stderr.write(`${text}\n`),
  };
  const found = await listQuestions(
    Array.from({ length: seeds }, (_, index) => index + 1),
    addForm(model, 'schema'),
    io.env,
  );
  const wanted = only?.split(',') ?? [...found.keys()];
  const unknown = wanted.find((kind) => !found.has(kind));
  if (unknown !== undefined)
    throw new UsageError(`No match asked "${unknown}". Kinds: ${[...found.keys()].join(', ')}.`);
  const rows = readRows(file);
  const known = new Set(rows.map(({ form, kind, place }) => [form, kind, place].join()));
  // The forms of one question follow each other, so that a local server reads the prompt that they share once.
  for (const kind of wanted)
    for (const [place, question] of (found.get(kind) ?? []).slice(0, most).entries())
      for (const form of structuredForms) {
        if (known.has([form, kind, place].join())) continue;
        const row = { form, kind, place, ...(await askInForm(question, form, options)) };
        appendRow(file, row);
        rows.push(row);
      }
  io.stdout.write(`${renderFormShares(rows.filter(({ kind }) => wanted.includes(kind)))}\n`);
}

if (import.meta.main) await runScript(runForms);
