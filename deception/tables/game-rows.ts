// Rows of the game itself: players, rounds, ballots, bids and deeds. Only the rows of bids read claims, namely the
// claims in drafts.
import { z } from 'zod';
import { Cause, type EventOf, type GameEvent, isEventOfType } from '../../state/events.ts';
import { listSurvivors } from '../../state/night-resolution.ts';
import { getLastAct, getPower, getRole, getShownSide, powers } from '../../state/roles/index.ts';
import { findLivingSheriff } from '../../state/sheriff.ts';
import { findMentionedNames, isTurn, isTurnFor, type Turn } from '../../state/steps/debate.ts';
import { hasLostVote } from '../../state/steps/voting.ts';
import { Team } from '../../state/teams.ts';
import { countWords } from '../../state/text.ts';
import type { MatchClaims, VerifiedStatement } from '../claims/match-claims.ts';
import { getLieLabel, Verdict } from '../claims/verify-claim.ts';
import { createSeatFinder, listSeats, type MatchRecord } from '../record/match-record.ts';
import { sum } from '../statistics/sums.ts';
import { countColumn, matchColumn, roundColumns, textColumn, booleanColumn } from './columns.ts';

export const PlayerRow = z.strictObject({
  ...matchColumn,
  player: textColumn.describe('name'),
  seat: countColumn.describe('seat, from 1'),
  role: textColumn.describe('role dealt, and its side'),
  team: Team.describe('role dealt, and its side'),
  is_special: booleanColumn.describe('true for every role but Villager'),
  model: textColumn.describe('who answered for the player'),
  is_bot: booleanColumn.describe('who answered for the player'),
  survived: booleanColumn.describe('in the game at its end'),
  left_round: countColumn
    .nullable()
    .describe('when and how the player left (`night`, `exile`, `last_act`); missing for survivors'),
  left_cause: Cause.nullable().describe(
    'when and how the player left (`night`, `exile`, `last_act`); missing for survivors',
  ),
  left_place: countColumn
    .nullable()
    .describe('place in the order of announced departures, from 1; missing for survivors'),
  has_won: booleanColumn.nullable().describe("whether the player's side won; missing without a winner"),
  speaking_position: countColumn
    .nullable()
    .describe('place in the order of first turns in the debate of round 1, from 1; missing without a turn'),
  turns: countColumn.describe('turns in debates, silent ones included, and words said in them'),
  words: countColumn.describe('turns in debates, silent ones included, and words said in them'),
});
export type PlayerRow = z.infer<typeof PlayerRow>;

export const RoundRow = z.strictObject({
  ...roundColumns,
  villagers_alive: countColumn.describe("alive at the day's first exile ballot, or at the end of a round without one"),
  werewolves_alive: countColumn.describe("alive at the day's first exile ballot, or at the end of a round without one"),
  without_vote: textColumn.describe('living players who had lost their vote by then, separated by spaces'),
  left_at_night: textColumn.describe('who left in the night, separated by spaces'),
  exiled: textColumn.nullable().describe('who was exiled; missing where nobody was'),
  exiled_role: textColumn.nullable().describe('who was exiled; missing where nobody was'),
  exiled_team: Team.nullable().describe('who was exiled; missing where nobody was'),
  left_by_last_act: textColumn.describe("who left by another's last act, separated by spaces"),
  sheriff: textColumn.nullable().describe('Sheriff at that ballot; missing without one'),
  sheriff_team: Team.nullable().describe('Sheriff at that ballot; missing without one'),
  recommended: textColumn.nullable().describe('whom the Sheriff recommended to exile'),
  turns: countColumn.describe('turns in the debate, silent ones included, and words said in them'),
  words: countColumn.describe('turns in the debate, silent ones included, and words said in them'),
});
export type RoundRow = z.infer<typeof RoundRow>;

/**
 * Kinds of votes. `exile_again`: second vote after a tie. `pseudo`: vote before a Sheriff's recommendation.
 * `synthetic`: vote that is asked in private and has no effect.
 */
const VoteKind = z.enum(['sheriff', 'synthetic', 'pseudo', 'exile', 'exile_again']);

export const BallotRow = z.strictObject({
  ...roundColumns,
  vote: VoteKind.describe(
    '`exile`, `exile_again` (after a tie), `sheriff` (election); without effect: `pseudo` (before the Sheriff recommends), `synthetic` (asked privately after a statement)',
  ),
  step: countColumn
    .nullable()
    .describe('`synthetic`: turns so far in the round; `sheriff`: which vote, from 1; else missing'),
  voter: textColumn.describe('who voted'),
  voter_role: textColumn.describe('who voted'),
  voter_team: Team.describe('who voted'),
  voter_model: textColumn.describe('who voted'),
  voter_is_bot: booleanColumn.describe('who voted'),
  target: textColumn.describe('for whom'),
  target_role: textColumn.describe('for whom'),
  target_team: Team.describe('for whom'),
  is_drawn: booleanColumn.describe('chosen at random for lack of a usable answer'),
});
export type BallotRow = z.infer<typeof BallotRow>;

export const BidRow = z.strictObject({
  ...roundColumns,
  step: countColumn.describe('turns so far in the round'),
  bidder: textColumn.describe('who bid'),
  bidder_role: textColumn.describe('who bid'),
  bidder_team: Team.describe('who bid'),
  bidder_model: textColumn.describe('who bid'),
  bidder_is_bot: booleanColumn.describe('who bid'),
  bid: countColumn.nullable().describe('the bid; missing if unreadable'),
  scale: countColumn.describe('highest bid allowed'),
  is_mentioned: booleanColumn.describe('whether the statement before named the bidder'),
  is_speaker: booleanColumn.describe('whether the bidder got the turn'),
  draft: textColumn
    .nullable()
    .describe(
      'what the bidder would have said, under the rule `turn=draft`; missing for the speaker, and where nothing was drafted',
    ),
  draft_verdict: Verdict.nullable().describe(
    'gravest verdict on the claims of the draft, as the rules read it; missing without a draft, and if it makes no claim',
  ),
  draft_is_lie: booleanColumn
    .nullable()
    .describe(
      'whether the draft holds a lie that was kept back; missing like the verdict, and if no claim is decidable',
    ),
  draft_accuses: textColumn
    .nullable()
    .describe('the first player whom the draft accuses or reports as a Werewolf; missing for nobody'),
  draft_agrees: booleanColumn
    .nullable()
    .describe('whether the statement that was made accuses the same player; missing if one of the two accuses nobody'),
});
export type BidRow = z.infer<typeof BidRow>;

export const DeedRow = z.strictObject({
  ...roundColumns,
  by: textColumn.describe('who did it; if several did, the first living player in seat order'),
  by_role: textColumn.describe('who did it; if several did, the first living player in seat order'),
  by_team: Team.describe('who did it; if several did, the first living player in seat order'),
  by_model: textColumn.describe('who did it; if several did, the first living player in seat order'),
  by_is_bot: booleanColumn.describe('who did it; if several did, the first living player in seat order'),
  is_joint: booleanColumn.describe('whether several decided it together'),
  verb: textColumn.describe('the power or last act'),
  aim: z.enum(['harm', 'shield', 'learn']).describe('`harm`, `shield` or `learn`'),
  is_last_act: booleanColumn.describe('whether it was done on leaving the game'),
  target: textColumn.nullable().describe('on whom; missing if unused'),
  target_role: textColumn.nullable().describe('on whom; missing if unused'),
  target_team: Team.nullable().describe('on whom; missing if unused'),
  is_on_victim: booleanColumn
    .nullable()
    .describe('whether the target was attacked that night; missing without a target and for last acts'),
  is_fatal: booleanColumn
    .nullable()
    .describe('whether the target left that night, for any reason, or by this last act; missing without a target'),
  is_drawn: booleanColumn.describe('chosen at random for lack of a usable answer'),
});
export type DeedRow = z.infer<typeof DeedRow>;

/** Tables of one match that do not depend on what was said. */
export interface GameTables {
  players: readonly PlayerRow[];
  rounds: readonly RoundRow[];
  ballots: readonly BallotRow[];
  bids: readonly BidRow[];
  deeds: readonly DeedRow[];
}

/** File name → schema of its rows. */
export const gameSchemas = {
  players: PlayerRow,
  rounds: RoundRow,
  ballots: BallotRow,
  bids: BidRow,
  deeds: DeedRow,
} as const;

// Builders of rows.

/** Counts the words of a turn; 0 if silent. */
const countTurnWords = (turn: Turn): number => (turn.type === 'statement' ? countWords(turn.text) : 0);

// Rows of players: who sat where, how long, and whether they won.

/** Builds one row per player, in seat order. */
export function buildPlayerRows({ manifest, events }: MatchRecord): PlayerRow[] {
  const winner = events.find(isEventOfType('ended'))?.winner ?? null;
  const deaths = events.filter(isEventOfType('death'));
  const debated = events.filter(isTurnFor(undefined));
  const first = debated.filter(({ round }) => round === 1);
  const speakers = [...new Set(first.map(({ by }) => by))];
  return listSeats(manifest).map(({ name, role, team, model, isBot }, index) => {
    const place = deaths.findIndex(({ player }) => player === name);
    const left = deaths[place];
    const turns = debated.filter(({ by }) => by === name);
    return {
      match_id: manifest.id,
      player: name,
      seat: index + 1,
      role,
      team,
      is_special: getRole(role).special,
      model,
      is_bot: isBot,
      survived: left === undefined,
      left_round: left?.round ?? null,
      left_cause: left?.cause ?? null,
      left_place: left ? place + 1 : null,
      has_won: winner === null ? null : winner === team,
      speaking_position: speakers.includes(name) ? speakers.indexOf(name) + 1 : null,
      turns: turns.length,
      words: sum(turns.map(countTurnWords)),
    };
  });
}

// Rows of rounds: who could vote, who left, and whom the Sheriff recommended to exile.

/** Builds one row for each round that began, in order. */
export function buildRoundRows({ manifest, events }: MatchRecord): RoundRow[] {
  const seats = listSeats(manifest);
  const seatOf = createSeatFinder(manifest);
  const rounds = [...new Set(events.map(({ round }) => round))].filter((round) => round > 0);
  return rounds.map((round) => {
    const own = events.filter((event) => event.round === round);
    const before = events.slice(0, findDayPlace(events, round));
    const present = listSurvivors(
      seats.map(({ name }) => name),
      before,
    ).map(seatOf);
    const left = own.filter(isEventOfType('death'));
    const exiled = left.find(({ cause }) => cause === 'exile')?.player ?? null;
    const sheriff = findLivingSheriff(
      before,
      present.map(({ name }) => name),
    );
    const turns = own.filter(isTurnFor(undefined));
    return {
      match_id: manifest.id,
      round,
      villagers_alive: present.filter(({ side }) => side === 'villagers').length,
      werewolves_alive: present.filter(({ side }) => side === 'werewolves').length,
      without_vote: present
        .map(({ name }) => name)
        .filter((name) => hasLostVote(before, name))
        .join(' '),
      left_at_night: joinDead(left, 'night'),
      exiled,
      exiled_role: exiled === null ? null : seatOf(exiled).role,
      exiled_team: exiled === null ? null : seatOf(exiled).side,
      left_by_last_act: joinDead(left, 'last_act'),
      sheriff,
      sheriff_team: sheriff === null ? null : seatOf(sheriff).team,
      recommended: own.filter(isEventOfType('statement')).find(({ recommends }) => recommends)?.recommends ?? null,
      turns: turns.length,
      words: sum(turns.map(countTurnWords)),
    };
  });
}

/** Finds the index of the round's first ballot for exile. Without such a ballot, returns the end of the round. */
function findDayPlace(events: readonly GameEvent[], round: number): number {
  const ballot = events.findIndex(
    ({ type, round: of }) => of === round && (type === 'ballot' || type === 'pseudo_ballot'),
  );
  if (ballot >= 0) return ballot;
  const next = events.findIndex((event) => event.round > round);
  return next < 0 ? events.length : next;
}

const joinDead = (deaths: readonly EventOf<'death'>[], cause: EventOf<'death'>['cause']) =>
  deaths
    .filter((death) => death.cause === cause)
    .map(({ player }) => player)
    .join(' ');

// Rows of ballots: every vote of a match, from the Sheriff's election to votes asked in private.

type CastBallot = Pick<BallotRow, 'vote' | 'step' | 'target' | 'is_drawn'> & { by: string };

/** Builds one row per ballot, in the order of voting. */
export function buildBallotRows({ manifest, events }: MatchRecord): BallotRow[] {
  const seatOf = createSeatFinder(manifest);
  return events.flatMap((event) => {
    const cast = readCast(event);
    if (cast === null) return [];
    const [voter, target] = [seatOf(cast.by), seatOf(cast.target)];
    return [
      {
        match_id: manifest.id,
        round: event.round,
        vote: cast.vote,
        step: cast.step,
        voter: voter.name,
        voter_role: voter.role,
        voter_team: voter.team,
        voter_model: voter.model,
        voter_is_bot: voter.isBot,
        target: target.name,
        target_role: target.role,
        target_team: target.side,
        is_drawn: cast.is_drawn,
      },
    ];
  });
}

function readCast(event: GameEvent): CastBallot | null {
  switch (event.type) {
    case 'ballot':
      return { ...createCast(event), vote: event.id === `${event.round}.pk.${event.by}` ? 'exile_again' : 'exile' };
    case 'pseudo_ballot':
      return { ...createCast(event), vote: 'pseudo' };
    case 'badge_ballot':
      return { ...createCast(event), vote: 'sheriff', step: event.ballot };
    case 'synthetic_vote':
      return { ...createCast(event), vote: 'synthetic', step: event.step };
    default:
      return null;
  }
}

const createCast = ({ by, target, mark }: { by: string; target: string; mark?: unknown }) => ({
  by,
  target,
  step: null,
  is_drawn: mark !== undefined,
});

// Rows of bids: how much each player wanted a turn, and who got it.

/** Builds one row per bid, in the order of the turns. */
export function buildBidRows(
  { manifest, events }: MatchRecord,
  { statements, drafts: read }: Pick<MatchClaims, 'statements' | 'drafts'> = { statements: [], drafts: [] },
): BidRow[] {
  const seatOf = createSeatFinder(manifest);
  const names = listSeats(manifest).map(({ name }) => name);
  const turns = new Map(events.filter(isTurn).map((turn) => [turn.id, turn]));
  const findTurn = (round: number, step: number) => turns.get(`${round}.${step + 1}`);
  const drafts = new Map(events.filter(isEventOfType('draft')).map(({ id, by, text }) => [`${id} ${by}`, text]));
  const readDrafts = new Map(read.map((one) => [`${one.id} ${one.by}`, one]));
  const accusedIn = new Map(statements.map((one) => [one.id, findAccused(one)]));
  const named = new Map<string, readonly string[]>();
  const listNamed = (turn: ReturnType<typeof findTurn>): readonly string[] => {
    if (turn?.type !== 'statement') return [];
    const found = named.get(turn.id) ?? findMentionedNames(turn.text, names);
    named.set(turn.id, found);
    return found;
  };
  return events.filter(isEventOfType('bid')).map(({ round, by, step, bid }) => {
    const bidder = seatOf(by);
    const id = `${round}.${step + 1}`;
    const draft = readDrafts.get(`${id} ${by}`);
    const [accused, accusedInTurn] = [draft === undefined ? null : findAccused(draft), accusedIn.get(id) ?? null];
    return {
      match_id: manifest.id,
      round,
      step,
      bidder: by,
      bidder_role: bidder.role,
      bidder_team: bidder.team,
      bidder_model: bidder.model,
      bidder_is_bot: bidder.isBot,
      bid,
      scale: manifest.setup.rules.bidScale,
      is_mentioned: listNamed(findTurn(round, step - 1)).includes(by),
      is_speaker: findTurn(round, step)?.by === by,
      draft: drafts.get(`${id} ${by}`) ?? null,
      draft_verdict: draft?.verdict ?? null,
      draft_is_lie: getLieLabel(draft?.verdict ?? null),
      draft_accuses: accused,
      draft_agrees: accused === null || accusedInTurn === null ? null : accused === accusedInTurn,
    };
  });
}

/**
 * Finds the first player, other than the speaker, whom a statement accuses or reports as a Werewolf; null if there is
 * none.
 */
function findAccused({ by, claims }: Pick<VerifiedStatement, 'by' | 'claims'>): string | null {
  const accused = claims.flatMap(({ type, subject, object, role, team, polarity }) => {
    if (!polarity) return [];
    if (type === 'accusation') return [subject];
    const side = team ?? (role === null ? null : getShownSide(role));
    if (side !== 'werewolves') return [];
    if (type === 'check') return object === null ? [] : [object];
    return type === 'role' ? [subject] : [];
  });
  return accused.find((name) => name !== by) ?? null;
}

// Rows of deeds: powers and last acts, used or not, their targets and results.

type Done = EventOf<'acted'> | EventOf<'passed'> | EventOf<'pick'> | EventOf<'last_act'>;

/**
 * Builds one row for each time that a player used a power or a last act, or decided not to use it, in the order of
 * events.
 */
export function buildDeedRows({ manifest, events }: MatchRecord): DeedRow[] {
  const seatOf = createSeatFinder(manifest);
  const seats = listSeats(manifest);
  return events.flatMap((event, place) => {
    if (!isDone(event)) return [];
    const by = event.type === 'pick' ? findPackMember(event, events.slice(0, place), seats) : event.by;
    const [actor, target] = [seatOf(by), 'target' in event ? seatOf(event.target) : null];
    const isLastAct = isOfLastAct(event);
    return [
      {
        match_id: manifest.id,
        round: event.round,
        by,
        by_role: actor.role,
        by_team: actor.team,
        by_model: actor.model,
        by_is_bot: actor.isBot,
        is_joint: event.type === 'pick',
        verb: event.verb,
        aim: (isLastAct ? getLastAct(event.verb) : getPower(event.verb)).aim,
        is_last_act: isLastAct,
        target: target?.name ?? null,
        target_role: target?.role ?? null,
        target_team: target?.side ?? null,
        is_on_victim: target === null || isLastAct ? null : listAttacked(event.round, events).includes(target.name),
        is_fatal: target === null ? null : hasLeft(target.name, event, isLastAct, events),
        is_drawn: event.mark !== undefined,
      },
    ];
  });
}

const isDone = (event: GameEvent): event is Done => ['acted', 'passed', 'pick', 'last_act'].includes(event.type);

/** Returns whether a deed is a last act. This includes a last act that a player who left during the day did not use. */
const isOfLastAct = ({ type, verb }: Done) => type === 'last_act' || (type === 'passed' && !isPower(verb));

const isPower = (verb: string) => powers.some((power) => power.verb === verb);

function findPackMember({ verb }: EventOf<'pick'>, before: readonly GameEvent[], seats: ReturnType<typeof listSeats>) {
  const { role } = getPower(verb);
  const alive = listSurvivors(
    seats.map(({ name }) => name),
    before,
  );
  return seats.find(({ name, role: own }) => own === role.name && alive.includes(name))!.name;
}

/** Lists the players whom the Werewolves attacked that night. */
const listAttacked = (round: number, events: readonly GameEvent[]) =>
  events
    .filter(isEventOfType('pick'))
    .filter((event) => event.round === round)
    .map(({ target }) => target);

const hasLeft = (name: string, { round }: Done, isLastAct: boolean, events: readonly GameEvent[]) =>
  events
    .filter(isEventOfType('death'))
    .some(
      (death) => death.player === name && death.round === round && death.cause === (isLastAct ? 'last_act' : 'night'),
    );

/**
 * Builds all tables of the game itself. `claims`: the claims that the rules extracted from drafts. Without `claims`,
 * rows of bids contain nothing about drafts' claims.
 */
export const buildGameTables = (
  record: MatchRecord,
  claims?: Pick<MatchClaims, 'statements' | 'drafts'>,
): GameTables => ({
  players: buildPlayerRows(record),
  rounds: buildRoundRows(record),
  ballots: buildBallotRows(record),
  bids: buildBidRows(record, claims),
  deeds: buildDeedRows(record),
});
