// Somebody who has just left does what the role still allows: another may leave by it.
import { lastAct as question } from '../prompts/night-act.ts';
import type { GameEvent } from '../state/event.ts';
import { dueAct } from '../state/last-acts.ts';
import { stamp } from '../state/moment.ts';
import { death, survivors } from '../state/night.ts';
import { pass } from '../state/role.ts';
import { askEach, marked, thought, type Node } from './node.ts';

export const lastAct: Node = async (game, door) => {
  const due = dueAct(game);
  if (!due || due.act === 'badge') return {};
  const { act } = due;
  const answers = await askEach(door, game, [due.by], question(act), () => undefined);
  const events = answers.flatMap((answer): GameEvent[] => {
    const { by, value } = answer;
    const target = value?.target ?? pass;
    const told: GameEvent[] =
      target === pass // in silence: that somebody held back would tell the role
        ? [{ ...stamp(game, [by]), type: 'passed', by, verb: act.verb, ...marked(answer) }]
        : [
            { ...stamp(game, 'everyone'), type: 'last_act', by, verb: act.verb, target, ...marked(answer) },
            death(game, target, 'last_act'),
          ];
    return [...thought(game, act.verb, answer), ...told];
  });
  return { alivePlayers: survivors(game.alivePlayers, events), events };
};
