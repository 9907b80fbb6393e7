// Judging what others say: how far a statement is taken to be deceptive, by the evidence and by the skill of the judge.
import type { Draw } from '../../../state/draw.ts';
import type { DeceptionType } from '../../../state/event.ts';
import type { Scene } from './scene.ts';
import type { Act } from './speech-act.ts';

export interface Judgement {
  deceptive: boolean;
  type: (typeof DeceptionType.options)[number];
  confidence: number;
  suspicion: number;
  p_werewolf: number;
}

export const rounded = (value: number) => Math.round(100 * Math.min(1, Math.max(0, value))) / 100;

/** Above this a statement is called deceptive; most statements are honest, so certainty is not waited for. */
const threshold = 0.5;

/**
 * A judgement of what `by` has done with words. `detect`, 0…1, is the skill: at 1 it is all evidence, at 0 a toss.
 */
export function judge(scene: Scene, by: string, acts: readonly Act[], detect: number, draw: Draw): Judgement {
  const weighed = acts.map((act) => [act, untruth(scene, by, act)] as const);
  const gravest = weighed.reduce<readonly [Act | null, number]>(
    (worst, one) => (one[1] > worst[1] ? one : worst),
    [null, idle(scene, by)],
  );
  const suspicion = rounded(detect * gravest[1] + (1 - detect) * draw.fraction());
  const deceptive = suspicion > threshold;
  return {
    deceptive,
    type: deceptive ? typeOf(gravest[0]) : 'none',
    confidence: rounded(0.5 + Math.abs(suspicion - 0.5)),
    suspicion,
    p_werewolf: estimate(scene, by, detect, draw),
  };
}

/** The probability of being a Werewolf as this player would put it: what is certain stays certain. */
export function estimate(scene: Scene, name: string, detect: number, draw: Draw) {
  const known = scene.knowledge.get(name)?.team;
  if (known !== undefined) return known === 'werewolves' ? 1 : 0;
  return rounded(detect * scene.mine.of(name) + (1 - detect) * draw.fraction());
}

/** A statement that does nothing may still hide something. */
const idle = ({ mine }: Scene, by: string) => 0.2 * mine.of(by);

/** How likely this was said to deceive. */
function untruth(scene: Scene, by: string, act: Act): number {
  const { mine, knowledge } = scene;
  const speaker = knowledge.get(by)?.team;
  if (speaker === 'villagers') return 0.02;
  switch (act.kind) {
    case 'claim':
      return scene.isKnownLie({ by, role: act.role })
        ? 0.97
        : speaker
          ? 0.95
          : isPlain(scene, act.role)
            ? 0.8 * mine.of(by)
            : mine.of(by);
    case 'report': {
      const truth = knowledge.get(act.target)?.team;
      return speaker !== undefined || (truth !== undefined && truth !== act.team) ? 0.97 : mine.of(by);
    }
    case 'accuse':
      return mine.both(by, act.target, false);
    case 'defend':
      return mine.both(by, act.target, true) + 0.2 * mine.both(by, act.target, false);
    case 'deny':
      return mine.of(by);
    case 'deflect':
      return 0.7 * mine.of(by);
    case 'ask':
    case 'follow':
      return idle(scene, by);
  }
}

const isPlain = ({ lexicon }: Scene, role: string) => lexicon.plain?.name === role;

/** The kind of lie that this would be. */
function typeOf(act: Act | null): Judgement['type'] {
  if (act === null) return 'omission';
  if (act.kind === 'claim' || act.kind === 'report' || act.kind === 'deny') return 'fabrication';
  if (act.kind === 'accuse') return 'misdirection';
  return act.kind === 'defend' ? 'distortion' : 'omission';
}
