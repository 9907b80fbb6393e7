// Sincerity: whether what a player says is what that player knows, told from the own knowledge alone.
import type { DeceptionType } from '../../../state/event.ts';
import type { Scene } from './scene.ts';
import type { Act } from './speech-act.ts';

export interface Sincerity {
  /** Something known to be false was stated. */
  falsehood: boolean;
  /** Somebody was meant to believe something false. */
  deceptive: boolean;
  type: (typeof DeceptionType.options)[number];
}

const honest: Sincerity = { falsehood: false, deceptive: false, type: 'none' };
const lie = (type: Sincerity['type']): Sincerity => ({ falsehood: true, deceptive: true, type });
const hiding: Sincerity = { falsehood: false, deceptive: true, type: 'omission' };

/** What doing this by words comes to when this player does it. */
export function sincerityOf(act: Act, { view, knowledge, isPack }: Scene): Sincerity {
  switch (act.kind) {
    case 'claim':
      return act.role === view.role ? honest : lie('fabrication');
    case 'deny':
      return isPack ? lie('fabrication') : honest;
    case 'deflect':
      return isPack ? hiding : honest;
    case 'report': {
      const learned = view.events.some((event) => event.type === 'learned' && event.about === act.target);
      return learned && knowledge.get(act.target)?.team === act.team ? honest : lie('fabrication');
    }
    case 'accuse': {
      const team = knowledge.get(act.target)?.team;
      if (team === 'villagers') return lie('misdirection');
      return isPack ? hiding : honest; // a Werewolf gives up a lost partner to look like one of the village
    }
    case 'defend':
      return knowledge.get(act.target)?.team === 'werewolves' ? lie('distortion') : honest;
    case 'ask':
    case 'follow':
      return honest;
  }
}

const gravest: readonly Sincerity['type'][] = ['fabrication', 'misdirection', 'distortion', 'omission', 'none'];

/** What all of it together comes to: the gravest names the type. */
export function overall(acts: readonly Act[], scene: Scene): Sincerity {
  const each = acts.map((act) => sincerityOf(act, scene));
  return {
    falsehood: each.some(({ falsehood }) => falsehood),
    deceptive: each.some(({ deceptive }) => deceptive),
    type: gravest.find((type) => each.some((one) => one.type === type)) ?? 'none',
  };
}
