// Whole matches by bots on every board and under every rule. A referee checks each match, and each is played twice.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RandomMatch, playRandomMatches } from '../../deception/play/random-matches.ts';
import { replayMatch } from '../../graph/play-match.ts';
import { openModel } from '../../models/providers/index.ts';
import { boards } from '../../state/boards.ts';
import { type EventOf, type GameEvent, isDebateSummary, isEventOfType } from '../../state/events.ts';
import type { Setup } from '../../state/game.ts';
import type { AnswerLine } from '../../state/record.ts';
import { presetNames } from '../../state/presets.ts';
import { readRules, resolveBoardRules } from '../../state/rulebook.ts';
import { anyPlan, type Plan } from '../random-plans.ts';
import { listRulesBroken, computeScores } from '../referee.ts';
import { ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, everyRole, type Options, play, playNodes } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { injected, answerUnruly } from '../unruly-answers.ts';
import { itLong } from '../it-long.ts';

/**
 * Every board under every preset, with both bots at each table; they alternate as Werewolves. `npm test` plays each
 * board once. Random boards under random rules follow below. For more seeds set `WOLFGRAPH_SEEDS=200`.
 */
const combinations = Object.keys(boards).flatMap((board, row) =>
  presetNames.map((rules, column) => ({
    board,
    rules,
    werewolves: (row + column) % 2 === 0 ? 'bot:random' : 'bot:classic',
    villagers: (row + column) % 2 === 0 ? 'bot:classic' : 'bot:random',
  })),
);
const seeds = Number(process.env['WOLFGRAPH_SEEDS'] ?? 1);

/**
 * Number of rounds that contain every question: one if everybody analyzes everything, two if everybody speaks in turn.
 */
const selectFew = (rules: string): Options => {
  const { debateOrder, analysis } = readRules(rules);
  if (debateOrder !== 'bidding') return { maxRounds: 2 };
  return { debateTurns: 1, ...(analysis !== 'off' && { maxRounds: 1 }) };
};

const openBot = (name: string) => openModel(name, { temperature: null, env: {} });

/** Every value of every option that changes a whole match. Values share a match if none hides another. */
const variations: Options[] = [
  { debateTurns: 1, bidScale: 4, maxWords: 5, protectSelf: false },
  { exile: 'plurality', exileTies: 'nobody', maxRounds: 4, analysis: 'off', protectRepeat: false },
  { exile: 'plurality', exileTies: 'random', reveal: 'team', memory: 'full' },
  { exile: 'plurality', reveal: 'role', ballots: 'secret', scores: 'numbers' },
  { syntheticVotes: true, analysis: 'self', checkTells: 'team' },
  { analysis: 'peer', beliefs: 'each-statement', honesty: 'forbidden' },
  { analyzeBallots: false, scores: 'hidden', pack: 'one', beliefs: 'each-round' },
  { beliefs: 'each-round', analysis: 'off', syntheticVotes: true, honesty: 'required', coaching: 'paper' },
  { protectSelf: false, protectRepeat: false, exile: 'plurality', exileTies: 'random', maxRounds: 5, analysis: 'off' },
];

/** Options of roles and of the Sheriff that were added after the first version. */
const ofOffices: Options[] = [
  { exile: 'plurality', exileTies: 'pk', wins: 'majority', guardSelf: false, guardRepeat: true },
  { wins: 'edge', guardAndAntidote: 'dies', witchBothPotions: true },
  { debateOrder: 'round-robin', debatePasses: 2, witchSelfSave: 'always' },
  { debateOrder: 'round-robin', debateLead: 'rotation', maxRounds: 4, witchSelfSave: 'never' },
  { debateOrder: 'round-robin', sheriff: true, hunterPoisoned: true },
  { sheriff: true, sheriffWeight: 1, exile: 'plurality', exileTies: 'pk' },
  { sheriff: true, sheriffWeight: 2, ballots: 'secret', syntheticVotes: true, beliefs: 'each-round' },
];

describe('a whole match', () => {
  const goesByTheRules = async ({ board, rules, werewolves, villagers }: (typeof combinations)[number]) => {
    for (let seed = 1; seed <= seeds; seed++) {
      const { setup, events, lines } = await play({
        board,
        rules,
        werewolves,
        villagers,
        seed,
        rule: selectFew(rules),
      });
      expect(listRulesBroken(setup, events)).toEqual([]);
      expect(lines.filter(({ mark }) => mark)).toEqual([]);
      expect(events.at(-1)).toMatchObject({ type: 'ended' });
    }
  };
  const title = 'on $board under the rules $rules, the pack by $werewolves, goes by them to its end without a fallback';
  /** Whether `npm test` plays a combination: one a board, each with the next preset. */
  const isQuick = (at: number) => at % presetNames.length === Math.floor(at / presetNames.length) % presetNames.length;

  it.each(combinations.filter((_, at) => isQuick(at)))(title, goesByTheRules);
  itLong.each(combinations.filter((_, at) => !isQuick(at)))(title, goesByTheRules);

  it.each(variations)('goes by the rules %j to its end', async (rule) => {
    const table = { board: createBoard(2, 1, 1, 2), seed: 5, rule: { debateTurns: 2, maxRounds: 2, ...rule } };
    const setup = dealTable(table);
    const { events } = await playNodes(setup, await openBot('bot:classic'));
    expect(listRulesBroken(setup, events)).toEqual([]);
  });

  it.each(ofOffices)('of every role goes by the rules %j to its end', async (rule) => {
    const turns = rule['debateOrder'] === 'round-robin' ? {} : { debateTurns: 1 };
    const setup = dealTable({ board: everyRole, seed: 2, rule: { analysis: 'off', ...turns, ...rule } });
    const { events } = await playNodes(setup, await openBot('bot:random'));
    expect(listRulesBroken(setup, events)).toEqual([]);
  });

  it.each(presetNames)('of the same seed is the same again under the rules %s', async (rules) => {
    const plan = { rules, board: everyRole, seed: 3, rule: { ...selectFew(rules), sheriff: true, maxRounds: 1 } };
    const mixed = { ...plan, werewolves: 'bot:random' };
    const [first, second] = [await play(mixed), await play(mixed)];
    expect(JSON.stringify(second.events)).toBe(JSON.stringify(first.events));
  });

  it.each(['wolf', 'arena'])('has as many statements a day as the rules %s say', async (rules) => {
    const setup = dealTable({ rules, seed: 2, rule: { maxRounds: 1 } });
    const { events } = await playNodes(setup, await openBot('bot:random'));
    expect(listRulesBroken(setup, events)).toEqual([]);
    const turns = events.filter(isEventOfType('statement')).filter(({ round }) => round === 1);
    expect(turns).toHaveLength({ wolf: 6, arena: 8 }[rules]!);
  });

  it('is another one under another seed, and the same whoever else is being played at the same time', async () => {
    const plan = { seed: 4, rule: { debateTurns: 1, maxRounds: 1 }, model: 'bot:random' };
    const alone = await play(plan);
    const [same, bySteps, ...others] = await Promise.all([
      play(plan),
      play({ ...plan, concurrency: 1 }),
      ...[1, 2, 3].map((seed) => play({ ...plan, seed })),
    ]);
    expect(same.events).toEqual(alone.events);
    expect(bySteps.events).toEqual(alone.events);
    const matches = [alone, ...others];
    expect(new Set(matches.map(({ events }) => JSON.stringify(events))).size).toBe(4);
    expect(new Set(matches.map(({ setup }) => JSON.stringify(setup.players))).size).toBe(4);
  });
});

// Whole matches on random boards under random rules. The models give arbitrary answers.

const out = createTemporaryFolder();
let matches = 0;

/** Plays a match on any board under any rules, recorded in its own folder. */
async function playAny(unruly: number, { board, rule, seed }: Plan) {
  const model = new ScriptedModel((question) => answerUnruly(question, seed, unruly));
  const match = await play({ out, id: `m${matches++}`, board, rule, seed, model });
  return { ...match, model };
}

/** Returns the action behind an event whose answer may have been replaced. */
function getAction(event: GameEvent): string | undefined {
  const actions: Partial<Record<GameEvent['type'], string>> = {
    proposal: 'eliminate',
    bid: 'bid',
    ballot: 'vote',
    summary: 'summarize',
    synthetic_vote: 'synthetic_vote',
    candidacy: 'candidacy',
    badge_ballot: 'elect',
    speaking_order: 'speaking_order',
    pseudo_ballot: 'pseudo_vote',
    badge: 'pass_badge',
  };
  if (isDebateSummary(event)) return 'sum_up';
  if (event.type === 'silence')
    return event.occasion
      ? { campaign: 'campaign', recommendation: 'recommend', pk: 'pk_debate' }[event.occasion]
      : 'debate';
  if (event.type === 'acted' || event.type === 'passed' || event.type === 'last_act') return event.verb;
  return event.type === 'missing' ? event.action : actions[event.type];
}

/** Lists every missing answer, from the record of calls and from the events. */
function listMarks({ rules }: Setup, lines: readonly AnswerLine[], events: readonly GameEvent[]) {
  const isDrafted = rules.turn === 'draft';
  /**
   * Whether an event is a silence under `turn=draft`, where one question gives both the bid and the silence of the
   * highest bidder.
   */
  const isDraftedSilence = (event: GameEvent) =>
    isDrafted &&
    event.type === 'silence' &&
    getAction(event) === 'debate' &&
    events.some((bid) => bid.type === 'bid' && bid.by === event.by && `${bid.round}.${bid.step + 1}` === event.id);
  /** If only one Werewolf decides or is left, nobody proposes, and the pick itself is marked. */
  const isByOne = (night: number) => !events.some(({ type, round }) => type === 'proposal' && round === night);
  const inLines = lines.flatMap(({ round, action, player, mark }) =>
    mark ? [[round, action, action === 'eliminate' && isByOne(round) ? '' : player, mark].join(' ')] : [],
  );
  const inEvents = events.flatMap((event) => {
    if (!('mark' in event) || event.mark === undefined) return [];
    if (event.type === 'pick')
      return isByOne(event.round) ? [[event.round, 'eliminate', '', event.mark].join(' ')] : [];
    if (isDraftedSilence(event)) return [];
    const action = isDrafted && event.type === 'bid' ? 'draft' : getAction(event);
    return [[event.round, action, event.by, event.mark].join(' ')];
  });
  return { inLines: inLines.sort(), inEvents: inEvents.sort() };
}

/** Counts each name of a list. */
const countNames = (names: readonly string[]) =>
  [...Map.groupBy(names, (name) => name).values()].map(({ length }) => length);

/** Sets the number of runs: a small number, or that of the variable, e.g. `WOLFGRAPH_RUNS=500`. */
const createRunOptions = (few: number) => ({ numRuns: Number(process.env['WOLFGRAPH_RUNS'] ?? few) });

describe('any match between players who answer at random', () => {
  it('goes by the rules to its end without a fallback, and the same again without the graph', async () => {
    const bot = await openBot('bot:random');
    const goesWell = fc.asyncProperty(anyPlan, async ({ board, rule, seed }) => {
      const { setup, events, lines } = await play({ board, rule, seed, model: 'bot:random' });
      expect(listRulesBroken(setup, events)).toEqual([]);
      expect(events.at(-1)).toMatchObject({ type: 'ended' });
      expect(lines.filter(({ mark }) => mark)).toEqual([]);
      expect((await playNodes(setup, bot)).events).toEqual(events);
    });
    await fc.assert(goesWell, createRunOptions(2)); // in the suite of random matches the referee sees a hundred more
  }, 600_000);

  // Played without the graph, which gives the same matches: see the tests of random matches.
  it('uses each potion once, loses no last act, and has one badge at most, which is with the living', () => {
    const keeps = fc.property(anyPlan, ({ board, rule, seed }) => {
      const rules = resolveBoardRules(board, 'wolf', { ...rule, sheriff: true, maxRounds: 4 });
      const [{ setup, events }] = [...playRandomMatches({ board, rules }, 1, seed)] as [RandomMatch];
      const potions = events.filter(isEventOfType('acted')).filter(({ verb }) => verb === 'save' || verb === 'poison');
      expect(countNames(potions.map(({ by, verb }) => `${by} ${verb}`)).every((count) => count === 1)).toBe(true);
      const hunters = setup.players.filter(({ role }) => role === 'Hunter').map(({ name }) => name);
      const isLeft = (name: string, at: number) => !events.slice(0, at).some(isDeathOf(name));
      const names = setup.players.map(({ name }) => name);
      for (const hunter of hunters) {
        const at = events.findIndex(isDeathOf(hunter));
        const wasPoisoned = potions.some(({ verb, target }) => verb === 'poison' && target === hunter);
        const parted = events.filter(
          (event) => (isEventOfType('last_act')(event) || isHeldFire(event)) && event.by === hunter,
        );
        const mayAct = at >= 0 && (!wasPoisoned || setup.rules['hunterPoisoned'] === true);
        const isAlone = !names.some((name) => isLeft(name, events.indexOf(parted[0] ?? events.at(-1)!)));
        expect(parted).toHaveLength(mayAct && !isAlone ? 1 : 0);
      }
      for (const [at, event] of events.entries()) {
        if (event.type === 'last_act')
          expect(events.slice(at + 1).find(isEventOfType('death'))?.player).toBe(event.target);
        if (event.type === 'badge' && event.to !== null) expect(isLeft(event.to, at)).toBe(true);
      }
      const badges = events.filter((event) => event.type === 'elected' || event.type === 'badge');
      for (const [index, event] of badges.entries())
        if (event.type === 'badge') expect(event.by).toBe(getHolder(badges[index - 1]!));
    });
    fc.assert(keeps, createRunOptions(25));
  }, 600_000);
});

const isDeathOf = (name: string) => (event: GameEvent) => event.type === 'death' && event.player === name;
const isHeldFire = (event: GameEvent): event is EventOf<'passed'> => event.type === 'passed' && event.verb === 'shoot';
const getHolder = (event: EventOf<'elected'> | EventOf<'badge'>) => (event.type === 'badge' ? event.to : event.player);

/**
 * Plans with few seats. The number of analyses grows with the square of the seats, so larger tables are played by bots
 * only.
 */
const anySmallPlan = anyPlan.filter(
  ({ board }) => Object.values(board.roles).reduce((sum, count) => sum + count, 0) <= 10,
);

describe('any match, whatever the models answer,', () => {
  it('goes by the rules to its end, marks every replacement, is replayed from its answers, and takes none for words of the moderator', async () => {
    const goesWell = fc.asyncProperty(anySmallPlan, fc.constantFrom(1, 4, 9, 10), async (plan, unruly) => {
      const { setup, events, lines, summary, folder, model } = await playAny(unruly, plan);
      expect(listRulesBroken(setup, events)).toEqual([]);
      const { inLines, inEvents } = listMarks(setup, lines, events);
      expect(inEvents).toEqual(inLines);
      for (const [observer, targets] of Object.entries(computeScores(setup, events)))
        for (const [target, { score, round }] of Object.entries(targets)) {
          const told = summary.deception_scores[observer]![target]!;
          expect(told.score).toBeCloseTo(score, 12);
          expect(told.round).toBe(round);
          expect(told.score >= 0 && told.score <= 1).toBe(true);
        }
      const replayed = await replayMatch(folder!);
      expect(replayed.events).toEqual(events);
      const written = JSON.parse(readFileSync(path.join(folder!, 'deception_summary.json'), 'utf8')) as object;
      expect(replayed.summary).toEqual({ ...written, seal: undefined });
      for (const { attempt, messages } of model.asked) {
        const told = messages.slice(0, 2).flatMap(({ content }) => content.split(/[\n\r\u2028\u2029]/));
        const forged = told.filter((line) => line.includes(injected) && !/^[^"]*: "[^"]*"$/.test(line));
        expect(forged).toEqual([]);
        expect(attempt).toBeLessThanOrEqual(3);
      }
    });
    await fc.assert(goesWell, createRunOptions(2)); // matches of hundreds of answers each
  }, 600_000);
});
