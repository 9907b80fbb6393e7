// The question to a coder, who sees only what is public: which style, emotions and tactics do the words of a statement show?
import { codeGroups, listCodes, type StatementCode, statementCodes } from '../state/statement-codes.ts';
import type { PublicView } from '../state/view.ts';
import { createSubsetField } from './fields.ts';
import { createStatementQuestion, type JudgedMatter } from './judge.ts';
import type { Prompt } from './prompt.ts';

/** The codes of a statement, by group. */
export type CodedAnswer = Record<(typeof codeGroups)[number], StatementCode[]>;

/** The question about one statement, made just after what `view` holds. `step`: its number among all of the match, from 1. */
export function composeCodingPrompt(view: PublicView, step: number, matter: JudgedMatter): Prompt<CodedAnswer> {
  const fields = {
    style: createSubsetField(listCodes('style'), 'its style'),
    emotion: createSubsetField(listCodes('emotion'), 'the emotions that it shows'),
    tactic: createSubsetField(listCodes('tactic'), 'the tactics that it uses'),
  };
  const question = ['Which codes fit this statement?'];
  return { action: 'coding', ...createStatementQuestion(view, step, matter, question, fields, office) };
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
