// Every prompt once for every role, on a sample match: for reviewers, and for the hash of all templates.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import * as analysis from '../../prompts/analysis.ts';
import { bid, debate, draft, pkDebate } from '../../prompts/debate.ts';
import { createActQuestion, createLastActQuestion, createProposalQuestion } from '../../prompts/night-actions.ts';
import { paraphrases } from '../../prompts/paraphrase-texts.ts';
import type { AnyPrompt, Question } from '../../prompts/prompt.ts';
import { renamedWords } from '../../prompts/renaming.ts';
import { campaign, candidacy, elect, passBadge, recommend, speakingOrder } from '../../prompts/sheriff.ts';
import { summarize, sumUp } from '../../prompts/summarize.ts';
import { pseudoVote, syntheticVote, vote } from '../../prompts/voting.ts';
import type { Game } from '../../state/game.ts';
import { draw } from '../../state/random.ts';
import { powers, roles } from '../../state/roles/index.ts';
import type { Role } from '../../state/roles/role.ts';
import type { Rule, RuleValue } from '../../state/rules/rule.ts';
import { rulebook } from '../../state/rulebook.ts';
import { createView } from '../../state/view.ts';
import { sampleMatch, samples } from './sample-game.ts';

export interface Exhibit {
  action: string;
  role: string;
  prompt: AnyPrompt;
}

/** Roles that boards without them know too. */
export const usualRoles: readonly Role[] = [...roles.values()].filter(({ isLocal }) => isLocal !== true);

/**
 * Lists one sample for each action and each role that can be asked it, under one set of rules. Each role has a board of
 * its own.
 */
export const gallery = (
  rules: keyof typeof samples = 'wolf',
  among: readonly Role[] = [...roles.values()],
): Exhibit[] => {
  const byRole = among.map((role) => exhibitsOf(role, rules));
  const actions = new Set(byRole.flat().map(({ action }) => action));
  return [...actions].flatMap((action) => byRole.flat().filter((exhibit) => exhibit.action === action));
};

function exhibitsOf({ name: role, lastAct: last }: Role, rules: keyof typeof samples): Exhibit[] {
  const { me, others, at, ballotsFor, exiled, tied } = sampleMatch(role, rules);
  const [, rival] = others;
  const exhibit = <Answer, Matter>(game: Game, question: Question<Answer, Matter>, matter: Matter): Exhibit => ({
    action: question.action,
    role,
    prompt: question.put(createView(game, me), draw(1, question.action, role), matter),
  });
  const hasOffice = at('dusk').setup.rules.sheriff;
  const candidate = hasOffice ? sampleMatch(role, rules, { isSheriff: true }) : null;
  const statement = (by: string) => ({ id: '2.2', by, text: 'I say "no" | to this.' });
  const said = (by: string): Game =>
    at('debate', { round: 2, phase: 'day', audience: 'everyone', type: 'statement', ...statement(by) });
  const explained = (by: string) => ({ ...statement(by), id: `2.${by}`, text: 'A quiet one.' });
  const voted = at('vote', ...ballotsFor(rival));
  return [
    ...powers
      .filter((power) => power.role.name === role)
      .map((power) =>
        power.actor === 'team'
          ? exhibit(at('night'), createProposalQuestion(power), undefined)
          : exhibit(at('night'), createActQuestion(power), undefined),
      ),
    ...(last ? [exhibit(exiled(me), createLastActQuestion(last), undefined)] : []),
    ...(candidate
      ? [
          exhibit(at('candidacy'), candidacy, undefined),
          exhibit(candidate.at('campaign'), campaign, undefined),
          exhibit(at('elect'), elect, undefined),
          exhibit(candidate.at('lead'), speakingOrder, undefined),
          exhibit(at('debated'), pseudoVote, undefined),
          exhibit(candidate.at('recommend'), recommend, undefined),
          exhibit(tied(), pkDebate, undefined),
          exhibit(candidate.exiled(me), passBadge, undefined),
        ]
      : [exhibit(at('debate'), bid, undefined)]),
    ...(rules === 'arena' ? [exhibit(at('debate'), draft, undefined)] : []),
    exhibit(at('debate'), debate, undefined),
    exhibit(at('vote'), vote, undefined),
    exhibit(at('debate'), syntheticVote, undefined),
    exhibit(said(me), analysis.selfAnalysis, statement(me)),
    exhibit(said(rival), analysis.peerAnalysis, statement(rival)),
    exhibit(voted, analysis.ballotSelfAnalysis, explained(me)),
    exhibit(voted, analysis.ballotPeerAnalysis, others.map(explained)),
    exhibit(at('debated'), analysis.beliefs, undefined),
    exhibit(at('vote'), sumUp, undefined),
    exhibit(exiled(rival), summarize, undefined),
  ];
}

/**
 * Returns a SHA-256 over the words of all samples, in hexadecimal. It changes whenever anything that a player could
 * read changes, except in words about local roles.
 */
export function hashTemplates(): string {
  const arena = gallery('arena', usualRoles);
  return createHash('sha256')
    .update(
      JSON.stringify([
        [...gallery('wolf', usualRoles), ...arena, ...gallery('plus', usualRoles)].map(({ prompt }) => [
          prompt.system,
          prompt.user,
          prompt.schema,
        ]),
        arena.map(({ prompt }) => [prompt.without(1), prompt.without(Infinity)]),
        usualRoles.flatMap((role) =>
          Object.entries(role.rules).flatMap(([name, rule]) =>
            valuesOf(rule).map((value) => role.does({ ...samples.wolf, [name]: value })),
          ),
        ),
        [3, paraphrases, renamedWords], // the number keeps the hash unchanged
        Object.entries(rulebook)
          .filter(([name]) => name !== 'disclose') // without people the rule adds no sentence; another test covers its sentences
          .map(([, rule]) => valuesOf(rule).map((value) => rule.says(value, samples.wolf))),
      ]),
    )
    .digest('hex');
}

/** Lists all values of an option. If they cannot be listed, lists only the default. */
const valuesOf = (rule: Rule): RuleValue[] =>
  rule.schema instanceof z.ZodEnum
    ? rule.schema.options
    : rule.schema instanceof z.ZodBoolean
      ? [true, false]
      : [rule.default];
