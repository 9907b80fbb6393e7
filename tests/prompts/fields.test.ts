// Fields of answers: how tolerantly each reads what models write, and what each refuses.
import { describe, expect, it } from '@jest/globals';
import {
  createFieldsForEach,
  convertToJsonSchema,
  createAnswerSchema,
  createChoiceField,
  createProbabilityField,
  createProbabilitiesField,
  reasoning,
  createTextField,
  createIntegerField,
  createYesNoField,
  type Field,
} from '../../prompts/fields.ts';
import { flattenToOneLine } from '../../state/text.ts';

/** Returns the value as the field reads it. Null if the field cannot read it. */
const read = (field: Field, value: unknown): unknown => {
  const result = field.schema.safeParse(value);
  return result.success ? result.data : null;
};
const names = ['Dan', 'Ginger', 'Zoë'] as const;

describe('a choice', () => {
  it.each([
    'Dan',
    'dan',
    'DAN',
    ' Dan ',
    'Dan.',
    '"Dan"',
    '**Dan**',
    '@Dan!',
    'I choose Dan',
    'Dan, because he is quiet',
    "Dan's the one",
    'Player 3: Dan',
    'Dan Dan',
    'Dan\u200b',
  ])('is read from %j', (value) => {
    expect(read(createChoiceField(names, ''), value)).toBe('Dan');
  });

  it.each([
    'Dan or Ginger',
    'dan or Ginger',
    'Dan or GINGER',
    'Dan is innocent, vote for ginger',
    'Dan or Zoe',
    'I vote for dan',
    'Danny',
    'Jordan',
    'Bert',
    'nobody',
    '',
    '3',
    3,
    null,
    undefined,
    ['Dan'],
    { name: 'Dan' },
    true,
  ])('is not read from %j', (value) => {
    expect(read(createChoiceField(names, ''), value)).toBeNull();
  });

  it('is not guessed where another name is a word besides', () => {
    const vote = createChoiceField(['Dan', 'Will'], '');
    for (const value of [
      'Dan is innocent, vote for will',
      'dan or Will',
      'I choose dan over Will',
      'I Will vote for Dan',
    ])
      expect(read(vote, value)).toBeNull();
    expect(read(vote, 'will')).toBe('Will');
    expect(read(vote, 'I choose Will')).toBe('Will');
  });

  it.each([
    ...['My vote will go to Dan', 'We will vote for Dan', 'Dan will be exiled', 'I vote for Dan. That will help us.'],
    ...['It may be Dan', 'Dan may be a Werewolf', 'Dan rose to the occasion', 'Dan, of the old clan'],
  ])('is read where other names are but words: %s', (value) => {
    expect(read(createChoiceField(['Dan', 'Will', 'May', 'Rose'], ''), value)).toBe('Dan');
  });

  it('is read where another name is the verb of the one who answers', () => {
    expect(read(createChoiceField(['Dan', 'Will'], ''), 'I will vote for Dan')).toBe('Dan');
    expect(read(createChoiceField(['Dan', 'Mark'], ''), 'Dan, whom I mark')).toBe('Dan');
    expect(read(createChoiceField(['Dan', 'pass'], ''), 'Dan, or I pass')).toBeNull();
  });

  it('is read with its accents', () => {
    expect(read(createChoiceField(names, ''), 'ZOË')).toBe('Zoë');
    expect(read(createChoiceField(names, ''), 'Zoëlle')).toBeNull();
  });

  it('shows the names in the order it is given, and keeps their order in the schema', () => {
    const field = createChoiceField(names, 'the player', ['Zoë', 'Dan', 'Ginger']);
    expect(field.says).toBe('string, the player, one of: Zoë, Dan, Ginger');
    expect(convertToJsonSchema(field.schema)).toMatchObject({ enum: ['Zoë', 'Dan', 'Ginger'] });
  });
});

describe('a whole number', () => {
  it.each([
    [7, 7],
    [0, 0],
    [10, 10],
    ['7', 7],
    [' 7 ', 7],
    ['+7', 7],
    [7.0, 7],
    ['7.0', 7],
  ])('is read from %j', (value, number) => {
    expect(read(createIntegerField(0, 10, ''), value)).toBe(number);
  });

  it.each([99, 11, -1, 7.5, '99', '7/10', 'seven', '', ' ', '7 or 8', '0x7', null, true, [7], Infinity, NaN])(
    'is not read from %j',
    (value) => {
      expect(read(createIntegerField(0, 10, ''), value)).toBeNull();
    },
  );
});

describe('a probability', () => {
  it.each([
    [0.7, 0.7],
    [0, 0],
    [1, 1],
    ['0.7', 0.7],
    ['.7', 0.7],
    ['70%', 0.7],
    ['70 %', 0.7],
    ['100%', 1],
    ['0%', 0],
  ])('is read from %j', (value, number) => {
    expect(read(createProbabilityField(''), value)).toBeCloseTo(number);
  });

  it.each([70, 1.01, -0.1, '70', '101%', 'high', '', '%', null, false, '0.7?', Infinity])(
    'is not read from %j',
    (value) => {
      expect(read(createProbabilityField(''), value)).toBeNull();
    },
  );

  it('is asked for each name, and none may be missing', () => {
    const field = createProbabilitiesField(['Dan', 'Zoë'], '');
    expect(read(field, { Dan: '70%', Zoë: 0.1, Bert: 0.5 })).toEqual({ Dan: 0.7, Zoë: 0.1 });
    expect(read(field, { Dan: 0.7 })).toBeNull();
    expect(read(field, { Dan: 0.7, Zoë: 2 })).toBeNull();
  });
});

describe('a yes or no', () => {
  it.each([
    [true, true],
    ['true', true],
    ['Yes', true],
    [' TRUE ', true],
    [false, false],
    ['false', false],
    ['no', false],
  ])('is read from %j', (value, answer) => {
    expect(read(createYesNoField(''), value)).toBe(answer);
  });

  it.each(['maybe', '', 1, 0, null, undefined, 'yes and no', []])('is not read from %j', (value) => {
    expect(createYesNoField('').schema.safeParse(value).success).toBe(false);
  });
});

describe('a text', () => {
  it('is one line of visible characters', () => {
    expect(read(createTextField(''), '  Hello,\n\n  Dan\t! ')).toBe('Hello, Dan !');
    expect(flattenToOneLine('a\u0000b\u202ec\u200bd\u2028e')).toBe('a b c d e');
  });

  it.each(['', '  ', '\n', '\u200b', null, undefined, 7, ['Hello']])('is not read from %j', (value) => {
    expect(read(createTextField(''), value)).toBeNull();
  });

  it('may be empty or missing where it is reasoning', () => {
    for (const value of ['', ' ', null, undefined]) expect(read(reasoning, value)).toBe('');
    expect(read(reasoning, ' I\nthink ')).toBe('I think');
    expect(read(reasoning, ['I', 'think'])).toBeNull();
  });
});

describe('the fields of each name', () => {
  const field = createFieldsForEach(['Dan', 'Zoë'], { suspicion: createProbabilityField('how far') }, 'your judgement');

  it('are read for all or for none', () => {
    expect(read(field, { Dan: { suspicion: 1 }, Zoë: { suspicion: '5%' } })).toEqual({
      Dan: { suspicion: 1 },
      Zoë: { suspicion: 0.05 },
    });
    expect(read(field, { Dan: { suspicion: 1 }, Zoë: {} })).toBeNull();
    expect(read(field, { Dan: { suspicion: 1 } })).toBeNull();
  });
});

it('makes a schema in which every property is required and no other is allowed', () => {
  const fields = {
    reasoning,
    bid: createIntegerField(0, 4, ''),
    sure: createYesNoField(''),
    of: createProbabilitiesField(['Dan'], ''),
  };
  expect(convertToJsonSchema(createAnswerSchema(fields))).toEqual({
    type: 'object',
    properties: {
      reasoning: { type: 'string' },
      bid: { type: 'integer', minimum: 0, maximum: 4 },
      sure: { type: 'boolean' },
      of: {
        type: 'object',
        properties: { Dan: { type: 'number', minimum: 0, maximum: 1 } },
        required: ['Dan'],
        additionalProperties: false,
      },
    },
    required: ['reasoning', 'bid', 'sure', 'of'],
    additionalProperties: false,
  });
});
