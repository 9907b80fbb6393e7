// Questions that are not asked, or worded differently, on the first day and night, and a sample of every line that a
// player can read. The hashes of a match's wording include these.
import { createDealEvents, createInitialState } from '../state/deal.ts';
import type { GameEvent } from '../state/events.ts';
import type { Game, Setup } from '../state/game.ts';
import { createDeath } from '../state/night-resolution.ts';
import { draw } from '../state/random.ts';
import { getRole, type HeldPower, lastActs, moderatorPowers, powers } from '../state/roles/index.ts';
import { hasBallotReasons } from '../state/rules/common-rules.ts';
import { createView, listAllies, type View } from '../state/view.ts';
import { pkDebate } from './debate.ts';
import { renderHistory } from './history.ts';
import { createActQuestion, createProposalQuestion } from './night-actions.ts';
import type { AnyPrompt } from './prompt.ts';
import { isAskedIn } from './shapes.ts';
import { campaign, elect, passBadge, recommend, speakingOrder } from './sheriff.ts';
import { pseudoVote, vote } from './voting.ts';

/**
 * A question and the name of its moment. The name is the question's action; if the action is also asked on the first
 * day, the name includes what differs.
 */
export type MomentQuestion = readonly [moment: string, prompt: AnyPrompt];

const on = (phase: Game['phase'], audience: GameEvent['audience']) => ({ round: 1, phase, audience });

const inPublic = on('day', 'everyone');

/** Returns the View of `me` after these events. `gone`: players who have left the game. */
function seeAfter(
  sample: Setup,
  me: string,
  events: readonly GameEvent[],
  { phase = 'day', gone = [], round = 1 }: { phase?: Game['phase']; gone?: readonly string[]; round?: number } = {},
): View {
  const start = createInitialState(sample) as Game;
  const names = sample.players.map(({ name }) => name);
  return createView(
    {
      ...start,
      ...{ gameLogs: [...createDealEvents(sample), ...events], roundNum: round, phase },
      alivePlayers: names.filter((name) => !gone.includes(name)),
      deceptionScores: { [me]: Object.fromEntries(names.map((name) => [name, { score: 0, round: 1 }])) },
    },
    me,
  );
}

/** Composes the questions of later moments that a match of this set-up can ask `me`, a player with this role. */
export const composeLaterQuestions = (sample: Setup, role: string, me: string): MomentQuestion[] => [
  ...composeVotes(sample, me),
  ...composeOffice(sample, me),
  ...powers.filter((power) => power.role.name === role).flatMap((power) => composeNights(sample, power, me)),
];

const listOthers = ({ players }: Setup, me: string) => {
  const others = players.map(({ name }) => name).filter((name) => name !== me);
  return others as [first: string, second: string, ...more: string[]]; // boards have at least six players
};

/** Draws the order of names, which is the same for all sample questions. */
const drawOrder = () => draw(1, 'options');

/**
 * Composes the questions for the votes after a tie, and for the statements that tied players make before these votes.
 * In their Views, all suspicion scores are at the opposite end of the range from the scores of the first day.
 */
function composeVotes(sample: Setup, me: string): MomentQuestion[] {
  const [first, second] = listOthers(sample, me);
  const tieBetween = (...players: string[]): GameEvent => ({ ...inPublic, type: 'tie', players });
  const [bare, tied] = [seeAfter(sample, me, []), seeAfter(sample, me, [tieBetween(me, first)])];
  return [
    ...(bare.scores === null ? [] : [['vote with low scores', vote.put(bare, drawOrder())] as const]),
    ...(isAskedIn(bare, 'pk_debate')
      ? ([
          ['pk_debate', pkDebate.put(tied, drawOrder())],
          ['vote after a tie', vote.put(seeAfter(sample, me, [tieBetween(first, second)]), drawOrder())],
        ] as const)
      : []),
  ];
}

/** Composes the questions of the election, and the questions that are asked while there is a Sheriff. */
function composeOffice(sample: Setup, me: string): MomentQuestion[] {
  const [first, second] = listOthers(sample, me);
  const stands = (by: string): GameEvent => ({ ...inPublic, type: 'candidacy', by, stands: true });
  const names = (by: string, target: string): GameEvent => ({
    ...inPublic,
    type: 'badge_ballot',
    by,
    target,
    ballot: 1,
  });
  const elects = (player: string): GameEvent => ({ ...inPublic, type: 'elected', player, how: 'vote' });
  const pseudo: GameEvent = { ...inPublic, type: 'pseudo_ballot', by: first, target: second };
  const see = (...events: GameEvent[]) => seeAfter(sample, me, events);
  const candidates = [stands(first), stands(second)];
  const left: GameEvent = { ...inPublic, type: 'death', player: me, cause: 'exile' };
  const questions: Readonly<Record<string, () => MomentQuestion[]>> = {
    campaign: () => [['campaign', campaign.put(see(stands(me), stands(first)), drawOrder())]],
    elect: () => [
      ['elect', elect.put(see(...candidates), drawOrder())],
      ['elect after a tie', elect.put(see(...candidates, names(me, first), names(first, second)), drawOrder())],
    ],
    speaking_order: () => [['speaking_order', speakingOrder.put(see(elects(me)), drawOrder())]],
    pseudo_vote: () => [
      ['pseudo_vote', pseudoVote.put(see(elects(first)), drawOrder())],
      ['vote after the pseudo_vote', vote.put(see(elects(first), pseudo), drawOrder())],
    ],
    recommend: () => [['recommend', recommend.put(see(elects(me), pseudo), drawOrder())]],
    pass_badge: () => [
      ['pass_badge', passBadge.put(seeAfter(sample, me, [elects(me), left], { gone: [me] }), drawOrder())],
    ],
  };
  const setup = see();
  return Object.entries(questions).flatMap(([action, put]) => (isAskedIn(setup, action) ? put() : []));
}

/** Composes the questions to a holder of this power at night, except the questions at the start of the first night. */
function composeNights(sample: Setup, power: HeldPower, me: string): MomentQuestion[] {
  const [first] = listOthers(sample, me);
  const see = (events: readonly GameEvent[], gone: readonly string[] = []) =>
    seeAfter(sample, me, events, { phase: 'night', gone });
  const bare = see([]);
  if (power.actor === 'team') {
    const others = listAllies(bare).filter((name) => name !== me);
    if (others.length === 0) return [];
    const ask = createProposalQuestion(power);
    const proposals = power.choices(bare).map((target): GameEvent => ({
      ...{ ...on('night', [me]), type: 'proposal', by: me, verb: power.verb, target, reason: '', ballot: 1 },
    }));
    return [
      [`${power.verb} as the last of the team`, ask.put(see([], others), drawOrder())],
      ...(bare.rules.pack === 'vote'
        ? [[`${power.verb} after other proposals`, ask.put(see(proposals), drawOrder())] as const]
        : []),
    ];
  }
  if (power.choices(bare).length > 0) return composeSecondNight(sample, power, me);
  const picks = powers.flatMap(({ actor, verb }): GameEvent[] =>
    actor === 'team' ? [{ ...on('night', 'moderator'), type: 'pick', verb, target: first }] : [],
  );
  const game = { ...(createInitialState(sample) as Game), gameLogs: picks, roundNum: 1, phase: 'night' as const };
  const told = see(power.brief?.(game, me) ?? []);
  return power.choices(told).length > 0 ? [[power.verb, createActQuestion(power).put(told, drawOrder())]] : [];
}

/** Composes the questions to a holder who used the power in the first night; none if no choice is left. */
function composeSecondNight(sample: Setup, power: HeldPower, me: string): MomentQuestion[] {
  const game = { ...(createInitialState(sample) as Game), roundNum: 1, phase: 'night' as const };
  const target = power.choices(seeAfter(sample, me, [], { phase: 'night' })).find((name) => name !== me) ?? me;
  const effect = power.settle({ round: 1, verb: power.verb, by: [me], target }, game);
  const used: GameEvent = { ...on('night', [me]), type: 'acted', by: me, verb: power.verb, target };
  const events = effect.kind === 'tell' ? [used, effect.event] : [used];
  const later = seeAfter(sample, me, events, { phase: 'night', round: 2 });
  if (power.choices(later).length === 0) return [];
  return [[`${power.verb} in the second night`, createActQuestion(power).put(later, drawOrder())]];
}

// Sample lines of what players have seen.

/**
 * Renders a line of each kind that a player can read in a match of this set-up. The lines are rendered in full, without
 * the oldest speech, and without any speech.
 */
export function renderSampleHistory(sample: Setup): string[] {
  const [{ name: me }] = sample.players as [Setup['players'][number]];
  const events = Object.values(listSampleEvents(sample, me)).flat();
  const now = seeAfter(sample, me, events);
  const later = seeAfter(sample, me, events, { round: 2 }); // when summaries replace what was said
  const all = { namesLiving: true };
  return [...[0, 1, Infinity].map((count) => renderHistory(now, count, all)), renderHistory(later, 0, all)];
}

type Choose = (create: () => GameEvent[]) => GameEvent[];
const take: Choose = (create) => create();
const leaveOut: Choose = () => [];

type Samples = { readonly [Type in GameEvent['type']]: readonly GameEvent[] };

/**
 * Lists sample events of each type that a match of this set-up can have, as `me` sees them: events of `me` and events
 * of other players. The compiler reports a missing type.
 */
function listSampleEvents(sample: Setup, me: string): Samples {
  const { rules, board } = sample;
  const [other, third] = listOthers(sample, me);
  const both = (create: (by: string) => GameEvent): GameEvent[] => [create(me), create(other)];
  const own = on('night', [me]);
  const ownByDay = on('day', [me]);
  const text = 'Words.';
  const isSeated = (role: string) => (board.roles[role] ?? 0) > 0;
  const held = powers.filter(({ role }) => isSeated(role.name));
  const [together, alone] = [
    held.filter(({ actor }) => actor === 'team'),
    held.filter(({ actor }) => actor !== 'team'),
  ];
  const game = { ...(createInitialState(sample) as Game), roundNum: 1, phase: 'night' as const };
  const underSheriff = rules.sheriff ? take : leaveOut;
  const afterTie = isAskedIn(seeAfter(sample, me, []), 'pk_debate') ? take : leaveOut;
  const inCouncil = rules.pack === 'vote' ? take : leaveOut;
  const beforeVote = rules.voteSummary ? take : leaveOut;
  const ifAttackIsTold = held.some(({ role }) => role.isTold?.includes('attacked')) ? take : leaveOut;
  const holders = [...new Map(sample.players.map(({ role, name }) => [role, name])).values()];
  const survivors = Object.keys(board.roles).filter((role) => isSeated(role) && getRole(role).survivesFirstExile);
  return {
    dealt: [], // the sample is already dealt
    acquainted: [],
    round_started: [],
    remembered: [], // precedes the history
    bid: [],
    draft: [],
    synthetic_vote: [],
    assessment: [],
    beliefs: [],
    missing: [],
    ended: [],
    thought: [own, ownByDay].map((at) => ({
      ...{ ...at, type: 'thought', by: me, action: 'vote', step: 0, reasoning: text },
    })),
    proposal: inCouncil(() =>
      together.flatMap(({ verb }) =>
        both((by) => ({ ...own, type: 'proposal', by, verb, target: third, reason: text, ballot: 1 })),
      ),
    ),
    pick: together.map(({ verb }) => ({ ...own, type: 'pick', verb, target: third })),
    acted: alone.map(({ verb }) => ({ ...own, type: 'acted', by: me, verb, target: third })),
    passed: [...alone.filter(({ mayPass }) => mayPass), ...lastActs.filter(({ role }) => isSeated(role.name))].map(
      ({ verb }) => ({ ...own, type: 'passed', by: me, verb }),
    ),
    attacked: ifAttackIsTold(() => both((player) => ({ ...own, type: 'attacked', player }))),
    learned: [...alone, ...moderatorPowers.filter(({ role }) => isSeated(role.name))].flatMap((power) =>
      holders.flatMap((name) => {
        const effect = power.settle({ round: 1, verb: power.verb, by: [me], target: name }, game);
        return effect.kind === 'tell' ? [{ ...effect.event, audience: [me] }] : [];
      }),
    ),
    death: (['night', 'exile', 'last_act'] as const).flatMap((cause) =>
      [...new Set([me, ...holders])].map((name) =>
        createDeath({ ...game, phase: cause === 'night' ? 'night' : 'day' }, name, cause),
      ),
    ),
    quiet_night: [{ ...on('night', 'everyone'), type: 'quiet_night' }],
    last_act: lastActs
      .filter(({ role }) => isSeated(role.name))
      .flatMap(({ verb }) => [
        ...both((by): GameEvent => ({ ...inPublic, type: 'last_act', by, verb, target: third })),
        { ...inPublic, type: 'last_act', by: other, verb, target: me },
      ]),
    candidacy: underSheriff(() => [
      ...both((by) => ({ ...inPublic, type: 'candidacy', by, stands: true })),
      ...both((by) => ({ ...inPublic, type: 'candidacy', by, stands: false })),
    ]),
    badge_ballot: underSheriff(() =>
      [1, 2].flatMap((ballot) => both((by) => ({ ...inPublic, type: 'badge_ballot', by, target: third, ballot }))),
    ),
    elected: underSheriff(() =>
      (['unopposed', 'vote', 'draw'] as const).flatMap((how) =>
        both((player) => ({ ...inPublic, type: 'elected', player, how })),
      ),
    ),
    no_sheriff: underSheriff(() => [{ ...inPublic, type: 'no_sheriff' }]),
    badge: underSheriff(() =>
      [null, third, me].flatMap((to) => both((by): GameEvent => ({ ...inPublic, type: 'badge', by, to }))),
    ),
    speaking_order: underSheriff(() =>
      (['up', 'down'] as const).flatMap((direction) =>
        both((by) => ({ ...inPublic, type: 'speaking_order', by, direction })),
      ),
    ),
    pseudo_ballot: underSheriff(() => both((by) => ({ ...inPublic, type: 'pseudo_ballot', by, target: third }))),
    tie: afterTie(() => [{ ...inPublic, type: 'tie', players: [other, third] }]),
    statement: [
      ...both((by): GameEvent => ({ ...inPublic, type: 'statement', id: '1.1', by, text })),
      ...afterTie(() => both((by) => ({ ...inPublic, type: 'statement', id: '1.2', by, text, occasion: 'pk' }))),
      ...underSheriff(() => [
        ...both((by): GameEvent => ({ ...inPublic, type: 'statement', id: '1.3', by, text, occasion: 'campaign' })),
        ...both((by): GameEvent => ({
          ...{ ...inPublic, type: 'statement', id: '1.4', by, text, occasion: 'recommendation', recommends: third },
        })),
      ]),
    ],
    silence: both((by) => ({ ...inPublic, type: 'silence', id: '1.5', by })),
    ballot: both((by) => ({
      ...{
        ...(rules.ballots === 'public' ? inPublic : on('day', [by])),
        type: 'ballot',
        id: `1.${by}`,
        by,
        target: third,
      },
      ...(hasBallotReasons(rules) ? { explanation: text } : {}),
    })),
    exile_survived: survivors.flatMap((role) =>
      both((player) => ({ ...inPublic, type: 'exile_survived', player, role })),
    ),
    no_exile: (['no majority', 'tie'] as const).map((reason) => ({ ...inPublic, type: 'no_exile', reason })),
    summary: [
      ...beforeVote(() => [{ ...ownByDay, type: 'summary', by: me, text, before: 'vote' }]),
      { ...ownByDay, type: 'summary', by: me, text },
    ],
  };
}
