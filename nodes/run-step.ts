// Nodes of the graph, made from steps of the game. A node asks the players' models, and returns what changed and what
// happened.
import type { ModelClient } from '../models/model-client.ts';
import { findMoment } from '../deception/experience/situation.ts';
import { type AnyPrompt, drawOptions, type Prompt, type Question } from '../prompts/prompt.ts';
import { type EventOf, type GameEvent, isEventOfType } from '../state/events.ts';
import type { RememberedEntry } from '../state/experience-setup.ts';
import type { Game } from '../state/game.ts';
import { findStep } from '../state/steps/index.ts';
import {
  type Answer,
  type AskedPlayers,
  type GameChange,
  playStep,
  type Reply,
  type Step,
} from '../state/steps/step.ts';
import { createView } from '../state/view.ts';

/**
 * Plays a part of the match. The events go to the record; events that some player may see also become part of the
 * state.
 */
export type Node = (game: Game, client: ModelClient) => Promise<NodeResult> | NodeResult;

interface NodeResult {
  change: GameChange;
  events: GameEvent[];
}

/**
 * Creates a node in which nobody is asked.
 *
 * @example const exile = createNode(exileStep);
 */
export const createNode =
  (step: Step): Node =>
  (game) => {
    const { done, value } = playStep(game, step).next();
    if (!done) throw new Error(`Step "${step.name}" asks players, but has no question for them.`);
    return value;
  };

/**
 * Creates a node whose step depends on what has happened. The register of steps chooses the step; `nodes` has a node
 * for each possible step, by the step's name.
 *
 * @example const lastAct = createChoosingNode('last_act', { shoot: createAskingNode(shootStep, shoot) });
 */
export const createChoosingNode =
  (name: string, nodes: Readonly<Record<string, Node>>): Node =>
  (game, client) => {
    const step = findStep(name, game);
    return step ? nodes[step.name]!(game, client) : { change: {}, events: [] };
  };

/**
 * Creates a node that asks all askers of a step one question at the same time. If the question needs more than the
 * View, such as a statement to be analyzed, `selectMatter` chooses it for each asker.
 *
 * @example const node = createAskingNode(voteStep, vote); // a step of state/steps/, its question of prompts/
 */
export const createAskingNode =
  <Value extends Reply, Asked extends Value, Matter = void>(
    step: Step<Value>,
    question: Question<Asked, Matter>,
    ...[selectMatter]: Matter extends void ? [] : [selectMatter: (game: Game, asker: string) => Matter]
  ): Node =>
  async (game, client) => {
    const play = playStep(game, step);
    const recalled: EventOf<'remembered'>[] = [];
    let turn = play.next();
    while (!turn.done) turn = play.next(await askEach(client, turn.value, question, selectMatter, recalled));
    const { change, events } = turn.value;
    return { change, events: [...recalled, ...events] };
  };

/**
 * Asks all askers at the same time; answers are returned in the order of the askers. Newly retrieved experiences are
 * added to `recalled`.
 */
const askEach = async <Value extends Reply, Matter>(
  client: ModelClient,
  { game, askers }: AskedPlayers,
  question: Question<Value, Matter>,
  selectMatter: ((game: Game, asker: string) => Matter) | undefined,
  recalled: EventOf<'remembered'>[],
): Promise<Answer<Value>[]> => {
  const prompts: Prompt<Value>[] = [];
  for (const by of askers) {
    const options = () => drawOptions(game.setup.seed, game.roundNum, by);
    const matter = selectMatter?.(game, by) as Matter;
    const view = createView(game, by);
    const prompt = question.put(view, options(), matter);
    const remembered = await findRemembered(client, game, prompt, recalled);
    prompts.push(remembered.length === 0 ? prompt : question.put({ ...view, remembered }, options(), matter));
  }
  return Promise.all(prompts.map(async (prompt) => ({ by: prompt.view.me, ...(await client.ask(prompt)) })));
};

/**
 * Returns the player's entries of earlier matches. They are retrieved before the player's first decision of a kind in a
 * round. Later decisions of that kind in the round get the same entries, so that their prompts begin alike.
 */
async function findRemembered(
  client: ModelClient,
  { setup, roundNum, phase, gameLogs }: Game,
  prompt: AnyPrompt,
  recalled: EventOf<'remembered'>[],
): Promise<readonly RememberedEntry[]> {
  const { me } = prompt.view;
  const moment = setup.experience?.seats.includes(me) ? findMoment(prompt.action) : null;
  if (moment === null || !setup.experience!.moments.includes(moment)) return [];
  const known = [...gameLogs.filter(isEventOfType('remembered')), ...recalled].find(
    (event) => event.by === me && event.round === roundNum && event.moment === moment,
  );
  if (known) return known.entries;
  const entries = [...(await client.recall(prompt, moment))];
  recalled.push({ round: roundNum, phase, audience: [me], type: 'remembered', by: me, moment, entries });
  return entries;
}
