// Keys are removed from everything that is written or shown.
import { describe, expect, it } from '@jest/globals';
import { createAnswerRedactor, redactError, createRedactor, listSecrets } from '../../models/redact.ts';

describe('what is shown', () => {
  it('has no secret that is known, however often it stands there', () => {
    const redact = createRedactor(['my secret key', 'another-one']);
    expect(redact('"my secret key" and another-one, my secret key')).toBe('"[redacted]" and [redacted], [redacted]');
  });

  it('has no part of a secret that begins with another one', () => {
    expect(createRedactor(['my-secret', 'my-secret-and-more'])('key: my-secret-and-more')).toBe('key: [redacted]');
  });

  it('has no secret that holds signs of a pattern', () => {
    expect(createRedactor(['a.b*c(d$&e'])('key a.b*c(d$&e!')).toBe('key [redacted]!');
    expect(createRedactor(['a.b*c(d$&e'])('axbbc(d$&e')).toBe('axbbc(d$&e');
  });

  it.each([
    [
      'a key of OpenAI',
      'Incorrect API key provided: sk-proj-abcDEF_1234567890',
      'Incorrect API key provided: [redacted]',
    ],
    ['a key of Google', 'key=AIzaSyA1234567890abcdefghijklmnop', 'key=[redacted]'],
    ['a token of Google', 'token ya29.a0AfH6SMB-1234567890', 'token [redacted]'],
    ['a bearer token', 'Authorization: Bearer abc.def-ghi=', 'Authorization: Bearer [redacted]'],
    ['a masked key', 'provided: sk-proj-****************abcd.', 'provided: [redacted].'],
    ['a header of a key', '{"x-api-key": "abcdef0123"}', '{"x-api-key": "[redacted]"}'],
    ['a header of another key', 'x-goog-api-key: abcdef0123', 'x-goog-api-key: [redacted]'],
    ['a header of a name and password', 'authorization: Basic dXNlcjpwYXNz', 'authorization: Basic [redacted]'],
    [
      'a key in an address',
      'GET https://x.y/v1?alt=json&key=abc123&z=1',
      'GET https://x.y/v1?alt=json&key=[redacted]&z=1',
    ],
    ['a key in a model string', 'Unknown model "opnai:x?apiKey=abc".', 'Unknown model "opnai:x?apiKey=[redacted]".'],
    ['a name and password in an address', 'http://ann:pass@x.y/v1', 'http://[redacted]@x.y/v1'],
    ['a signed token', 'token eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJSM-_ given', 'token [redacted] given'],
    ['a token of refresh', 'refresh 1//0abcdefghijklmnopqrstuv', 'refresh [redacted]'],
    ['a secret of a client', 'GOCSPX-abcdefghijklmnop_1', '[redacted]'],
    ['a private key', 'k: -----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n.', 'k: [redacted]\n.'],
    ['a key of LangSmith', 'lsv2_pt_0123456789abcdef_01', '[redacted]'],
    ['a key of another provider', 'gsk_0123456789abcdefABCDEF', '[redacted]'],
  ])('has nothing that looks like %s', (_what, text, safe) => {
    expect(createRedactor([])(text)).toBe(safe);
  });

  it('keeps short words that servers without keys are given', () => {
    expect(createRedactor(['none', ''])('none of it')).toBe('none of it');
  });

  it.each([
    'Dan is a risk-averse player.',
    'sk-',
    'bearer of bad news',
    'openai:gpt-4o?temperature=0.5',
    'openai:x?baseUrl=http://x.y/v1&apiKeyEnv=MY_KEY',
    'The task-force met: ask-me-anything.',
  ])('keeps plain words: %s', (text) => {
    expect(createRedactor(['my secret key'])(text)).toBe(text);
  });

  it.each([
    ['bearer informationtalk', 'Bearer informationtalk.', 'a bearer knowing/guessing', 'flag-bearer responsibilities'],
    ['sk-ull-and-bones', 'sk-eptical-people. I know 2', 'A ri-sk-averse-player', 'pk-knowledge-of', 'rk-ward-looking'],
    ['hf-and-other-hyphenated-words', 'xai-is-where-he-works-now', 'fw-whoever-forwards-it'],
  ])('keeps words that only begin like a key: %s', (...texts) => {
    for (const text of texts) expect(createRedactor([])(text)).toBe(text);
  });

  it.each([
    'sk-abcdef0123456789abcdef0123456789',
    'sk-proj-aBcdefghijklmnop_qrst-uvwxyz',
    'sk-ant-api03-abcdefghijklmnop-qrstuvwxyz',
    'sk-or-v1-abcdefghijklmnopqrstuvwxyz',
    'sk-abcdefghijklmnopqrstuvwx',
    'sk-proj-abcdefghijklmnopqrstuvwx',
    'sk-lf-abcdefgh-abcd-4abc-abcd-abcdefabcdef',
    'hf_abcdefghijklmnopQrstuvwxyz',
    'xai-abcdefghijklmnopqrstuvwxyz',
    'lsv2_pt_abcdef0123456789abcdef0123456789_abcdef0123',
  ])('has no key, nor one as a bearer token, in a header or in an address: %s', (key) => {
    for (const place of ['%', 'my-%', 'Bearer %', 'authorization: Bearer %', '"api-key": "%"', 'https://x.y?key=%'])
      expect(createRedactor([])(place.replace('%', key))).toBe(place.replace('%', '[redacted]'));
  });

  it('has no words where only a key stands', () => {
    expect(createRedactor([])('{"Authorization":"Bearer only-words"}')).toBe('{"Authorization":"Bearer [redacted]"}');
    expect(createRedactor([])('api-key: sk-only-words')).toBe('api-key: [redacted]');
    expect(createRedactor([])('http://sk-only-words@x.y?key=sk-only-words')).toBe(
      'http://[redacted]@x.y?key=[redacted]',
    );
  });

  it.each([
    ['{"Authorization":["Bearer abcdefghij"]}', '{"Authorization":["Bearer [redacted]"]}'],
    ['{\\"authorization\\":\\"Bearer abcdefghij\\"}', '{\\"authorization\\":\\"Bearer [redacted]\\"}'],
    ['AUTHORIZATION: Bearer abcdefgh', 'AUTHORIZATION: Bearer [redacted]'],
    ['OPENAI_API_KEY=sk-abcdefgh', 'OPENAI_API_KEY=[redacted]'],
  ])('has no key where only keys stand, though it be like words: %s', (text, safe) => {
    expect(createRedactor([])(text)).toBe(safe);
  });

  it('has no signed token that was cut off', () => {
    expect(createRedactor([])('token eyJhbGciOiJI')).toBe('token [redacted]');
    expect(createRedactor([])('token eyJhbGciOiJI.eyJz')).toBe('token [redacted].eyJz');
  });

  it('has no secret in another form', () => {
    const redact = createRedactor(['pass/word+1"x']);
    expect(redact('key=pass%2Fword%2B1%22x, {"key":"pass/word+1\\"x"}')).toBe('key=[redacted], {"key":"[redacted]"}');
  });
});

describe('a private key', () => {
  const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj';
  const begin = '-----BEGIN PRIVATE KEY-----';
  const whole = [begin, line, `+/${line.slice(2)}`, 'ab==', '-----END PRIVATE KEY-----'].join('\n');
  const headers = 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,B69787AAB7CB8678638E3F50C74A9DDD\n';
  const locked = whole.replaceAll('PRIVATE', 'RSA PRIVATE').replace(line, `${headers}\n${line}`);
  const cut = (key: string) => key.slice(0, key.indexOf('=='));

  it.each([
    ['whole', whole],
    ['encrypted, with headers', locked],
    ['cut off', cut(whole)],
    ['cut off in its first line', whole.slice(0, 60)],
    ['encrypted and cut off', cut(locked)],
  ])('is redacted from its opening to its end: %s', (_what, key) => {
    const inJson = JSON.stringify(key).slice(1, -1);
    const forms = [key, inJson, JSON.stringify(inJson).slice(1, -1), key.replaceAll('\n', ' ')];
    const windows = key.replaceAll('\n', '\r\n');
    for (const form of [...forms, windows, JSON.stringify(windows).slice(1, -1), key.replaceAll('\n', '\n\t')])
      expect(createRedactor([])(`Dan: “${form}” "${form}", it says.`)).toBe('Dan: “[redacted]” "[redacted]", it says.');
  });

  it.each(['\n> ', '\n  | ', '<br>', '<br />', '%0A'])('is redacted where its lines are parted by %j', (parting) => {
    for (const key of [whole, cut(whole)])
      expect(createRedactor([])(`It is "${key.replaceAll('\n', parting)}", it says.`)).toBe(
        'It is "[redacted]", it says.',
      );
  });

  it('leaves JSON as valid as it was', () => {
    const json = JSON.stringify({ key: `${whole}\n`, cut: `${cut(whole)}\n`, next: 'words' });
    expect(JSON.parse(createRedactor([])(json))).toEqual({ key: '[redacted]\n', cut: '[redacted]\n', next: 'words' });
  });

  it.each([
    'I know a secret',
    'Dan: wolf and no more',
    '\\n\\nI know a secret',
    'I know -----END of it',
    'Proc-Type: 4,ENCRYPTED\nI know a secret',
  ])('that is only opened takes no words with it: %s', (words) => {
    const history = `”\nLeah: “Dan is a Werewolf.”\n\nWhom do you vote for? Answer with {"vote": "…"}\n${line}`;
    expect(createRedactor([])(`Will: “${begin} ${words}${history}`)).toBe(`Will: “[redacted] ${words}${history}`);
    expect(createRedactor([])(`Will: “${begin}${history}`)).toBe(`Will: “[redacted]${history}`);
  });

  it('that is opened by one and closed by another takes no words with it', () => {
    const closed = '” Leah: “Not I. -----END PRIVATE KEY-----”';
    expect(createRedactor([])(`Will: “${begin} I know${closed}`)).toBe(`Will: “[redacted] I know${closed}`);
  });
});

// If the time grew with the square of the length, most of these tests would take minutes.
describe('a long text', () => {
  // An algorithm with quadratic time would take minutes for this text.
  const long = (unit: string) => unit.repeat(250_000 / unit.length);
  const signs = ['a', '-', '"', '\\', '/', '@', 'A: b ', ':// ', '?key= ', 'x-goog-', '-----BEGIN ', 'Bearer ', 'sk-'];

  it.each([' ', '\n', '\t', '\\n', 'eyJ.', ...signs])('is kept where it holds no key: %j without end', (unit) => {
    const text = long(unit);
    for (const start of ['', '{"reasoning":"x"']) expect(createRedactor([])(start + text) === start + text).toBe(true);
  });

  it.each([' ', '\n', '\t'])('may be white space beside the name of a header: %j without end', (unit) => {
    const gap = long(unit);
    for (const start of [`authorization:${gap}`, `authorization${gap}: "`, `{"x-api-key":${gap}"`, `api-key${gap}=`])
      expect(createRedactor([])(`${start}abcdefgh`) === `${start}[redacted]`).toBe(true);
  });

  it.each([
    ['Bearer x1234567 ', 'Bearer [redacted] '],
    ['sk-Abcdefgh ', '[redacted] '],
    ['authorization: x1234567 ', 'authorization: [redacted] '],
    ['-----BEGIN PRIVATE KEY-----', '[redacted]'],
    ['-----BEGIN PRIVATE KEY----- I know', '[redacted] I know'],
    ['-----BEGIN PRIVATE KEY-----\nA: b', '[redacted]\nA: b'],
  ])('has each key in it redacted: %j', (unit, safe) => {
    const times = Math.floor(250_000 / unit.length);
    expect(createRedactor([])(unit.repeat(times)) === safe.repeat(times)).toBe(true);
  });

  it('has whatever stands behind the name of a header redacted, another name too', () => {
    const safe = createRedactor([])('authorization:'.repeat(70_000));
    expect(safe === `authorization:${'[redacted]:'.repeat(69_999)}`).toBe(true);
  });

  it.each(['eyJ', 'eyJ-', 'sk-A', 'AIza'])('may look like one key: %j without end', (unit) => {
    expect(createRedactor([])(long(unit))).toBe('[redacted]');
  });

  it.each(['\n', '\\n', '\\', 'A: b\n', '\nA-a: AAAA', 'abc '])('may follow an opened key: %j without end', (unit) => {
    const text = long(unit);
    expect(createRedactor([])(`-----BEGIN PRIVATE KEY-----${text}`) === `[redacted]${text}`).toBe(true);
  });

  it.each(['A', 'ABCDEFGHIJKLMNOP ', '\\nABCDEFGHIJKLMNOP'])('may be of an opened key: %j without end', (unit) => {
    expect(createRedactor([])(`-----BEGIN PRIVATE KEY-----${long(unit)}`).trim()).toBe('[redacted]');
  });
});

describe('an error', () => {
  it('has no secret in its words, its stack or what caused it', () => {
    const inner = new TypeError('Headers.append: "my-secret-1" is invalid');
    const error = new Error('my-secret-1', { cause: inner });
    redactError(error, createRedactor(['my-secret-1']));
    for (const { message, stack } of [error, inner]) expect(`${message} ${stack}`).not.toContain('my-secret-1');
    expect(inner.message).toBe('Headers.append: "[redacted]" is invalid');
  });

  it('whose words cannot be set, like that of an abort, is left as it is', () => {
    const { reason } = AbortSignal.abort() as { reason: unknown };
    expect(() => redactError(reason, createRedactor(['my-secret-1']))).not.toThrow();
    expect(() => redactError('no error', createRedactor([]))).not.toThrow();
  });
});

describe('an answer', () => {
  it('has no key, should the server say it', () => {
    expect(createAnswerRedactor(['sk-0123456789'])('{"statement":"Your key is sk-0123456789."}')).toBe(
      '{"statement":"Your key is [redacted]."}',
    );
  });

  it('keeps whatever only looks like a key, and words that a local server was given for one', () => {
    const said = '{"statement":"Is sk-abcdefgh123 anything? No password here."}';
    expect(createAnswerRedactor(['anything', 'password', 'no key'])(said)).toBe(said);
  });
});

describe('the environment', () => {
  it('has secrets where names say so', () => {
    const env = {
      OPENAI_API_KEY: ' one ',
      HF_TOKEN: 'two',
      KEY: 'three',
      PATH: 'four',
      KEYBOARD: 'five',
      MY_PASSWORD: '',
    };
    expect(listSecrets(env)).toEqual(['one', 'two', 'three']);
  });
});
