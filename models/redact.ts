// Replaces keys and tokens by "[redacted]" in everything that is written or shown.

/**
 * Builds a lookahead for text that cannot be ordinary words: within a few characters it has a digit, a capital or a
 * `sign`, or it has more letters than any word.
 */
const buildNonWordPattern = (joint: string, sign: string) =>
  String.raw`(?=[a-z${joint}]{0,40}[A-Z\d${sign}]|(?:[a-z]+-)?[a-z]{20})`;

const begin = '-----BEGIN [A-Z ]*PRIVATE KEY-----';
const end = '-----END [A-Z ]*PRIVATE KEY-----';
/**
 * Pattern of white space, of line ends as written in JSON, HTML and addresses, and of the marks before quoted lines.
 */
const gap = String.raw`(?:\\[nr]|[\s\\>|]|<br ?\/?>|%0[AaDd])`;
const header = String.raw`${gap}+[A-Z][\w-]*: ?[\w,-]+(?=${gap})`;
/** Pattern of the quotes around a value, also of the escaped quotes in JSON within JSON. */
const quotes = String.raw`["'\\]{0,4}`;

const base64 = String.raw`[A-Za-z\d+/=]`;

/**
 * Text after the opening of a private key: the whole key, or its lines up to where it was cut. An opening without such
 * text is ordinary text.
 */
const keyBody = [
  String.raw`(?:${header})*[A-Za-z\d+/=\s\\<>|%]*${end}`,
  `(?:${header})*${gap}*${base64}{16,}(?:${gap}+${base64}{16,})*(?:${gap}+${base64}+)?`,
].join('|');

/**
 * Patterns of unknown keys: the usual forms of keys, and places in a text where only keys occur. Each pattern takes
 * time proportional to the text, because patterns that look behind over white space check the current position first.
 */
const keyLike = new RegExp(
  [
    String.raw`(?=[\w.~+/=*-]{8})(?<=\b(?:[Aa]uthorization|AUTHORIZATION)${quotes}\s*[:=]\s*\[?${quotes}(?:[Bb](?:asic|earer)\s)?)(?![Bb](?:asic|earer)\b)[\w.~+/=*-]{8,}`,
    String.raw`(?=[\w.~+/*-]{8})(?<=(?:\b(?:x-)?(?:goog-)?api[-_]?key|API_?KEY)${quotes}\s*[:=]\s*\[?${quotes})[\w.~+/*-]{8,}`,
    String.raw`(?<=[?&](?:api_?[kK]ey|key|(?:access_)?token|secret|password)=)[^\s&"'<>]+`,
    String.raw`(?<=:\/\/)[^\s/@"'<>]+(?=@)`, // user and password of an address
    String.raw`(?<=\b[Bb]earer\s)${buildNonWordPattern('./-', '_~+=')}[\w.~+/=*-]{8,}`,
    String.raw`\b(?:sk|rk|pk)-${buildNonWordPattern('-', '_*')}[\w*-]{8,}`, // OpenAI and many others
    String.raw`\b(?:gsk|xai|hf|r8|fw|tgp|ghp|gho|glpat|nvapi|pplx|lsv2|github_pat)[_-]${buildNonWordPattern('-', '_')}[\w-]{16,}`,
    String.raw`\bAIza[\w-]{20,}`, // Google: keys, access and refresh tokens, client secrets
    String.raw`\bya29\.[\w.-]{10,}`,
    String.raw`\b1//0[\w-]{20,}`,
    String.raw`\bGOCSPX-[\w-]{16,}`,
    String.raw`\bAKIA[A-Z\d]{16}\b`,
    String.raw`\beyJ[\w-]{8,}(?:\.[\w-]{8,}(?:\.[\w-]*)?)?`, // a JSON web token, or its beginning
    `${begin}(?:${keyBody})?`,
  ].join('|'),
  'g',
);

/** Minimum length of a secret in characters. Shorter values are not secret: local servers are given "none" as a key. */
const shortest = 8;

/** Lists the forms of a secret: plain, in an address, and within JSON. */
const listSecretForms = (secret: string) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];

const createReplacer = (secrets: Iterable<string>) => {
  const known = [...new Set([...secrets].filter((secret) => secret.length >= shortest).flatMap(listSecretForms))].sort(
    (one, other) => other.length - one.length, // longest first: a longer one may begin with a shorter one
  );
  return (text: string) => known.reduce((safe, secret) => safe.replaceAll(secret, '[redacted]'), text);
};

/**
 * Creates a function that replaces `secrets` and whatever looks like a key by "[redacted]".
 *
 * @example createRedactor(['my-secret-1'])('Sent my-secret-1 and sk-4f8Kx0aB9c.'); // 'Sent [redacted] and [redacted].'
 */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const hide = createReplacer(secrets);
  return (text) => hide(text).replace(keyLike, '[redacted]');
}

/** Returns whether a key is an ordinary word, as keys for local servers often are. Players may well use the word. */
const isWord = (secret: string) => secret.length < 20 && !/\d/.test(secret);

/**
 * Creates a function that redacts models' answers. It replaces only `secrets` that are not ordinary words, because
 * players may say things that merely look like keys.
 */
export const createAnswerRedactor = (secrets: readonly string[]) =>
  createReplacer(secrets.filter((secret) => !isWord(secret)));

/** Redacts, in place, the messages and stacks of an error and of its causes. */
export function redactError(error: unknown, redact: (text: string) => string): void {
  for (let link = error, depth = 0; link instanceof Error && depth < 8; link = link.cause, depth++) {
    const [message, stack = ''] = [redact(link.message), link.stack && redact(link.stack)];
    if (message !== link.message) link.message = message; // the message of an abort cannot be set
    if (stack !== link.stack) link.stack = stack;
  }
}

const secretName = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD)$/;

/** Lists the values of environment variables whose names suggest keys, such as OPENAI_API_KEY. */
export const listSecrets = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (secretName.test(name) && value ? [value.trim()] : []));
