// The embedded default player: argues, lies, votes and judges from its View alone, without a language model.
import { pass } from '../../state/role.ts';
import { powers, roles } from '../../state/roles/index.ts';
import type { Draw } from '../../state/draw.ts';
import type { Meant } from '../model.ts';
import type { Mind } from './bot-model.ts';
import { analyses } from './classic/analyses.ts';
import { urgeOf } from './classic/bidding.ts';
import { villagePlan } from './classic/debating.ts';
import { deceptive, harmless } from './classic/lying.ts';
import type { Character, Moment, Reply } from './classic/moment.ts';
import { chooseTarget } from './classic/night.ts';
import { campaignPlan, pleaPlan, recommendationPlan } from './classic/occasions.ts';
import { offices } from './classic/offices.ts';
import { rescue, strike } from './classic/own-acts.ts';
import type { Part } from './classic/parts.ts';
import { Scene } from './classic/scene.ts';
import { overall, sincerityOf } from './classic/sincerity.ts';
import { say, type Speech } from './classic/speech.ts';
import { summaryOf } from './classic/summary.ts';
import * as thoughts from './classic/thoughts.ts';
import { chooseBallot, chooseLeaning, chooseRecommended, explain } from './classic/voting.ts';
import { legal, type AnswerSchema } from './random.ts';

const lastActs = [...roles.values()].flatMap(({ lastAct }) => lastAct ?? []);

/**
 * The player with `lie`, the share of a Werewolf's statements that are deceptive, and `detect`, the skill of judging
 * those of others, both 0…1. It keeps nothing between calls: all follows from the View, so a match can be resumed.
 */
export const classic =
  (options: Character): Mind =>
  (prompt, draw) => {
    const moment: Moment = { scene: new Scene(prompt.view), prompt, options, draw };
    const { fields, meant } = (replies[prompt.action] ?? byAim)(moment);
    return { answer: completed(prompt.schema, fields, draw), ...(meant ? { meant } : {}) };
  };

const replies: Readonly<Record<string, (moment: Moment) => Reply>> = {
  bid: ({ scene, draw }) => {
    const urge = urgeOf(scene, draw);
    const top = scene.view.rules.bidScale;
    return {
      fields: { reasoning: thoughts.ofBid(urge, draw), bid: Math.round(top * Math.min(1, Math.max(0, urge.level))) },
    };
  },
  debate: speaking((scene, isLie, draw) =>
    !scene.isPack ? villagePlan(scene, draw) : isLie ? deceptive(scene, draw) : harmless(scene, draw),
  ),
  campaign: speaking(campaignPlan, 'win the badge'),
  pk_debate: speaking(pleaPlan, 'stay in the game'),
  recommend: (moment) => {
    const { scene, prompt, draw } = moment;
    const recommendation = chooseRecommended(scene, prompt.choices);
    const { fields, meant } = speaking((_, isLie) => recommendationPlan(scene, recommendation, isLie, draw))(moment);
    return { fields: { ...fields, recommendation }, ...(meant ? { meant } : {}) };
  },
  vote: ({ scene, prompt, options, draw }) => {
    const vote = chooseBallot(scene, prompt.choices, draw);
    const reasoning = thoughts.ofVote(scene, vote, draw);
    if (scene.view.rules.ballots !== 'public') return { fields: { reasoning, vote } };
    const speech = explain(scene, vote, draw.fraction() < options.lie, draw);
    return { fields: { reasoning, vote, explanation: speech.text }, meant: meantBy(speech, scene) };
  },
  synthetic_vote: wordless(chooseBallot),
  pseudo_vote: wordless(chooseLeaning),
  summarize: ({ scene }) => ({ fields: { reasoning: 'I keep what I will need.', summary: summaryOf(scene) } }),
  ...analyses,
  ...offices,
};

/** A statement as planned; `isLie` only matters to a Werewolf. */
function speaking(
  plan: (scene: Scene, isLie: boolean, draw: Draw) => Part[],
  purpose?: string,
): (moment: Moment) => Reply {
  return ({ scene, options, draw }) => {
    const isLie = scene.isPack && draw.fraction() < options.lie;
    const speech = say(scene, plan(scene, isLie, draw), draw);
    const reasoning = thoughts.ofStatement(scene, speech.acts, overall(speech.acts, scene), draw, purpose);
    return { fields: { reasoning, statement: speech.text }, meant: meantBy(speech, scene) };
  };
}

/** A ballot without a word to it. */
function wordless(choose: typeof chooseBallot): (moment: Moment) => Reply {
  return ({ scene, prompt, draw }) => {
    const vote = choose(scene, prompt.choices, draw);
    return { fields: { reasoning: thoughts.ofVote(scene, vote, draw), vote } };
  };
}

/** Powers and last acts are used by what they aim at; what this player does not know is answered legally, by chance. */
function byAim({ scene, prompt, draw }: Moment): Reply {
  const act = [...powers, ...lastActs].find(({ verb }) => verb === prompt.action);
  const names = prompt.choices.filter((choice) => choice !== pass);
  if (!act || names.length === 0) return { fields: {} };
  if (act.aim === 'harm' && !scene.isPack) return { fields: { ...strike(scene, act, prompt.choices, draw) } };
  if (act.aim === 'shield' && 'brief' in act) return { fields: { ...rescue(scene, prompt.choices, draw) } };
  const target = chooseTarget(scene, act.aim, names, draw);
  const reasoning = thoughts.ofNight(scene, act.aim, target, draw);
  return {
    fields: { reasoning, target, proposal: target, proposal_reason: thoughts.toPack(scene, target, draw) },
  };
}

/** The bot's own account of what it said. */
const meantBy = ({ acts }: Speech, scene: Scene): Meant => ({
  acts: acts.map((act) => ({ ...act, sincere: !sincerityOf(act, scene).deceptive })),
  lie: overall(acts, scene).deceptive,
});

/** The fields that the schema asks for, those that were not thought of drawn by chance. */
function completed(schema: AnswerSchema, fields: Reply['fields'], draw: Draw): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => {
      const value = fields[name];
      const isLegal = value !== undefined && (field.enum?.includes(value) ?? true);
      return [name, isLegal ? value : legal(field, draw)];
    }),
  );
}
