// The two families of prompts as they are sent where a server reads the schema of a family as a part of the prompt.
import { describe, expect, it } from '@jest/globals';
import { createFamilySchema, createIntegerField, createNameField, createTextField } from '../../prompts/fields.ts';
import { replaceByParaphrase, getWording } from '../../prompts/paraphrase.ts';
import { listBranches } from '../../prompts/shapes.ts';
import { restoreWording } from '../restore-wording.ts';
import { expectFile } from '../expected-file.ts';
import { gallery } from './prompt-samples.ts';

type Json = Record<string, unknown>;

/** All values of a key, wherever it stands. */
const listAt = (value: unknown, key: string): unknown[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value as Json).flatMap(([name, each]) => [...(name === key ? [each] : []), ...listAt(each, key)]);

const prompts = (['wolf', 'plus'] as const).flatMap((rules) =>
  gallery(rules)
    .filter(({ prompt }) => prompt.family !== undefined)
    .map(({ action, role, prompt }) => [`${rules} ${action} ${role}`, prompt] as const),
);

/** One prompt of each family under each set of rules. */
const oneEach = [...new Map(prompts.map(([name, prompt]) => [`${name.split(' ')[0]}.${prompt.family!.name}`, prompt]))];

/** The field of an answer as the schema of the family has it, with its definitions put in. */
function resolve(schema: Json, definitions: Json): Json {
  const { $ref: reference } = schema as { $ref?: string };
  return reference === undefined ? schema : (definitions[reference.replace('#/$defs/', '')] as Json);
}

describe('a prompt without shapes', () => {
  it.each(prompts)('%s is the same but for the shapes', (_name, prompt) => {
    const bare = prompt.family!.system;
    const whole = prompt.system.split('\n');
    const kept = new Set(bare.split('\n'));
    const gone = whole.filter((line) => !kept.has(line));
    expect(bare.split('\n').every((line) => whole.includes(line))).toBe(true);
    expect(gone.length).toBeGreaterThan(2);
    for (const line of gone) expect(line).toMatch(/^Every answer is one JSON object|^"\w+"(?:, "\w+")*:$|^ {2}"\w+": /);
  });

  it.each(oneEach)('%s is reviewed as a file, with its schema', (name, prompt) => {
    const { system, schema } = prompt.family!;
    expectFile(
      `${import.meta.dirname}/snapshots/family.${name}.txt`,
      `# System\n\n${system}\n\n# Schema of the family\n\n${JSON.stringify(schema, null, 2)}\n`,
    );
  });
});

describe('the schema of a family', () => {
  it.each(prompts)('of %s holds a branch with every field of the question, and all who play', (_name, prompt) => {
    const { schema, names } = prompt.family!;
    const { properties, $defs: definitions = {} } = schema as { properties: Record<string, Json>; $defs?: Json };
    expect((properties['kind'] as { enum: string[] }).enum).toContain(prompt.action);
    const { anyOf: branches } = properties['answer'] as { anyOf: { properties: Json }[] };
    const renamed = Object.fromEntries(Object.entries(names).map(([shared, own]) => [own, shared]));
    const fields = Object.keys(prompt.schema['properties'] as object).slice(1);
    const wanted = fields.map((name) => renamed[name] ?? name).sort();
    const branch = branches.find((each) => Object.keys(each.properties).sort().join() === wanted.join());
    expect(branch).toBeDefined();
    if (prompt.choices.length > 0) {
      const choice = resolve(branch!.properties['choice'] as Json, definitions) as { enum: string[] };
      expect(choice.enum).toEqual(expect.arrayContaining([...prompt.view.players]));
    }
  });

  it.each(oneEach)('%s tells in a paraphrase what it tells', (_name, { view, family }) => {
    const wording = getWording({ variant: 'paraphrased' });
    const branches = listBranches(family!.name, view);
    const usual = listAt(createFamilySchema(branches), 'description') as string[];
    const others = listAt(createFamilySchema(branches, wording), 'description') as string[];
    expect(usual.length).toBeGreaterThan(2);
    usual.forEach((text, index) => expect(others[index]).not.toBe(text));
    const texts = branches.flatMap(({ fields }) => Object.values(fields).map(({ note, says }) => note ?? says));
    for (const text of texts) expect(restoreWording(replaceByParaphrase(text, wording))).toBe(text);
  });

  it('says in a play prompt nothing of deception, and in every object what strict schemas ask for', () => {
    for (const [, prompt] of prompts) {
      const { name, schema } = prompt.family!;
      if (name === 'play') expect(JSON.stringify(schema)).not.toMatch(/decepti|falsehood|omission/);
      expect(listAt({ schema }, 'additionalProperties').every((each) => each === false)).toBe(true);
      for (const each of listAt({ schema }, '$ref'))
        expect(Object.keys((schema as { $defs: Json })['$defs'])).toContain((each as string).replace('#/$defs/', ''));
    }
  });

  it('has one branch for questions that are answered alike, and a definition for what stands in it twice', () => {
    const names = ['Ann', 'Ben', 'Cleo', 'Dora', 'Emil', 'Fred'];
    const branches = [
      { kinds: ['vote'], fields: { vote: createNameField(names, 'the player you vote for') } },
      { kinds: ['check'], fields: { target: createNameField(names, 'the player you check') } },
      { kinds: ['bid'], fields: { bid: createIntegerField(0, 4, 'your bid') } },
      {
        kinds: ['elect'],
        fields: { vote: createNameField(names, 'x'), why: createTextField('why it is so, in a sentence') },
      },
    ];
    const schema = createFamilySchema(branches) as { properties: { answer: { anyOf: { properties: Json }[] } } };
    expect(schema.properties.answer.anyOf.map(({ properties }) => properties)).toEqual([
      { choice: { $ref: '#/$defs/a' } },
      { bid: { type: 'integer' } },
      { choice: { $ref: '#/$defs/a' }, why: { type: 'string', description: 'why it is so, in a sentence' } },
    ]);
    expect((schema as unknown as { $defs: Json }).$defs).toEqual({ a: { type: 'string', enum: names } });
  });
});

it('no answer to a family needs a name that the question does not map back', () => {
  for (const [, prompt] of prompts) {
    const fields = Object.keys(prompt.schema['properties'] as object);
    for (const own of Object.values(prompt.family!.names)) expect(fields).toContain(own);
  }
});
