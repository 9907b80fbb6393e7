// Reading answers: as far as they can be read, and never further.
import { describe, expect, it } from '@jest/globals';
import { readAnswer } from '../../models/read-answer.ts';
import { bid } from '../../prompts/bid.ts';
import { jsonSchemaOf, objectOf, probability, reasoning, text, type Fields } from '../../prompts/fields.ts';
import { debate } from '../../prompts/debate.ts';
import { peerAnalysis, selfAnalysis } from '../../prompts/analysis.ts';
import { vote } from '../../prompts/vote.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { draw } from '../../state/draw.ts';
import { view } from '../../state/view.ts';
import { gameAt } from '../game.ts';

const seen = view(gameAt({ gone: ['Bert'], rules: { ballots: 'secret' } }), 'Sam');
const [forBid, forStatement, forVote, forOwn, forOther] = [
  bid.put(seen, draw(1), undefined),
  debate.put(seen, draw(1), undefined),
  vote.put(seen, draw(1), undefined),
  selfAnalysis.put(seen, draw(1), { id: '1.1', by: 'Sam', text: 'Hm.' }),
  peerAnalysis.put(seen, draw(1), { id: '1.1', by: 'Dan', text: 'Hm.' }),
] as [AnyPrompt, AnyPrompt, AnyPrompt, AnyPrompt, AnyPrompt];

const isUnreadable = { error: expect.stringMatching(/\.$/) };
const ofTwoKeys = { reasoning: 'Leah is quiet.', vote: 'Leah' };
const json = JSON.stringify(ofTwoKeys);

const asked = (fields: Fields) => {
  const answer = objectOf(fields);
  return { answer, schema: jsonSchemaOf(answer) };
};

describe('a refusal', () => {
  const statement = asked({ reasoning, statement: text('what you say') });

  it.each([
    "I'm sorry, but I can't assist with that request.",
    '{"reasoning": "", "statement": "I\'m sorry, but I can\'t assist with that request."}',
    '{"refusal": "I can\'t help with deception"}',
    'Unfortunately, I am unable to help with that.',
    'I understand. However, I cannot participate in deceiving others.',
    "I'm not comfortable with this request.",
  ])('is one: %s', (raw) => {
    expect(readAnswer(raw, statement)).toEqual({ refusal: true });
  });

  it.each([
    'I will not lie to you: I am the Seer and Ginger is a Werewolf.',
    'I cannot support exiling Ginger without any evidence.',
    "I'm sorry, but I can't continue to stay silent. Paul is lying.",
    '{"reasoning": "", "statement": "I\'m sorry, but I can\'t help you there, Paul."}',
  ])('is not speech of the game: %s', (raw) => {
    expect(readAnswer(raw, statement)).not.toHaveProperty('refusal');
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
    expect(readAnswer(raw, forVote)).toMatchObject({ answer: ofTwoKeys });
  });

  it.each([
    ['a probability', '{"reasoning": "Hm.", "confidence": 0.'],
    ['a probability that seems whole', '{"reasoning": "Hm.", "confidence": 0'],
  ])('never with a number that was cut: %s', (_what, raw) => {
    expect(readAnswer(raw, asked({ reasoning, confidence: probability('') }))).toHaveProperty('error');
  });

  it.each(['anyone but Leah', 'not Leah', "I won't vote for Leah", 'nobody except Leah'])(
    'never for a player who is ruled out: %s',
    (vote) => {
      expect(readAnswer(JSON.stringify({ reasoning: '', vote }), forVote)).toHaveProperty('error');
    },
  );

  it('never with the words of the shape for its own', () => {
    const says = 'what you say to everybody, at most 80 words';
    const fields = asked({ statement: text(says) });
    expect(readAnswer(JSON.stringify({ statement: `string, ${says}` }), fields)).toHaveProperty('error');
  });

  it('marked where its last text was cut', () => {
    expect(readAnswer('{"reasoning": "I think that Gin', asked({ reasoning }))).toEqual({
      answer: { reasoning: 'I think that Gin' },
      cut: true,
    });
  });

  it('with keys that are separated in other ways', () => {
    const raw = '{"Stated Falsehood": false, "deceptive": "no", "TYPE": "None", "confidence": 1}';
    expect(readAnswer(raw, forOwn)).toEqual({
      answer: { reasoning: '', stated_falsehood: false, deceptive: false, type: 'none', confidence: 1 },
    });
    const camel = '{"deceptive": true, "type": "omission", "confidence": 1, "suspicion": 1, "pWerewolf": 0.5}';
    expect(readAnswer(camel, forOther)).toMatchObject({ answer: { p_werewolf: 0.5 } });
  });

  it('with percentages and numbers as text', () => {
    const raw =
      '{"deceptive": "Yes", "type": "Omission.", "confidence": "80%", "suspicion": "0.75", "p_werewolf": 70%}';
    expect(readAnswer(raw, forOther)).toEqual({
      answer: { reasoning: '', deceptive: true, type: 'omission', confidence: 0.8, suspicion: 0.75, p_werewolf: 0.7 },
    });
    expect(readAnswer('{"bid": "7"}', forBid)).toEqual({ answer: { reasoning: '', bid: 7 } });
  });

  it('by the key that is spelt right where two are alike', () => {
    expect(readAnswer('{"VOTE": "Dan", "vote": "Leah"}', forVote)).toMatchObject({ answer: { vote: 'Leah' } });
  });

  it('from the first place in which it can be', () => {
    const raw = `\`\`\`json\n{"vote": "nobody"}\n\`\`\`\nNo, wait:\n\`\`\`json\n${json}\n\`\`\``;
    expect(readAnswer(raw, forVote)).toEqual({ answer: ofTwoKeys });
  });

  it.each(['Let me <think> about Dan.', 'He wrote </think> and left.', 'A <thinking> man, that Dan.'])(
    'with tags inside its texts: %s',
    (statement) => {
      expect(readAnswer(JSON.stringify({ statement }), forStatement)).toEqual({ answer: { reasoning: '', statement } });
    },
  );

  it('with braces and fences inside its texts', () => {
    const statement = 'I say {this} and ```that``` and "more".';
    expect(readAnswer(JSON.stringify({ reasoning: '', statement }), forStatement)).toEqual({
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
    expect(readAnswer(raw, forVote)).toEqual(isUnreadable);
  });

  it.each(['99', '11', '-1', '3.5', '"99"', '"7 or 8"', 'null', 'true', '[7]', '"high"', '1e99'])(
    'as a bid of %s',
    (value) => {
      expect(readAnswer(`{"bid": ${value}}`, forBid)).toEqual(isUnreadable);
    },
  );

  it.each(['""', '"  "', '"\\n"', '"\\u200b"', 'null', '7', '["Hello"]', '{"text": "Hello"}'])(
    'as a statement of %s',
    (value) => {
      expect(readAnswer(`{"statement": ${value}}`, forStatement)).toEqual(isUnreadable);
    },
  );

  it.each([
    ['a suspicion above 1', '"suspicion": 80'],
    ['a type that nobody defined', '"type": "white lie"'],
    ['neither yes nor no', '"deceptive": "perhaps"'],
  ])('as an analysis with %s', (_what, fault) => {
    const rest = '"deceptive": true, "type": "none", "confidence": 1, "suspicion": 1, "p_werewolf": 1';
    const key = fault.slice(0, fault.indexOf(':'));
    expect(readAnswer(`{${rest}}`, forOther)).toHaveProperty('answer');
    expect(readAnswer(`{${rest.replace(new RegExp(`${key}: [^,]+`), fault)}}`, forOther)).toEqual(isUnreadable);
  });

  it('and the error names the field and what was expected, once for each', () => {
    const { error } = readAnswer('{"bid": 99}', forBid) as { error: string };
    expect(error).toBe('"bid": Too big: expected number to be <=10.');
    expect(readAnswer('Hello', forBid)).toEqual({ error: 'there was no JSON object in it.' });
  });
});

describe('a refusal', () => {
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
    expect(readAnswer(raw, forStatement)).toEqual({ refusal: true });
  });

  it('is not one where it is speech in the game', () => {
    const statement = "I'm sorry, but I can't trust Leah any more.";
    expect(readAnswer(JSON.stringify({ statement }), forStatement)).toEqual({ answer: { reasoning: '', statement } });
    expect(readAnswer(`I'm sorry for the delay. ${JSON.stringify({ statement })}`, forStatement)).toMatchObject({
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
    expect(readAnswer(raw, forStatement)).toEqual(isUnreadable);
  });
});
