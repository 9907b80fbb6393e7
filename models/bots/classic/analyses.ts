// Analyses: what a player tells the moderator in private about the own statements and those of others.
import { livingOthers } from '../../../state/view.ts';
import type { Moment, Reply } from './moment.ts';
import { estimate, judge, rounded } from './judging.ts';
import type { Scene } from './scene.ts';
import { overall } from './sincerity.ts';
import type { Act } from './speech-act.ts';
import type { Remark } from './testimony.ts';
import * as thoughts from './thoughts.ts';

export const analyses: Readonly<Record<string, (moment: Moment) => Reply>> = {
  self_analysis: (moment) => ownUp(moment, 'debate'),
  ballot_self_analysis: (moment) => ownUp(moment, 'ballot'),
  peer_analysis: (moment) => {
    const { scene, options, draw } = moment;
    const heard = scene.todays.at(-1);
    if (!heard) return { fields: {} };
    const judgement = judge(scene, heard.by, heard.acts, options.detect, draw);
    const reasoning = thoughts.ofJudgement(scene, heard.by, heard.acts, judgement.suspicion, draw);
    return { fields: { reasoning, ...judgement, ...beliefs(moment) } };
  },
  ballot_peer_analysis: ({ scene, prompt, options, draw }) => {
    const judgements = Object.fromEntries(
      speakersIn(prompt.schema).map((by) => [by, judge(scene, by, actsOf(scene, by, 'ballot'), options.detect, draw)]),
    );
    const [worst] = Object.entries(judgements).sort(([, one], [, other]) => other.suspicion - one.suspicion);
    const reasoning = worst ? `Of these explanations I like that of ${worst[0]} least.` : 'There was nothing to judge.';
    return { fields: { reasoning, judgements } };
  },
  beliefs: (moment) => ({ fields: { reasoning: belief(moment.scene), ...beliefs(moment) } }),
};

/** An honest report on the own last statement: what it did, held against what this player knows. */
function ownUp(moment: Moment, kind: Remark['kind']): Reply {
  const { scene, draw } = moment;
  const sincerity = overall(actsOf(scene, scene.me, kind), scene);
  return {
    fields: {
      reasoning: thoughts.ofSelf(sincerity, draw),
      stated_falsehood: sincerity.falsehood,
      deceptive: sincerity.deceptive,
      type: sincerity.type,
      confidence: rounded(0.9 + 0.1 * draw.fraction()),
      ...beliefs(moment),
    },
  };
}

/** What `by` did with the last statement of this round's debate or with the words to its ballot. */
const actsOf = ({ view, testimony }: Scene, by: string, kind: Remark['kind']): readonly Act[] =>
  testimony.remarks.findLast((remark) => remark.by === by && remark.kind === kind && remark.round === view.round)
    ?.acts ?? [];

const beliefs = ({ scene, options, draw }: Moment) => ({
  p_werewolf_of: Object.fromEntries(
    livingOthers(scene.view).map((name) => [name, estimate(scene, name, options.detect, draw)]),
  ),
});

function belief({ others, mine, isPack }: Scene) {
  if (isPack) return 'I know who is on my side and who is not.';
  const [first, second] = [...others].sort((one, other) => mine.of(other) - mine.of(one));
  return second === undefined ? `Only ${first} is left to suspect.` : `I suspect ${first} most, then ${second}.`;
}

/** Whose explanations are to be judged. */
function speakersIn(schema: Record<string, unknown>): string[] {
  const { properties } = schema as { properties?: { judgements?: { properties?: Record<string, unknown> } } };
  return Object.keys(properties?.judgements?.properties ?? {});
}
