// Makes a match fit into one file: what is left out goes in an order, each time with a note, until the rest is small enough.
import { formatCommandInFile } from '../../state/command-in-file.ts';
import type { ViewedMatch, ViewedStep } from './viewed-match.ts';

type Cut = readonly [note: string, cut: (step: ViewedStep) => ViewedStep];

/** Who listened or bid, and did not act. */
const isAside = (step: ViewedStep, player: string) => step.actor !== player;

const cutReasoning = <Part extends { player: string; reasoning: string }>(
  parts: readonly Part[] | undefined,
  isCut: (player: string) => boolean,
) => parts?.map((part) => (isCut(part.player) ? { ...part, reasoning: '' } : part));

const drop = (step: ViewedStep, change: Partial<Record<keyof ViewedStep, unknown>>): ViewedStep => {
  const changed = { ...step, ...change };
  return Object.fromEntries(Object.entries(changed).filter(([, part]) => part !== undefined)) as unknown as ViewedStep;
};

/** In this order. */
const listCuts = (id: string): Cut[] => [
  [
    `Prompts of bids, analyses and votes aside have no room in this file: ${formatCommandInFile('view')}, or ${formatCommandInFile('show', id, '--prompts')}.`,
    (step) => drop(step, { prompts: step.prompts?.filter(({ player }) => !isAside(step, player)) }),
  ],
  [`Nor have the other prompts.`, (step) => drop(step, { prompts: undefined })],
  [
    `What listeners wrote of statements in private has no room in this file: ${formatCommandInFile('view')}.`,
    (step) => drop(step, { heard: cutReasoning(step.heard, () => true) }),
  ],
  [
    'What bidders thought has no room either.',
    (step) => drop(step, { thoughts: step.thoughts?.filter(({ player }) => !isAside(step, player)) }),
  ],
  ['Nor have the other private thoughts.', (step) => drop(step, { thoughts: undefined })],
  ...[20_000, 4000, 1000, 300].map((length): Cut => [
    `Texts of more than ${length} characters are cut: ${formatCommandInFile('show', id)}.`,
    (step) => shortenTexts(step, length),
  ]),
];

/**
 * The match, with less of it where that takes more than `most`; `measure` says how much one takes.
 *
 * @example truncateMatch(match, 900_000, (one) => JSON.stringify(one).length).notes
 */
export function truncateMatch(match: ViewedMatch, most: number, measure: (match: ViewedMatch) => number): ViewedMatch {
  let [now, size] = [match, measure(match)];
  for (const [note, cut] of listCuts(match.id)) {
    if (size <= most) break;
    const next = { ...now, steps: now.steps.map(cut), notes: [...now.notes, note] };
    const left = measure(next);
    if (left < size) [now, size] = [next, left]; // else nothing was cut
  }
  return now;
}

/** Cuts what was said and claimed, wherever it stands. */
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

/** Stands in a telling for what was said: no text of a record has this character. */
const said = '\ue000';

/** What was said stands once in each moment, and as a mark where it is told again. */
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
