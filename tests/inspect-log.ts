// The fields of a log of Inspect, version 2, as its log-schema.json at the commit of `inspectFormat` requires them: all
// fields, and no others. This schema is narrower than log-schema.json where the project's logs use only some of the
// allowed values, and nowhere wider: the two schemas were compared field by field.
import { z } from 'zod';

const createNulls = (names: string) =>
  z.strictObject(Object.fromEntries(names.split(' ').map((name) => [name, z.null()])));
const generateConfig = createNulls(
  'max_retries timeout max_connections system_message max_tokens top_p temperature stop_seqs best_of frequency_penalty presence_penalty logit_bias seed top_k num_choices logprobs top_logprobs parallel_tool_calls internal_tools max_tool_output cache_prompt reasoning_effort reasoning_tokens reasoning_summary reasoning_history response_schema extra_body batch',
);
const evalConfig = createNulls(
  'limit sample_id sample_shuffle epochs epochs_reducer approval fail_on_error continue_on_fail retry_on_error message_limit token_limit time_limit working_limit max_samples max_tasks max_subprocesses max_sandboxes sandbox_cleanup log_samples log_realtime log_images log_buffer log_shared score_display',
);
const text = z.string().nullable();
const data = z.record(z.string(), z.unknown());
const message = {
  id: text,
  content: z.string(),
  source: z.enum(['input', 'generate']).nullable(),
  metadata: data.nullable(),
};
const Assistant = z.strictObject({ ...message, role: z.literal('assistant'), tool_calls: z.null(), model: text });
const Message = z.discriminatedUnion('role', [
  z.strictObject({ ...message, role: z.literal('system') }),
  z.strictObject({ ...message, role: z.literal('user'), tool_call_id: z.array(z.string()).nullable() }),
  Assistant,
]);
const whole = z.number().int();
const Usage = z.strictObject({
  ...{ input_tokens: whole, output_tokens: whole, total_tokens: whole },
  ...{
    input_tokens_cache_write: whole.nullable(),
    input_tokens_cache_read: whole.nullable(),
    reasoning_tokens: whole.nullable(),
  },
});
const Output = z.strictObject({
  model: z.string(),
  choices: z.array(z.strictObject({ message: Assistant, stop_reason: z.literal('stop'), logprobs: z.null() })),
  ...{
    completion: z.string(),
    usage: Usage.nullable(),
    time: z.number().nullable(),
    metadata: data.nullable(),
    error: text,
  },
});
const ModelEvent = z.strictObject({
  ...{ uuid: text, span_id: text, timestamp: z.iso.datetime(), working_start: z.number(), metadata: data.nullable() },
  ...{
    pending: z.boolean().nullable(),
    event: z.literal('model'),
    model: z.string(),
    role: text,
    input: z.array(Message),
  },
  ...{ tools: z.array(z.never()), tool_choice: z.literal('none'), config: generateConfig, output: Output },
  ...{
    retries: whole.nullable(),
    error: text,
    cache: z.null(),
    call: z.null(),
    completed: z.iso.datetime().nullable(),
  },
  working_time: z.number().nullable(),
});
const Score = z.strictObject({
  ...{ history: z.array(z.never()), value: z.string(), answer: text, explanation: text, metadata: data },
});
const Sample = z.strictObject({
  ...{
    id: z.string(),
    epoch: whole,
    input: z.string(),
    choices: z.null(),
    target: z.string(),
    sandbox: z.null(),
    files: z.null(),
  },
  ...{
    setup: z.null(),
    messages: z.array(Message),
    output: Output,
    scores: z.record(z.string(), Score),
    metadata: data,
  },
  ...{ store: data, events: z.array(ModelEvent), model_usage: z.record(z.string(), Usage), total_time: z.null() },
  ...{
    working_time: z.null(),
    uuid: text,
    error: z.null(),
    error_retries: z.null(),
    attachments: z.record(z.string(), z.string()),
    limit: z.null(),
  },
});
export const InspectLog = z.strictObject({
  ...{ version: z.literal(2), status: z.literal('success') },
  eval: z.strictObject({
    ...{
      eval_set_id: text,
      eval_id: z.string(),
      run_id: z.string(),
      created: z.string(),
      task: z.string(),
      task_id: z.string(),
    },
    ...{ task_version: whole, task_file: text, task_display_name: text, task_registry_name: text, task_attribs: data },
    ...{ task_args: data, task_args_passed: data, solver: text, solver_args: z.null(), tags: z.array(z.string()) },
    dataset: z.strictObject({
      ...{ name: text, location: text, samples: whole, sample_ids: z.array(z.string()), shuffled: z.boolean() },
    }),
    ...{
      sandbox: z.null(),
      model: z.string(),
      model_generate_config: generateConfig,
      model_base_url: text,
      model_args: data,
    },
    ...{ model_roles: z.null(), config: evalConfig, revision: z.null(), packages: z.record(z.string(), z.string()) },
    ...{ metadata: data, scorers: z.null(), metrics: z.null() },
  }),
  plan: z.strictObject({ name: z.string(), steps: z.array(z.never()), finish: z.null(), config: generateConfig }),
  results: z.strictObject({
    total_samples: whole,
    completed_samples: whole,
    scores: z.array(z.never()),
    metadata: z.null(),
  }),
  stats: z.strictObject({ started_at: z.string(), completed_at: z.string(), model_usage: z.record(z.string(), Usage) }),
  ...{ error: z.null(), samples: z.array(Sample), reductions: z.null() },
});
export type InspectLog = z.infer<typeof InspectLog>;
