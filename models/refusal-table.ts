// Refusals by policy in the words of vendors: one table for all providers. docs/reference/providers.md lists the
// vendors.

/** The vendor that refused, and the category in the vendor's own term if it gives one. */
export interface Refusal {
  vendor: string;
  category: string;
}

/** The parts of an error response that may show a refusal. */
export interface ErrorEvidence {
  /** HTTP status; null if the error came with status 200. */
  status: number | null;
  /** Codes, types and similar fields at every level of the body. */
  codes: readonly string[];
  words: string;
  /** Findings of a moderation service, as OpenRouter and Azure list them. */
  reasons: readonly string[];
}

interface RefusalRow {
  vendor: string;
  /** Pattern of error codes. */
  codes?: RegExp;
  /** Pattern of error messages. */
  words?: RegExp;
  /** Pattern of the finish reason, in a response with status 200. */
  endings?: RegExp;
  /** Category to use if the vendor names none. Default: the code or the finish reason. */
  category?: string;
  /** Pattern that finds the category in the message. */
  categoryIn?: RegExp;
}

/**
 * Rows of the table. The first matching row counts, so rows with a vendor's own wording precede rows with shared
 * wording.
 */
const rows: readonly RefusalRow[] = [
  { vendor: 'DeepSeek', words: /Content Exists Risk/i, category: 'content risk' },
  {
    vendor: 'Alibaba',
    codes: /^data_?inspection_?failed$/i,
    words: /DataInspectionFailed|data may contain inappropriate content/i,
    category: 'data inspection',
  },
  {
    vendor: 'xAI',
    words: /\bcontent violates usage guidelines/i,
    category: 'usage guidelines',
    categoryIn: /SAFETY_CHECK_TYPE_\w+/,
  },
  {
    vendor: 'OpenRouter',
    words: /requires moderation|\binput was flagged\b/i,
    category: 'moderation',
    categoryIn: /(?<=flagged for )"[^"]{1,80}"/,
  },
  {
    vendor: 'Anthropic',
    words: /\b(?:output|input|prompt|request) blocked by content filtering policy/i,
    endings: /^refusal$/,
    category: 'output blocked',
  },
  {
    vendor: 'Bedrock',
    codes: /^(?:guardrail_intervened|content_filtered)$/,
    words: /blocked by our content filters?|guardrail[_ ]intervened|blocked by (?:the )?guardrail/i,
    endings: /^(?:guardrail_intervened|content_filtered)$/,
    category: 'guardrail',
  },
  {
    vendor: 'Azure',
    codes: /^ResponsibleAIPolicyViolation$/i,
    words: /content management policy|content_filter_result/i,
    category: 'content filter',
  },
  {
    vendor: 'Gemini',
    codes: /^(?:PROHIBITED_CONTENT|BLOCKED_BY_SAFETY|BLOCK_REASON_\w+)$/,
    words:
      /(?:prompt|response|candidate|content) (?:was |is )?blocked (?:due to|because of|by|for) (?:\w+ )?(?:safety|PROHIBITED_CONTENT|BLOCKLIST|SPII|OTHER)/i,
    endings:
      /^(?:content_filter: ?)?(?:SAFETY|RECITATION|OTHER|PROHIBITED_CONTENT|BLOCKLIST|SPII|LANGUAGE|JAILBREAK|MODEL_ARMOR|(?:IMAGE|BLOCK_REASON)_\w+)$/,
    category: 'safety',
  },
  {
    vendor: 'OpenAI',
    codes: /^(?:content_policy_violation|invalid_prompt|moderation_blocked|safety_violations?|cyber_policy_violation)$/,
    words: /flagged as potentially violating our usage policy|rejected as a result of our safety system/i,
    category: 'usage policy',
  },
  { vendor: 'StepFun', codes: /^censorship_blocked$/, words: /machine outputted is blocked/i },
  { vendor: 'MiniMax', words: /\b(?:in|out)put new_sensitive\b/i, categoryIn: /\b(?:in|out)put new_sensitive\b/i },
  { vendor: 'ByteDance', codes: /SensitiveContentDetected|^ContentRiskBlocked/ },
  { vendor: 'Zhipu', codes: /^1301$/, endings: /^sensitive$/, category: 'sensitive content' },
  { vendor: 'Cohere', endings: /^ERROR_TOXIC$/, words: /blocked output: please try again with a different prompt/i },
  {
    vendor: 'Cloudflare',
    codes: /^201[67]$/,
    words: /\b(?:prompt|response) blocked due to security/i,
    category: 'guardrail',
  },
];

/** Codes and finish reasons that several vendors share. */
const common = {
  codes:
    /^(?:content_filter(?:ed)?|content[_ ]policy[_ ]violation\w*|ContentPolicyViolationError|content_moderation|moderation_blocked|guardrail\w*)$/i,
  endings:
    /^(?:content_filter(?:ed)?|safety|blocked|moderation|flagged|prohibited_content|blocklist|spii|jailbreak|model_armor|guardrail\w*)(?::.*)?$/i,
};

/** Words about content policies and their enforcement. */
const policy =
  /content[ _-]?(?:polic|filter|moderation|safety|management)|\bmoderat(?:ion|ed)\b|\bguardrails?\b|safety (?:system|filter|check|polic|setting|classifier|model)|(?:usage|acceptable use) (?:polic|guideline)|(?:unsafe|sensitive|inappropriate|harmful|prohibited|disallowed|risky) (?:content|input|output|text|prompt)/i;
const measure =
  /\b(?:block|flag|filter|reject|refus|violat|detect|interven|trigger|stopp)\w*|\bunsafe\b|\binappropriate\b|\bnot allowed\b|\bdisallowed\b|\bprohibited\b|\bcontains?\b/i;

/** Words about the account or the request's form, not about the content of the prompt. */
const otherThanContent =
  /\b(?:account|organi[sz]ation|team|workspace|project|user|api[- ]?key|credentials?|token|permissions?|subscription|billing|credits?|suspended|disabled|banned|deactivated|terminated|parameter|field|argument|identifier|unsupported|not (?:supported|available|enabled|found))\b/i;

/**
 * Statuses that can be refusals. Errors with other statuses are not about content: no key, no money, unknown model, too
 * large, server trouble.
 */
const statuses: readonly (number | null)[] = [null, 400, 403, 406, 421, 422, 451];

/** HTTP status "Unavailable for legal reasons". */
const legal = 451;

/** Maximum length of a category in characters. */
const longestCategory = 100;

/**
 * Returns the refusal that an error reports; null for other errors. `server`: name of the vendor if several vendors
 * share the wording.
 *
 * @example
 * findErrorRefusal({ status: 400, codes: [], words: 'Content Exists Risk', reasons: [] }, 'deepseek');
 * // { vendor: 'DeepSeek', category: 'content risk' }
 */
export function findErrorRefusal(evidence: ErrorEvidence, server: string): Refusal | null {
  const { status, codes, words, reasons } = evidence;
  if (!statuses.includes(status)) return null;
  for (const row of rows) {
    const code = row.codes && codes.find((one) => row.codes!.test(one));
    if (code === undefined && !row.words?.test(words)) continue;
    const told = reasons.join(', ') || row.categoryIn?.exec(words)?.[0].replaceAll('"', '');
    return createRefusal(row.vendor, told ?? row.category ?? code ?? 'refused');
  }
  const code = codes.find((one) => common.codes.test(one));
  if (code !== undefined || reasons.length > 0 || status === legal)
    return createRefusal(getVendorName(server), reasons.join(', ') || (code ?? 'unavailable for legal reasons'));
  const isOfContent = policy.test(words) && measure.test(words) && !otherThanContent.test(words);
  return status !== null && isOfContent
    ? createRefusal(getVendorName(server), policy.exec(words)![0].toLowerCase())
    : null;
}

/**
 * Returns the refusal that a finish reason reports; null for other reasons.
 *
 * @example findEndingRefusal('RECITATION', 'google-genai') // { vendor: 'Gemini', category: 'RECITATION' }
 */
export function findEndingRefusal(ending: string | null, server: string): Refusal | null {
  if (ending === null) return null;
  const row = rows.find(({ endings }) => endings?.test(ending));
  if (row) return createRefusal(row.vendor, ending.replace(/^content_filter: ?/, ''));
  return common.endings.test(ending) ? createRefusal(getVendorName(server), ending) : null;
}

const createRefusal = (vendor: string, category: string): Refusal => ({
  vendor,
  category: category.slice(0, longestCategory),
});

/** Provider's name in a model string → name of the vendor. */
const vendorNames: Readonly<Record<string, string>> = {
  anthropic: 'Anthropic',
  'azure-openai': 'Azure',
  bedrock: 'Bedrock',
  cerebras: 'Cerebras',
  cohere: 'Cohere',
  dashscope: 'Alibaba',
  deepseek: 'DeepSeek',
  fireworks: 'Fireworks',
  'google-genai': 'Gemini',
  groq: 'Groq',
  langsmith: 'LangSmith',
  mistralai: 'Mistral',
  ollama: 'Ollama',
  openai: 'OpenAI',
  openrouter: 'OpenRouter',
  perplexity: 'Perplexity',
  together: 'Together',
  vertexai: 'Gemini',
  xai: 'xAI',
};

/** Vendors' hosts that people give as baseUrl → provider. */
const hosts: readonly [RegExp, string][] = [
  [/(?:^|\.)openai\.azure\.com$/, 'azure-openai'],
  [/(?:^|\.)openrouter\.ai$/, 'openrouter'],
  [/(?:^|\.)aliyuncs\.com$/, 'dashscope'],
];

function getVendorName(server: string): string {
  const host = server.replace(/:\d+$/, '');
  return vendorNames[server] ?? vendorNames[hosts.find(([pattern]) => pattern.test(host))?.[1] ?? ''] ?? server;
}
