// Single nodes: the start of a round, votes of the Werewolves, offices, the next speaker, and missing answers.
import { describe, expect, it } from '@jest/globals';
import { matchNodes } from '../../nodes/index.ts';
import { createInitialState, dealPlan } from '../../state/deal.ts';
import { type GameEvent, isEventOfType } from '../../state/events.ts';
import { defaultPlan, type Game } from '../../state/game.ts';
import { gameAt, setupOf as createSetup } from '../game.ts';
import { hunter, changePlus, plusSetup, rival, seated, victim } from '../plus-table.ts';
import type { Question } from '../question.ts';
import { listRulesBroken } from '../referee.ts';
import { type Answer, createScript, createLegalAnswer, type Script, ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, type Options, playNodes } from '../table.ts';

/** The graph's first state, for an input with these fields. */
const createStarted = (fields: object) =>
  ({
    plan: defaultPlan,
    roundNum: 0,
    alivePlayers: [],
    phase: 'night',
    step: 0,
    winner: null,
    ...fields,
  }) as unknown as Game; // without `setup` where it is not given

const startRound = async (game: Game) =>
  matchNodes['start_round']!(game, {
    ask: () => Promise.reject(new Error('Nobody is asked.')),
    recall: () => Promise.resolve([]),
  });

describe('a run started', () => {
  it('with nothing is dealt the default board under the rules of WOLF', async () => {
    const { change, events } = await startRound(createStarted({}));
    const { setup, alivePlayers } = change;
    expect(setup).toEqual(dealPlan({ board: 'classic-8', rules: 'wolf', seed: 1 }));
    expect(alivePlayers).toHaveLength(8);
    expect(events.filter(({ type }) => type === 'dealt')).toHaveLength(8);
  });

  it('with a plan is dealt what that names', async () => {
    const plan = { board: 'classic-8', rules: 'arena', seed: 7 };
    const { change } = await startRound(createStarted({ plan }));
    expect(change.setup).toEqual(dealPlan(plan));
  });

  it('with a set-up in full is played by its players', async () => {
    const setup = createSetup();
    expect((await startRound(createStarted({ setup }))).change).toMatchObject(createInitialState(setup));
  });

  it('with players already seated keeps them', async () => {
    const { setup, alivePlayers } = (await startRound(createStarted(createInitialState(createSetup())))).change;
    expect([setup, alivePlayers]).toEqual([undefined, undefined]);
  });
});

describe('a match that is over', () => {
  const refusal = /^This match ended in round 2\. Start the next match in a new thread\.$/;

  it('because a side has won is not gone on with', async () => {
    await expect(startRound({ ...gameAt({ round: 2 }), winner: 'villagers' })).rejects.toThrow(refusal);
  });

  it('because its last round is over is not gone on with', async () => {
    await expect(startRound(gameAt({ round: 2, rules: { maxRounds: 2 } }))).rejects.toThrow(refusal);
  });
});

// Nights: the decision of the Werewolves, and the other powers.

const board = createBoard(3, 1, 1, 3);
const dealSetup = (rule: Options, seed = 1) =>
  dealTable({ board, rules: 'arena', rule: { debateTurns: 1, maxRounds: 1, ...rule }, seed });
const listNames = (setup: ReturnType<typeof dealSetup>, role: string) =>
  setup.players.filter((player) => player.role === role).map(({ name }) => name);

/** Plays a first night with these `proposals` of the Werewolves, ballot by ballot, in the order of seats. */
async function playNight(rule: Options, proposals: (villagers: string[]) => string[][], seed = 1) {
  const setup = dealSetup(rule, seed);
  const [pack, villagers] = [listNames(setup, 'Werewolf'), listNames(setup, 'Villager')];
  const ballotOf = ({ messages }: Question) => (messages[1]!.content.includes('The proposals differed') ? 1 : 0);
  const model = new ScriptedModel(
    createScript({
      eliminate: (question) => ({
        proposal: proposals(villagers)[ballotOf(question)]![pack.indexOf(question.player)],
        proposal_reason: `Because, says ${question.player}.`,
      }),
      protect: () => ({ target: listNames(setup, 'Doctor')[0] }),
    }),
  );
  const { events } = await playNodes(setup, model);
  const asked = model.asked.filter(({ action }) => action === 'eliminate');
  return { asked, pack, villagers, picked: events.find(isEventOfType('pick'))!.target, events };
}

describe('a pack that votes', () => {
  it('is asked once where all propose the same', async () => {
    const { asked, picked, villagers } = await playNight({ pack: 'vote' }, ([one]) => [[one!, one!, one!]]);
    expect(asked).toHaveLength(3);
    expect(picked).toBe(villagers[0]);
  });

  it('is asked again where it differs, having seen what the others proposed and why', async () => {
    const { asked, picked, pack, villagers } = await playNight({ pack: 'vote' }, ([one, two]) => [
      [one!, two!, two!],
      [one!, one!, two!],
    ]);
    expect(asked).toHaveLength(6);
    for (const { player, messages } of asked.slice(3))
      for (const mate of pack.filter((name) => name !== player))
        expect(messages[1]!.content).toContain(`${mate} proposed to the other Werewolves to remove`);
    for (const { messages } of asked.slice(0, 3)) expect(messages[1]!.content).not.toContain('Because, says');
    expect(asked[3]!.messages[1]!.content).toContain(`"Because, says ${pack[1]}."`);
    expect(picked).toBe(villagers[0]);
  });

  it('has a tie decided by the seed, the same each time', async () => {
    const tie = ([one, two, three]: string[]) => Array<string[]>(2).fill([one!, two!, three!]);
    const picks = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((seed) => playNight({ pack: 'vote' }, tie, seed)));
    expect(new Set(picks.map(({ picked, villagers }) => villagers.indexOf(picked))).size).toBeGreaterThan(1);
    expect((await playNight({ pack: 'vote' }, tie, 1)).picked).toBe(picks[0]!.picked);
  });
});

describe('a pack in which one decides', () => {
  it('is asked through one of its own, drawn by the seed, and all of it learns the pick', async () => {
    const nights = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((seed) => playNight({ pack: 'one' }, ([one, two, three]) => [[one!, two!, three!]], seed)),
    );
    for (const { asked, picked, pack, villagers, events } of nights) {
      expect(asked).toHaveLength(1);
      expect(villagers.indexOf(picked)).toBe(pack.indexOf(asked[0]!.player));
      expect(events.find(isEventOfType('pick'))!.audience).toEqual(pack);
      expect(Object.keys(asked[0]!.fields)).toEqual(['reasoning', 'proposal']);
    }
    expect(new Set(nights.map(({ asked, pack }) => pack.indexOf(asked[0]!.player))).size).toBeGreaterThan(1);
  });
});

describe('a night act', () => {
  it('shields the one whom the Doctor protects', async () => {
    const setup = dealSetup({ pack: 'one' });
    const [victim] = listNames(setup, 'Villager');
    const script = createScript({ eliminate: () => ({ proposal: victim }), protect: () => ({ target: victim }) });
    const { events } = await playNodes(setup, new ScriptedModel(script));
    expect(events.filter(isEventOfType('quiet_night'))).toHaveLength(1);
    expect(events.filter(isEventOfType('death')).filter(({ cause }) => cause === 'night')).toEqual([]);
  });

  it.each([
    ['role', { role: 'Werewolf' }],
    ['team', { team: 'werewolves' }],
  ])('tells the Seer the %s, and nobody else', async (checkTells, told) => {
    const setup = dealSetup({ checkTells });
    const [seer] = listNames(setup, 'Seer');
    const [wolf] = listNames(setup, 'Werewolf');
    const { events } = await playNodes(setup, new ScriptedModel(createScript({ unmask: () => ({ target: wolf }) })));
    expect(events.find(isEventOfType('learned'))).toEqual({
      round: 1,
      phase: 'night',
      audience: [seer],
      type: 'learned',
      by: seer,
      about: wolf,
      ...told,
    });
  });

  it('is drawn and marked where no answer can be read', async () => {
    const model = new ScriptedModel((question) =>
      question.phase === 'night' ? { target: 'Zorro' } : createLegalAnswer(question),
    );
    const { events } = await playNodes(dealSetup({ pack: 'one' }), model);
    const acts = events.filter((event) => event.type === 'acted' || event.type === 'pick');
    expect(acts.map(({ mark }) => mark)).toEqual(['fallback', 'fallback', 'fallback']);
    expect(model.asked.filter(({ phase }) => phase === 'night')).toHaveLength(9);
  });
});

// Later roles and the Sheriff's office: a complete day, and replacements of missing answers.

/** Plays the match in which everybody gives the answer `answer` to questions of `action` in the first round. */
async function matchWith(action: string | null, answer: Answer = '') {
  const model = new ScriptedModel(changePlus((question) => (question.action === action ? answer : undefined)));
  const { events, steps } = await playNodes(plusSetup, model);
  expect(listRulesBroken(plusSetup, events)).toEqual([]);
  return { events, steps, asked: model.asked.filter((question) => question.action === action) };
}

describe('a day with a Sheriff', () => {
  it('goes from the election to the badge', async () => {
    const { events, steps } = await matchWith(null);
    const day = steps.slice(steps.indexOf('candidacy'), steps.indexOf('end'));
    expect(day.join(' ')).toBe(
      [
        'candidacy campaign campaign elect speaking_order',
        ...Array<string>(8).fill('debate'),
        'debate beliefs pseudo_vote recommend vote exile pk_debate pk_debate vote exile last_act pass_badge',
        'check_winner_day',
      ].join(' '),
    );
    expect(events.find(isEventOfType('elected'))).toMatchObject({ player: hunter, how: 'vote' });
    expect(events.find(isEventOfType('tie'))!.players.toSorted()).toEqual([hunter, rival].sort());
    expect(events.find(isEventOfType('statement'))).toMatchObject({ id: '1.1', occasion: 'campaign' });
    expect(events.filter(isEventOfType('statement')).find(({ recommends }) => recommends)).toMatchObject({
      by: hunter,
      recommends: rival,
      occasion: 'recommendation',
    });
    const departures = events.filter((event) => ['death', 'last_act', 'badge'].includes(event.type)).slice(0, 4);
    expect(departures).toMatchObject([
      { type: 'death', player: hunter, cause: 'exile' },
      { type: 'last_act', by: hunter, target: rival, verb: 'shoot' },
      { type: 'death', player: rival, cause: 'last_act' },
      { type: 'badge', by: hunter, to: seated('Seer') },
    ]);
  });
});

/** Replacements of each answer that a model did not give. */
const replaced: [action: string, isIt: (event: GameEvent) => boolean, what: object][] = [
  ['guard', (event) => event.type === 'passed' && event.verb === 'guard', { by: seated('Guard') }],
  ['save', (event) => event.type === 'passed' && event.verb === 'save', { by: seated('Witch') }],
  ['poison', (event) => event.type === 'passed' && event.verb === 'poison', { by: seated('Witch') }],
  ['shoot', (event) => event.type === 'passed' && event.verb === 'shoot', { by: hunter }],
  ['candidacy', isEventOfType('candidacy'), { stands: false }],
  ['campaign', isEventOfType('silence'), { occasion: 'campaign' }],
  ['elect', isEventOfType('badge_ballot'), {}],
  ['speaking_order', isEventOfType('speaking_order'), { by: hunter }],
  ['pseudo_vote', isEventOfType('pseudo_ballot'), {}],
  ['recommend', isEventOfType('silence'), { occasion: 'recommendation', by: hunter }],
  ['pk_debate', isEventOfType('silence'), { occasion: 'pk' }],
  ['pass_badge', isEventOfType('badge'), { by: hunter, to: null }],
];

describe.each([
  ['fallback', 'Hm.', 3],
  ['refusal', "I'm sorry, but I can't take part in this.", 1],
])('an answer that cannot be had, marked as %s,', (mark, text, attempts) => {
  it.each(replaced)('to %s is replaced as the rules say', async (action, isIt, what) => {
    const { events, asked } = await matchWith(action, text);
    const found = events.filter(isIt);
    expect(found.length).toBeGreaterThan(0);
    for (const event of found) expect(event).toMatchObject({ ...what, mark });
    for (const { length } of Map.groupBy(asked, ({ player }) => player).values()) expect(length % attempts).toBe(0);
  });
});

describe('an election', () => {
  it('in which nobody can be understood leaves the village without a Sheriff', async () => {
    const { events, steps } = await matchWith('candidacy', 'Hm.');
    expect(events.filter(isEventOfType('no_sheriff'))).toHaveLength(1);
    for (const step of ['campaign', 'elect', 'speaking_order', 'pseudo_vote', 'recommend', 'pass_badge'])
      expect(steps).not.toContain(step);
  });

  it('in which all stand has all speak and all vote for another', async () => {
    const { events } = await matchWith('candidacy', { reasoning: '', stand: true });
    const names = plusSetup.players.map(({ name }) => name).sort();
    const speeches = events.filter(isEventOfType('statement')).filter(({ occasion }) => occasion === 'campaign');
    expect(speeches.map(({ by }) => by).sort()).toEqual(names);
    const votes = events.filter(isEventOfType('badge_ballot')).filter(({ ballot }) => ballot === 1);
    expect(votes.map(({ by }) => by).sort()).toEqual(names);
  });

  it('that is tied is voted on once more, and then drawn the same each time', async () => {
    const split = changePlus(({ action, alive, player }) =>
      action === 'elect' ? { reasoning: '', vote: alive.indexOf(player) % 2 === 0 ? hunter : rival } : undefined,
    );
    const even = changePlus((question) =>
      question.action === 'candidacy'
        ? { reasoning: '', stand: [hunter, rival, victim].includes(question.player) }
        : split(question),
    );
    const play = async () => (await playNodes(plusSetup, new ScriptedModel(even))).events;
    const [one, other] = [await play(), await play()];
    expect(listRulesBroken(plusSetup, one)).toEqual([]);
    expect(one).toEqual(other);
    const ballots = one.filter(isEventOfType('badge_ballot'));
    const isTied = new Set(ballots.filter(({ ballot }) => ballot === 1).map(({ target }) => target)).size === 2;
    expect(isTied).toBe(true);
  });
});

// Debates: the next speaker, and the effects of a statement.

const debateBoard = createBoard(1, 1, 1, 3);

/** Plays the first day of a match of six players, with the answers of `script`. */
async function playDay(script: Script, rule: Options = {}) {
  const setup = dealTable({ board: debateBoard, rules: 'arena', rule: { debateTurns: 2, maxRounds: 1, ...rule } });
  const model = new ScriptedModel(script);
  const { events } = await playNodes(setup, model);
  const turns = events.filter((event) => event.type === 'statement' || event.type === 'silence');
  return { events, turns, asked: model.asked };
}

describe('the turn to speak', () => {
  it('goes to the highest bid', async () => {
    const wanted = ({ alive, turn }: Question) => alive[turn === 1 ? 3 : 1];
    const { turns, asked } = await playDay(
      createScript({ bid: (question) => ({ bid: question.player === wanted(question) ? 3 : 2 }) }),
    );
    const { alive } = asked.find(({ action }) => action === 'debate')!;
    expect(turns.map(({ by }) => by)).toEqual([alive[3], alive[1]]);
  });

  it('is drawn among all where no bid can be read, and the bids are marked', async () => {
    const { events, turns } = await playDay((question) =>
      question.action === 'bid' ? { bid: 99 } : createLegalAnswer(question),
    );
    const bids = events.filter(isEventOfType('bid'));
    expect(new Set(bids.map(({ bid, mark }) => `${bid} ${mark}`))).toEqual(new Set(['null fallback']));
    expect(turns).toHaveLength(2);
  });
});

describe('a statement', () => {
  it('is cut at twice the limit of words, and said to be cut', async () => {
    const { turns } = await playDay(createScript({ debate: () => ({ statement: 'word '.repeat(10_000) }) }), {
      maxWords: 10,
    });
    expect(turns[0]).toMatchObject({ type: 'statement', cut: true, text: `${'word '.repeat(20)}…` });
  });

  it('keeps its words where it is a little too long', async () => {
    const text = 'word '.repeat(15).trim();
    const { turns } = await playDay(createScript({ debate: () => ({ statement: text }) }), { maxWords: 10 });
    expect(turns[0]).toMatchObject({ type: 'statement', text });
    expect(turns[0]).not.toHaveProperty('cut');
  });

  it.each([
    ['an empty text', 'fallback', 3],
    ["I'm sorry, but I can't take part in this.", 'refusal', 1],
  ])('is silence that is marked and not analysed where it is %s', async (text, mark, times) => {
    const silent: Script = (question) => {
      if (question.action !== 'debate') return createLegalAnswer(question);
      return mark === 'refusal' ? text : { reasoning: 'Hm.', statement: ' ' };
    };
    const { turns, asked } = await playDay(silent, { analysis: 'both', debateTurns: 1 });
    expect(turns).toMatchObject([{ type: 'silence', mark }]);
    expect(asked.filter(({ action }) => action === 'debate')).toHaveLength(times);
    expect(asked.filter(({ action }) => action.endsWith('analysis'))).toEqual([]);
  });
});
