// The steps of a night: each power used by its holders or by a team together, then what it all comes to.
import { type EventOf, type GameEvent, isType } from '../events.ts';
import { type Ballot, createEventHeader, type Game, type Intent } from '../game.ts';
import { resolveNight } from '../night-resolution.ts';
import { draw } from '../random.ts';
import type { HeldPower } from '../roles/index.ts';
import { pass } from '../roles/role.ts';
import { truncateWords } from '../text.ts';
import { createView, listAllies, type View } from '../view.ts';
import { type Answer, freeText, getMark, nobody, recordThought, type Reply, type Step } from './step.ts';
import { listLeaders, tally } from './voting.ts';

/** A power used alone; `pass` is the choice to leave it unused, where that is allowed. */
export interface NightAct extends Reply {
  target: string;
}

/** What one of a team wants the team to do. */
export interface Proposal extends Reply {
  proposal: string;
  /** The team reads it; only where its members propose side by side. */
  proposal_reason?: string;
}

const findHolders = (game: Game, { role }: HeldPower) =>
  game.alivePlayers.filter((name) => game.roles[name] === role.name);

/** The living who hold the power and have somebody to use it on, in seat order. */
const findActors = (game: Game, power: HeldPower) =>
  findHolders(game, power).filter((name) => power.choices(createView(game, name)).length > 0);

/**
 * Whether anybody may have a use for the power tonight. Judged by what was known at nightfall, so that the routers of
 * nodes that act side by side, which do not see each other's writes, agree.
 */
export function isPowerReady(game: Game, power: HeldPower): boolean {
  const isTonight = ({ round, phase }: GameEvent) => round === game.roundNum && phase === 'night';
  const nightfall = { ...game, gameLogs: game.gameLogs.filter((event) => !isTonight(event)) };
  return findHolders(game, power).some((name) => {
    const seen = createView(nightfall, name);
    return power.isReady ? power.isReady(seen) : power.choices(seen).length > 0;
  });
}

/** A power that each holder uses for themselves. */
export const createHolderStep = (power: HeldPower): Step<NightAct> => ({
  name: power.verb,
  brief: (game) => (power.brief ? findHolders(game, power).flatMap((name) => power.brief!(game, name)) : []),
  listAskers: (game) => findActors(game, power),
  listChoices: (seen) => ({ target: power.mayPass ? [...power.choices(seen), pass] : power.choices(seen) }),
  apply: (game, answers) => {
    const chosen = answers.flatMap((answer) => (answer.value ? [{ answer, target: answer.value.target }] : []));
    return {
      change: { intents: chosen.flatMap(({ answer, target }) => createIntents(game, power, [answer.by], target)) },
      events: chosen.flatMap(({ answer, target }): GameEvent[] => [
        ...recordThought(game, power.verb, answer),
        { ...createOwnAct(game, power, answer.by, target), ...getMark(answer) },
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
  ...(target === pass ? { type: 'passed' } : { type: 'acted', target }),
});

/** What waits for the night to be resolved; nothing where a power was used on nobody. */
const createIntents = ({ roundNum }: Game, { verb }: HeldPower, by: readonly string[], target: string): Intent[] =>
  target === pass ? [] : [{ round: roundNum, verb, by: [...by], target }];

/**
 * A power that a team uses together: one drawn by the seed picks, or all propose, where they differ once more after
 * seeing each other's, and what most propose is done, in a tie by lot.
 */
export const createTeamStep = (power: HeldPower): Step<Proposal> => ({
  name: power.verb,
  listAskers: (game) => selectProposers(game, findActors(game, power)),
  listChoices: (seen) => ({
    proposal: power.choices(seen),
    ...(isInCouncil(seen) ? { proposal_reason: freeText } : {}),
  }),
  apply: (game, answers) => {
    const team = findActors(game, power);
    if (team.length === 0) return { events: [] };
    const isCouncil = game.setup.rules.pack === 'vote' && team.length > 1;
    const ballot = countProposals(game.gameLogs, game.roundNum) + 1;
    const proposals = answers.flatMap(({ by, value }) => (value ? [{ by, target: value.proposal }] : []));
    const events = answers.flatMap((answer): GameEvent[] => [
      ...recordThought(game, power.verb, answer),
      ...(isCouncil ? createProposal(game, power, answer, ballot) : []),
    ]);
    if (isCouncil && ballot === 1 && tally(proposals).length !== 1) return { events, isOpen: true };
    const target = settleProposals(game, proposals);
    const mark = answers.every((answer) => answer.mark) ? getMark(answers[0]!) : {};
    const pick: EventOf<'pick'> = {
      ...createEventHeader(game, listTeam(game, power)),
      type: 'pick',
      verb: power.verb,
      target,
    };
    return { change: { intents: createIntents(game, power, team, target) }, events: [...events, { ...pick, ...mark }] };
  },
});

/** Whether the player proposes side by side with others of the team. */
export const isInCouncil = (seen: View) =>
  seen.rules.pack === 'vote' && listAllies(seen).filter((name) => seen.alive.includes(name)).length > 1;

/** How often the team has proposed in the night of a round. Of the events of a Game or of a teammate's View. */
export const countProposals = (events: readonly { type: string }[], round: number) =>
  Math.max(0, ...events.filter(isType('proposal')).flatMap((event) => (event.round === round ? [event.ballot] : [])));

/** Who of the living of a team proposes: all of them, or one drawn by the seed. */
const selectProposers = ({ setup, roundNum }: Game, team: readonly string[]): readonly string[] =>
  setup.rules.pack === 'one' && team.length > 1 ? [draw(setup.seed, 'picker', roundNum).pick(team)] : team;

/** Whom a team settles on: the most proposed, in a tie by lot. */
const settleProposals = ({ setup, roundNum }: Game, proposals: readonly Ballot[]): string =>
  draw(setup.seed, 'pick', roundNum).pick(listLeaders(proposals));

/** Everybody who was dealt to the side that has the power, living or not, in seat order. */
const listTeam = ({ setup }: Game, { role }: HeldPower) =>
  setup.players.filter((player) => player.team === role.team).map(({ name }) => name);

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
      ...getMark(answer),
    },
  ];
}

/** Turns the night's acts into what happens. */
export const resolveNightStep: Step = {
  ...nobody,
  name: 'resolve_night',
  apply: (game) => ({ events: resolveNight(game) }),
};
