// The question to a coder, who sees only public information: which style, emotions and tactics do the words of a
// statement show?
import { codeGroups, listCodes, type StatementCode, statementCodes } from '../state/statement-codes.ts';
import type { PublicView } from '../state/view.ts';
import { createSubsetField, describeShape, type Fields, getSchemas } from './fields.ts';
import { renderHistory } from './history.ts';
import { describeSaying, type JudgedMatter } from './judge.ts';
import type { Prompt } from './prompt.ts';
import { renderRules } from './rules-text.ts';
import { quote } from './text.ts';

/** The codes of a statement, by group. */
export type CodedAnswer = Record<(typeof codeGroups)[number], StatementCode[]>;

/**
 * Composes the question about one statement. `view` ends right before the statement. `step`: number of the statement in
 * the match, from 1.
 */
export function composeCodingPrompt(view: PublicView, step: number, matter: JudgedMatter): Prompt<CodedAnswer> {
  const fields = {
    style: createSubsetField(listCodes('style'), 'its style'),
    emotion: createSubsetField(listCodes('emotion'), 'the emotions that it shows'),
    tactic: createSubsetField(listCodes('tactic'), 'the tactics that it uses'),
  };
  const question = ['Which codes fit this statement?'];
  return { action: 'coding', ...createQuestion(view, step, matter, question, fields) };
}

function createQuestion<Types extends Fields>(
  view: PublicView,
  step: number,
  matter: JudgedMatter,
  question: readonly string[],
  fields: Types,
) {
  const renderUserText = (count: number) =>
    [
      renderHistory(view, count),
      '',
      `It is ${view.phase} ${view.round}. Still in the game: ${view.alive.join(', ')}.`,
      ...[`Then ${matter.by} ${describeSaying(matter)}:`, quote(matter.text), ''],
      ...question,
      'Answer with one JSON object of this shape and nothing else:',
      describeShape(fields),
    ].join('\n');
  return {
    ...{ view, step, system: `${renderRules(view)}\n\n${office}`, user: renderUserText(0), without: renderUserText },
    ...getSchemas(fields),
    ...{ choices: [], kind: 'talk' as const },
  };
}

const office = [
  'You do not play. You read a record of what was said and done in public, and code how each statement is worded.',
  'Whether it is true does not matter, and nobody has told you who has which role: do not guess it. Who uses a tactic may mean no harm.',
  '',
  'A code fits if the words of the statement alone show it; what came before tells only what they refer to. Any number of codes may fit, or none. Codes:',
  ...codeGroups.flatMap((group) =>
    listCodes(group).map((code) => `- ${group} "${code}": ${statementCodes[code].means}.`),
  ),
].join('\n');
