// The renamed game: words are exchanged one to one, and prompts contain no word of the usual game.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseAnswer } from '../../models/parse-answer.ts';
import { buildConversation } from '../../models/context-trimming.ts';
import {
  checkRenamedNames,
  getRenamer,
  renamedWords,
  replaceGameWords,
  replaceInValue,
} from '../../prompts/renaming.ts';
import { namePool } from '../../state/player-names.ts';
import { roles } from '../../state/roles/index.ts';
import { gallery } from './prompt-samples.ts';

const everyRole = { name: 'all', roles: Object.fromEntries([...roles.keys()].map((name) => [name, 1])) };
const tell = getRenamer({ variant: 'renamed', board: everyRole });
const everyWord = [...roles.values()].reduce((all, { renamedAs }) => ({ ...all, ...renamedAs }), renamedWords);
const words = Object.entries(everyWord).flat();

const anyCase = (one: string) =>
  fc
    .array(fc.boolean(), { minLength: one.length, maxLength: one.length })
    .map((capitals) => [...one].map((letter, at) => (capitals[at] ? letter.toUpperCase() : letter)).join(''));
const anyWord = fc
  .constantFrom(...words)
  .chain((one) =>
    fc.oneof(
      fc.constantFrom(one, one.toUpperCase(), one.charAt(0).toUpperCase() + one.slice(1)),
      anyCase(one),
      fc.constantFrom(
        `${one}'s`,
        `${one}s'`,
        `${one}es`,
        `un${one}`,
        `${one}-like`,
        `p_${one}`,
        `${one}ish`,
        `«${one}»`,
      ),
    ),
  );
const anyText = fc
  .array(fc.oneof(anyWord, fc.string({ unit: 'binary' }), fc.constantFrom(' ', '_', "'", 'é', '́', 'ſ', 'K', '\\n')))
  .map((parts) => parts.join(''));

describe('the words of the renamed game', () => {
  it('change places one by one: no word stands twice', () => {
    expect(new Set(words).size).toBe(words.length);
    for (const one of words) expect(one).toMatch(/^[a-z]+$/);
  });

  it('are there for every role, its plural and what sides and the office are called', () => {
    const usual = [...roles.values()].flatMap(({ name, plural }) => [name, plural]);
    for (const one of [...usual, 'village', 'villagers', 'Werewolves', 'Sheriff', 'wolf', 'pack'])
      expect(Object.keys(everyWord)).toContain(one.toLowerCase());
  });

  it('are there for local roles only where somebody has the role', () => {
    for (const { isLocal, renamedAs } of roles.values()) expect(renamedAs !== undefined).toBe(isLocal === true);
    const text = 'A medium risk: the Medium was possessed by the Werewolf.';
    expect(replaceGameWords(text)).toBe('A medium risk: the Medium was possessed by the Saboteur.');
    const renamed = getRenamer({ variant: 'renamed', board: { name: 'x', roles: { Werewolf: 1, Medium: 1 } } });
    expect(renamed(text)).toBe('A registrar risk: the Registrar was possessed by the Saboteur.');
    expect(renamed(renamed(text))).toBe(text);
  });

  it('take the same article, a or an', () => {
    const isVowel = (one: string) => /^[aeiou]/.test(one);
    for (const [one, other] of Object.entries(everyWord)) expect([one, isVowel(other)]).toEqual([one, isVowel(one)]);
  });

  it.each([
    ['I am the Seer, and Dan is a Werewolf.', 'I am the Surveyor, and Dan is a Saboteur.'],
    ["WEREWOLVES! The wolves' pack, the Guard's shield.", "SABOTEURS! The moles' cabal, the Shepherd's shield."],
    ['{"p_werewolf": 0.5, "p_werewolf_of": {}}', '{"p_saboteur": 0.5, "p_saboteur_of": {}}'],
    ['WereWolf, were-wolf, Werewolfish', 'SaboTeur, were-mole, Werewolfish'],
    ['Saboteur said the Werewolf', 'Werewolf said the Saboteur'],
  ])('are put into %j', (usual, renamed) => {
    expect(replaceGameWords(usual)).toBe(renamed);
    expect(replaceGameWords(renamed)).toBe(usual);
  });

  it('are taken back whatever the text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(replaceGameWords(replaceGameWords(text))).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });

  it('are taken back in any JSON value, keys too', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(anyWord, anyText), (value, keyed) => {
        expect(replaceInValue(replaceInValue(value, tell), tell)).toEqual(value);
        expect(replaceInValue(replaceInValue(keyed, tell), tell)).toEqual({ ...keyed });
      }),
    );
  });

  it('are nobody’s name', () => {
    expect(() => checkRenamedNames(namePool)).not.toThrow();
    expect(() => checkRenamedNames(['Dan', 'Saboteur'])).toThrow(/nobody can be called "Saboteur"/);
  });
});

describe('a prompt of the renamed game', () => {
  const usual = new RegExp(`(?<!\\p{L})(?:${Object.keys(everyWord).join('|')})(?!\\p{L})`, 'iu');
  const renamed = new RegExp(`(?<!\\p{L})(?:${Object.values(everyWord).join('|')})(?!\\p{L})`, 'iu');

  const samples = (['wolf', 'arena', 'plus'] as const).flatMap((rules) =>
    gallery(rules).map(({ action, role, prompt }) => [`${rules}, ${action} by ${role},`, prompt] as const),
  );

  it.each(samples)('%s has no usual word', (_, prompt) => {
    expect(`${prompt.system}\n${prompt.user}`).not.toMatch(renamed); // otherwise the renaming would be undone
    const told = buildConversation({ ...prompt, view: { ...prompt.view, variant: 'renamed' } }, 0);
    for (const { content } of told) expect(content).not.toMatch(usual);
    expect(JSON.stringify(replaceInValue(prompt.schema, tell))).not.toMatch(usual);
  });

  it('is answered in its words, which are read in the usual ones', () => {
    const prompt = samples.map(([, one]) => one).find((one) => 'p_werewolf' in (one.schema['properties'] as object))!;
    const view = { ...prompt.view, variant: 'renamed' as const };
    const usualAnswer = { ...sampleAnswer(prompt.schema), reasoning: 'A Werewolf said "Saboteur".', p_werewolf: 0.25 };
    const raw = JSON.stringify(replaceInValue(usualAnswer, tell));
    expect(raw).toContain('"p_saboteur":0.25');
    const plain = parseAnswer(JSON.stringify(usualAnswer), prompt);
    expect(plain).toHaveProperty('answer');
    expect(parseAnswer(raw, { ...prompt, view })).toEqual(plain);
    const escaped = raw.replace('Saboteur said', String.raw`\nSaboteur said`).replace('A \\n', '\\n');
    expect(parseAnswer(escaped, { ...prompt, view })).toMatchObject({ answer: { p_werewolf: 0.25 } });
    const failed = parseAnswer('{"p_saboteur": 7}', { ...prompt, view });
    expect((failed as { error: string }).error).toContain('"p_saboteur"');
  });
});

/** Creates any valid value for each property of a JSON schema. */
function sampleAnswer(schema: Record<string, unknown>): Record<string, unknown> {
  const properties = schema['properties'] as Record<string, Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, one]) => {
      if (Array.isArray(one['enum'])) return [name, one['enum'][0]];
      if (one['type'] === 'object') return [name, sampleAnswer(one)];
      if (one['type'] === 'boolean') return [name, true];
      if (one['type'] === 'array') return [name, []];
      return [name, one['type'] === 'string' ? 'words' : 0];
    }),
  );
}
