// Makes a match fit into one file. Parts are left out in a fixed order until the rest is small enough, and a note names
// each omitted part.
import { formatCommandInFile } from '../../state/command-in-file.ts';
import type { ViewedMatch, ViewedStep } from './viewed-match.ts';

type Cut = readonly [note: string, cut: (step: ViewedStep) => ViewedStep];

/** Returns whether the player only listened or bid in this step. */
const isAside = (step: ViewedStep, player: string) => step.actor !== player;

const cutReasoning = <Part extends { player: string; reasoning: string }>(
  parts: readonly Part[] | undefined,
  isCut: (player: string) => boolean,
) => parts?.map((part) => (isCut(part.player) ? { ...part, reasoning: '' } : part));

const drop = (step: ViewedStep, change: Partial<Record<keyof ViewedStep, unknown>>): ViewedStep => {
  const changed = { ...step, ...change };
  return Object.fromEntries(Object.entries(changed).filter(([, part]) => part !== undefined)) as unknown as ViewedStep;
};

/** Lists the cuts in the order in which they are applied. */
const listCuts = (id: string): Cut[] => [
  [
    `This file has no room for the prompts of bids, analyses and auxiliary votes. To read them: ${formatCommandInFile('view')}, or ${formatCommandInFile('show', id, '--prompts')}.`,
    (step) => drop(step, { prompts: step.prompts?.filter(({ player }) => !isAside(step, player)) }),
  ],
  ['It has no room for the other prompts either.', (step) => drop(step, { prompts: undefined })],
  [
    `This file has no room for what listeners wrote about statements in private. To read it: ${formatCommandInFile('view')}.`,
    (step) => drop(step, { heard: cutReasoning(step.heard, () => true) }),
  ],
  [
    'It has no room for what bidders thought either.',
    (step) => drop(step, { thoughts: step.thoughts?.filter(({ player }) => !isAside(step, player)) }),
  ],
  ['It has no room for the other private thoughts either.', (step) => drop(step, { thoughts: undefined })],
  ...[20_000, 4000, 1000, 300].map((length): Cut => [
    `Texts of more than ${length} characters are cut. To read them in full: ${formatCommandInFile('show', id)}.`,
    (step) => shortenTexts(step, length),
  ]),
];

/**
 * Returns the match, reduced if its size exceeds `most`. `measure` returns the size of a match.
 *
 * @example truncateMatch(match, 900_000, (one) => JSON.stringify(one).length).notes
 */
export function truncateMatch(match: ViewedMatch, most: number, measure: (match: ViewedMatch) => number): ViewedMatch {
  let [now, size] = [match, measure(match)];
  for (const [note, cut] of listCuts(match.id)) {
    if (size <= most) break;
    const next = { ...now, steps: now.steps.map(cut), notes: [...now.notes, note] };
    const left = measure(next);
    if (left < size) [now, size] = [next, left]; // otherwise the cut had no effect
  }
  return now;
}

/** Shortens statements and claims wherever they occur. */
function shortenTexts(step: ViewedStep, length: number): ViewedStep {
  const cut = (text: string) => (text.length <= length ? text : `${text.slice(0, length)} …`);
  const { text, told, toldToAll, tellings, readings } = step;
  return drop(step, {
    text: text === undefined ? undefined : cut(text),
    told: cut(told),
    toldToAll: toldToAll === null ? null : cut(toldToAll),
    tellings: Object.fromEntries(Object.entries(tellings).map(([name, own]) => [name, cut(own)])),
    readings:
      readings &&
      Object.fromEntries(
        Object.entries(readings).map(([source, reading]) => [
          source,
          { ...reading, claims: reading.claims.map((claim) => ({ ...claim, words: cut(claim.words) })) },
        ]),
      ),
  });
}

/**
 * Character that stands in for a statement where other text repeats it. No text of a record contains this character.
 */
const said = '\ue000';

/** Replaces every repetition of a moment's statement by a mark, so that the statement is stored only once. */
export const packMatch = (match: ViewedMatch): ViewedMatch =>
  replaceTold(match, (told, text) => told.replace(text, () => said));

/** Undoes `packMatch`. */
export const unpackMatch = (match: ViewedMatch): ViewedMatch =>
  replaceTold(match, (told, text) => told.replace(said, () => text));

function replaceTold(match: ViewedMatch, replace: (told: string, text: string) => string): ViewedMatch {
  const steps = match.steps.map((step): ViewedStep => {
    const { text, told, toldToAll, tellings } = step;
    if (!text || text.includes(said)) return step;
    return {
      ...step,
      told: replace(told, text),
      toldToAll: toldToAll === null ? null : replace(toldToAll, text),
      tellings: Object.fromEntries(Object.entries(tellings).map(([name, own]) => [name, replace(own, text)])),
    };
  });
  return { ...match, steps };
}
