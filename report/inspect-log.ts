// Matches as an evaluation log of Inspect (inspect.aisi.org.uk), which `inspect view` opens. A match is a sample, its
// messages are everything that all players heard, and its scores are the verdicts on statements. The log has the fields
// of version 2 of the format, in which every field is required. Unknown values are null.
import type { MatchTables } from '../deception/tables/match-tables.ts';
import { describeEnding, describeEvent } from './game-text.ts';
import type { ChatMessage, RecordedChatCall } from './recorded-chat.ts';
import { type GameEvent, isEventOfType } from '../state/events.ts';
import { readPublicStatement } from '../state/public-statements.ts';
import type { Manifest } from '../state/record.ts';

/** Version of the log's format, and the commit of Inspect whose schema the fields were taken from. */
export const inspectFormat = { version: 2, commit: '001af7256afc6cff2efd81ffb45a46f92faf648f' } as const;

/** A match with everything that a sample shows. */
export interface InspectMatch {
  manifest: Manifest;
  events: readonly GameEvent[];
  tables: MatchTables;
  calls: readonly RecordedChatCall[];
}

const createNulls = (...names: string[]): Record<string, null> => Object.fromEntries(names.map((name) => [name, null]));

const createGenerateConfig = () =>
  createNulls(
    ...[
      'max_retries',
      'timeout',
      'max_connections',
      'system_message',
      'max_tokens',
      'top_p',
      'temperature',
      'stop_seqs',
    ],
    ...['best_of', 'frequency_penalty', 'presence_penalty', 'logit_bias', 'seed', 'top_k', 'num_choices', 'logprobs'],
    ...['top_logprobs', 'parallel_tool_calls', 'internal_tools', 'max_tool_output', 'cache_prompt', 'reasoning_effort'],
    ...['reasoning_tokens', 'reasoning_summary', 'reasoning_history', 'response_schema', 'extra_body', 'batch'],
  );

const createEvalConfig = () =>
  createNulls(
    ...['limit', 'sample_id', 'sample_shuffle', 'epochs', 'epochs_reducer', 'approval', 'fail_on_error'],
    ...['continue_on_fail', 'retry_on_error', 'message_limit', 'token_limit', 'time_limit', 'working_limit'],
    ...['max_samples', 'max_tasks', 'max_subprocesses', 'max_sandboxes', 'sandbox_cleanup', 'log_samples'],
    ...['log_realtime', 'log_images', 'log_buffer', 'log_shared', 'score_display'],
  );

type Metadata = Record<string, unknown> | null;

const createMessage = (
  { role, content }: ChatMessage,
  {
    id = null,
    source = null,
    metadata = null,
    model = null,
  }: { id?: string | null; source?: 'input' | 'generate' | null; metadata?: Metadata; model?: string | null } = {},
) => ({
  ...{ id, content, source, metadata, role },
  ...(role === 'assistant' && { tool_calls: null, model }),
  ...(role === 'user' && { tool_call_id: null }),
});

interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  input_tokens_cache_write: number | null;
  input_tokens_cache_read: number | null;
  reasoning_tokens: number | null;
}

const addKnown = (one: number | null, other: number | null) =>
  one === null && other === null ? null : (one ?? 0) + (other ?? 0);

/** Adds up tokens by model, over the calls that report them. */
function sumUsage(calls: readonly RecordedChatCall[]): Record<string, Usage> {
  const sums = new Map<string, Usage>();
  for (const { answer } of calls) {
    const usage = readUsage(answer.tokens);
    const before = sums.get(answer.model);
    if (usage === null) continue;
    sums.set(
      answer.model,
      before === undefined
        ? usage
        : {
            input_tokens: before.input_tokens + usage.input_tokens,
            output_tokens: before.output_tokens + usage.output_tokens,
            total_tokens: before.total_tokens + usage.total_tokens,
            input_tokens_cache_write: addKnown(before.input_tokens_cache_write, usage.input_tokens_cache_write),
            input_tokens_cache_read: addKnown(before.input_tokens_cache_read, usage.input_tokens_cache_read),
            reasoning_tokens: addKnown(before.reasoning_tokens, usage.reasoning_tokens),
          },
    );
  }
  return Object.fromEntries(sums);
}

function readUsage(tokens: RecordedChatCall['answer']['tokens']): Usage | null {
  if (tokens === null) return null;
  return {
    ...{ input_tokens: tokens.in, output_tokens: tokens.out, total_tokens: tokens.in + tokens.out },
    input_tokens_cache_write: tokens.written ?? null,
    input_tokens_cache_read: tokens.cached,
    reasoning_tokens: tokens.reasoning,
  };
}

const createOutput = (model: string, content: string, usage: Usage | null, seconds: number | null) => ({
  model,
  choices: [
    {
      message: createMessage({ role: 'assistant', content }, { source: 'generate', model }),
      ...{ stop_reason: 'stop', logprobs: null },
    },
  ],
  ...{ completion: content, usage, time: seconds, metadata: null, error: null },
});

/** Creates an event of the transcript for a call whose answer was said in public. */
function createModelEvent({ answer, messages, isImported }: RecordedChatCall, started: number) {
  const at = new Date(answer.started_at);
  const seconds = isImported ? null : answer.ms / 1000;
  return {
    ...{
      uuid: null,
      span_id: null,
      timestamp: at.toISOString(),
      working_start: Math.max(0, (at.getTime() - started) / 1000),
    },
    metadata: {
      round: answer.round,
      step: answer.step,
      action: answer.action,
      player: answer.player,
      attempt: answer.attempt,
    },
    ...{ pending: null, event: 'model', model: answer.model, role: answer.player },
    input: (messages ?? []).map((one) => createMessage(one, { source: 'input' })),
    ...{ tools: [], tool_choice: 'none', config: createGenerateConfig() },
    output: createOutput(answer.model, answer.raw, readUsage(answer.tokens), seconds),
    ...{ retries: isImported ? null : answer.retries, error: answer.error ?? null, cache: null, call: null },
    completed: seconds === null ? null : new Date(at.getTime() + answer.ms).toISOString(),
    working_time: seconds,
  };
}

/** Returns whether an answer was said in public and both its question and its time are recorded. */
const isPublicCall = ({ answer, messages }: RecordedChatCall) =>
  messages !== null &&
  ['debate', 'vote', 'campaign', 'recommend', 'pk_debate'].includes(answer.action) &&
  answer.started_at !== '';

function createSample({ manifest, events, tables, calls }: InspectMatch) {
  const { players, models } = manifest.setup;
  const roles = new Map(players.map(({ name, role }) => [name, role]));
  const who = (name: string) => `${name} (${roles.get(name) ?? 'unknown'})`;
  const rows = new Map(tables.statements.map((row) => [row.statement, row]));
  const ended = events.find(isEventOfType('ended'));
  const told = events.flatMap((event) => {
    if (event.audience !== 'everyone') return [];
    const said = readPublicStatement(event);
    if (said === null) {
      const sentence = event.type === 'ended' ? describeEnding(event) : describeEvent(event, who);
      return sentence === null ? [] : [createMessage({ role: 'user', content: sentence })];
    }
    const row = rows.get(said.id);
    return [
      createMessage(
        { role: 'assistant', content: `${who(said.by)}: ${said.text}` },
        {
          id: `s${said.id}`,
          model: models[said.by] ?? null,
          metadata: { speaker: said.by, verdict: row?.verdict ?? null },
        },
      ),
    ];
  });
  const shown = calls.filter(isPublicCall);
  const started = Math.min(...shown.map(({ answer }) => new Date(answer.started_at).getTime()));
  const outcome = ended?.winner ?? 'nobody';
  return {
    ...{ id: manifest.id, epoch: 1 },
    input: `A match of Werewolf on the board ${manifest.setup.board.name}: ${players.map(({ name, role }) => `${name} is the ${role}, played by ${models[name] ?? 'unknown'}`).join('; ')}.`,
    ...{ choices: null, target: '', sandbox: null, files: null, setup: null },
    messages: told,
    output: createOutput('wolfgraph', outcome, null, null),
    scores: { winner: createScore(outcome, null, {}), ...createStatementScores(tables) },
    metadata: {
      ...{ board: manifest.setup.board.name, seed: manifest.setup.seed, rules: manifest.setup.rules },
      ...{ players: players.map(({ name, role, team }) => ({ name, role, team, model: models[name] ?? null })) },
    },
    ...{ store: {}, events: shown.map((call) => createModelEvent(call, started)), model_usage: sumUsage(calls) },
    ...createNulls('total_time', 'working_time', 'uuid', 'error', 'error_retries', 'limit'),
    attachments: {},
  };
}

const createScore = (
  value: string | number | boolean,
  explanation: string | null,
  metadata: Record<string, unknown>,
  answer: string | null = null,
) => ({
  ...{ history: [], value, answer, explanation, metadata },
});

/** Creates a score for each statement with a label: whether it is a verified lie. */
function createStatementScores({ statements, claims }: MatchTables) {
  const claimsOf = Map.groupBy(claims, ({ statement }) => statement);
  return Object.fromEntries(
    statements
      .filter(({ is_lie: isLie }) => isLie !== null)
      .map((row) => [
        `s${row.statement}`,
        createScore(
          row.is_lie === true ? 'lie' : 'no lie',
          (claimsOf.get(row.statement) ?? [])
            .map(({ type, words, verdict }) => `${type} “${words}”: ${verdict}`)
            .join('; '),
          {
            speaker: row.speaker,
            role: row.role,
            team: row.team,
            model: row.model,
            kind: row.kind,
            verdict: row.verdict,
          },
          row.text,
        ),
      ]),
  );
}

/** A log of Inspect. `created` and `task_id` form the name of its file. */
export interface InspectLog extends Record<string, unknown> {
  eval: { created: string; task_id: string } & Record<string, unknown>;
}

/**
 * Returns the log of some matches. The same matches give the same bytes, because all times in the log are those of the
 * matches. Throws a RangeError if `matches` is empty.
 *
 * @example JSON.stringify(buildInspectLog([match], { name: 'runs', claimsBy: 'rules' }))
 */
export function buildInspectLog(
  matches: readonly InspectMatch[],
  { name, claimsBy }: { name: string; claimsBy: string },
): InspectLog {
  const [first] = matches;
  if (first === undefined) throw new RangeError('matches is empty, but a log of Inspect needs at least one match.');
  const times = matches.map(({ manifest }) => manifest.made_by.created_at).sort();
  const [created = ''] = times;
  const usage = matches.map(({ calls }) => sumUsage(calls));
  const models = [...new Set(matches.flatMap(({ manifest }) => Object.values(manifest.setup.models)))].sort();
  const samples = matches.map(createSample);
  const id = first.manifest.id;
  return {
    version: inspectFormat.version,
    status: 'success',
    eval: {
      ...{
        eval_set_id: null,
        eval_id: id,
        run_id: id,
        created,
        task: `wolfgraph/${name}`,
        task_id: id,
        task_version: 0,
      },
      ...createNulls('task_file', 'task_display_name', 'task_registry_name'),
      ...{ task_attribs: {}, task_args: {}, task_args_passed: {}, solver: null, solver_args: null, tags: ['werewolf'] },
      dataset: {
        ...{ name, location: null, samples: samples.length, sample_ids: samples.map((one) => one.id), shuffled: false },
      },
      ...{ sandbox: null, model: models.join(','), model_generate_config: createGenerateConfig() },
      ...{ model_base_url: null, model_args: {}, model_roles: null, config: createEvalConfig(), revision: null },
      packages: { wolfgraph: first.manifest.made_by.wolfgraph },
      metadata: { claims_by: claimsBy, inspect_schema_commit: inspectFormat.commit },
      ...{ scorers: null, metrics: null },
    },
    plan: { name: 'plan', steps: [], finish: null, config: createGenerateConfig() },
    results: { total_samples: samples.length, completed_samples: samples.length, scores: [], metadata: null },
    stats: { started_at: created, completed_at: times.at(-1) ?? created, model_usage: mergeUsage(usage) },
    ...{ error: null, samples, reductions: null },
  };
}

function mergeUsage(all: readonly Record<string, Usage>[]): Record<string, Usage> {
  const names = [...new Set(all.flatMap((one) => Object.keys(one)))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const some = all.flatMap((one) => one[name] ?? []);
      const add = (key: keyof Usage) => some.map((one) => one[key]).reduce(addKnown, null);
      return [
        name,
        {
          input_tokens: add('input_tokens') ?? 0,
          output_tokens: add('output_tokens') ?? 0,
          total_tokens: add('total_tokens') ?? 0,
          input_tokens_cache_write: add('input_tokens_cache_write'),
          input_tokens_cache_read: add('input_tokens_cache_read'),
          reasoning_tokens: add('reasoning_tokens'),
        },
      ];
    }),
  );
}
