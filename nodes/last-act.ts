// Somebody who has just left does what the role still allows: another may leave by it.
import { lastAct as question } from '../prompts/night-act.ts';
import { lastActed } from '../state/deeds.ts';
import type { GameEvent } from '../state/event.ts';
import { dueAct } from '../state/last-acts.ts';
import { survivors } from '../state/night.ts';
import { pass } from '../state/role.ts';
import { askEach, marked, thought, type Node } from './node.ts';

export const lastAct: Node = async (game, door) => {
  const due = dueAct(game);
  if (!due || due.act === 'badge') return {};
  const { act } = due;
  const answers = await askEach(door, game, [due.by], question(act), () => undefined);
  const events = answers.flatMap((answer): GameEvent[] => {
    const { by, value } = answer;
    const [deed, ...deaths] = lastActed(game, act, by, value?.target ?? pass);
    return [...thought(game, act.verb, answer), { ...deed, ...marked(answer) }, ...deaths];
  });
  return { alivePlayers: survivors(game.alivePlayers, events), events };
};
