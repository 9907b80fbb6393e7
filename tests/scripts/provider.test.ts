// Matches against a local server: the server's failures, the cost, and secrecy of the key.
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { failure, openOpenaiServer } from '../openai-server.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { key, legally, modelMatch, reaching } from './local-model.ts';
import { answersIn, eventsIn, filesIn } from './match-folder.ts';
import { run, type Ended } from './process.ts';

const out = createTemporaryFolder();
/** Returns a separate set for each match. Within a set, servers at several addresses would need names. */
const set = (id: string) => path.join(out, id);
const folder = (id: string) => path.join(set(id), id);

const server = await openOpenaiServer(legally);
afterAll(() => server.close());
const whole = await run('match', modelMatch(set('whole'), 'whole'), reaching(server));

const times = (text: string, part: string) => text.split(part).length - 1;

function expectNoKey(id: string, { stdout, stderr }: Ended) {
  const everything = [stdout, stderr, ...Object.values(filesIn(folder(id)))].join('\n');
  expect(everything).not.toContain(key);
  expect(everything).not.toContain(key.slice(3));
}

describe('a match of language models', () => {
  it('is played to its end, and its cost is told', () => {
    const ended = whole;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(server.requests[0]!.headers.authorization).toBe(`Bearer ${key}`);
    expect(ended.stdout).not.toContain('uilt-in bots');
    expect(ended.stdout).toMatch(/^\d+ model calls in .* tokens in, .* out; cost USD \d+\.\d\d; /m);
    expectNoKey('whole', ended);
  });
});

describe('a provider that refuses the key or the model', () => {
  it('stops the match with its own words, once, without the key', async () => {
    const words = `Incorrect API key provided: ${key}. Find yours in your settings.`;
    const strict = await openOpenaiServer([{ status: 401, body: failure(words, 'invalid_api_key') }]);
    const ended = await run('match', modelMatch(set('refused'), 'refused'), reaching(strict));
    await strict.close();
    expect(ended.code).toBe(3);
    expect(times(ended.stderr, 'Incorrect API key provided: [redacted]. Find yours in your settings.')).toBe(1);
    expect(ended.stderr).not.toMatch(/^\s+at /m); // no stack
    expect(ended.stderr).toContain(`npm run match -- --id refused --out ${set('refused')}`);
    expectNoKey('refused', ended);
  });

  it.each([
    [401, 'Incorrect API key.', 'invalid_api_key', 'status 401. The usual cause is the key. npm run doctor'],
    [
      404,
      'The model `local` does not exist.',
      'model_not_found',
      'status 404. The usual cause is the name of the model, or an address',
    ],
  ])(
    'is asked once with one call at a time, and it is said what that mostly comes from: %i',
    async (status, words, code, cure) => {
      const strict = await openOpenaiServer([{ status, body: failure(words, code) }]);
      const { stderr, code: exitCode } = await run(
        'match',
        modelMatch(set(`refused-${status}`), `refused-${status}`, '--concurrency', '1'),
        reaching(strict),
      );
      await strict.close();
      expect(exitCode).toBe(3);
      expect(times(stderr, words)).toBe(1);
      expect(times(stderr, cure)).toBe(1);
      expect(strict.requests).toHaveLength(1);
    },
  );

  it('costs nothing that was recorded: the match goes on with another key', async () => {
    const expiring = await openOpenaiServer((request, index) =>
      index < 20 ? legally(request) : { status: 401, body: failure('Expired.', 'invalid_api_key') },
    );
    expect((await run('match', modelMatch(set('expired'), 'expired'), reaching(expiring))).code).toBe(3);
    await expiring.close();
    expect(answersIn(folder('expired'))).toHaveLength(20);
    const ended = await run('match', ['--out', set('expired'), '--id', 'expired'], reaching(server));
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('Resuming after 20 recorded answers');
    expect(eventsIn(folder('expired'))).toBe(eventsIn(folder('whole')));
  });
});

describe('a provider that stays down', () => {
  it('stops a match that is played alone, which would else be told again, and the match goes on later', async () => {
    const headers = { 'retry-after': '7200' }; // longer than any wait
    const down = await openOpenaiServer((request, index) =>
      index < 20 ? legally(request) : { status: 503, headers, body: failure('Maintenance.') },
    );
    const stopped = await run('match', modelMatch(set('down'), 'down'), reaching(down));
    await down.close();
    expect(stopped.code).toBe(3);
    expect(times(stopped.stdout, 'Night 1')).toBe(1);
    expect(stopped.stderr).toMatch(
      /^openai:local\S* .*Maintenance\..*\nAnswers so far are recorded\. To resume: npm run match -- --id down --out \S+\n$/,
    );
    expect((await run('match', ['--out', set('down'), '--id', 'down'], reaching(server))).code).toBe(0);
    expect(eventsIn(folder('down'))).toBe(eventsIn(folder('whole')));
  });
});

describe('a cap on the cost', () => {
  it('stops the match when it is reached, and a higher one goes on with it', async () => {
    const stopped = await run('match', modelMatch(set('capped'), 'capped', '--max-cost', '10'), reaching(server));
    expect(stopped.code).toBe(4);
    expect(stopped.stderr).toMatch(
      /^The budget of \$10 is reached: \$1\d\.\d+ spent\. Resume with a higher --max-cost\.$/m,
    );
    expect(stopped.stderr).toContain(`npm run match -- --id capped --out ${out}`);
    const paid = answersIn(folder('capped'));
    expect(paid.reduce((sum, { cost }) => sum + (cost ?? 0), 0)).toBeGreaterThanOrEqual(10);
    const again = ['--out', set('capped'), '--id', 'capped', '--max-cost'];
    expect((await run('match', [...again, '10'], reaching(server))).code).toBe(4);
    expect(answersIn(folder('capped'))).toEqual(paid);
    expect((await run('match', [...again, '1000'], reaching(server))).code).toBe(0);
    expect(eventsIn(folder('capped'))).toBe(eventsIn(folder('whole')));
  });
});

describe('a server that takes no JSON schema', () => {
  it('is warned of once, on standard error, and played with', async () => {
    const simple = await openOpenaiServer((request) =>
      'response_format' in request.body
        ? { status: 400, body: failure(`No response_format here, ${key}.`) }
        : legally(request),
    );
    const ended = await run('match', modelMatch(set('simple'), 'simple', '--json'), reaching(simple));
    await simple.close();
    expect(ended.code).toBe(0);
    expect(ended.stderr).toMatch(
      /^Calls go to 127\.0\.0\.1:\d+ \(openai:local\), with the key in OPENAI_API_KEY\.\nWarning: The server rejects the JSON schema of an answer; .* openai:local\S*: No response_format here, \[redacted\]\.\n$/,
    );
    expect(JSON.parse(ended.stdout)).toMatchObject({ id: 'simple' });
    expectNoKey('simple', ended);
  });
});
