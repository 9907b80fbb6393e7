// Faults of the pure floors and of the small pieces of the recorder that were found while writing their tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { takeLock } from '../models/lock.ts';
import { readAnswer } from '../models/read-answer.ts';
import { openRecorder } from '../models/recorder.ts';
import { redactor } from '../models/redact.ts';
import { correction } from '../prompts/correction.ts';
import { jsonSchemaOf, objectOf, oneOf, probability, reasoning, text, wholeNumber } from '../prompts/fields.ts';
import { gallery } from '../prompts/gallery.ts';
import { readBoard } from '../state/boards.ts';
import { readRuleFlag, readRules } from '../state/rules.ts';
import { cutAt } from '../state/words.ts';
import { called, manifestOf } from './deception/match-builder.ts';
import { temporaryFolder } from './temporary-folder.ts';

const ask = (fields: Parameters<typeof objectOf>[0]) => {
  const answer = objectOf(fields);
  return { answer, schema: jsonSchemaOf(answer) };
};
const forVote = ask({ reasoning, vote: oneOf(['Dan', 'Will', 'Ginger'], '') });
const forBid = ask({ reasoning, bid: wholeNumber(0, 10, '') });

describe('reading an answer', () => {
  it.each([
    ['a number without end, in quotes', `{"bid": "${'1'.repeat(12_000)}x"}`],
    ['quotes without end', `{${"'".repeat(100_000)}`],
    ['keys without colons', `{"a" ${'"a" '.repeat(40_000)}`],
  ])('takes a moment, with %s', (_what, raw) => {
    const before = performance.now();
    readAnswer(raw, forBid);
    expect(performance.now() - before).toBeLessThan(1000);
  });

  it('gives what the record gives back: no zero below zero, which JSON does not keep and replay would refuse', () => {
    const reading = readAnswer('{"confidence": -0.0}', ask({ reasoning, confidence: probability('') }));
    expect(JSON.parse(JSON.stringify(reading))).toStrictEqual(reading);
  });

  it('takes no verb for a player: "I will abstain" is no vote for Will', () => {
    expect(readAnswer('{"vote": "I will abstain"}', forVote)).toHaveProperty('error');
  });

  it('reads "I will vote for Dan" as a vote for Dan', () => {
    expect(readAnswer('{"vote": "I will vote for Dan"}', forVote)).toMatchObject({ answer: { vote: 'Dan' } });
  });

  it('takes nothing from thoughts that were cut before they ended', () => {
    expect(readAnswer('<think>Perhaps {"vote": "Dan"}? But then Ginger would', forVote)).toHaveProperty('error');
  });

  it('reads the answer after thoughts whose opening tag stands in the chat template', () => {
    const raw = 'The shape is {"vote": …}, so:\n</think>\n{"reasoning": "", "vote": "Ginger"}';
    expect(readAnswer(raw, forVote)).toMatchObject({ answer: { vote: 'Ginger' } });
  });

  it.each(["I am sorry, but I can't help with that.", "I'm unable to assist with that.", "I'm not able to do this."])(
    'takes a plain refusal for one: %s',
    (raw) => {
      expect(readAnswer(raw, forVote)).toEqual({ refusal: true });
    },
  );

  it.each(["I can't be sure about Dan, but I vote for him.", 'I cannot trust Dan any more. My vote: Dan.'])(
    'takes speech of the game that lacks its JSON for no refusal: %s',
    (raw) => {
      expect(readAnswer(raw, forVote)).toHaveProperty('error');
    },
  );

  it('gives no half of a character, which servers refuse in the prompts of all others', () => {
    const reading = readAnswer('{"statement": "Hello \\ud83d there"}', ask({ reasoning, statement: text('') }));
    expect((reading as { answer: { statement: string } }).answer.statement.isWellFormed()).toBe(true);
  });
});

describe('cutting', () => {
  it('a statement cuts no character in half', () => {
    expect(cutAt(`a${'🐺'.repeat(50)}`, 3).text.isWellFormed()).toBe(true);
  });

  it('an unusable answer cuts no character in half', () => {
    const halves = ['', 'a'].map((start) => correction(`${start}${'🐺'.repeat(2000)}`, 'no JSON.')[0].content);
    expect(halves.every((half) => half.isWellFormed())).toBe(true);
  });
});

describe('the rules', () => {
  it('keep a null that is asked for: rule choiceTemperature=null under arena leaves it to the provider', () => {
    expect(readRules('arena', { choiceTemperature: null }).choiceTemperature).toBeNull();
  });

  it('refuse null where an option has none', () => {
    expect(() => readRules('wolf', { debateTurns: null })).toThrow('Rule "debateTurns" cannot be null');
  });

  it.each(['constructor', 'toString', '__proto__'])('refuse a preset called %s', (name) => {
    expect(() => readRules(name)).toThrow('Unknown rules');
  });

  it.each(['constructor', 'toString'])('refuse an option called %s', (name) => {
    expect(() => readRules('wolf', { [name]: 1 })).toThrow('Unknown rule');
  });

  it('are read from a flag as text, not as what JavaScript has under that name', () => {
    expect(readRuleFlag('honesty=constructor')).toEqual(['honesty', 'constructor']);
  });

  it('are not read from a flag as zero where there is nothing but a space', () => {
    expect(readRuleFlag('choiceTemperature= ')[1]).not.toBe(0);
  });
});

describe('a board', () => {
  const roles = { Werewolf: 1, Villager: 5 };
  const six = ['Ada', 'Ben', 'Cem', 'Dora', 'Elif', 'Finn'];

  it.each(['constructor', 'toString'])('called %s is unknown', (name) => {
    expect(() => readBoard(name)).toThrow('Unknown board');
  });

  it('that lists a name twice is refused, since the deal cannot seat it twice', () => {
    expect(() => readBoard({ name: 'mine', roles, names: [...six, 'Ada', 'Ada'] })).toThrow(RangeError);
  });

  it('with names that differ in case alone is refused, since answers are read in any case', () => {
    expect(() => readBoard({ name: 'mine', roles, names: [...six.slice(1), 'Dan', 'DAN'] })).toThrow(RangeError);
  });

  it('with a player called like a role is refused', () => {
    expect(() => readBoard({ name: 'mine', roles, names: [...six.slice(1), 'Seer'] })).toThrow(RangeError);
  });
});

it('the hash of all templates covers the words of both bid scales, of both packs and of secret ballots', () => {
  const words = [...gallery('wolf'), ...gallery('arena')]
    .map(({ prompt }) => `${prompt.system}\n${prompt.user}`)
    .join('\n');
  for (const part of ['3: It is absolutely urgent', 'Tonight the choice is yours alone', 'Votes are secret'])
    expect(words).toContain(part);
});

it('a secret that begins with another one is not shown in part', () => {
  expect(redactor(['my-secret', 'my-secret-and-more'])('key: my-secret-and-more')).toBe('key: [redacted]');
});

describe('the record', () => {
  const root = temporaryFolder();

  it('that holds an answer twice is refused with the path of its file', () => {
    const folder = path.join(root, 'twice');
    mkdirSync(folder);
    const manifest = manifestOf();
    writeFileSync(path.join(folder, 'manifest.json'), JSON.stringify(manifest));
    writeFileSync(path.join(folder, 'answers.ndjson'), `${JSON.stringify(called('Dan', 'bid'))}\n`.repeat(2));
    expect(() => openRecorder(folder, manifest, () => undefined)).toThrow(
      `${path.join(folder, 'answers.ndjson')}, line 2 is damaged`,
    );
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;

  onLinux('is taken over from a dead process that nobody has buried yet, as in a container without init', async () => {
    const file = path.join(root, 'lock.json');
    const module = path.join(import.meta.dirname, '../models/lock.ts');
    const holder = `import { takeLock } from '${module}'; takeLock('${file}'); console.log('.'); process.stdin.resume();`;
    const childless = spawn(
      'sh',
      ['-c', '"$0" --input-type=module --eval "$1" <&3 3<&- & exec sleep 60', process.execPath, holder],
      {
        stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
      },
    );
    try {
      await once(childless.stdout!, 'data');
      const { pid } = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
      process.kill(pid, 'SIGKILL');
      while (!/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await new Promise(setImmediate);
      expect(() => takeLock(file)()).not.toThrow();
    } finally {
      childless.kill('SIGKILL');
    }
  });
});
