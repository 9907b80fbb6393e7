// Every prompt once for every role, on a sample match: what reviewers read, and what the hash of all templates is of.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { boards } from '../state/boards.ts';
import { deal, dealEvents, newGame } from '../state/deal.ts';
import { draw } from '../state/draw.ts';
import type { GameEvent } from '../state/event.ts';
import type { Game } from '../state/game.ts';
import { powers, roles, type HeldPower } from '../state/roles/index.ts';
import type { Rule, RuleValue, RuleValues } from '../state/rule.ts';
import { readRules, rulebook } from '../state/rules.ts';
import { teams } from '../state/teams.ts';
import { view } from '../state/view.ts';
import * as analysis from './analysis.ts';
import { bid } from './bid.ts';
import { debate } from './debate.ts';
import { act, propose } from './night-act.ts';
import type { AnyPrompt, Question } from './prompt.ts';
import { summarize } from './summarize.ts';
import { syntheticVote, vote } from './vote.ts';

export interface Exhibit {
  action: string;
  role: string;
  prompt: AnyPrompt;
}

/** Rules that differ in everything that has words. */
const samples: Record<'wolf' | 'arena', RuleValues> = {
  wolf: { syntheticVotes: true, beliefs: 'each-statement', honesty: 'permitted', coaching: 'paper' },
  arena: { analysis: 'peer', scores: 'numbers', memory: 'full', exile: 'plurality', reveal: 'role' },
};

/** One exhibit per action and role that can be asked it, on the first board, under either set of rules. */
export function gallery(rules: keyof typeof samples = 'wolf'): Exhibit[] {
  const night = sampleGame('night', rules);
  const day = sampleGame('day', rules);
  const dealt = [...new Set(day.setup.players.map(({ role }) => role))];
  const holder = (role: string) => day.setup.players.find((player) => player.role === role)!.name;
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
  return [
    ...powers.map((power) =>
      power.actor === 'team'
        ? exhibit(night, power.role.name, propose(power), { ballot: 2 })
        : exhibit(night, power.role.name, act(power), undefined),
    ),
    ...ofAll(bid, () => undefined),
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
        [...gallery('wolf'), ...gallery('arena')].map(({ prompt }) => [prompt.system, prompt.user, prompt.schema]),
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

function sampleGame(phase: Game['phase'], preset: keyof typeof samples): Game {
  const setup = deal({ board: Object.values(boards)[0]!, rules: readRules(preset, samples[preset]), seed: 1 });
  const names = setup.players.map(({ name }) => name);
  const game = {
    intents: [],
    bids: {},
    votes: [],
    deceptionHistory: [],
    winner: null,
    gameLogs: [...dealEvents(setup), ...sampleEvents(setup)],
  };
  const scoresOf = (me: string) =>
    Object.fromEntries(
      names.flatMap((name, seat) => (name === me ? [] : [[name, { score: seat / names.length, round: 1 }]])),
    );
  return {
    ...(newGame(setup) as Game),
    ...game,
    alivePlayers: names.filter((name) => name !== goneFrom(setup).name),
    deceptionScores: Object.fromEntries(names.map((me) => [me, scoresOf(me)])),
    roundNum: 2,
    phase,
    step: phase === 'day' ? 1 : 0,
  };
}

/** The last in seat order whose role somebody else has too and whose team is not acquainted. */
const goneFrom = ({ players }: Pick<Game['setup'], 'players'>) =>
  players.findLast(
    (player) => !teams[player.team].acquainted && players.find(({ role }) => role === player.role) !== player,
  )!;

/** A little of everything that players remember. */
function sampleEvents({ players }: Pick<Game['setup'], 'players'>): GameEvent[] {
  const names = players.map(({ name }) => name);
  const [first, second] = names as [string, string];
  const last = goneFrom({ players });
  const at = (round: number, phase: Game['phase'], audience: GameEvent['audience']) => ({ round, phase, audience });
  const holders = ({ role }: HeldPower) =>
    players.filter((player) => player.role === role.name).map(({ name }) => name);
  const acts = powers.flatMap((power) =>
    holders(power).map((by): GameEvent => {
      const used = { by, verb: power.verb, target: first };
      if (power.actor === 'team')
        return { ...at(2, 'night', holders(power)), type: 'proposal', ...used, reason: 'Talks a lot.', ballot: 1 };
      return power.aim === 'learn'
        ? { ...at(1, 'night', [by]), type: 'learned', by, about: last.name, role: last.role }
        : { ...at(1, 'night', [by]), type: 'acted', ...used };
    }),
  );
  const ofNight = (round: number) => acts.filter((event) => event.round === round);
  return [
    ...ofNight(1),
    ...names.map((by): GameEvent => ({
      ...at(1, 'day', [by]),
      type: 'thought',
      by,
      action: 'bid',
      step: 0,
      reasoning: 'I listen first.',
    })),
    { ...at(1, 'day', 'everyone'), type: 'statement', id: '1.1', by: first, text: 'Who was awake last night?' },
    {
      ...at(1, 'day', 'everyone'),
      type: 'ballot',
      id: `1.${first}`,
      by: first,
      target: last.name,
      explanation: 'A quiet one.',
    },
    { ...at(1, 'day', 'everyone'), type: 'death', player: last.name, cause: 'exile' },
    ...names.map((by): GameEvent => ({ ...at(1, 'day', [by]), type: 'summary', by, text: 'Little is known.' })),
    ...ofNight(2),
    { ...at(2, 'night', 'everyone'), type: 'quiet_night' },
    { ...at(2, 'day', 'everyone'), type: 'statement', id: '2.1', by: second, text: 'I trust nobody "yet".' },
  ];
}
