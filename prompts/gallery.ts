// Every prompt once for every role, on a sample match: what reviewers read, and what the hash of all templates is of.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { draw } from '../state/draw.ts';
import type { Game } from '../state/game.ts';
import { powers, roleNamed, roles } from '../state/roles/index.ts';
import type { Rule, RuleValue } from '../state/rule.ts';
import { rulebook } from '../state/rules.ts';
import { view } from '../state/view.ts';
import * as analysis from './analysis.ts';
import { bid } from './bid.ts';
import { debate, pkDebate } from './debate.ts';
import { campaign, candidacy, elect } from './election.ts';
import { act, lastAct, propose } from './night-act.ts';
import type { AnyPrompt, Question } from './prompt.ts';
import { badgeTo, sampleGame, samples } from './sample-game.ts';
import { passBadge, recommend, speakingOrder } from './sheriff.ts';
import { summarize } from './summarize.ts';
import { pseudoVote, syntheticVote, vote } from './vote.ts';

export interface Exhibit {
  action: string;
  role: string;
  prompt: AnyPrompt;
}

/** One exhibit per action and role that can be asked it, on a board of all roles, under one set of rules. */
export function gallery(rules: keyof typeof samples = 'wolf'): Exhibit[] {
  const night = sampleGame('night', rules);
  const day = sampleGame('day', rules);
  const dealt = [...new Set(day.setup.players.map(({ role }) => role))];
  const holder = (role: string) => day.setup.players.find((player) => player.role === role)!.name;
  const leaving = (game: Game, role: string): Game => ({
    ...game,
    alivePlayers: game.alivePlayers.filter((name) => name !== holder(role)),
  });
  const asSheriff = (role: string): Game => ({ ...day, gameLogs: [...day.gameLogs, badgeTo(holder(role))] });
  const beforeElection: Game = { ...day, gameLogs: day.gameLogs.filter(({ type }) => type !== 'elected') };
  const exhibit = <Answer, Matter>(
    game: Game,
    role: string,
    question: Question<Answer, Matter>,
    matter: Matter,
  ): Exhibit => ({
    action: question.action,
    role,
    prompt: question.put(view(game, holder(role)), draw(1, question.action, role), matter),
  });
  const ofAll = <Answer, Matter>(question: Question<Answer, Matter>, matter: (me: string) => Matter) =>
    dealt.map((role) => exhibit(day, role, question, matter(holder(role))));
  const statement = (by: string) => ({ id: '2.1', by, text: 'I say "no" | to this.' });
  const others = (me: string) => day.alivePlayers.filter((name) => name !== me);
  const ofOffice = () =>
    dealt.flatMap((role) => [
      exhibit(beforeElection, role, candidacy, undefined),
      exhibit(beforeElection, role, campaign, undefined),
      exhibit(beforeElection, role, elect, { choices: others(holder(role)).slice(0, 2), ballot: 1 }),
      exhibit(asSheriff(role), role, speakingOrder, undefined),
      exhibit(day, role, pseudoVote, undefined),
      exhibit(asSheriff(role), role, recommend, undefined),
      exhibit(day, role, pkDebate, undefined),
      exhibit(leaving(asSheriff(role), role), role, passBadge, undefined),
    ]);
  return [
    ...powers.map((power) =>
      power.actor === 'team'
        ? exhibit(night, power.role.name, propose(power), { ballot: 2 })
        : exhibit(night, power.role.name, act(power), undefined),
    ),
    ...dealt.flatMap((role) => {
      const last = roleNamed(role).lastAct;
      return last ? [exhibit(leaving(day, role), role, lastAct(last), undefined)] : [];
    }),
    ...(day.setup.rules.sheriff ? ofOffice() : ofAll(bid, () => undefined)),
    ...ofAll(debate, () => undefined),
    ...ofAll(vote, () => undefined),
    ...ofAll(syntheticVote, () => undefined),
    ...ofAll(analysis.selfAnalysis, statement),
    ...ofAll(analysis.peerAnalysis, (me) => statement(others(me)[0]!)),
    ...ofAll(analysis.ballotSelfAnalysis, statement),
    ...ofAll(analysis.ballotPeerAnalysis, (me) => others(me).slice(0, 2).map(statement)),
    ...ofAll(analysis.beliefs, () => undefined),
    ...ofAll(summarize, () => undefined),
  ];
}

/** SHA-256 over the words of all exhibits, hexadecimal: changes whenever any player could read anything else. */
export const templatesHash = () =>
  createHash('sha256')
    .update(
      JSON.stringify([
        (['wolf', 'arena', 'plus'] as const)
          .flatMap(gallery)
          .map(({ prompt }) => [prompt.system, prompt.user, prompt.schema]),
        gallery('arena').map(({ prompt }) => [prompt.without(1), prompt.without(Infinity)]),
        [...roles.values()].flatMap((role) =>
          Object.entries(role.rules).flatMap(([name, rule]) =>
            valuesOf(rule).map((value) => role.does({ ...samples.wolf, [name]: value })),
          ),
        ),
        Object.values(rulebook).map((rule) => valuesOf(rule).map((value) => rule.says(value, samples.wolf))),
      ]),
    )
    .digest('hex');

/** All values of an option where they can be listed, else the default. */
const valuesOf = (rule: Rule): RuleValue[] =>
  rule.schema instanceof z.ZodEnum
    ? rule.schema.options
    : rule.schema instanceof z.ZodBoolean
      ? [true, false]
      : [rule.default];
