// The scripted bot: argues, lies, votes and judges from its View alone, without a language model.
import { pass } from '../../../state/roles/role.ts';
import { powers, roles } from '../../../state/roles/index.ts';
import type { Draw } from '../../../state/random.ts';
import type { AnyPrompt } from '../../../prompts/prompt.ts';
import type { BotPolicy } from '../bot-model.ts';
import { drawLegalValue, type AnswerJsonSchema } from '../random.ts';
import * as decisions from './decisions.ts';
import { analyzeGame, type GameAnalysis } from './game-analysis.ts';
import { nameAct, type SpeechAct } from './hearing.ts';
import { estimate, judgeOther, judgeOwn, round } from './judgements.ts';
import { sayParts } from './statement-parts.ts';
import { planCampaign, planDebate, planExplanation, type Plan } from './statement-plans.ts';

/** One question with all that it is answered from; `lie` and `detect` as in `createScriptedMind`. */
interface Turn {
  game: GameAnalysis;
  prompt: AnyPrompt;
  lie: number;
  detect: number;
  draw: Draw;
}

type Fields = Readonly<Record<string, unknown>>;
/** With what was done with words, where there were any. */
type Reply = [fields: Fields, acts?: readonly SpeechAct[]];

/**
 * A bot that lies in a share `lie` of a Werewolf's statements and judges those of others with the skill `detect`, both
 * 0…1. It keeps nothing between calls: all follows from the View, so a match can be resumed.
 * @example new BotModel('bot:classic', createScriptedMind({ lie: 0.6, detect: 0.6 }))
 */
export const createScriptedMind =
  ({ lie, detect }: { lie: number; detect: number }): BotPolicy =>
  (prompt, draw) => {
    const game = analyzeGame(prompt.view);
    const [fields, acts] = (replies[prompt.action] ?? usePower)({ game, prompt, lie, detect, draw });
    const { properties = {} } = prompt.schema as AnswerJsonSchema;
    const answer = Object.entries(properties).map(([name, field]): [string, unknown] => {
      const isLegal = fields[name] !== undefined && (field.enum?.includes(fields[name]) ?? true);
      return [name, isLegal ? fields[name] : drawLegalValue(field, draw)]; // what was not thought of is drawn by chance
    });
    const meant = acts?.map((act) => ({ ...act, sincere: !judgeOwn(game, [act]).deceptive }));
    const account = acts ? { meant: { acts: meant, lie: judgeOwn(game, acts).deceptive } } : {};
    return { answer: Object.fromEntries(answer), ...account };
  };

/** Where there is nothing to tell. */
const reasoning = 'I go by what I have seen and heard.';

const replies: Readonly<Record<string, (turn: Turn) => Reply>> = {
  bid: ({ game, draw }) => {
    const urge = Math.min(1, Math.max(0, decisions.rateUrge(game, draw)));
    return [{ reasoning, bid: Math.round(game.view.rules.bidScale * urge) }];
  },
  debate: (turn) => speak(turn, planDebate),
  campaign: (turn) => speak(turn, planCampaign),
  pk_debate: (turn) => speak(turn, planDebate),
  recommend: (turn) => {
    const recommendation = decisions.chooseBallot(turn.game, turn.prompt.choices, turn.draw);
    return speak(turn, planExplanation(recommendation, 'recommend'), { recommendation });
  },
  vote: (turn) => {
    const fields = { vote: decisions.chooseBallot(turn.game, turn.prompt.choices, turn.draw) };
    return turn.game.view.rules.ballots === 'public'
      ? speak(turn, planExplanation(fields.vote), fields)
      : [{ reasoning, ...fields }];
  },
  synthetic_vote: (turn) => castBallot(turn, decisions.chooseBallot),
  pseudo_vote: (turn) => castBallot(turn, decisions.chooseBallot),
  candidacy: ({ game, draw }) => [{ reasoning, stand: draw.fraction() < decisions.rateReadiness(game) }],
  elect: (turn) => castBallot(turn, decisions.chooseSheriff),
  pass_badge: ({ game, prompt: { choices }, draw }) => [
    { reasoning, successor: decisions.chooseSuccessor(game, choices, draw) },
  ],
  self_analysis: (turn) => ownUp(turn, turn.game.todays),
  ballot_self_analysis: (turn) => ownUp(turn, turn.game.explanations),
  peer_analysis: (turn) => {
    const { game, detect, draw } = turn;
    const { by, acts } = game.todays.at(-1) ?? { by: game.me, acts: [] };
    return [{ reasoning: explain(game, by), ...judgeOther(game, by, acts, detect, draw), ...estimateAll(turn) }];
  },
  ballot_peer_analysis: ({ game, prompt, detect, draw }) => {
    const { properties } = prompt.schema as AnswerJsonSchema;
    const judgements = Object.keys(properties?.['judgements']?.properties ?? {}).map((by) => {
      const acts = game.explanations.findLast((one) => one.by === by)?.acts ?? [];
      return [by, judgeOther(game, by, acts, detect, draw)] as const;
    });
    return [{ reasoning, judgements: Object.fromEntries(judgements) }];
  },
  beliefs: (turn) => [{ reasoning: explain(turn.game, turn.game.rank(turn.game.others)[0]), ...estimateAll(turn) }],
  summarize: ({ game }) => {
    const isToday = (one: { round: number }) => one.round === game.view.round;
    const gone = game.seen('death').filter(isToday).map(({ player }) => `${player} left the game.`); // prettier-ignore
    const claims = game.claims.filter(isToday).map(({ by, role }) => `${by} claimed to be the ${role}.`);
    const suspects = game.rank(game.others).slice(0, 2).map((name) => explain(game, name)); // prettier-ignore
    return [{ reasoning, summary: [...gone, ...claims, ...suspects].join(' ') }];
  },
};

/** A statement as planned, or the words to a ballot; a Werewolf lies at its rate. */
function speak({ game, lie, draw }: Turn, plan: Plan, fields: Fields = {}): Reply {
  const isLie = game.isPack && draw.fraction() < lie;
  const { text, acts } = sayParts(game, plan(game, isLie, draw), draw);
  const aims = acts.map(nameAct).join(' and ') || 'keep the talk going';
  return [{ reasoning: `I mean to ${aims}.`, statement: text, explanation: text, ...fields }, acts];
}

const castBallot = ({ game, prompt, draw }: Turn, choose: typeof decisions.chooseSheriff): Reply => [
  { reasoning, vote: choose(game, prompt.choices, draw) },
];

function explain(game: GameAnalysis, name = game.me): string {
  if (name === pass) return 'I keep it for later.';
  if (game.isPack) return game.isMate(name) ? `${name} is one of us.` : `${name} is none of us.`;
  return `I take ${name} for a ${game.pack.name} with ${Math.round(100 * game.mine.of(name))} %.`;
}

/** Powers and last acts; what this player does not know is answered legally, by chance. */
function usePower({ game, prompt, draw }: Turn): Reply {
  const lastActs = [...roles.values()].flatMap(({ lastAct }) => lastAct ?? []);
  const act = [...powers, ...lastActs].find(({ verb }) => verb === prompt.action);
  if (!act || prompt.choices.every((choice) => choice === pass)) return [{}];
  const target = decisions.chooseTarget(game, act, prompt.choices, draw);
  return [
    {
      reasoning: explain(game, target),
      target,
      proposal: target,
      proposal_reason: `${target} could become dangerous to us.`,
    },
  ];
}

/** An honest report on the own last statement. */
function ownUp(turn: Turn, said: GameAnalysis['remarks']): Reply {
  const judgement = judgeOwn(turn.game, said.findLast(({ by }) => by === turn.game.me)?.acts ?? []);
  return [
    {
      reasoning: judgement.deceptive ? `That was ${judgement.type}.` : 'I meant it.',
      ...judgement,
      confidence: round(0.9 + 0.1 * turn.draw.fraction()),
      ...estimateAll(turn),
    },
  ];
}

const estimateAll = ({ game, detect, draw }: Turn) => ({
  p_werewolf_of: Object.fromEntries(game.others.map((name) => [name, estimate(game, name, detect, draw)])),
});
