// Responses in which vendors' servers refuse a prompt, and responses that look similar. All have real messages in the
// vendor's format.

/** An error status, or status 200 with an error in its body. */
export interface VendorError {
  status: number;
  body: object;
}

const ofOpenAI = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', param: null, code: 'invalid_request_error', ...more },
});
const ofAnthropic = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } });
const ofOpenRouter = (message: string, metadata: object, code = 403) => ({ error: { message, code, metadata } });

/** [source of the message, recorded vendor, category, error]. */
export const refusals: readonly [name: string, vendor: string, category: string, error: VendorError][] = [
  ['DeepSeek', 'DeepSeek', 'content risk', { status: 400, body: ofOpenAI('Content Exists Risk') }],
  [
    'Alibaba, by its code',
    'Alibaba',
    'data inspection',
    { status: 400, body: ofOpenAI('Unsuitable.', { code: 'data_inspection_failed' }) },
  ],
  [
    'Alibaba, by its words',
    'Alibaba',
    'data inspection',
    { status: 400, body: ofOpenAI('InternalError.Algo.DataInspectionFailed: the input was found unsuitable.') },
  ],
  [
    'Alibaba, with status 200',
    'Alibaba',
    'data inspection',
    { status: 200, body: ofOpenAI('Unsuitable.', { code: 'data_inspection_failed' }) },
  ],
  [
    'xAI',
    'xAI',
    'SAFETY_CHECK_TYPE_BIO',
    {
      status: 403,
      body: {
        code: 'No permission for the operation that was asked for',
        error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO',
      },
    },
  ],
  [
    'xAI, without a check',
    'xAI',
    'usage guidelines',
    { status: 403, body: { error: 'Content violates usage guidelines.' } },
  ],
  [
    'OpenRouter',
    'OpenRouter',
    'violence',
    {
      status: 403,
      body: ofOpenRouter('The model requires moderation on its host. Your input was flagged for "violence".', {
        reasons: ['violence'],
        flagged_input: 'the beginning',
        provider_name: 'UpstreamOne',
      }),
    },
  ],
  [
    'OpenRouter, with status 200',
    'OpenRouter',
    'violence, self-harm',
    { status: 200, body: ofOpenRouter('Your input was flagged.', { reasons: ['violence', 'self-harm'] }) },
  ],
  [
    'OpenRouter, in the words of its upstream',
    'StepFun',
    'censorship_blocked',
    {
      status: 451,
      body: ofOpenRouter(
        'Provider returned error',
        {
          raw: '{"error":{"message":"The content you provided or machine outputted is blocked.","type":"censorship_blocked"}}',
          provider_name: 'StepFun',
        },
        451,
      ),
    },
  ],
  [
    'Anthropic',
    'Anthropic',
    'output blocked',
    { status: 400, body: ofAnthropic('Output blocked by content filtering policy') },
  ],
  [
    'Bedrock',
    'Bedrock',
    'guardrail',
    { status: 400, body: { message: 'This request has been blocked by our content filters.' } },
  ],
  [
    'Azure',
    'Azure',
    'jailbreak',
    {
      status: 400,
      body: ofOpenAI('The prompt was filtered under the content management policy.', {
        code: 'content_filter',
        innererror: {
          code: 'ResponsibleAIPolicyViolation',
          content_filter_result: { jailbreak: { filtered: true, detected: true }, hate: { filtered: false } },
        },
      }),
    },
  ],
  [
    'OpenAI, by its code',
    'OpenAI',
    'usage policy',
    { status: 400, body: ofOpenAI('Invalid prompt.', { code: 'invalid_prompt' }) },
  ],
  [
    'OpenAI, by another code',
    'OpenAI',
    'usage policy',
    { status: 400, body: ofOpenAI('Flagged as unsafe.', { code: 'content_policy_violation' }) },
  ],
  [
    'Gemini, as an error',
    'Gemini',
    'safety',
    {
      status: 400,
      body: { error: { code: 400, message: 'The prompt was blocked due to safety.', status: 'INVALID_ARGUMENT' } },
    },
  ],
  ['MiniMax', 'MiniMax', 'input new_sensitive', { status: 422, body: ofOpenAI('input new_sensitive (1026)') }],
  [
    'ByteDance',
    'ByteDance',
    'InputTextSensitiveContentDetected',
    {
      status: 400,
      body: ofOpenAI('It may contain sensitive information.', { code: 'InputTextSensitiveContentDetected' }),
    },
  ],
  [
    'Zhipu',
    'Zhipu',
    'sensitive content',
    { status: 400, body: { error: { code: '1301', message: 'Unsafe or sensitive.' } } },
  ],
  [
    'Cloudflare',
    'Cloudflare',
    'guardrail',
    { status: 422, body: { error: { code: 2016, message: 'Prompt blocked due to security configurations' } } },
  ],
];

/** Like `refusals`, for servers without messages of their own. The vendor is the server that was asked. */
export const commonRefusals: readonly [name: string, category: string, error: VendorError][] = [
  [
    'a type that several use',
    'content_filter',
    { status: 421, body: { error: { code: '421', message: 'Moderation Block', type: 'content_filter' } } },
  ],
  [
    'the code of a proxy',
    'ContentPolicyViolationError',
    { status: 400, body: ofOpenAI('No.', { type: 'ContentPolicyViolationError' }) },
  ],
  ['status 451', 'unavailable for legal reasons', { status: 451, body: { error: { message: 'Not here.' } } }],
  [
    'words about moderation',
    'moderation',
    { status: 403, body: { message: 'Request rejected: the input did not pass moderation.' } },
  ],
  [
    'words about a guardrail',
    'guardrail',
    { status: 400, body: ofOpenAI('Guardrail triggered: the prompt was blocked.') },
  ],
  [
    'words about a filter',
    'content filter',
    { status: 400, body: { detail: 'x', message: 'Blocked by the content filter.' } },
  ],
  [
    'words about safety',
    'safety system',
    { status: 422, body: ofOpenAI('Output rejected by our safety system check.') },
  ],
  [
    'words about unsafe input',
    'unsafe input',
    { status: 400, body: ofOpenAI('Unsafe input detected by Llama Guard.') },
  ],
];

/**
 * Errors that are not refusals: of the key, the account, or the form of the request. [case, kind of failure, error].
 */
export const otherErrors: readonly [name: string, kind: string, error: VendorError][] = [
  ['a wrong key', 'final', { status: 401, body: ofOpenAI('Incorrect API key provided.') }],
  ['a key that is refused with 403', 'final', { status: 403, body: ofOpenAI('Your API key was rejected.') }],
  [
    'a team without access',
    'final',
    {
      status: 403,
      body: {
        code: 'No permission for the operation that was asked for',
        error: 'This team has no access to the model.',
      },
    },
  ],
  [
    'an account that was blocked for its policy',
    'final',
    { status: 403, body: ofOpenAI('Your account was blocked for violating our usage policies.') },
  ],
  [
    'an organization that was flagged',
    'final',
    { status: 403, body: ofOpenAI('Your organization has been flagged by our safety system.') },
  ],
  [
    'a key that may not use a guardrail',
    'final',
    { status: 403, body: { message: 'The API key has no permission to use this guardrail; access blocked.' } },
  ],
  ['no money', 'final', { status: 402, body: ofOpenAI('Insufficient credits. Content filter not applied.') }],
  ['an unknown model', 'final', { status: 404, body: ofOpenAI('The model content-filter-x does not exist.') }],
  [
    'a parameter that is not known',
    'bad-request',
    { status: 400, body: ofOpenAI('Unknown parameter: safety_settings is not allowed by the content policy API.') },
  ],
  [
    'a guardrail that is none',
    'bad-request',
    { status: 400, body: { message: 'The guardrail identifier is invalid and was rejected.' } },
  ],
  ['another bad request', 'bad-request', { status: 400, body: ofOpenAI('The deployment was retired.') }],
];
