// The scripted bot: it argues, lies, votes and judges from its View alone, without a language model.
import { hasBallotReasons } from '../../../state/rules/common-rules.ts';
import { lastActs, powers } from '../../../state/roles/index.ts';
import { passChoice } from '../../../state/roles/role.ts';
import type { DeceptionType } from '../../../state/events.ts';
import type { RandomSource } from '../../../state/random.ts';
import type { AnyPrompt } from '../../../prompts/prompt.ts';
import type { BotPolicy } from '../bot-model.ts';
import { drawLegalValue, type AnswerJsonSchema } from '../random.ts';
import * as decisions from './decisions.ts';
import { analyzeGame, type GameAnalysis } from './game-analysis.ts';
import { nameAct, type SpeechAct } from './parse-speech-acts.ts';
import {
  addInsistence,
  isInsistedOn,
  planCampaign,
  planDebate,
  planExplanation,
  renderParts,
  type StatementPlan,
} from './statements.ts';

interface Turn {
  game: GameAnalysis;
  prompt: AnyPrompt;
  lie: number;
  detect: number;
  memory: number;
  draw: RandomSource;
}

type Fields = Readonly<Record<string, unknown>>;
type Reply = [fields: Fields, acts?: readonly SpeechAct[]];

/**
 * Returns a bot. `lie`: share of its statements as a Werewolf that are lies; `detect`: its skill at judging other
 * players' statements; both 0…1. `memory`: share of its ballots in which it relies on experiences of earlier matches;
 * see `chooseFromMemory`. The bot keeps no state between calls: everything follows from the View, so a match can be
 * resumed.
 *
 * @example new BotModel('bot:classic', createScriptedMind({ lie: 0.6, detect: 0.6 }))
 */
export const createScriptedMind =
  ({ lie, detect, memory = 0 }: { lie: number; detect: number; memory?: number }): BotPolicy =>
  (prompt, draw) => {
    const game = analyzeGame(prompt.view);
    const [reply, acts] = (replies[prompt.action] ?? usePower)({ game, prompt, lie, detect, memory, draw });
    const fields: Fields = { reasoning: 'I go by what I have seen and heard.', ...reply };
    const { properties = {} } = prompt.schema as AnswerJsonSchema;
    const answer = Object.entries(properties).map(([name, field]): [string, unknown] => {
      const isLegal = fields[name] !== undefined && (field.enum?.includes(fields[name]) ?? true);
      return [name, isLegal ? fields[name] : drawLegalValue(field, draw)]; // fields that the mind leaves open are drawn at random
    });
    const meant = acts?.map((act) => ({ ...act, sincere: !judgeOwn(game, [act]).deceptive }));
    const account = acts ? { meant: { acts: meant, lie: judgeOwn(game, acts).deceptive } } : {};
    return { answer: Object.fromEntries(answer), ...account };
  };

const replies: Readonly<Record<string, (turn: Turn) => Reply>> = {
  bid: (turn) => [{ bid: rateBid(turn) }],
  debate: (turn) => speak(turn, planDebate),
  draft: (turn) => speak(turn, planDebate, { bid: rateBid(turn) }),
  campaign: (turn) => speak(turn, planCampaign),
  pk_debate: (turn) => speak(turn, planDebate),
  recommend: (turn) => {
    const recommendation = choose(turn, decisions.chooseBallot);
    return speak(turn, planExplanation(recommendation, 'urge'), { recommendation });
  },
  vote: (turn) => {
    const vote = chooseFromMemory(turn);
    return hasBallotReasons(turn.game.view.rules) ? speak(turn, planExplanation(vote), { vote }) : [{ vote }];
  },
  synthetic_vote: (turn) => [{ vote: choose(turn, decisions.chooseBallot) }],
  pseudo_vote: (turn) => [{ vote: choose(turn, decisions.chooseBallot) }],
  candidacy: ({ game, draw }) => [{ stand: draw.fraction() < decisions.rateReadiness(game) }],
  elect: (turn) => [{ vote: choose(turn, decisions.chooseSheriff) }],
  pass_badge: (turn) => [{ successor: choose(turn, decisions.chooseSuccessor) }],
  self_analysis: (turn) => ownUp(turn, turn.game.todays),
  ballot_self_analysis: (turn) => ownUp(turn, turn.game.explanations),
  peer_analysis: (turn) => [{ ...judgeOther(turn, turn.game.todays.at(-1)), ...estimateAll(turn) }],
  ballot_peer_analysis: (turn) => {
    const others = turn.game.explanations.filter(({ by }) => by !== turn.game.me);
    return [{ judgements: Object.fromEntries(others.map((said) => [said.by, judgeOther(turn, said)])) }];
  },
  beliefs: (turn) => [estimateAll(turn)],
  sum_up: (turn) => sumUp(turn),
  summarize: (turn) => sumUp(turn),
};

const rateBid = ({ game, draw }: Turn) => Math.round(game.view.rules.bidScale * round(decisions.rateUrge(game, draw)));

function sumUp({ game }: Turn): Reply {
  const claims = game.claims.filter(({ round: day }) => day === game.view.round);
  const said = claims.map(({ by, role }) => `${by} claimed to be the ${role}.`);
  return [{ summary: said.join(' ') || 'Nobody has claimed a role today.' }];
}

const choose = ({ game, prompt, draw }: Turn, decide: typeof decisions.chooseBallot) =>
  decide(game, prompt.choices, draw);

/** Beginning of a remembered situation: "Day 2, 5 of 8 living". */
const rememberedTime = /\b(?:Night|Day) \d+, \d+ of \d+ living\b/;

/**
 * Chooses a ballot from what the player has seen and heard. In a share `memory` of its ballots, the bot relies on its
 * memory: if it remembers no match in the same situation (same day, same number of living players), it votes at random.
 */
function chooseFromMemory(turn: Turn): string {
  const { memory, draw, prompt } = turn;
  const { remembered, round, alive } = prompt.view;
  const now = `Day ${round}, ${alive.length} of `;
  const isAlike = remembered.some(({ text }) => rememberedTime.exec(text)?.[0].startsWith(now));
  const isLost = memory > 0 && draw.fraction() < memory && !isAlike;
  return isLost ? draw.pick(prompt.choices) : choose(turn, decisions.chooseBallot);
}

/** Returns a statement as planned, or the explanation of a ballot. A Werewolf lies at its rate, unless it is asked to be honest. */
function speak({ game, prompt, lie, draw }: Turn, plan: StatementPlan, fields: Fields = {}): Reply {
  const isLie = game.isPack && draw.fraction() < lie && prompt.isHonest !== true;
  const { text: words, acts } = renderParts(game, plan(game, isLie, draw), draw);
  const text = addInsistence(game, words, isLie ? 'lie' : 'other', draw);
  const aims = acts.map(nameAct).join(' and ') || 'keep the talk going';
  return [{ reasoning: `I mean to ${aims}.`, statement: text, explanation: text, ...fields }, acts];
}

/** Uses powers and last acts. Powers that this bot does not know get a random legal answer. */
function usePower({ game, prompt: { action, choices }, draw }: Turn): Reply {
  const act = [...powers, ...lastActs].find(({ verb }) => verb === action);
  if (!act || choices.every((choice) => choice === passChoice)) return [{}];
  const target = decisions.chooseTarget(game, act, choices, draw);
  return [{ target, proposal: target, proposal_reason: `${target} could become dangerous to us.` }];
}

/** Returns an honest report on the player's own last statement. */
function ownUp(turn: Turn, said: GameAnalysis['remarks']): Reply {
  const judgement = judgeOwn(turn.game, said.findLast(({ by }) => by === turn.game.me)?.acts ?? []);
  const reasoning = judgement.deceptive ? `That was ${judgement.type}.` : 'I meant it.';
  return [{ reasoning, ...judgement, confidence: round(0.9 + 0.1 * turn.draw.fraction()), ...estimateAll(turn) }];
}

const estimateAll = (turn: Turn) => ({
  p_werewolf_of: Object.fromEntries(turn.game.others.map((name) => [name, estimate(turn, name)])),
});

/** Type of deception of an untrue act. The gravest act determines the type of a statement. */
const types = {
  ...{ claim: 'fabrication', report: 'fabrication', deny: 'fabrication', accuse: 'misdirection', defend: 'distortion' },
  ...{ ask: 'omission', follow: 'omission' },
} as const satisfies Record<SpeechAct['kind'], DeceptionType>;
const gravity: readonly DeceptionType[] = ['none', 'omission', 'distortion', 'misdirection', 'fabrication'];

/** Judges the player's own words. */
function judgeOwn(game: GameAnalysis, acts: readonly SpeechAct[]) {
  const type = gravity[Math.max(0, ...acts.map((act) => gravity.indexOf(findOwnType(game, act))))]!;
  const [deceptive, stated] = [type !== 'none', gravity.indexOf(type) > 1];
  return { type, deceptive, stated_falsehood: stated, ...grade(type, Number(deceptive), Number(stated)) };
}

const grade = (type: DeceptionType, deceptive: number, falsehood: number) => ({
  p_deceptive: deceptive,
  p_falsehood: falsehood,
  types: type === 'none' ? [] : [type],
});

function findOwnType(game: GameAnalysis, act: SpeechAct): DeceptionType {
  const team = 'target' in act ? game.known.get(act.target)?.team : undefined;
  const isUntrue = {
    ...{ ask: false, follow: false, deny: game.isPack, accuse: team === 'villagers', defend: team === 'werewolves' },
    claim: act.kind === 'claim' && act.role !== game.own.name,
    report: act.kind === 'report' && !game.checks.some((one) => one.target === act.target && one.team === act.team),
  };
  if (isUntrue[act.kind]) return types[act.kind];
  return act.kind === 'accuse' && game.isPack ? 'omission' : 'none'; // gives up a partner to look like a villager
}

const round = (value: number) => Math.round(100 * Math.min(1, Math.max(0, value))) / 100;

/**
 * Mixes evidence, 0…1, with noise. If `detect` is 1, the result is the evidence; if it is 0, the result is a random
 * number.
 */
const guess = ({ detect, draw }: Turn, evidence: number) => round(detect * evidence + (1 - detect) * draw.fraction());

/** Judges another player's words: what was said, and whether the speaker insisted on it. */
function judgeOther(turn: Turn, said: Pick<GameAnalysis['remarks'][number], 'by' | 'acts' | 'text'> | undefined) {
  const { by, acts, text } = said ?? { by: turn.game.me, acts: [], text: '' };
  const rated = acts.map((act) => ({ kind: act.kind, untruth: rateUntruth(turn.game, by, act) }));
  const idle = { kind: 'ask' as SpeechAct['kind'], untruth: 0.2 * turn.game.mine(by) };
  const gravest = rated.reduce((worst, one) => (one.untruth > worst.untruth ? one : worst), idle);
  // Knowledge about the speaker, or a known result of a check, counts more than the manner of the statement.
  const isKnown = turn.game.known.get(by)?.team === 'villagers' || gravest.untruth > 0.9;
  const suspicion = guess(turn, isKnown ? gravest.untruth : 0.4 * gravest.untruth + (isInsistedOn(text) ? 0.6 : 0));
  const falsehood = gravity.indexOf(types[gravest.kind]) > 1 ? suspicion : round(suspicion / 2); // otherwise the fact was only left out
  const type = suspicion > 0.5 ? types[gravest.kind] : 'none';
  const sureness = { confidence: round(0.5 + Math.abs(suspicion - 0.5)), p_werewolf: estimate(turn, by) };
  return { deceptive: suspicion > 0.5, type, suspicion, ...sureness, ...grade(type, suspicion, falsehood) };
}

/** Rates how likely an act was meant to deceive. */
function rateUntruth({ mine, known }: GameAnalysis, by: string, act: SpeechAct): number {
  if (known.get(by)?.team === 'villagers') return 0.02;
  if (act.kind === 'accuse') return mine(by) * (1 - mine(act.target));
  if (act.kind === 'defend') return mine(by) * (0.2 + 0.8 * mine(act.target));
  if (act.kind === 'ask' || act.kind === 'follow') return 0.2 * mine(by);
  const isFalse = act.kind === 'report' && (known.get(act.target)?.team ?? act.team) !== act.team;
  return isFalse ? 0.97 : mine(by);
}

/**
 * Returns the probability, as this player states it, that another player is a Werewolf. It is 0 or 1 if this player
 * knows the other's side.
 */
function estimate(turn: Turn, name: string): number {
  const team = turn.game.known.get(name)?.team;
  return team ? Number(team === 'werewolves') : guess(turn, turn.game.mine(name));
}
