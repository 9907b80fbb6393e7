// Delays answers until all parallel questions have been asked, and so makes the waves of a match visible.
import { setImmediate as turn } from 'node:timers/promises';
import type { Question } from './question.ts';
import { ScriptedModel, type Script } from './scripted-model.ts';

interface Held {
  question: Question;
  release: () => void;
}

/** A model whose answers wait until they are released. */
export function createHeldModel(script: Script) {
  const held: Held[] = [];
  const model = new ScriptedModel(async (question, number) => {
    await new Promise<void>((release) => held.push({ question, release }));
    return script(question, number);
  });
  return { model, held };
}

/** Number of turns of the event loop without a new question after which a wave counts as complete. */
const quietTurns = 10;

/** Resolves when `count` has not changed for some turns of the event loop: nothing more can come without an answer. */
export async function waitUntilQuiet(count: () => number) {
  for (let [turns, before] = [0, count()]; turns < quietTurns; turns++) {
    await turn();
    if (count() !== before) [turns, before] = [0, count()];
  }
}

/** Plays a match and returns its parallel questions, wave by wave. `order`: which players of a wave answer first. */
export async function recordWaves<Result>(
  play: (model: ScriptedModel) => Promise<Result>,
  script: Script,
  order: (wave: readonly Held[]) => readonly Held[] = (wave) => wave,
): Promise<{ result: Result; waves: Question[][] }> {
  const { model, held } = createHeldModel(script);
  const waves: Question[][] = [];
  let isOver = false;
  const match = play(model).finally(() => (isOver = true));
  match.catch(() => undefined); // it is awaited below
  while (!isOver) {
    await waitUntilQuiet(() => held.length);
    const wave = held.splice(0);
    if (wave.length > 0) waves.push(wave.map(({ question }) => question));
    for (const { release } of order(wave)) release();
  }
  return { result: await match, waves };
}
