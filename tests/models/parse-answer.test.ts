// Parsing of answers: what is accepted, and what is not.
import { describe, expect, it } from '@jest/globals';
import { AIMessage, AIMessageChunk } from '@langchain/core/messages';
import fc from 'fast-check';
import { parseAnswer } from '../../models/parse-answer.ts';
import { parseChatResponse } from '../../models/chat-response.ts';
import { peerAnalysis, selfAnalysis } from '../../prompts/analysis.ts';
import { bid, debate } from '../../prompts/debate.ts';
import {
  createHeardField,
  createProbabilityField,
  createTextField,
  type Fields,
  getSchemas,
  reasoning,
} from '../../prompts/fields.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { vote } from '../../prompts/voting.ts';
import { draw } from '../../state/random.ts';
import { createView } from '../../state/view.ts';
import { gameAt } from '../game.ts';
import { anyCodePoint } from '../hostile/texts.ts';
import { countCpuSeconds } from '../test-clock.ts';

const seen = createView(gameAt({ gone: ['Bert'], rules: { ballots: 'secret' } }), 'Sam');
const paper = createView(gameAt({ gone: ['Bert'], rules: { ballots: 'secret', questions: 'paper' } }), 'Sam');
const [forBid, forStatement, forVote, forOwn, forOther, forGraded] = [
  bid.put(seen, draw(1), undefined),
  debate.put(seen, draw(1), undefined),
  vote.put(seen, draw(1), undefined),
  selfAnalysis.put(paper, draw(1), { id: '1.1', by: 'Sam', text: 'Hm.' }),
  peerAnalysis.put(paper, draw(1), { id: '1.1', by: 'Dan', text: 'Hm.' }),
  peerAnalysis.put(seen, draw(1), { id: '1.1', by: 'Dan', text: 'Hm.' }),
] as [AnyPrompt, AnyPrompt, AnyPrompt, AnyPrompt, AnyPrompt, AnyPrompt];

const isUnreadable = { error: expect.stringMatching(/\.$/) };
const ofTwoKeys = { reasoning: 'Leah is quiet.', vote: 'Leah' };
const json = JSON.stringify(ofTwoKeys);

const createAsked = (fields: Fields) => getSchemas(fields);

describe('a refusal', () => {
  const statement = createAsked({ reasoning, statement: createHeardField('what you say') });

  it.each([
    "I'm sorry, but I can't assist with that request.",
    '{"reasoning": "", "statement": "I\'m sorry, but I can\'t assist with that request."}',
    '{"refusal": "I can\'t help with deception"}',
    'Unfortunately, I am unable to help with that.',
    'I understand. However, I cannot participate in deceiving others.',
    "I'm not comfortable with this request.",
  ])('is one: %s', (raw) => {
    expect(parseAnswer(raw, statement)).toEqual({ refusal: true });
  });

  it('is one wherever others would hear it, as in the reason of a proposal', () => {
    const raw = JSON.stringify({
      proposal: 'Dan',
      proposal_reason: "I'm sorry, but I can't assist with that request.",
    });
    const proposal = { proposal: createTextField('whom'), proposal_reason: createHeardField('why') };
    expect(parseAnswer(raw, createAsked(proposal))).toEqual({ refusal: true });
    expect(parseAnswer(raw, createAsked(proposal), 1)).toHaveProperty('answer');
    const summary = { proposal: createTextField('whom'), proposal_reason: createTextField('why') };
    expect(parseAnswer(raw, createAsked(summary))).toHaveProperty('answer');
  });

  it.each([
    'I will not lie to you: I am the Seer and Ginger is a Werewolf.',
    'I cannot support exiling Ginger without any evidence.',
    "I'm sorry, but I can't continue to stay silent. Paul is lying.",
    '{"reasoning": "", "statement": "I\'m sorry, but I can\'t help you there, Paul."}',
  ])('is not speech of the game: %s', (raw) => {
    expect(parseAnswer(raw, statement)).not.toHaveProperty('refusal');
  });
});

describe('an answer is read', () => {
  it.each([
    ['as plain JSON', json],
    ['with space around it', `\n\n  ${json}\n`],
    ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['in a fence without a language', `\`\`\`\n${json}\n\`\`\``],
    ['in a fence that is not closed', `\`\`\`json\n${json}`],
    ['in prose', `Let me see. I answer ${json} and hope for the best.`],
    ['in prose around a fence', `I think it is Leah.\n\`\`\`json\n${json}\n\`\`\`\nGood luck!`],
    ['after thinking', `<think>Is it {Dan}? Or "Leah"?</think>\n${json}`],
    ['after thinking in other words', `<thinking>{"vote": "Dan"}</thinking>${json}`],
    ['after thinking twice', `<think>Dan?</think>\n<THINK>Leah!</THINK>\n${json}`],
    ['after thinking that began in the chat template', `The shape is {"vote": …}, so:\n</think>\n${json}`],
    ['cut at its end', '{"reasoning": "Leah is quiet.", "vote": "Leah"'],
    ['cut in its last text', '{"vote": "Leah", "reasoning": "Leah is quiet.'],
    ['with single quotes', "{'reasoning': 'Leah is quiet.', 'vote': 'Leah'}"],
    ['with curly quotes', '{“reasoning”: “Leah is quiet.”, “vote”: “Leah”}'],
    ['without quotes around keys', '{reasoning: "Leah is quiet.", vote: "Leah"}'],
    ['with a trailing comma', '{"reasoning": "Leah is quiet.", "vote": "Leah",}'],
    ['with a missing comma', '{"reasoning": "Leah is quiet."\n"vote": "Leah"}'],
    ['with a comment', '{"reasoning": "Leah is quiet.", // so far\n"vote": "Leah"}'],
    ['with a line break inside a text', '{"reasoning": "Leah\nis quiet.", "vote": "Leah"}'],
    ['with keys in capitals', '{"REASONING": "Leah is quiet.", "Vote": "Leah"}'],
    ['with further keys', '{"reasoning": "Leah is quiet.", "vote": "Leah", "mood": ["calm"]}'],
    ['in a list of one', `[${json}]`],
    ['twice over as text', JSON.stringify(`{"reasoning": "Leah is quiet.", "vote": "Leah"}`)],
    ['with the target in small letters', '{"reasoning": "Leah is quiet.", "vote": "leah"}'],
    ['with punctuation around the target', '{"reasoning": "Leah is quiet.", "vote": "**Leah**!"}'],
    ['with words around the target', '{"reasoning": "Leah is quiet.", "vote": "My vote is for Leah."}'],
    ['with a verb that is a name too', '{"reasoning": "Leah is quiet.", "vote": "I will vote for Leah."}'],
  ])('%s', (_how, raw) => {
    expect(parseAnswer(raw, forVote)).toMatchObject({ answer: ofTwoKeys });
  });

  it.each([
    ['a probability', '{"reasoning": "Hm.", "confidence": 0.'],
    ['a probability that seems whole', '{"reasoning": "Hm.", "confidence": 0'],
  ])('never with a number that was cut: %s', (_what, raw) => {
    expect(parseAnswer(raw, createAsked({ reasoning, confidence: createProbabilityField('') }))).toHaveProperty(
      'error',
    );
  });

  it.each(['anyone but Leah', 'not Leah', "I won't vote for Leah", 'nobody except Leah'])(
    'never for a player who is ruled out: %s',
    (vote) => {
      expect(parseAnswer(JSON.stringify({ reasoning: '', vote }), forVote)).toHaveProperty('error');
    },
  );

  it('never with the words of the shape for its own', () => {
    const says = 'what you say to everybody, at most 80 words';
    const fields = createAsked({ statement: createTextField(says) });
    expect(parseAnswer(JSON.stringify({ statement: `string, ${says}` }), fields)).toHaveProperty('error');
  });

  it('marked where its last text was cut', () => {
    expect(parseAnswer('{"reasoning": "I think that Gin', createAsked({ reasoning }))).toEqual({
      answer: { reasoning: 'I think that Gin' },
      cut: true,
    });
  });

  it('with keys that are separated in other ways', () => {
    const raw = '{"Stated Falsehood": false, "deceptive": "no", "TYPE": "None", "confidence": 1}';
    expect(parseAnswer(raw, forOwn)).toEqual({
      answer: { reasoning: '', stated_falsehood: false, deceptive: false, type: 'none', confidence: 1 },
    });
    const camel = '{"deceptive": true, "type": "omission", "confidence": 1, "suspicion": 1, "pWerewolf": 0.5}';
    expect(parseAnswer(camel, forOther)).toMatchObject({ answer: { p_werewolf: 0.5 } });
  });

  it('with percentages and numbers as text', () => {
    const raw =
      '{"deceptive": "Yes", "type": "Omission.", "confidence": "80%", "suspicion": "0.75", "p_werewolf": 70%}';
    expect(parseAnswer(raw, forOther)).toEqual({
      answer: { reasoning: '', deceptive: true, type: 'omission', confidence: 0.8, suspicion: 0.75, p_werewolf: 0.7 },
    });
    expect(parseAnswer('{"bid": "7"}', forBid)).toEqual({ answer: { reasoning: '', bid: 7 } });
  });

  it.each([
    ['["Omission", "fabrication."]', ['omission', 'fabrication']],
    ['[]', []],
    ['["none"]', []],
    ['"none"', []],
    ['null', []],
    ['"Distortion"', ['distortion']],
  ])('with the types %s', (types, read) => {
    const raw = `{"p_deceptive": "80%", "p_falsehood": 0.5, "types": ${types}, "p_werewolf": 0}`;
    expect(parseAnswer(raw, forGraded)).toEqual({
      answer: { reasoning: '', p_deceptive: 0.8, p_falsehood: 0.5, types: read, p_werewolf: 0 },
    });
  });

  it('by the key that is spelt right where two are alike', () => {
    expect(parseAnswer('{"VOTE": "Dan", "vote": "Leah"}', forVote)).toMatchObject({ answer: { vote: 'Leah' } });
  });

  it('from the first place in which it can be', () => {
    const raw = `\`\`\`json\n{"vote": "nobody"}\n\`\`\`\nNo, wait:\n\`\`\`json\n${json}\n\`\`\``;
    expect(parseAnswer(raw, forVote)).toEqual({ answer: ofTwoKeys });
  });

  it.each(['Let me <b>think</b> about Dan.', 'I [think] that <Dan> lies.', 'A [/INST] too many.'])(
    'with tags inside its texts that mark no thoughts: %s',
    (statement) => {
      expect(parseAnswer(JSON.stringify({ statement }), forStatement)).toEqual({
        answer: { reasoning: '', statement },
      });
    },
  );

  it.each([
    ['[THINK]Leah is quiet.[/THINK]', ''],
    ['[Sam]: ', ''],
    ['[INST] ', ''],
    [
      '<|channel|>analysis<|message|>Leah is {quiet}.<|end|><|start|>assistant<|channel|>final<|message|>',
      '<|return|>',
    ],
    ['analysisLeah is quiet.assistantfinal', ''],
    ['Leah is quiet.[/THINK]', ''],
    [`First:\n\`\`\`json\n{"reasoning": "A draft.", "vote": "Dan"}\n\`\`\`\nNo:\n\`\`\`json\n`, '\n```'],
    ['First {"reasoning": "A draft.", "vote": "Dan"}, but no: ', '. That is all.'],
  ])('behind %j', (before, behind) => {
    expect(parseAnswer(`${before}${json}${behind}`, forVote)).toEqual({ answer: ofTwoKeys });
  });

  it('as the first of several by readings of earlier versions, and not behind a bracket', () => {
    const blocks = `\`\`\`json\n${json}\n\`\`\` or \`\`\`json\n{"vote": "Dan"}\n\`\`\``;
    expect(parseAnswer(blocks, forVote, 1)).toEqual({ answer: ofTwoKeys });
    expect(parseAnswer(`[Sam]: ${json}`, forVote, 1)).toEqual(isUnreadable);
  });

  it('with braces and fences inside its texts', () => {
    const statement = 'I say {this} and ```that``` and "more".';
    expect(parseAnswer(JSON.stringify({ reasoning: '', statement }), forStatement)).toEqual({
      answer: { reasoning: '', statement },
    });
  });
});

describe('an answer cannot be read', () => {
  it.each([
    ['where nothing was said', ''],
    ['where nothing but thoughts were', '<think>Leah is quiet.</think>'],
    ['where thoughts were cut before they ended', '<think>Perhaps {"vote": "Leah"}? But then Dan would'],
    ['without JSON', 'I vote for Leah.'],
    ['as a bare text', '"Leah"'],
    ['as a bare number', '7'],
    ['as a list of several', '[{"vote": "Leah"}, {"vote": "Dan"}]'],
    ['without the field that was asked for', '{"reasoning": "Leah is quiet."}'],
    ['with null in the field that was asked for', '{"vote": null}'],
    ['with a target who has left the game', '{"vote": "Bert"}'],
    ['with a target who does not exist', '{"vote": "Zoe"}'],
    ['with oneself as target', '{"vote": "Sam"}'],
    ['with two targets', '{"vote": "Leah or Dan"}'],
    ['with a list of targets', '{"vote": ["Leah"]}'],
    ['with no target', '{"vote": ""}'],
    ['with a verb that is a name too, and nothing else', '{"vote": "I will abstain"}'],
    ['with a target whose name is part of another word', '{"vote": "Danish pastry"}'],
  ])('%s', (_how, raw) => {
    expect(parseAnswer(raw, forVote)).toEqual(isUnreadable);
  });

  it.each(['99', '11', '-1', '3.5', '"99"', '"7 or 8"', 'null', 'true', '[7]', '"high"', '1e99'])(
    'as a bid of %s',
    (value) => {
      expect(parseAnswer(`{"bid": ${value}}`, forBid)).toEqual(isUnreadable);
    },
  );

  it.each(['""', '"  "', '"\\n"', '"\\u200b"', 'null', '7', '["Hello"]', '{"text": "Hello"}'])(
    'as a statement of %s',
    (value) => {
      expect(parseAnswer(`{"statement": ${value}}`, forStatement)).toEqual(isUnreadable);
    },
  );

  it.each([
    ['a suspicion above 1', '"suspicion": 80'],
    ['a type that nobody defined', '"type": "white lie"'],
    ['neither yes nor no', '"deceptive": "perhaps"'],
  ])('as an analysis with %s', (_what, fault) => {
    const rest = '"deceptive": true, "type": "none", "confidence": 1, "suspicion": 1, "p_werewolf": 1';
    const key = fault.slice(0, fault.indexOf(':'));
    expect(parseAnswer(`{${rest}}`, forOther)).toHaveProperty('answer');
    expect(parseAnswer(`{${rest.replace(new RegExp(`${key}: [^,]+`), fault)}}`, forOther)).toEqual(isUnreadable);
  });

  it('and the error names the field and what was expected, once for each', () => {
    const { error } = parseAnswer('{"bid": 99}', forBid) as { error: string };
    expect(error).toBe('"bid": Too big: expected number to be <=10.');
    expect(parseAnswer('Hello', forBid)).toEqual({ error: 'there was no JSON object in it.' });
  });
});

describe('a refusal in common words', () => {
  it.each([
    "I'm sorry, but I can't assist with that.",
    'I’m very sorry, I can’t take part in this.',
    'Sorry, I cannot help with that.',
    'I apologize, but I will not do this.',
    'I cannot take part in a game of deception.',
    'I am unable to answer this.',
    "I am sorry, but I can't help with that.",
    "I'm unable to assist with that.",
    'I must decline.',
    'I have to decline.',
    'I respectfully decline to answer.',
    'I refuse to do this.',
    "I'm not able to do this.",
    'As an AI language model, I cannot lie.',
    "<think>This asks me to lie.</think>I'm sorry, but I can't do that.",
  ])('in words is one: %s', (raw) => {
    expect(parseAnswer(raw, forStatement)).toEqual({ refusal: true });
  });

  it('is not one where it is speech in the game', () => {
    const statement = "I'm sorry, but I can't trust Leah any more.";
    expect(parseAnswer(JSON.stringify({ statement }), forStatement)).toEqual({ answer: { reasoning: '', statement } });
    expect(parseAnswer(`I'm sorry for the delay. ${JSON.stringify({ statement })}`, forStatement)).toMatchObject({
      answer: { statement },
    });
  });

  it.each([
    'I think Leah is sorry.',
    'Leah cannot be trusted.',
    'We are all sorry for Bert.',
    "I can't be sure about Dan, but I vote for him.",
    'I cannot trust Dan any more. My vote: Dan.',
  ])('is not one in prose that does not refuse: %s', (raw) => {
    expect(parseAnswer(raw, forStatement)).toEqual(isUnreadable);
  });
});

// Arbitrary answers: none takes long or throws, and parsing one twice gives the same result.

const hostileView = createView(gameAt(), 'Sam');
const hostileBid: AnyPrompt = bid.put(hostileView, draw(1), undefined);
const hostileStatement: AnyPrompt = debate.put(hostileView, draw(1), undefined);
const hostileAnalysis: AnyPrompt = peerAnalysis.put(hostileView, draw(1), {
  id: '1.1',
  by: 'Dan',
  text: 'Hm.',
});

describe('an answer of any kind', () => {
  const million = 1_000_000;

  it.each([
    ['a megabyte of words', 'word '.repeat(million / 5)],
    ['a megabyte of JSON', JSON.stringify({ bid: 3, reasoning: 'x'.repeat(million) })],
    ['a megabyte of one brace', '{'.repeat(million)],
    ['a megabyte of one bracket', '['.repeat(million)],
    ['a megabyte of thoughts that never end', '<think>'.repeat(million / 7)],
    ['a megabyte of fences', '```'.repeat(million / 3)],
    ['a megabyte of backslashes', `{"bid":"${'\\'.repeat(million)}`],
    ['a number without end, in quotes', `{"bid": "${'1'.repeat(200_000)}x"}`],
    ['quotes without end', `{${"'".repeat(200_000)}`],
    ['keys without colons', `{"a" ${'"a" '.repeat(50_000)}`],
    ['deeply nested objects', '{"a":'.repeat(30_000)],
    ['deeply nested lists that are closed', `{"bid":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
  ])('is dealt with in a moment: %s', (_what, raw) => {
    let reading: object = {};
    expect(countCpuSeconds(() => (reading = parseAnswer(raw, hostileBid)))).toBeLessThan(5);
    expect(['answer', 'error']).toContain(Object.keys(reading)[0]);
  });

  it('never throws, and never gives what the prompt does not allow', () => {
    const parts = fc.oneof(
      fc.constantFrom('{', '}', '[', ']', '"', "'", ':', ',', '```', '<think>', '</think>', 'bid', 'null', '7', '\\'),
      fc.json(),
      fc.string({ unit: anyCodePoint, maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (all) => {
        const reading = parseAnswer(all.join(''), hostileBid);
        if ('answer' in reading) expect(hostileBid.answer.safeParse(reading.answer).success).toBe(true);
        else expect('error' in reading || 'refusal' in reading).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('is read alike when it is read again', () => {
    const numbers = fc.oneof(
      fc.integer(),
      fc.double().filter((number) => !Object.is(number, -0)),
    );
    fc.assert(
      fc.property(fc.record({ reasoning: fc.string(), suspicion: numbers, confidence: numbers }), (fields) => {
        const raw = JSON.stringify({ ...fields, deceptive: true, type: 'none' }).replace('}', ', "p_werewolf": -0.0}');
        const once = parseAnswer(raw, hostileAnalysis);
        expect(JSON.parse(JSON.stringify(once))).toStrictEqual(once);
      }),
    );
  });

  it('has no half of a character, which servers refuse in the prompts of all others', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint, minLength: 1 }), (statement) => {
        const raw = `{"statement": "Hello \\ud83d there \\udc3a ${JSON.stringify(statement).slice(1, -1)}"}`;
        expect(JSON.stringify(parseAnswer(raw, hostileStatement))).not.toMatch(/\\ud[89a-f]/i);
      }),
    );
  });
});

// Reading the replies of LangChain models.

describe('the reply of any LangChain model', () => {
  it('is nothing but its text where the message tells no more', () => {
    expect(parseChatResponse(new AIMessageChunk('Hello'))).toEqual({
      text: 'Hello',
      answerFrom: 'content',
      refusal: null,
      refusedBy: null,
      tokens: null,
      modelReturned: null,
      upstream: null,
      systemFingerprint: null,
      finishReason: null,
      providerReasoning: undefined,
      shownMs: undefined,
      isUnanswered: false,
      meant: undefined,
    });
  });

  it.each([
    ['thinking', { type: 'thinking', thinking: 'Who was quiet?' }],
    ['reasoning', { type: 'reasoning', reasoning: 'Who was quiet?' }],
    ['a reasoning text', { type: 'reasoning', text: 'Who was quiet?' }],
  ])('keeps %s apart from the text', (_, block) => {
    const { text, providerReasoning } = parseChatResponse(
      new AIMessage({ content: [block, { type: 'text', text: 'Gin' }, { type: 'text', text: 'ger' }] }),
    );
    expect({ text, providerReasoning }).toEqual({ text: 'Ginger', providerReasoning: 'Who was quiet?' });
  });

  it.each([
    [1e9, 1e9],
    [1e9 + 1, null],
    [-1, null],
    [0.5, null],
  ])('with a count of %d tokens is counted as %s', (said, counted) => {
    const usage_metadata = { input_tokens: said, output_tokens: 7, total_tokens: 7 };
    const { tokens } = parseChatResponse(Object.assign(new AIMessage(''), { usage_metadata }));
    expect(tokens).toEqual(counted === null ? null : { in: counted, out: 7, cached: null, reasoning: null });
  });

  it('has the text of no picture', () => {
    const picture = { type: 'image_url', image_url: 'data:…' };
    expect(parseChatResponse(new AIMessage({ content: [picture] })).text).toBe('');
  });

  it('is refused where the model stopped to refuse', () => {
    const message = new AIMessage({ content: '', response_metadata: { stop_reason: 'refusal' } });
    expect(parseChatResponse(message).refusal).toBe("The provider's filter stopped the answer: refusal.");
  });

  it('is not refused where it ended in the usual ways', () => {
    for (const finish_reason of ['stop', 'STOP', 'length', 'MAX_TOKENS', 'tool_calls', 'MALFORMED_FUNCTION_CALL'])
      expect(
        parseChatResponse(new AIMessage({ content: '', response_metadata: { finish_reason } })).refusal,
      ).toBeNull();
  });

  it('has no tokens where only one of the two counts is known', () => {
    const message = Object.assign(new AIMessage('Hello'), { usage_metadata: { input_tokens: 3 } });
    expect(parseChatResponse(message).tokens).toBeNull();
  });

  it('tells what a bot meant', () => {
    const message = new AIMessage({ content: '{}', additional_kwargs: { meant: { lie: true } } });
    expect(parseChatResponse(message).meant).toEqual({ lie: true });
  });
});
