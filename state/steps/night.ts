// The night: the rules that decide who may use a power, the steps in which a holder or a team uses it, and the step
// that resolves the night.
import { type EventOf, type GameEvent, isEventOfType } from '../events.ts';
import { type Ballot, createEventHeader, type Game, type Intent } from '../game.ts';
import { resolveNight } from '../night-resolution.ts';
import { draw } from '../random.ts';
import { getRole, type HeldPower } from '../roles/index.ts';
import { getCountedSide, passChoice } from '../roles/role.ts';
import { truncateWords } from '../text.ts';
import { createView, listAllies, type View } from '../view.ts';
import { type Answer, freeText, getAnswerMark, asksNobody, recordThought, type Reply, type Step } from './step.ts';
import { listLeaders, countVotes } from './voting.ts';

/**
 * The answer of a player who uses a power or last act alone. `passChoice`: the player uses it on nobody, if that is
 * allowed.
 */
export interface NightAct extends Reply {
  target: string;
}

/** The answer of one member of a team that uses a power together. */
export interface Proposal extends Reply {
  proposal: string;
  /** Reason that the team reads. Asked for only if several members propose at the same time. */
  proposal_reason?: string;
}

// Players who may use a power.

/** Lists the living holders of the power, in seat order. */
const listHolders = (game: Game, { role }: HeldPower) =>
  game.alivePlayers.filter((name) => game.roles[name] === role.name);

/** Lists the living holders of the power who have a legal target, in seat order. */
const listActors = (game: Game, power: HeldPower) =>
  listHolders(game, power).filter((name) => power.choices(createView(game, name)).length > 0);

/**
 * Returns whether anybody may use the power tonight. Only what was known at nightfall decides, because routers of nodes
 * in one superstep cannot see each other's writes and must still agree.
 */
export function isPowerReady(game: Game, power: HeldPower): boolean {
  const isTonight = ({ round, phase }: GameEvent) => round === game.roundNum && phase === 'night';
  const nightfall = { ...game, gameLogs: game.gameLogs.filter((event) => !isTonight(event)) };
  return listHolders(game, power).some((name) => {
    const view = createView(nightfall, name);
    return power.isReady ? power.isReady(view) : power.choices(view).length > 0;
  });
}

// Decisions of a team, under the rule `pack`.

/** Returns whether the owner of the View proposes together with teammates, rather than alone. */
export const isInCouncil = (view: View) =>
  view.rules.pack === 'vote' && listAllies(view).filter((name) => view.alive.includes(name)).length > 1;

/**
 * Returns how often the team has proposed in the night of a round. Accepts the events of a Game or of a teammate's
 * View.
 */
export const countProposals = (events: readonly { type: string }[], round: number) =>
  Math.max(
    0,
    ...events.filter(isEventOfType('proposal')).flatMap((event) => (event.round === round ? [event.ballot] : [])),
  );

/** Selects the living members of a team who propose: all members, or one member drawn by the seed. */
const selectProposers = ({ setup, roundNum }: Game, team: readonly string[]): readonly string[] =>
  setup.rules.pack === 'one' && team.length > 1 ? [draw(setup.seed, 'picker', roundNum).pick(team)] : team;

/** Returns the player whom a team picks: the player proposed most often. Among tied players, the seed decides. */
const settleProposals = ({ setup, roundNum }: Game, proposals: readonly Ballot[]): string =>
  draw(setup.seed, 'pick', roundNum).pick(listLeaders(proposals));

/** Lists everybody who was dealt to the power's team, alive or dead, in seat order. */
const listTeam = ({ setup }: Game, { role }: HeldPower) =>
  setup.players
    .filter((player) => player.team === role.team && getCountedSide(getRole(player.role)) === role.team)
    .map(({ name }) => name);

// Steps of the night.

/** Creates the step of a power that each holder uses alone. */
export const createHolderStep = (power: HeldPower): Step<NightAct> => ({
  name: power.verb,
  brief: (game) => (power.brief ? listHolders(game, power).flatMap((name) => power.brief!(game, name)) : []),
  listAskers: (game) => listActors(game, power),
  listChoices: (view) => ({ target: power.mayPass ? [...power.choices(view), passChoice] : power.choices(view) }),
  apply: (game, answers) => {
    const chosen = answers.flatMap((answer) => (answer.value ? [{ answer, target: answer.value.target }] : []));
    return {
      change: { intents: chosen.flatMap(({ answer, target }) => createIntents(game, power, [answer.by], target)) },
      events: chosen.flatMap(({ answer, target }): GameEvent[] => [
        ...recordThought(game, power.verb, answer),
        { ...createOwnAct(game, power, answer.by, target), ...getAnswerMark(answer) },
      ]),
    };
  },
});

const createOwnAct = (
  game: Game,
  { verb }: HeldPower,
  by: string,
  target: string,
): EventOf<'acted'> | EventOf<'passed'> => ({
  ...createEventHeader(game, [by]),
  by,
  verb,
  ...(target === passChoice ? { type: 'passed' } : { type: 'acted', target }),
});

/** Creates the rows that `resolve_night` reads; none if the power was used on nobody. */
const createIntents = ({ roundNum }: Game, { verb }: HeldPower, by: readonly string[], target: string): Intent[] =>
  target === passChoice ? [] : [{ round: roundNum, verb, by: [...by], target }];

/**
 * Creates the step of a power that a team uses together. With `pack=one`, a member drawn by the seed picks the target.
 * With `pack=vote`, all members propose; if they differ, they see the proposals and propose once more. The target
 * proposed most often is picked; if several tie, one is drawn by the seed.
 */
export const createTeamStep = (power: HeldPower): Step<Proposal> => ({
  name: power.verb,
  listAskers: (game) => selectProposers(game, listActors(game, power)),
  listChoices: (view) => ({
    proposal: power.choices(view),
    ...(isInCouncil(view) ? { proposal_reason: freeText } : {}),
  }),
  apply: (game, answers) => {
    const team = listActors(game, power);
    if (team.length === 0) return { events: [] };
    const isCouncil = game.setup.rules.pack === 'vote' && team.length > 1;
    const ballot = countProposals(game.gameLogs, game.roundNum) + 1;
    const proposals = answers.flatMap(({ by, value }) => (value ? [{ by, target: value.proposal }] : []));
    const events = answers.flatMap((answer): GameEvent[] => [
      ...recordThought(game, power.verb, answer),
      ...(isCouncil ? createProposal(game, power, answer, ballot) : []),
    ]);
    if (isCouncil && ballot === 1 && countVotes(proposals).length !== 1) return { events, isOpen: true };
    const target = settleProposals(game, proposals);
    const mark = answers.every((answer) => answer.mark) ? getAnswerMark(answers[0]!) : {};
    const pick: EventOf<'pick'> = {
      ...createEventHeader(game, listTeam(game, power)),
      type: 'pick',
      verb: power.verb,
      target,
    };
    return { change: { intents: createIntents(game, power, team, target) }, events: [...events, { ...pick, ...mark }] };
  },
});

function createProposal(game: Game, power: HeldPower, answer: Answer<Proposal>, ballot: number): EventOf<'proposal'>[] {
  if (!answer.value) return [];
  const { proposal: target, proposal_reason: said = '' } = answer.value;
  const reason = truncateWords(said, game.setup.rules.maxWords * 2).text;
  const audience = listTeam(game, power);
  return [
    {
      ...createEventHeader(game, audience),
      type: 'proposal',
      by: answer.by,
      verb: power.verb,
      target,
      reason,
      ballot,
      ...getAnswerMark(answer),
    },
  ];
}

/** Resolves the night: the combined effect of all its acts. */
export const resolveNightStep: Step = {
  ...asksNobody,
  name: 'resolve_night',
  apply: (game) => ({ events: resolveNight(game) }),
};
