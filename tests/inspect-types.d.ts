// Types of Inspect's messages, events, outputs, token counts and scores, which Inspect's authors generate from its own
// models: the npm package @meridianlabs/inspect-scout-viewer 0.4.10 (MIT license, Meridian Labs), lib/types/generated.d.ts,
// without comments and without what these types do not need.
/* eslint-disable @typescript-eslint/no-redundant-type-constituents */
export type JsonValue = null | boolean | number | string | unknown[] | { [key: string]: unknown };
export interface components {
  schemas: {
    BatchConfig: {
      max_batches: number | null;
      max_consecutive_check_failures: number | null;
      max_size: number | null;
      send_delay: number | null;
      size: number | null;
      tick: number | null;
    };
    CachePolicy: {
      expiry: string | null;
      per_epoch: boolean;
      scopes: {
        [key: string]: string;
      };
    };
    ChatCompletionChoice: {
      logprobs: components['schemas']['Logprobs'] | null;
      message: components['schemas']['ChatMessageAssistant'];
      stop_reason: 'stop' | 'max_tokens' | 'model_length' | 'tool_calls' | 'content_filter' | 'unknown';
    };
    ChatMessageAssistant: {
      content:
        | string
        | (
            | components['schemas']['ContentText']
            | components['schemas']['ContentReasoning']
            | components['schemas']['ContentImage']
            | components['schemas']['ContentAudio']
            | components['schemas']['ContentVideo']
            | components['schemas']['ContentData']
            | components['schemas']['ContentToolUse']
            | components['schemas']['ContentDocument']
          )[];
      id: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      model: string | null;
      role: 'assistant';
      source: ('input' | 'generate') | null;
      tool_calls: components['schemas']['ToolCall'][] | null;
    };
    ChatMessageSystem: {
      content:
        | string
        | (
            | components['schemas']['ContentText']
            | components['schemas']['ContentReasoning']
            | components['schemas']['ContentImage']
            | components['schemas']['ContentAudio']
            | components['schemas']['ContentVideo']
            | components['schemas']['ContentData']
            | components['schemas']['ContentToolUse']
            | components['schemas']['ContentDocument']
          )[];
      id: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      role: 'system';
      source: ('input' | 'generate') | null;
    };
    ChatMessageTool: {
      content:
        | string
        | (
            | components['schemas']['ContentText']
            | components['schemas']['ContentReasoning']
            | components['schemas']['ContentImage']
            | components['schemas']['ContentAudio']
            | components['schemas']['ContentVideo']
            | components['schemas']['ContentData']
            | components['schemas']['ContentToolUse']
            | components['schemas']['ContentDocument']
          )[];
      error: components['schemas']['ToolCallError'] | null;
      function: string | null;
      id: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      role: 'tool';
      source: ('input' | 'generate') | null;
      tool_call_id: string | null;
    };
    ChatMessageUser: {
      content:
        | string
        | (
            | components['schemas']['ContentText']
            | components['schemas']['ContentReasoning']
            | components['schemas']['ContentImage']
            | components['schemas']['ContentAudio']
            | components['schemas']['ContentVideo']
            | components['schemas']['ContentData']
            | components['schemas']['ContentToolUse']
            | components['schemas']['ContentDocument']
          )[];
      id: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      role: 'user';
      source: ('input' | 'generate') | null;
      tool_call_id: string[] | null;
    };
    ContentAudio: {
      audio: string;
      format: 'wav' | 'mp3';
      internal: components['schemas']['JsonValue'] | null;
      type: 'audio';
    };
    ContentCitation: {
      cited_text: string | number[] | null;
      internal: {
        [key: string]: components['schemas']['JsonValue'];
      } | null;
      title: string | null;
      type: 'content';
    };
    ContentData: {
      data: {
        [key: string]: components['schemas']['JsonValue'];
      };
      internal: components['schemas']['JsonValue'] | null;
      type: 'data';
    };
    ContentDocument: {
      document: string;
      filename: string;
      internal: components['schemas']['JsonValue'] | null;
      mime_type: string;
      type: 'document';
    };
    ContentImage: {
      detail: 'auto' | 'low' | 'high';
      image: string;
      internal: components['schemas']['JsonValue'] | null;
      type: 'image';
    };
    ContentReasoning: {
      internal: components['schemas']['JsonValue'] | null;
      reasoning: string;
      redacted: boolean;
      signature: string | null;
      summary: string | null;
      type: 'reasoning';
    };
    ContentText: {
      citations:
        | (
            | components['schemas']['ContentCitation']
            | components['schemas']['DocumentCitation']
            | components['schemas']['UrlCitation']
          )[]
        | null;
      internal: components['schemas']['JsonValue'] | null;
      refusal: boolean | null;
      text: string;
      type: 'text';
    };
    ContentToolUse: {
      arguments: string;
      context: string | null;
      error: string | null;
      id: string;
      internal: components['schemas']['JsonValue'] | null;
      name: string;
      result: string;
      tool_type: 'web_search' | 'mcp_call' | 'code_execution';
      type: 'tool_use';
    };
    ContentVideo: {
      format: 'mp4' | 'mpeg' | 'mov';
      internal: components['schemas']['JsonValue'] | null;
      type: 'video';
      video: string;
    };
    DocumentCitation: {
      cited_text: string | number[] | null;
      internal: {
        [key: string]: components['schemas']['JsonValue'];
      } | null;
      range: components['schemas']['DocumentRange'] | null;
      title: string | null;
      type: 'document';
    };
    DocumentRange: {
      end_index: number;
      start_index: number;
      type: 'block' | 'page' | 'char';
    };
    GenerateConfig: {
      attempt_timeout: number | null;
      batch: boolean | number | components['schemas']['BatchConfig'] | null;
      best_of: number | null;
      cache: boolean | components['schemas']['CachePolicy'] | null;
      cache_prompt: 'auto' | boolean | null;
      effort: ('low' | 'medium' | 'high') | null;
      extra_body: {
        [key: string]: unknown;
      } | null;
      frequency_penalty: number | null;
      internal_tools: boolean | null;
      logit_bias: {
        [key: string]: number;
      } | null;
      logprobs: boolean | null;
      max_connections: number | null;
      max_retries: number | null;
      max_tokens: number | null;
      max_tool_output: number | null;
      num_choices: number | null;
      parallel_tool_calls: boolean | null;
      presence_penalty: number | null;
      reasoning_effort: ('none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh') | null;
      reasoning_history: ('none' | 'all' | 'last' | 'auto') | null;
      reasoning_summary: ('none' | 'concise' | 'detailed' | 'auto') | null;
      reasoning_tokens: number | null;
      response_schema: components['schemas']['ResponseSchema'] | null;
      seed: number | null;
      stop_seqs: string[] | null;
      system_message: string | null;
      temperature: number | null;
      timeout: number | null;
      top_k: number | null;
      top_logprobs: number | null;
      top_p: number | null;
      verbosity: ('low' | 'medium' | 'high') | null;
    };
    JSONSchema: {
      additionalProperties: components['schemas']['JSONSchema'] | boolean | null;
      anyOf: components['schemas']['JSONSchema'][] | null;
      default: unknown;
      description: string | null;
      enum: unknown[] | null;
      format: string | null;
      items: components['schemas']['JSONSchema'] | null;
      properties: {
        [key: string]: components['schemas']['JSONSchema'];
      } | null;
      required: string[] | null;
      type:
        | ('string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null')
        | ('string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null')[]
        | null;
    };
    JsonValue: JsonValue;
    Logprob: {
      bytes: number[] | null;
      logprob: number;
      token: string;
      top_logprobs: components['schemas']['TopLogprob'][] | null;
    };
    Logprobs: {
      content: components['schemas']['Logprob'][];
    };
    ModelCall: {
      request: {
        [key: string]: components['schemas']['JsonValue'];
      };
      response: {
        [key: string]: components['schemas']['JsonValue'];
      };
      time: number | null;
    };
    ModelEvent: {
      cache: ('read' | 'write') | null;
      call: components['schemas']['ModelCall'] | null;
      completed: string | null;
      config: components['schemas']['GenerateConfig'];
      error: string | null;
      event: 'model';
      input: (
        | components['schemas']['ChatMessageSystem']
        | components['schemas']['ChatMessageUser']
        | components['schemas']['ChatMessageAssistant']
        | components['schemas']['ChatMessageTool']
      )[];
      metadata: {
        [key: string]: unknown;
      } | null;
      model: string;
      output: components['schemas']['ModelOutput'];
      pending: boolean | null;
      retries: number | null;
      role: string | null;
      span_id: string | null;
      timestamp: string;
      tool_choice: ('auto' | 'any' | 'none') | components['schemas']['ToolFunction'];
      tools: components['schemas']['ToolInfo'][];
      uuid: string | null;
      working_start: number;
      working_time: number | null;
    };
    ModelOutput: {
      choices: components['schemas']['ChatCompletionChoice'][];
      completion: string;
      error: string | null;
      metadata: {
        [key: string]: unknown;
      } | null;
      model: string;
      time: number | null;
      usage: components['schemas']['ModelUsage'] | null;
    };
    ModelUsage: {
      input_tokens: number;
      input_tokens_cache_read: number | null;
      input_tokens_cache_write: number | null;
      output_tokens: number;
      reasoning_tokens: number | null;
      total_tokens: number;
    };
    ProvenanceData: {
      author: string;
      metadata: {
        [key: string]: unknown;
      };
      reason: string | null;
      timestamp: string;
    };
    ResponseSchema: {
      description: string | null;
      json_schema: components['schemas']['JSONSchema'];
      name: string;
      strict: boolean | null;
    };
    Score: {
      answer: string | null;
      explanation: string | null;
      history: components['schemas']['ScoreEdit'][];
      metadata: {
        [key: string]: unknown;
      } | null;
      value:
        | string
        | number
        | boolean
        | (string | number | boolean)[]
        | {
            [key: string]: string | number | boolean | null;
          };
    };
    ScoreEdit: {
      answer: string | 'UNCHANGED' | null;
      explanation: string | 'UNCHANGED' | null;
      metadata:
        | {
            [key: string]: unknown;
          }
        | 'UNCHANGED';
      provenance: components['schemas']['ProvenanceData'] | null;
      value:
        | string
        | number
        | boolean
        | (string | number | boolean)[]
        | {
            [key: string]: string | number | boolean | null;
          }
        | 'UNCHANGED';
    };
    ToolCall: {
      arguments: {
        [key: string]: unknown;
      };
      function: string;
      id: string;
      parse_error: string | null;
      type: 'function' | 'custom';
      view: components['schemas']['ToolCallContent'] | null;
    };
    ToolCallContent: {
      content: string;
      format: 'text' | 'markdown';
      title: string | null;
    };
    ToolCallError: {
      message: string;
      type:
        | 'parsing'
        | 'timeout'
        | 'unicode_decode'
        | 'permission'
        | 'file_not_found'
        | 'is_a_directory'
        | 'limit'
        | 'approval'
        | 'unknown'
        | 'output_limit';
    };
    ToolFunction: {
      name: string;
    };
    ToolInfo: {
      description: string;
      name: string;
      options: {
        [key: string]: unknown;
      } | null;
      parameters: components['schemas']['ToolParams'];
    };
    ToolParams: {
      additionalProperties: components['schemas']['JSONSchema'] | boolean | null;
      properties: {
        [key: string]: components['schemas']['JSONSchema'];
      };
      required: string[];
      type: 'object';
    };
    TopLogprob: {
      bytes: number[] | null;
      logprob: number;
      token: string;
    };
    UrlCitation: {
      cited_text: string | number[] | null;
      internal: {
        [key: string]: components['schemas']['JsonValue'];
      } | null;
      title: string | null;
      type: 'url';
      url: string;
    };
  };
}
