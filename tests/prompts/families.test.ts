// The two families of prompts as they are sent to servers that treat a schema as part of the prompt.
import { describe, expect, it } from '@jest/globals';
import {
  createFamilySchema,
  createIntegerField,
  describeBesideType,
  describeInFamily,
  createNameField,
  createTextField,
} from '../../prompts/fields.ts';
import { replaceByParaphrase, getWording } from '../../prompts/paraphrase.ts';
import { listBranches } from '../../prompts/shapes.ts';
import { restoreWording } from '../restore-wording.ts';
import { expectFile } from '../expected-file.ts';
import { gallery, usualRoles } from './prompt-samples.ts';

type Json = Record<string, unknown>;

/** Lists all values of a key, at any depth. */
const listAt = (value: unknown, key: string): unknown[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value as Json).flatMap(([name, each]) => [...(name === key ? [each] : []), ...listAt(each, key)]);

const prompts = (['wolf', 'plus'] as const).flatMap((rules) =>
  gallery(rules)
    .filter(({ prompt }) => prompt.family !== undefined)
    .map(({ action, role, prompt }) => [`${rules} ${action} ${role}`, prompt] as const),
);

/** Selects one prompt of each family for each set of rules. */
const oneEach = [
  ...new Map(
    prompts
      .filter(([, { view }]) => usualRoles.some(({ name }) => name === view.role))
      .map(([name, prompt]) => [`${name.split(' ')[0]}.${prompt.family!.name}`, prompt]),
  ),
];

/** A field in the family's schema, with definitions inlined. */
function resolve(schema: Json, definitions: Json): Json {
  const { $ref: reference } = schema as { $ref?: string };
  return reference === undefined ? schema : (definitions[reference.replace('#/$defs/', '')] as Json);
}

/** Pattern of a line that describes the form of answers. */
const shapeLine = /^Every answer is one JSON object|^"\w+"(?:, "\w+")*:$|^ {2}"\w+": /;

/** Lists the fields of a kind of answer as a prompt describes them. */
const findFields = (text: string, action: string) => {
  const kinds = new RegExp(`^(?:".*", )?"${action}"(?:, ".*")?:\\n((?: {2}".*\n?)+)`, 'm').exec(text)![1]!;
  return [...kinds.matchAll(/^ {2}"(\w+)": (.+)$/gm)].map(([, name, says]) => [name, says] as const);
};

const listOtherLines = (text: string) => text.split('\n').filter((line) => line !== '' && !shapeLine.test(line));

describe('a prompt for the schema of its family', () => {
  it.each(prompts)('%s is the same but for the shapes', (_name, { system, family }) => {
    expect(listOtherLines(family!.system)).toEqual(listOtherLines(system));
    expect(family!.system).not.toBe(system);
    expect(listOtherLines(family!.described)).toEqual(listOtherLines(system));
  });

  it.each(prompts.filter(([, { family }]) => family!.name === 'play'))(
    '%s says which kind has which fields, by the names in the schema',
    (_name, { action, system, family }) => {
      const own = findFields(system, action).map(([name, says]) => [
        Object.entries(family!.names).find(([, of]) => of === name)?.[0] ?? name,
        describeBesideType(says!, (text) => text),
      ]);
      expect(findFields(family!.system, action)).toEqual(own);
    },
  );

  it.each(prompts)('%s describes that schema to models that may not read it', (_name, { action, system, family }) => {
    expect(family!.described).toContain('then "answer", with the "kind" that the question asks for');
    const told = findFields(family!.described, action);
    const own = findFields(system, action).map(([name, says]) => [
      Object.entries(family!.names).find(([, of]) => of === name)?.[0] ?? name,
      describeInFamily(says!, (text) => text),
    ]);
    expect(told).toEqual(own);
    const { properties, $defs: definitions = {} } = family!.schema as {
      properties: Record<string, Json>;
      $defs?: Json;
    };
    const { anyOf: branches } = properties['answer'] as { anyOf: { properties: Json }[] };
    const branch = branches.find(({ properties: { kind } }) => (kind as { enum: string[] }).enum.includes(action))!;
    expect(['kind', ...told.map(([name]) => name)]).toEqual(Object.keys(branch.properties));
    for (const [name, says] of told)
      expect(/^list/.test(says!)).toBe(resolve(branch.properties[name!] as Json, definitions)['type'] === 'array');
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
    const { anyOf: branches } = properties['answer'] as { anyOf: { properties: Json }[] };
    const listKinds = (of: { properties: Json }) => (of.properties['kind'] as { enum: string[] }).enum;
    const renamed = Object.fromEntries(Object.entries(names).map(([shared, own]) => [own, shared]));
    const fields = Object.keys(prompt.schema['properties'] as object).slice(1);
    const wanted = fields.map((name) => renamed[name] ?? name).sort();
    const mine = branches.filter((each) => listKinds(each).includes(prompt.action));
    expect(mine).toHaveLength(1);
    const branch = mine[0];
    expect(Object.keys(branch!.properties).sort()).toEqual(['kind', ...wanted].sort());
    if (prompt.choices.length > 0) {
      const choice = resolve(branch!.properties['choice'] as Json, definitions) as { enum: string[] };
      expect(choice.enum).toEqual(expect.arrayContaining([...prompt.view.players]));
    }
  });

  it.each(oneEach)('%s tells in a paraphrase what it tells', (_name, { view, family }) => {
    const wording = getWording({ variant: 'paraphrased' });
    const branches = listBranches(family!.name, view);
    expect(listAt(family!.schema, 'description').length > 2).toBe(family!.name === 'analysis'); // for questions in play, the prompt contains the descriptions
    const usual = listAt(createFamilySchema(branches), 'description') as string[];
    const others = listAt(createFamilySchema(branches, { word: wording }), 'description') as string[];
    expect(usual.length).toBeGreaterThan(2);
    usual.forEach((text, index) => expect(others[index]).not.toBe(text));
    const texts = branches
      .flatMap(({ fields }) => Object.values(fields).map(({ note, says }) => note ?? says))
      .filter((text) => text !== null);
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
      { kind: { type: 'string', enum: ['vote', 'check'] }, choice: { $ref: '#/$defs/a' } },
      { kind: { type: 'string', enum: ['bid'] }, bid: { type: 'integer' } },
      {
        kind: { type: 'string', enum: ['elect'] },
        choice: { $ref: '#/$defs/a' },
        why: { type: 'string', description: 'why it is so, in a sentence' },
      },
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
