// Keeps keys and tokens out of everything that is written or shown.

/** Ahead of what is no ordinary words: a digit, a capital or a `sign` before long, or letters beyond any word's length. */
const buildNonWordPattern = (joint: string, sign: string) =>
  String.raw`(?=[a-z${joint}]{0,40}[A-Z\d${sign}]|(?:[a-z]+-)?[a-z]{20})`;

const begin = '-----BEGIN [A-Z ]*PRIVATE KEY-----';
const end = '-----END [A-Z ]*PRIVATE KEY-----';
/** White space, a line's end as JSON, pages and addresses have it, a sign of quoting before a line. */
const gap = String.raw`(?:\\[nr]|[\s\\>|]|<br ?\/?>|%0[AaDd])`;
const header = String.raw`${gap}+[A-Z][\w-]*: ?[\w,-]+(?=${gap})`;
/** In JSON within JSON too. */
const quotes = String.raw`["'\\]{0,4}`;

const base64 = String.raw`[A-Za-z\d+/=]`;

/** What may follow the opening of a key: the whole key, or its lines up to where it was cut. Else players are speaking. */
const keyBody = [
  String.raw`(?:${header})*[A-Za-z\d+/=\s\\<>|%]*${end}`,
  `(?:${header})*${gap}*${base64}{16,}(?:${gap}+${base64}{16,})*(?:${gap}+${base64}+)?`,
].join('|');

/**
 * Shapes of keys that are recognised without being known, and places where only keys stand. Each takes time in
 * proportion to the text: a look behind over any white space comes after a look at what stands here.
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
    String.raw`\bAIza[\w-]{20,}`, // Google: keys, tokens of access and of refresh, secrets of clients
    String.raw`\bya29\.[\w.-]{10,}`,
    String.raw`\b1//0[\w-]{20,}`,
    String.raw`\bGOCSPX-[\w-]{16,}`,
    String.raw`\bAKIA[A-Z\d]{16}\b`,
    String.raw`\beyJ[\w-]{8,}(?:\.[\w-]{8,}(?:\.[\w-]*)?)?`, // a signed token of JSON, or its beginning
    `${begin}(?:${keyBody})?`,
  ].join('|'),
  'g',
);

/** Values shorter than this are no secrets: "none" is what local servers are given. */
const shortest = 8;

/** What a secret looks like in an address or within JSON. */
const listSecretForms = (secret: string) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];

const createReplacer = (secrets: Iterable<string>) => {
  const known = [...new Set([...secrets].filter((secret) => secret.length >= shortest).flatMap(listSecretForms))].sort(
    (one, other) => other.length - one.length, // a longer one may begin with a shorter
  );
  return (text: string) => known.reduce((safe, secret) => safe.replaceAll(secret, '[redacted]'), text);
};

/** A function that replaces `secrets` and whatever looks like a key by "[redacted]". */
export function createRedactor(secrets: Iterable<string>): (text: string) => string {
  const hide = createReplacer(secrets);
  return (text) => hide(text).replace(keyLike, '[redacted]');
}

/** Local servers are given any word as a key, which players may well say. */
const isWord = (secret: string) => secret.length < 20 && !/\d/.test(secret);

/**
 * The same for what a model answers, some servers' words included, with the `secrets` alone: of what only looks like a
 * key, players may speak. Keys that are plain words are left alone.
 */
export const createAnswerRedactor = (secrets: readonly string[]) =>
  createReplacer(secrets.filter((secret) => !isWord(secret)));

/** Takes `redact` to the words of an error and of all that caused it, where they also stand in its stack. */
export function redactError(error: unknown, redact: (text: string) => string): void {
  for (let link = error, depth = 0; link instanceof Error && depth < 8; link = link.cause, depth++) {
    const [message, stack = ''] = [redact(link.message), link.stack && redact(link.stack)];
    if (message !== link.message) link.message = message; // that of an abort cannot be set
    if (stack !== link.stack) link.stack = stack;
  }
}

const secretName = /(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD)$/;

/** The values in the environment that are named like keys. */
export const listSecrets = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (secretName.test(name) && value ? [value.trim()] : []));
