// Asks the models of finished matches about their own decisions, and reads their answers as reflections of a pool.
import { createFinalView, describeResult } from '../../deception/experience/outcome.ts';
import { replaceNames } from '../../deception/experience/seat-letters.ts';
import type { MatchRecord } from '../../deception/record/match-record.ts';
import { getKeptAnswersFile, readKeptAnswers } from '../../models/record/annotation-log.ts';
import { drawOptions } from '../../prompts/prompt.ts';
import { reflection, type ReflectedDecision, type ReflectionAnswer } from '../../prompts/reflection.ts';
import { isEventOfType } from '../../state/events.ts';
import { identifyModel } from '../../state/model-identity.ts';
import { getRole } from '../../state/roles/index.ts';
import { flattenToOneLine, truncateWords } from '../../state/text.ts';
import { type AnyAnnotationItem, createAnswerCache } from '../annotation/annotation-run.ts';
import type { Decision, Reflections } from './gather-entries.ts';

/**
 * The questions to one model about a match: one for each seat that the model played, with the decisions in
 * question.
 */
export interface ReflectionItem extends AnyAnnotationItem {
  decisions: ReadonlyMap<string, Decision>;
}

/**
 * Lists one question for each seat that `model` itself played and decided in. Throws if a View cannot be created.
 *
 * @example const items = listReflectionItems(record, await gatherDecisions(folder), 'openai:gpt-4o-mini');
 */
export function listReflectionItems(
  record: Pick<MatchRecord, 'manifest' | 'events'>,
  decisions: readonly Decision[],
  model: string,
): ReflectionItem[] {
  const { setup } = record.manifest;
  const own = identifyModel(model);
  const seats = Map.groupBy(
    decisions.filter(({ view }) => setup.models[view.me] === own),
    ({ view }) => view.me,
  );
  return [...seats].map(([name, some]): ReflectionItem => {
    const view = createFinalView(record, name);
    const numbered = new Map(some.map((decision, index) => [`d${index + 1}`, decision]));
    const told = [...numbered].map(([id, decision]): ReflectedDecision => ({ id, ...tellDecision(decision) }));
    const prompt = reflection.put(view, drawOptions(setup.seed, view.round, name), told);
    return { prompt, statements: [...numbered.keys()], repeat: 1, decisions: numbered };
  });
}

/** Describes a decision in the words of the match. The description includes names, because its reader is the player. */
function tellDecision({ view: { phase, round }, action, answer }: Decision): Omit<ReflectedDecision, 'id'> {
  const { statement, vote, target, proposal } = answer as Readonly<Record<string, string | undefined>>;
  const done =
    statement !== undefined
      ? `you said: ${truncateWords(flattenToOneLine(statement), told.statement).text}`
      : vote !== undefined
        ? `you voted for ${vote}`
        : `you chose to ${action}: ${proposal ?? target ?? 'nobody'}`;
  return { when: `${phase === 'night' ? 'night' : 'day'} ${round}`, done };
}

/** Limits in words: of a quoted statement, and of each half of a reflection. */
const told = { statement: 40, half: 28 } as const;

/** Returns the file of a model's reflections beside a record. */
export const getReflectionsFile = (folder: string, model: string): string =>
  getKeptAnswersFile(folder, 'reflections', model);

/**
 * Returns a model's stored reflections that answer exactly these prompts. In the reflections, letters of seats replace
 * the players' names.
 *
 * @example listEntries(record, decisions, 'result', readReflections(folder, items, model))
 */
export function readReflections(folder: string, items: readonly ReflectionItem[], model: string): Reflections {
  const kept = createAnswerCache(readKeptAnswers(getReflectionsFile(folder, model)));
  const found = new Map<Decision, { reflection: string; by: string }>();
  for (const item of items) {
    const answer = kept.linesOf(item).at(-1)?.answer as ReflectionAnswer | null | undefined;
    if (!answer) continue;
    const { view } = item.prompt;
    const write = (words: string) => truncateWords(replaceNames(flattenToOneLine(words), view), told.half).text;
    for (const [id, decision] of item.decisions) {
      const written = answer.reflections[id];
      if (!written) continue;
      const ended = view.events.find(isEventOfType('ended'));
      const result = describeResult(ended?.winner ?? null, getRole(view.role).team);
      const text = [result, `What worked: ${write(written.worked)}`, `Otherwise: ${write(written.otherwise)}`].join(
        '\n',
      );
      found.set(decision, { reflection: text, by: identifyModel(model) });
    }
  }
  return (decision) => found.get(decision) ?? null;
}
