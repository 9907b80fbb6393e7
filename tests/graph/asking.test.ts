// Questions of a match: who is asked, when, and which questions run in parallel. Observed in LangGraph and at the
// models.
import { describe, expect, it } from '@jest/globals';
import { isEventOfType } from '../../state/events.ts';
import type { Setup } from '../../state/game.ts';
import { changePlus, plusSetup, rival, seated, victim } from '../plus-table.ts';
import type { Question } from '../question.ts';
import { getMoment, listRulesBroken } from '../referee.ts';
import { type Answer, createScript, createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, play, playDeal, playNodes, traceDeal } from '../table.ts';
import { recordWaves } from '../waves.ts';

const nameOf = (setup: Setup, role: string) => setup.players.find((player) => player.role === role)!.name;

/** Everybody votes for the next player in seat order, so nobody is exiled. */
const voteInACircle = ({ player, alive }: Question) => ({ vote: alive[(alive.indexOf(player) + 1) % alive.length] });

/** A match in which the Werewolves always pick the player whom the Doctor protects, and nobody is exiled. */
const keepEverybody = (victim: string) =>
  createScript({
    eliminate: () => ({ proposal: victim }),
    protect: () => ({ target: victim }),
    vote: voteInACircle,
  });

const small = createBoard(1, 1, 1, 3);

describe('the steps of a match', () => {
  const night = 'start_round eliminate(\\+protect)?(\\+unmask)? resolve_night check_winner_night';
  const matchRounds = (day: string) =>
    new RegExp(`^__start__ (${night} ${day} exile check_winner_day (summarize )?)*(${night} )?end$`);
  const matchTurns = (wave: string, count: number) => `bid debate (${wave} debate ){${count - 1}}`;

  it.each([
    [
      'wolf',
      3,
      { maxRounds: 2 },
      'bid\\+peer_analysis\\+self_analysis',
      'peer_analysis\\+self_analysis vote peer_analysis\\+self_analysis',
    ],
    [
      'wolf',
      1,
      {},
      'bid\\+peer_analysis\\+self_analysis',
      'peer_analysis\\+self_analysis vote peer_analysis\\+self_analysis',
    ],
    ['wolf', 2, { analysis: 'self' }, 'bid\\+self_analysis', 'self_analysis vote self_analysis'],
    ['wolf', 2, { analysis: 'peer', analyzeBallots: false }, 'bid\\+peer_analysis', 'peer_analysis vote'],
    ['wolf', 2, { ballots: 'secret', analysis: 'self' }, 'bid\\+self_analysis', 'self_analysis vote'],
    ['wolf', 2, { analysis: 'off' }, 'bid', 'vote'],
    ['wolf', 2, { analysis: 'off', beliefs: 'each-round' }, 'bid', 'beliefs vote'],
    ['arena', 2, {}, 'bid\\+synthetic_vote', 'vote'],
    ['arena', 3, { analysis: 'peer' }, 'bid\\+peer_analysis\\+synthetic_vote', 'peer_analysis vote'],
  ])('stand in their order under %s with %i statements and %j', async (rules, debateTurns, rule, wave, after) => {
    const setup = dealTable({ board: small, rules, rule: { debateTurns, maxRounds: 1, ...rule } });
    const { steps, events } = await traceDeal(setup, new ScriptedModel((question) => createLegalAnswer(question)));
    expect(listRulesBroken(setup, events)).toEqual([]);
    expect(steps.join(' ')).toMatch(matchRounds(`${matchTurns(wave, debateTurns)}${after}`));
  });

  it('go on with the bids alone where the speaker could not be understood', async () => {
    const model = new ScriptedModel((question) => (question.action === 'debate' ? 'Hm.' : createLegalAnswer(question)));
    const setup = dealTable({ board: small, rule: { debateTurns: 2, maxRounds: 1 } });
    const { steps, events } = await traceDeal(setup, model);
    expect(listRulesBroken(setup, events)).toEqual([]);
    expect(steps.join(' ')).toMatch(matchRounds('bid debate bid debate vote peer_analysis\\+self_analysis'));
    expect(events.filter(isEventOfType('silence')).every(({ mark }) => mark === 'fallback')).toBe(true);
  });

  it('leave in the state what the next step needs, and in the log what some player may see', async () => {
    const setup = dealTable({ board: small, rule: { debateTurns: 2, maxRounds: 2 } });
    const { game, events } = await playDeal(setup, new ScriptedModel((question) => createLegalAnswer(question)));
    const dead = events.filter(isEventOfType('death')).map(({ player }) => player);
    expect(game.alivePlayers).toEqual(setup.players.map(({ name }) => name).filter((name) => !dead.includes(name)));
    expect(game.gameLogs).toEqual(events.filter(({ audience }) => audience !== 'moderator'));
    expect(game.deceptionHistory).toHaveLength(events.filter(isEventOfType('assessment')).length);
    expect(game.winner).toBe(events.find(isEventOfType('ended'))!.winner);
  });
});

describe('a match that is not decided', () => {
  it('ends after the last round without a winner, and says so', async () => {
    const rule = { maxRounds: 2, debateTurns: 1, analysis: 'off' };
    const setup = dealTable({ board: small, rule });
    const script = keepEverybody(nameOf(setup, 'Villager'));
    const { events, summary } = await play({ board: small, rule, model: new ScriptedModel(script) });
    expect(events.at(-1)).toMatchObject({ type: 'ended', winner: null, reason: 'round limit', round: 2 });
    expect(summary).toMatchObject({ winner: null, end_reason: 'round limit', rounds: 2 });
    expect(listRulesBroken(setup, events)).toEqual([]);
  });
});

describe('who is asked', () => {
  it('is never one of the dead, who also vote for nobody and protect nobody', async () => {
    const model = new ScriptedModel((question) => createLegalAnswer(question));
    const setup = dealTable({ rule: { debateTurns: 1, exile: 'plurality', exileTies: 'random' }, seed: 8 });
    const { events } = await playNodes(setup, model);
    const deaths = events.filter(isEventOfType('death'));
    expect(deaths.length).toBeGreaterThan(2);
    for (const death of deaths) {
      const later = model.asked.filter((asked) => getMoment(asked) > getMoment(death));
      expect(later.map(({ player }) => player)).not.toContain(death.player);
      expect(later.flatMap(({ alive }) => alive)).not.toContain(death.player);
    }
    const told = model.asked.filter(({ alive }) => alive.length > 0);
    expect(told.length).toBeGreaterThan(30);
    for (const { player, alive } of told) expect(alive).toContain(player);
  });

  it('is the Seer as long as somebody is left to check, and no longer', async () => {
    const setup = dealTable({ board: small, rules: 'arena', rule: { maxRounds: 7, debateTurns: 1 } });
    const model = new ScriptedModel(keepEverybody(nameOf(setup, 'Villager')));
    const { steps, events } = await playNodes(setup, model);
    expect(model.asked.filter(({ action }) => action === 'unmask').map(({ round }) => round)).toEqual([1, 2, 3, 4, 5]);
    expect(new Set(events.filter(isEventOfType('learned')).map(({ about }) => about)).size).toBe(5);
    expect(steps.filter((step) => step.includes('eliminate'))).toEqual([
      ...Array<string>(5).fill('eliminate+protect+unmask'),
      ...Array<string>(2).fill('eliminate+protect'),
    ]);
  });

  it('is no night power whose holder is gone', async () => {
    const setup = dealTable({ board: small, rules: 'arena', rule: { debateTurns: 1, maxRounds: 3 } });
    const [doctor, other] = [nameOf(setup, 'Doctor'), nameOf(setup, 'Villager')];
    const model = new ScriptedModel(
      createScript({
        eliminate: ({ round }) => (round === 1 ? { proposal: doctor } : {}),
        protect: () => ({ target: other }),
        vote: voteInACircle,
      }),
    );
    const { steps, events } = await playNodes(setup, model);
    expect(events.find(isEventOfType('death'))).toMatchObject({ player: doctor, round: 1, cause: 'night' });
    expect(model.asked.filter(({ player, round }) => player === doctor && round > 1)).toEqual([]);
    expect(steps.filter((step) => step.includes('protect'))).toHaveLength(1);
  });

  it('is everybody but the last speaker for the next bid, and on the next day everybody', async () => {
    const setup = dealTable({ board: small, rules: 'arena', rule: { debateTurns: 3, maxRounds: 2 } });
    const model = new ScriptedModel(keepEverybody(nameOf(setup, 'Villager')));
    const { events } = await playNodes(setup, model);
    const speakers = events.filter(isEventOfType('statement')).map(({ by }) => by);
    const bids = model.asked.filter(({ action }) => action === 'bid');
    const bidders = ['1.1', '1.2', '1.3', '2.1', '2.2', '2.3'].map((moment) =>
      bids.filter(({ round, turn }) => `${round}.${turn}` === moment).map(({ player }) => player),
    );
    expect(bidders.map(({ length }) => length)).toEqual([6, 5, 5, 6, 5, 5]);
    expect(bidders[1]).not.toContain(speakers[0]);
    expect(bidders[2]).not.toContain(speakers[1]);
    expect(bidders[3]).toContain(speakers[2]);
  });
});

describe('what can be asked at the same time', () => {
  const setup = dealTable({
    board: createBoard(2, 1, 1, 2),
    seed: 2,
    rule: { debateTurns: 2, syntheticVotes: true, maxRounds: 2 },
  });
  const victim = nameOf(setup, 'Villager');
  const wolves = setup.players.filter(({ role }) => role === 'Werewolf').map(({ name }) => name);
  const script = keepEverybody(victim);
  /** Counts the asked players of each wave by action. */
  const countActions = (waves: Question[][]) =>
    waves.map((wave) =>
      Object.fromEntries(
        [...Map.groupBy(wave, ({ action }) => action)].map(([action, { length }]) => [action, length]),
      ),
    );

  it('is: a turn costs the statement and one wave about it', async () => {
    const { waves } = await recordWaves((model) => playDeal(setup, model), script);
    const round = [
      { eliminate: 2, protect: 1, unmask: 1 },
      { bid: 6 },
      { debate: 1 },
      { self_analysis: 1, peer_analysis: 5, bid: 6, synthetic_vote: 6 },
      { debate: 1 },
      { self_analysis: 1, peer_analysis: 5 },
      { vote: 6 },
      { ballot_self_analysis: 6, ballot_peer_analysis: 6 },
    ];
    expect(countActions(waves)).toEqual([...round, { summarize: 6 }, ...round]);
  });

  it('is: beliefs beside the last analyses', async () => {
    const rule = { ...setup.rules, beliefs: 'each-round', analyzeBallots: false, maxRounds: 1 };
    const { waves } = await recordWaves(
      (model) => playDeal({ ...setup, rules: rule as Setup['rules'] }, model),
      script,
    );
    expect(countActions(waves)[5]).toEqual({ self_analysis: 1, peer_analysis: 5, beliefs: 6 });
    expect(countActions(waves)).toHaveLength(7);
  });

  it('is: beliefs beside the analyses of the ballot, where those are the last', async () => {
    const rule = { ...setup.rules, beliefs: 'each-round', maxRounds: 1 };
    const { waves } = await recordWaves(
      (model) => playDeal({ ...setup, rules: rule as Setup['rules'] }, model),
      script,
    );
    expect(countActions(waves).at(-1)).toEqual({ ballot_self_analysis: 6, ballot_peer_analysis: 6, beliefs: 6 });
  });

  it.each([1, 4])(
    'is: a round of %i statements costs 2T + 4 waves, one more for ballots, one for a pack that differs',
    async (debateTurns) => {
      const rules = { ...setup.rules, debateTurns, maxRounds: 2 };
      const differing = createScript({
        eliminate: ({ player, alive }) => ({
          proposal: player === wolves[0] ? victim : alive.find((name) => ![...wolves, victim].includes(name)),
        }),
        protect: ({ alive }) => ({ target: alive[0] }),
        vote: voteInACircle,
      });
      const { waves, result } = await recordWaves((model) => playNodes({ ...setup, rules }, model), differing);
      const first = waves.filter(([question]) => question!.round === 1);
      expect(first).toHaveLength(2 * debateTurns + 4 + 1 + 1);
      expect(result.events.filter(isEventOfType('proposal')).filter(({ round }) => round === 1)).toHaveLength(4);
    },
  );

  it('is no more than the match may ask at the same time', async () => {
    const plan = { board: small, seed: 2, rule: { debateTurns: 2, maxRounds: 1 } };
    const { waves, result } = await recordWaves(
      (model) => play({ ...plan, model, concurrency: 3 }),
      (question) => createLegalAnswer(question),
    );
    expect(Math.max(...waves.map(({ length }) => length))).toBe(3);
    const together = await play({ ...plan, model: new ScriptedModel((question) => createLegalAnswer(question)) });
    expect(result.events).toEqual(together.events);
  });

  it('is recorded in the same order whoever answers first', async () => {
    const legal = (question: Question) => createLegalAnswer(question);
    const forwards = await recordWaves((model) => playDeal(setup, model), legal);
    const backwards = await recordWaves(
      (model) => playDeal(setup, model),
      legal,
      (wave) => wave.toReversed(),
    );
    expect(backwards.result.events).toEqual(forwards.result.events);
    expect(backwards.result.game).toEqual(forwards.result.game);
  });
});

// Waves of a night: independent questions run in parallel, the Witch follows the Werewolves, and no node runs twice.

/** The nodes of each night, superstep by superstep. */
const listNights = (steps: readonly string[]) =>
  steps
    .join(' ')
    .split('start_round ')
    .slice(1)
    .map((round) => round.split(' resolve_night')[0]);

/** Rules that make the days between the nights as short as possible. */
const shortDay = { debateOrder: 'bidding', debateTurns: 1, sheriff: false, beliefs: 'off', ballots: 'secret' } as const;

const playNights = async (change: (question: Question) => Answer | undefined, rule: object = {}) => {
  const setup = { ...plusSetup, rules: { ...plusSetup.rules, ...shortDay, maxRounds: 3, ...rule } };
  const model = new ScriptedModel(changePlus(change));
  const { steps, events } = await traceDeal(setup, model);
  return { nights: listNights(steps), events, asked: model.asked };
};

const chooseTarget = (name: string | undefined) => ({ reasoning: '', target: name });

describe('a night', () => {
  it('has three waves while the Witch has both potions: hers come after the pack and one after the other', async () => {
    const { nights } = await playNights(() => undefined, { maxRounds: 1 });
    expect(nights[0]).toBe('eliminate+guard+unmask save poison');
  });

  it('runs every node once at most, whatever has been used: the routers of one wave agree', async () => {
    // The pick is written in the wave that leads to the antidote. If a router read it in that wave, the routers would
    // disagree.
    for (const night of [1, 2])
      for (const verb of ['save', 'poison'] as const) {
        const use = ({ action, round, alive, player }: Question) =>
          action === verb && round === night
            ? chooseTarget(verb === 'save' ? pickOf(round) : alive.find((name) => name !== player))
            : undefined;
        const { nights } = await playNights((question) => use(question) ?? answerKeeping(question));
        for (const [index, steps] of nights.entries()) {
          const nodes = steps!.split(/[ +]/);
          expect([index, nodes.length]).toEqual([index, new Set(nodes).size]);
          expect(steps).toMatch(/^eliminate(\+guard)?(\+unmask)?( save)?( poison)?$/);
        }
      }
  });

  it('has no wave for the antidote once it was used, and the Witch is told nobody any more', async () => {
    const { nights, events } = await playNights((question) =>
      question.action === 'save' && question.round === 1 ? chooseTarget(victim) : answerKeeping(question),
    );
    expect(nights.map((steps) => steps!.split(' ').includes('save'))).toEqual(
      [true, false, false].slice(0, nights.length),
    );
    expect(events.filter(isEventOfType('attacked')).map(({ round }) => round)).toEqual([1]);
  });

  it('does not ask for the poison in the night of the antidote, unless the rules allow both', async () => {
    const asksBoth = async (witchBothPotions: boolean) => {
      const { asked } = await playNights(() => undefined, { witchBothPotions, maxRounds: 1 });
      return asked.some(({ action, round }) => action === 'poison' && round === 1);
    };
    expect([await asksBoth(false), await asksBoth(true)]).toEqual([false, true]);
  });

  it('asks the Witch once the pack has settled, also where its proposals differed', async () => {
    const { waves } = await recordWaves(
      (model) => playNodes({ ...plusSetup, rules: { ...plusSetup.rules, ...shortDay, maxRounds: 1 } }, model),
      changePlus(({ action, player }) =>
        action === 'eliminate'
          ? { reasoning: '', proposal: player === rival ? victim : seated('Villager', 1), proposal_reason: 'So.' }
          : undefined,
      ),
    );
    const actions = waves.slice(0, 3).map((wave) =>
      wave
        .map(({ action }) => action)
        .sort()
        .join(' '),
    );
    expect(actions).toEqual(['eliminate eliminate guard unmask', 'eliminate eliminate', 'save']);
  });
});

/** Target of the Werewolves in this scenario: the first living Villager. */
const pickOf = (round: number) => seated('Villager', round - 1);

/**
 * A scenario of nights only: the Werewolves remove one Villager after another, and nobody uses a power or is exiled.
 */
function answerKeeping({ action, round, alive, player }: Question): Answer | undefined {
  if (action === 'eliminate') return { reasoning: '', proposal: pickOf(round), proposal_reason: 'So.' };
  if (action === 'save' || action === 'poison' || action === 'guard') return chooseTarget('pass');
  if (action === 'candidacy') return { reasoning: '', stand: false };
  if (action === 'vote')
    return { reasoning: '', vote: alive[(alive.indexOf(player) + 1) % alive.length], explanation: 'So.' };
  return undefined;
}
