// The paraphrases: every sentence that players read has one, with the same rules in it.
import { describe, expect, it } from '@jest/globals';
import { createWording, getWording, replaceByParaphrase } from '../../prompts/paraphrase.ts';
import {
  disclosedParaphrases,
  localParaphrases,
  paraphrases as usualParaphrases,
} from '../../prompts/paraphrase-texts.ts';
import { honestySentences } from '../../state/rules/common-rules.ts';
import { presets } from '../../state/presets.ts';
import { readRules, rulebook } from '../../state/rulebook.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { roles } from '../../state/roles/index.ts';
import { teams } from '../../state/teams.ts';
import { listValues } from '../random-plans.ts';
import { restoreWording } from '../restore-wording.ts';
import { gallery } from './prompt-samples.ts';

const paraphrases = [...usualParaphrases, ...disclosedParaphrases, ...localParaphrases];
const wording = getWording({ variant: 'paraphrased' });
const paraphrase = (text: string) => replaceByParaphrase(text, wording);

const isRead = (text: string | null): text is string => text !== null;
const bases: RuleValues[] = Object.keys(presets).flatMap((preset) =>
  [true, false].flatMap((sheriff) =>
    ['nobody', 'random', 'pk'].map((exileTies) => ({ ...readRules(preset), sheriff, exileTies })),
  ),
);

/** Lists the sentences that rules, roles and sides produce: each rule with each of its values, beside every base set. */
const ofRules = Object.entries(rulebook).flatMap(([name, rule]) =>
  listValues(rule).flatMap((value) => bases.map((base) => rule.says(value, { ...base, [name]: value }))),
);
const ofRoles = [...roles.values()].flatMap((role) => [
  role.advice,
  ...[1, 2].flatMap((count) =>
    Object.entries(rulebook).flatMap(([name, rule]) =>
      listValues(rule).flatMap((value) =>
        bases.slice(0, 2).map((base) => role.does({ ...base, [name]: value }, count)),
      ),
    ),
  ),
]);
const ofSides = ['parity', 'majority', 'edge'].flatMap((wins) =>
  Object.values(teams).map((side) => side.wins({ wins }, ['Seer', 'Witch'])),
);
const sentences = new Set([...ofRules, ...ofRoles, ...ofSides, ...Object.values(honestySentences)].filter(isRead));

/** Lists the lines of a prompt, except names, the persona and quoted words. */
const lines = new Set(
  (['wolf', 'arena', 'plus'] as const).flatMap((rules) =>
    gallery(rules).flatMap(({ prompt }) => {
      const { system } = prompt;
      const [history = [], task] = splitHistory(prompt.user);
      const trimmed = splitHistory(prompt.without(Infinity))[0] ?? [];
      return [...system.split('\n'), ...[...history, ...trimmed].filter((line) => !line.includes('"')), ...task!];
    }),
  ),
);
const frame =
  /^$|^You are (?!the (?:last|Sheriff)\b)\p{L}+\.?$|^Your character: |^\p{L}+: "|^ *[{}]$|^"\w+"(?:, "\w+")*:$/u;

/** Splits a prompt into the lines of its history and the lines after it. */
function splitHistory(user: string) {
  const all = user.split('\n');
  const end = all.findLastIndex((line) => line.startsWith('It is '));
  return [all.slice(0, end), all.slice(end)];
}

/** Lines that do not occur in the gallery. */
const rareLines = [
  'You are the only one on the side of the Werewolves.',
  'You chose to poison nobody.',
  'Ginger was the Hunter and shot you.',
  'You were a Hunter and shot Dan.',
  'You do not stand for Sheriff.',
  'Nobody stood for Sheriff, so there is none.',
  'Ginger was elected Sheriff by lot, the vote being tied.',
  'You were elected Sheriff unopposed.',
  'Dan voted for you as Sheriff in the second vote.',
  "You tore up the Sheriff's badge: there is no Sheriff any more.",
  "Dan passed the Sheriff's badge to you.",
  'The vote was tied between Dan and Will and you: they speak once more.',
  'You learned that Dan is on the side of the village.',
  'You left the game, exiled by vote. You were an Idiot.',
  'Dan left the game. Dan was on the side of the village.',
  'Nobody was exiled: the vote was tied.',
  'You were voted out, were shown to be an Idiot and stay in the game, without a vote from now on.',
  'Dan was voted out, was shown to be an Idiot and stays in the game, without a vote from now on.',
  'You had the turn and said nothing.',
  'All players are AI models.',
  'All players are humans.',
  'Humans among the players: Dan, Sam. All other players are AI models.',
].map((line) => `- ${line}`);

const listAll = (pattern: RegExp, text: string) =>
  [...text.matchAll(pattern)].map(([found]) => found.toLowerCase()).sort();
const listSet = (pattern: RegExp, text: string) => [
  ...new Set(listAll(pattern, text.replaceAll('Werewolves', 'Werewolf'))),
];
const roleWords = new RegExp(
  `\\b(?:${[...roles.values()].flatMap(({ name, plural }) => [plural, name]).join('|')}|village|Sheriff|pseudo-vote|antidote|poison|badge|PK)\\b`,
  'g',
);

describe('the paraphrases', () => {
  it('are of different sentences, and different from these', () => {
    expect(new Set(paraphrases.map(([usual]) => usual)).size).toBe(paraphrases.length);
    expect(new Set(paraphrases.map(([, other]) => other)).size).toBe(paraphrases.length);
    for (const [usual, other] of paraphrases) expect(other).not.toBe(usual);
  });

  it.each(paraphrases)('of %j have the same slots, numbers, choices and roles', (usual, other) => {
    expect(listSet(/\{\d\}/g, other)).toEqual(listSet(/\{\d\}/g, usual));
    expect(listAll(/(?<!\{)\b\d+(?:\.\d+)?\b(?!\})/g, other)).toEqual(
      listAll(/(?<!\{)\b\d+(?:\.\d+)?\b(?!\})/g, usual),
    );
    expect(listAll(/"[^"]*"/g, other)).toEqual(listAll(/"[^"]*"/g, usual));
    const pronoun = /^Once they (?:are|outnumber)/.test(other);
    if (!pronoun) expect(listSet(roleWords, other)).toEqual(listSet(roleWords, usual));
    else expect(other).toContain('the Werewolves have won');
  });

  it.each([...sentences])('say otherwise and take back: %s', (usual) => {
    const other = paraphrase(usual);
    const parts = usual.split(/(?<=[.?]) (?=[A-Z"])/);
    const left = parts.filter((part) => other.includes(part));
    expect(left).toEqual([]); // a sentence without a row in prompts/paraphrase-texts.ts
    expect(restoreWording(other)).toBe(usual);
    expect(listAll(/\b\d+(?:\.\d+)?\b/g, other)).toEqual(listAll(/\b\d+(?:\.\d+)?\b/g, usual));
  });

  it.each([...lines, ...rareLines].filter((line) => !frame.test(line)))(
    'say otherwise and take back the line %j',
    (usual) => {
      const other = paraphrase(usual);
      expect(other).not.toBe(usual); // a sentence without a row in prompts/paraphrase-texts.ts
      expect(restoreWording(other)).toBe(usual);
    },
  );

  it('leave the words of players as they are', () => {
    const quoted = '"All players will read it. The debate is over."';
    for (const line of [
      `Dan: ${quoted}`,
      `Dan: "Leah has just said: no."`,
      `Dan cried: ${quoted}`,
      `- You thought: ${quoted}`,
    ])
      expect(wording(line)).toBe(line);
  });

  it('are made of any rows', () => {
    const own = createWording([['{1} gives {2} to {3}.', '{3} gets {2} from {1}.']]);
    expect(own('- Dan gives it to Leah. Nobody knows.')).toBe('- Leah gets it from Dan. Nobody knows.');
  });
});
