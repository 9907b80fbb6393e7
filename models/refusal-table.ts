// How vendors say that they refuse a prompt or an answer by policy: one table for all providers and all who ask models.
// docs/reference/providers.md lists the vendors.

/** Who refused, and for what, in the vendor's own term where it gives one. */
export interface Refusal {
  vendor: string;
  category: string;
}

/** What an error response says. */
export interface ErrorEvidence {
  /** HTTP status; null where the error came with status 200. */
  status: number | null;
  /** Codes, types and the like, at every level of the body. */
  codes: readonly string[];
  words: string;
  /** What a moderation service found, as OpenRouter and Azure list it. */
  reasons: readonly string[];
}

interface RefusalRow {
  vendor: string;
  /** Codes of errors. */
  codes?: RegExp;
  /** Words of errors. */
  words?: RegExp;
  /** Why an answer ended, in a response with status 200. */
  endings?: RegExp;
  /** Where the vendor names none; by default the code or the ending itself. */
  category?: string;
  /** Finds the category in the words. */
  categoryIn?: RegExp;
}

/** The first row that fits counts: those with words of their own stand before those with words that several use. */
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

/** Of any vendor: codes and endings that several use. */
const common = {
  codes:
    /^(?:content_filter(?:ed)?|content[_ ]policy[_ ]violation\w*|ContentPolicyViolationError|content_moderation|moderation_blocked|guardrail\w*)$/i,
  endings:
    /^(?:content_filter(?:ed)?|safety|blocked|moderation|flagged|prohibited_content|blocklist|spii|jailbreak|model_armor|guardrail\w*)(?::.*)?$/i,
};

/** Words of policies about content, and of what was done about it. */
const policy =
  /content[ _-]?(?:polic|filter|moderation|safety|management)|\bmoderat(?:ion|ed)\b|\bguardrails?\b|safety (?:system|filter|check|polic|setting|classifier|model)|(?:usage|acceptable use) (?:polic|guideline)|(?:unsafe|sensitive|inappropriate|harmful|prohibited|disallowed|risky) (?:content|input|output|text|prompt)/i;
const measure =
  /\b(?:block|flag|filter|reject|refus|violat|detect|interven|trigger|stopp)\w*|\bunsafe\b|\binappropriate\b|\bnot allowed\b|\bdisallowed\b|\bprohibited\b|\bcontains?\b/i;

/** Words that speak of the one who asks, or of the request's form, and not of what the prompt says. */
const otherThanContent =
  /\b(?:account|organi[sz]ation|team|workspace|project|user|api[- ]?key|credentials?|token|permissions?|subscription|billing|credits?|suspended|disabled|banned|deactivated|terminated|parameter|field|argument|identifier|unsupported|not (?:supported|available|enabled|found))\b/i;

/** With others the words are not about content: no key, no money, no such model, too large, trouble of the server. */
const statuses: readonly (number | null)[] = [null, 400, 403, 406, 421, 422, 451];

/** "Unavailable for legal reasons". */
const legal = 451;

/** In characters. */
const longestCategory = 100;

/**
 * The refusal that an error speaks of; null where it is another error. `server`: the vendor where the words are those of several.
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
 * The refusal that the end of an answer speaks of; null where it is another end.
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

/** The provider's name in a model string → the vendor's. */
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

/** Of the hosts that people name as baseUrl. */
const hosts: readonly [RegExp, string][] = [
  [/(?:^|\.)openai\.azure\.com$/, 'azure-openai'],
  [/(?:^|\.)openrouter\.ai$/, 'openrouter'],
  [/(?:^|\.)aliyuncs\.com$/, 'dashscope'],
];

function getVendorName(server: string): string {
  const host = server.replace(/:\d+$/, '');
  return vendorNames[server] ?? vendorNames[hosts.find(([pattern]) => pattern.test(host))?.[1] ?? ''] ?? server;
}
