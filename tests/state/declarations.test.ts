// Declarations of rules, steps and events, compared with played matches, because other lists are derived from the
// declarations.
import { describe, expect, it } from '@jest/globals';
import { eventDescriptions, type AnsweredQuestion } from '../../state/event-descriptions.ts';
import { isEventOfType, GameEvent } from '../../state/events.ts';
import { addEvents, type Setup } from '../../state/game.ts';
import { powers } from '../../state/roles/index.ts';
import { rulebook } from '../../state/rulebook.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { missingActions } from '../../state/steps/index.ts';
import { createView } from '../../state/view.ts';
import { acted, eight, gameAt, picked } from '../game.ts';
import { listValues } from '../random-plans.ts';
import { createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, playNodes } from '../table.ts';
import { itLong } from '../it-long.ts';

const board = createBoard(1, 1, 1, 3);
const short: RuleValues = { debateTurns: 2, maxRounds: 1 };
const measuring = Object.entries(rulebook).flatMap(([name, { measures }]) => (measures ? [name] : []));

const readAnswered = (event: GameEvent) =>
  (eventDescriptions[event.type].answers as ((event: GameEvent) => AnsweredQuestion) | null)?.(event).action;

const played = new Map<string, Promise<string[]>>();

/**
 * Lists the questions of a match whose answers no player ever sees. Matches under the same rules are played once, since
 * most values of a rule are compared with the same usual match.
 */
async function listMeasuringQuestions(rules: 'wolf' | 'arena', rule: RuleValues): Promise<string[]> {
  const { debateTurns, ...others } = { ...short, ...rule };
  const turns: RuleValues = others['debateOrder'] === 'round-robin' ? {} : { debateTurns: debateTurns! };
  const setup = dealTable({ board, rules, rule: { ...others, ...turns } });
  const key = JSON.stringify(Object.entries(setup.rules).sort());
  const found = played.get(key) ?? playForQuestions(setup);
  played.set(key, found);
  return found;
}

async function playForQuestions(setup: Setup): Promise<string[]> {
  const { events } = await playNodes(setup, new ScriptedModel((question) => createLegalAnswer(question)));
  const actions = events
    .filter(({ audience }) => audience === 'moderator')
    .flatMap((event) => readAnswered(event) ?? []);
  return [...new Set(actions)];
}

/** Returns the settings without which a rule has no effect, including the settings that these need themselves. */
const listNeeded = (name: string): RuleValues =>
  Object.fromEntries(
    Object.entries(rulebook[name]!.needs ?? {}).flatMap(([other, values]) => [
      ...Object.entries(listNeeded(other)),
      [other, values[0]!] as const,
    ]),
  );

/**
 * Whether some value of the rule adds a question whose answers no player sees. The rules that it needs are set as well.
 */
async function isAdding(name: string, rules: 'wolf' | 'arena'): Promise<boolean> {
  const rule = rulebook[name]!;
  const needed = listNeeded(name);
  const usual = await listMeasuringQuestions(rules, needed);
  for (const value of listValues(rule)) {
    const found = await listMeasuringQuestions(rules, { ...needed, [name]: value }).catch(() => usual); // the value excludes another setting
    if (found.some((action) => !usual.includes(action))) return true;
  }
  return false;
}

describe('a rule', () => {
  it('declares that it measures, if it needs a rule that does', () => {
    const needing = Object.entries(rulebook).filter(([, { needs = {} }]) =>
      Object.keys(needs).some((other) => measuring.includes(other)),
    );
    expect(needing.map(([name]) => name).filter((name) => !measuring.includes(name))).toEqual([]);
  });

  const declaresThatItMeasures = async (rules: 'wolf' | 'arena', found: readonly string[]) => {
    const adding: string[] = [];
    for (const name of Object.keys(rulebook).filter((one) => !(one in short) && !rulebook[one]!.isOfWordsAlone))
      if (await isAdding(name, rules)) adding.push(name);
    expect(adding.filter((name) => !measuring.includes(name))).toEqual([]);
    expect(adding).toEqual(expect.arrayContaining([...found]));
  };
  const title = 'declares that it measures, if it adds a question whose answer no player sees';

  // Matches under `arena` ask fewer questions of their own, and are soon played.
  it(`${title}: arena`, () => declaresThatItMeasures('arena', ['analysis', 'analyzeBallots', 'beliefs']));
  itLong(`${title}: wolf`, () => declaresThatItMeasures('wolf', ['beliefs', 'syntheticVotes']));
});

describe('a power that its holder uses alone', () => {
  /** Counts the nights, among the first five, in which Sam has a legal target. Sam always uses the power. */
  function countNights(power: (typeof powers)[number]): number {
    const { verb, role } = power;
    const events: GameEvent[] = [];
    let count = 0;
    for (const round of [1, 2, 3, 4, 5]) {
      const seats = { ...eight, Sam: role.name };
      const game = gameAt({ seats, round, phase: 'night', events: [...events, picked(round, 'Dan')] });
      const [target] = power.choices(createView(addEvents(game, power.brief?.(game, 'Sam') ?? []), 'Sam'));
      if (target === undefined) continue;
      count++;
      const effect = power.settle({ round, verb, by: ['Sam'], target }, game);
      events.push(acted(round, 'Sam', verb, target), ...(effect.kind === 'tell' ? [effect.event] : []));
    }
    return count;
  }

  it.each(powers.filter(({ actor }) => actor === 'holder'))('$verb can be used as often as it declares', (power) => {
    expect(countNights(power)).toBe(power.uses ?? 5);
  });
});

describe('an event', () => {
  it('is a moment of its own, if everybody is told of it', () => {
    const known = Object.entries(eventDescriptions).filter(([, { audience }]) => audience === 'everyone');
    expect(known.length).toBeGreaterThan(10);
    expect(known.filter(([, { isMoment }]) => !isMoment).map(([type]) => type)).toEqual([]);
  });
});

describe('a step', () => {
  it('declares that its answers go missing, if they do where they cannot be read', async () => {
    const setup = dealTable({
      board,
      rule: { ...short, analysis: 'both', beliefs: 'each-round', syntheticVotes: true },
    });
    const model = new ScriptedModel((question) =>
      ['debate', 'vote'].includes(question.action) ? createLegalAnswer(question) : 'Hm.',
    );
    const { events } = await playNodes(setup, model);
    const missing = new Set(events.filter(isEventOfType('missing')).map(({ action }) => action));
    expect([...missing].sort()).toEqual([...missingActions].sort());
  });
});

describe('an event that takes an answer’s place in the record', () => {
  const marked = GameEvent.options.filter(({ shape }) => 'mark' in shape).map(({ shape }) => shape.type.value);

  it.each(marked)('%s declares which question it answers', (type) => {
    expect(marked.length).toBeGreaterThan(10);
    expect(eventDescriptions[type].answers).not.toBeNull();
  });
});
