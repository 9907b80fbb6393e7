// Matches on their second day, each seen by one role: the sample prompts are made from them.
import { boards } from '../../state/boards.ts';
import { createDealEvents, createGame, deal } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import { defaultPlan, type Game, type Setup } from '../../state/game.ts';
import { createDeath } from '../../state/night-resolution.ts';
import { getRole } from '../../state/roles/index.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { readRules } from '../../state/rulebook.ts';
import { sampleNights } from './sample-night.ts';

/** Rules that change every text that depends on rules. */
export const samples: Record<'wolf' | 'arena' | 'plus', RuleValues> = {
  wolf: { syntheticVotes: true, beliefs: 'each-statement', honesty: 'permitted', coaching: 'paper' },
  arena: {
    analysis: 'peer',
    questions: 'paper',
    scores: 'numbers',
    memory: 'full',
    exile: 'plurality',
    reveal: 'role',
  },
  plus: {
    ...{ analysis: 'both', questions: 'paper', questionOrder: 'random', selfReport: 'with-notes' },
    ...{ sheriff: true, reveal: 'team', thoughts: 'kept' },
  },
};

/** Moment of a question; all earlier events have happened. */
export type Moment =
  'dusk' | 'candidacy' | 'campaign' | 'elect' | 'night' | 'lead' | 'debate' | 'debated' | 'recommend' | 'vote';

export interface Sample {
  me: string;
  /** Two other living players without powers. The first of them speaks first, unless `me` is the Sheriff. */
  others: readonly [string, string];
  /** Returns the match at a moment, after these further events. */
  at: (moment: Moment, ...then: GameEvent[]) => Game;
  /** Returns the second day's ballots: all are for this player, except the player's own. */
  ballotsFor: (name: string) => GameEvent[];
  /** Returns the match after this player's exile on the second day. */
  exiled: (name: string) => Game;
  /** Returns a game after a tie between `me` and the second of the other players. */
  tied: () => Game;
}

/** Creates a sample match. `isSheriff`: whether the asked player stands for Sheriff and is elected. */
export function sampleMatch(role: string, preset: keyof typeof samples, { isSheriff = false } = {}): Sample {
  const setup = deal({ board: tableFor(role), rules: rulesOf[preset], seed: 1 });
  const me = setup.players.find((player) => player.role === role)!.name;
  const plain = setup.players.filter((player) => !getRole(player.role).special && player.name !== me);
  const [other, rival, gone] = plain.map(({ name }) => name) as [string, string, string];
  const sheriff = isSheriff ? me : other;
  const course = courseOf(setup, { sheriff, other, rival, gone });
  const start = dealt(setup);
  const at = (moment: Moment, ...then: GameEvent[]) => gameAt(start, course, moment, gone, then);
  const living = setup.players.map(({ name }) => name).filter((name) => name !== gone);
  const ballotsFor = (name: string) =>
    ballots(setup, 2, living, (by) => (by !== name ? name : other === name ? rival : other));
  return {
    me,
    others: [other, rival],
    at,
    ballotsFor,
    exiled: (name) => {
      const game = at('vote', ...ballotsFor(name), createDeath(at('vote'), name, 'exile'));
      return { ...game, alivePlayers: living.filter((each) => each !== name) };
    },
    tied: () => {
      const free = living.filter((by) => ![me, rival, sheriff].includes(by));
      const third = free[0]!;
      const even = free.slice(free.length % 2);
      const choiceOf = (by: string) => {
        const place = even.indexOf(by);
        if (by === me || by === rival) return by === me ? rival : me;
        return place >= 0 ? [me, rival][place % 2]! : by === third ? sheriff : third;
      };
      const tie: GameEvent = {
        ...onDay(2),
        type: 'tie',
        players: living.filter((name) => name === me || name === rival),
      };
      return at('vote', ...ballots(setup, 2, living, choiceOf), tie);
    },
  };
}

const rulesOf = {
  wolf: readRules('wolf', samples.wolf),
  arena: readRules('arena', samples.arena),
  plus: readRules('plus', samples.plus),
};

/** The usual board. The role is added if the board lacks it, so that a new role changes no other prompts. */
function tableFor(role: string) {
  const { roles } = boards[defaultPlan.board]!;
  return { name: 'sample', roles: Object.hasOwn(roles, role) ? roles : { ...roles, [role]: 1 } };
}

/** Moments, each with the events since the previous one. */
type Course = readonly (readonly [moment: Moment, after: readonly GameEvent[]])[];

/** Returns the match after the deal, with different suspicions. */
function dealt(setup: Setup): Game {
  const names = setup.players.map(({ name }) => name);
  const scoresOf = (me: string) =>
    Object.fromEntries(
      names.flatMap((name, seat) => (name === me ? [] : [[name, { score: seat / names.length, round: 1 }]])),
    );
  return {
    ...createGame(setup),
    gameLogs: createDealEvents(setup),
    deceptionScores: Object.fromEntries(names.map((me) => [me, scoresOf(me)])),
  };
}

function gameAt(start: Game, course: Course, moment: Moment, gone: string, then: readonly GameEvent[]): Game {
  const index = course.findIndex(([name]) => name === moment);
  const round = index < course.findIndex(([name]) => name === 'night') ? 1 : 2;
  const before = course.slice(0, index).flatMap(([, after]) => after);
  const events = [...before, ...then];
  return {
    ...start,
    gameLogs: [...start.gameLogs, ...events],
    alivePlayers: start.setup.players.map(({ name }) => name).filter((name) => name !== gone || round === 1),
    roundNum: round,
    phase: moment === 'night' ? 'night' : 'day',
    step: events.filter((event) => event.type === 'statement' && event.round === round).length,
  };
}

const onDay = (round: number, audience: GameEvent['audience'] = 'everyone') => ({
  round,
  phase: 'day' as const,
  audience,
});

const ballots = ({ rules }: Setup, round: number, voters: readonly string[], choiceOf: (by: string) => string) =>
  voters.map((by): GameEvent => ({
    ...onDay(round, rules.ballots === 'public' ? 'everyone' : [by]),
    type: 'ballot',
    id: `${round}.${by}`,
    by,
    target: choiceOf(by),
    ...(rules.ballots === 'public' ? { explanation: 'A quiet one.' } : {}),
  }));

type Cast = Readonly<Record<'sheriff' | 'other' | 'rival' | 'gone', string>>;

/** Lists one event of every kind that players remember. */
function courseOf(setup: Setup, { sheriff, other, rival, gone }: Cast): Course {
  const { rules } = setup;
  const all = setup.players.map(({ name }) => name);
  const living = all.filter((name) => name !== gone);
  const [day1, day2] = [onDay(1), onDay(2)];
  const night2 = { round: 2, phase: 'night', audience: 'everyone' } as const;
  const office = (...events: GameEvent[]) => (rules.sheriff ? events : []);
  const said = (id: string, by: string, text: string) =>
    ({ ...onDay(Number(id[0])), type: 'statement', id, by, text }) as const;
  const opener = rules.sheriff ? sheriff : other;
  const leads = (round: number) =>
    office({ ...onDay(round), type: 'speaking_order', by: sheriff, direction: 'up' }).filter(
      () => rules.debateOrder === 'round-robin',
    );
  const turn = rules.sheriff ? 3 : 1; // after two candidates
  const named = sheriff === other ? rival : other;
  const pseudo = (round: number, voters: readonly string[], target: string) =>
    office(
      ...voters.map((by): GameEvent => ({
        ...onDay(round),
        type: 'pseudo_ballot',
        by,
        target: by !== target ? target : by === rival ? other : rival,
      })),
    );
  const stands = [sheriff, rival].map((by): GameEvent => ({ ...day1, type: 'candidacy', by, stands: true }));
  const elects = all
    .filter((by) => by !== sheriff && by !== rival)
    .map((by): GameEvent => ({ ...day1, type: 'badge_ballot', by, target: sheriff, ballot: 1 }));
  const recommendation = (id: string, name: string) => ({
    ...said(id, sheriff, 'I am not convinced.'),
    occasion: 'recommendation' as const,
    recommends: name,
  });
  const thoughts = all.map((by): GameEvent => ({
    ...onDay(1, [by]),
    type: 'thought',
    by,
    action: rules.sheriff ? 'candidacy' : 'bid',
    step: 0,
    reasoning: 'I listen first.',
  }));
  const dayOne = [
    ...leads(1),
    said(`1.${turn}`, opener, 'Who was awake last night?'),
    ...pseudo(1, all, gone),
    ...office(recommendation(`1.${turn + 1}`, gone)),
    ...ballots(setup, 1, all, (by) => (by === gone ? other : gone)),
    createDeath({ ...createGame(setup), roundNum: 1, phase: 'day' }, gone, 'exile'),
    ...living.map((by): GameEvent => ({ ...onDay(1, [by]), type: 'summary', by, text: 'Little is known.' })),
  ];
  const speech = (id: string, by: string, text: string) => office({ ...said(id, by, text), occasion: 'campaign' });
  const nights = sampleNights(setup, [other, rival], gone);
  return [
    ['dusk', nights.first],
    ['candidacy', [...thoughts, ...office(...stands)]],
    ['campaign', [...speech('1.1', rival, 'I listen well.'), ...speech('1.2', sheriff, 'I lead well.')]],
    [
      'elect',
      [
        ...office(...elects, { ...day1, type: 'elected', player: sheriff, how: 'vote' }),
        ...dayOne,
        { ...night2, type: 'round_started' },
        ...nights.second,
      ],
    ],
    ['night', [{ ...night2, type: 'quiet_night' }]],
    ['lead', [...leads(2), said('2.1', opener, 'I trust nobody "yet".')]],
    ['debate', []],
    ['debated', pseudo(2, living, named)],
    ['recommend', office({ ...recommendation('2.2', named), ...day2 })],
    ['vote', []],
  ];
}
