// The schedule of a tournament, a pure function of its plan: who sits in which seat of which deal, in the order in which it
// is played.
import { deal } from '../../state/deal.ts';
import { nameStoredPreset } from '../../state/presets.ts';
import { draw } from '../../state/random.ts';
import type { Board } from '../../state/boards.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { isInactive, readRules, resolveBoardRules } from '../../state/rulebook.ts';
import type { Rules } from '../../state/rules/common-rules.ts';
import type { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type CrossedRules, listModelPairs, listReplicates, listRuleArms, type ModelPair } from '../design/schedule.ts';
import { baselineName, type ExperiencePart, type TournamentPlan } from './tournament-plan.ts';

/** A seat of a deal. `player`: the name that the deal gives it. */
export interface TournamentSeat {
  player: string;
  role: string;
  team: Team;
  /** The entrant's name; `baseline` for whoever plays the other roles in the format by-role. */
  entrant: string;
}

/** One match of a schedule. */
export interface TournamentMatch {
  /** The deals after which the schedule is balanced, counted from 1. One deal each, except in a cyclic design. */
  block: number;
  /** From 1. Matches of the same board and deal have the same players, roles, seats and draws. */
  deal: number;
  /** Of the deal. */
  seed: number;
  /** From 2; absent for the first. */
  replicate?: number;
  board: Board;
  /** The preset of rules. */
  preset: string;
  /** The rules of the condition, besides those of the plan. */
  rule: RuleValues;
  /** What players remember of earlier matches; null: nothing. */
  experience: ExperiencePart | null;
  /** Names the condition, e.g. `honesty-unsaid`; null where there is one. */
  condition: string | null;
  /** Names who meets whom, e.g. `pack-gpt_village-gemini`, `mixed`. */
  pairing: string;
  /** Where its folder is within that of the tournament. */
  folder: string;
  /** Who plays the sides, where one entrant has all seats of each; else null. */
  sides: Readonly<Record<Team, string>> | null;
  /** In the order of the deal. */
  seats: readonly TournamentSeat[];
}

/** What is played on every deal of a board: a preset with the rules of a condition. */
export interface TournamentCondition {
  preset: string;
  rule: RuleValues;
  experience: ExperiencePart | null;
  condition: string | null;
}

/**
 * All matches, block by block and deal by deal, so that a tournament that is stopped has whole blocks but for the last.
 * With more deals the matches before stay the same. Throws a UsageError for rules that are unknown or make no sense.
 *
 * @example
 * listTournamentMatches(plan).map(({ deal, pairing }) => `${deal} ${pairing}`); // ['1 pack-gpt_village-gemini', …]
 */
export function listTournamentMatches(plan: TournamentPlan): TournamentMatch[] {
  const grounds = plan.boards.flatMap((board) =>
    listConditions(plan, board).map((condition) => ({ board, condition, rules: resolveRules(plan, board, condition) })),
  );
  const blockSize = countBlockDeals(plan);
  return Array.from({ length: plan.deals }, (_, index) => {
    const seed = plan.seed + index;
    return grounds.flatMap(({ board, condition, rules }) => {
      const { players } = deal({ board, rules, seed });
      const tables = listReplicates(plan.replicates ?? 1).flatMap((replicate) =>
        listTables(plan, index).map((table) => ({ ...table, replicate })),
      );
      return tables.map(({ pairing, sides, chooseEntrant, replicate }): TournamentMatch => ({
        ...{ block: Math.floor(index / blockSize) + 1, deal: index + 1, seed, ...replicate, board },
        ...condition,
        ...{ pairing, sides },
        folder: [pairing, ...(condition.condition === null ? [] : [condition.condition])].join('__'),
        seats: players.map(({ name, role, team }, seat) => ({
          ...{ player: name, role, team },
          entrant: chooseEntrant({ role, team, seat }),
        })),
      }));
    });
  }).flat();
}

/** After so many deals the schedule is balanced. */
export function countBlockDeals({ design, entrants, selfPlay }: TournamentPlan): number {
  const { length } = Object.keys(entrants);
  return design === 'cyclic' ? Math.max(1, selfPlay ? length : length - 1) : 1;
}

/** Every combination of presets, values of crossed rules and arms of experience on a board. */
export function listConditions(plan: TournamentPlan, board: Board): TournamentCondition[] {
  const { rules: presets, rule, conditions = {} } = plan;
  const ofRules = Object.entries(conditions as CrossedRules).filter(([name]) => name !== 'experience');
  return presets.flatMap((preset) => {
    const label = presets.length > 1 ? [`rules-${nameStoredPreset(preset)}`] : [];
    const beside = readRules(preset, rule, { board });
    const isIdle = (name: string, values: RuleValues) => isInactive(name, { ...beside, ...values }, board);
    const crossed = Object.fromEntries(ofRules.sort(([one], [other]) => (one < other ? -1 : 1)));
    const arms = Object.keys(crossed).length === 0 ? [{ folder: '', rule: {} }] : listRuleArms(crossed, isIdle);
    return arms.flatMap((arm) =>
      listExperienceArms(plan).map(({ folder, experience }) => ({
        ...{ preset, rule: arm.rule, experience },
        condition: [...label, arm.folder, folder].filter((part) => part !== '').join('_') || null,
      })),
    );
  });
}

/** The words that stand for an arm of experience. */
const armWords: Readonly<Record<string, ExperiencePart | null>> = {
  none: null,
  pool: { arm: 'pool' },
  shuffled: { arm: 'shuffled' },
};

/**
 * What players remember in each condition, with what the plan says of all; one without a name where it crosses none. Throws
 * a UsageError for an arm that is none, is there twice or has no pool.
 *
 * @example listExperienceArms(plan).map(({ folder }) => folder) // ['experience-none', 'experience-pool', 'experience-shuffled']
 */
export function listExperienceArms({
  experience: common,
  conditions,
}: Pick<TournamentPlan, 'experience' | 'conditions'>): { folder: string; experience: ExperiencePart | null }[] {
  const crossed = conditions?.['experience'];
  if (crossed === undefined) return [{ folder: '', experience: common ?? null }];
  const arms = crossed.map((value) => {
    const part = typeof value === 'string' ? armWords[value] : value;
    if (part === undefined || (typeof value !== 'string' && (typeof value !== 'object' || value === null)))
      throw new UsageError(
        `conditions.experience: ${JSON.stringify(value)} is no arm. It must be none, pool, shuffled, or { arm, k, … }.`,
      );
    const own = part as ExperiencePart | null;
    const experience = own && { ...common, ...own };
    if (own && (own.grow !== undefined || own.reward !== undefined))
      throw new UsageError('grow and reward are of all matches: say them in experience, not in conditions.experience.');
    if (experience && experience.grow === undefined && experience.pool === undefined && experience.sha256 === undefined)
      throw new UsageError(
        `conditions.experience: ${JSON.stringify(value)} has no pool. Name one for all with experience: POOL.`,
      );
    return { folder: `experience-${nameArm(own)}`, experience };
  });
  const twice = arms.find(({ folder }, place) => arms.findIndex((other) => other.folder === folder) !== place);
  if (twice !== undefined || arms.length < 2)
    throw new UsageError(
      `conditions.experience needs two different arms or more, e.g. [none, pool, shuffled], and has ${arms.map(({ folder }) => folder.replace('experience-', '')).join(', ')}.`,
    );
  return arms;
}

/** The arm in the name of a folder: its word, and what it says besides. */
function nameArm(part: ExperiencePart | null): string {
  if (part === null) return 'none';
  const { arm = 'pool', pool, sha256, seats, ...others } = part;
  const pooled = sha256 ?? pool;
  return [
    arm,
    ...Object.entries(others).map(([name, value]) => `${name}-${String(value)}`),
    ...(seats === undefined ? [] : [`seats-${seats.map((word) => word.replaceAll(/[^\w.-]+/g, '-')).join('-')}`]),
    ...(pooled === undefined ? [] : [`of-${pooled.replaceAll(/[^\w]+/g, '-').slice(0, 12)}`]),
  ].join('-');
}

const resolveRules = ({ rule }: TournamentPlan, board: Board, condition: TournamentCondition): Rules =>
  resolveBoardRules(board, condition.preset, { ...rule, ...condition.rule });

/** In an order that is not that of the file: it makes no other tournament. */
const listEntrants = ({ entrants }: Pick<TournamentPlan, 'entrants'>) => Object.keys(entrants).sort();

/** Who sits where in one match of a deal. */
interface Table extends Pick<TournamentMatch, 'pairing' | 'sides'> {
  chooseEntrant: (seat: { role: string; team: Team; seat: number }) => string;
}

/** The tables of one deal, counted from 0. */
function listTables(plan: TournamentPlan, index: number): Table[] {
  const { format, role, selfPlay } = plan;
  const entrants = listEntrants(plan);
  const pairs = listModelPairs(entrants, (entrant) => entrant).map(seatSides);
  const selves = pairs.filter(({ sides }) => sides!.werewolves === sides!.villagers);
  const added = selfPlay ? selves : [];
  switch (format) {
    case 'self-play':
      return selves;
    case 'round-robin':
    case 'head-to-head':
      return pairs.filter(({ sides }) => isPaired(plan, index, sides!));
    case 'mixed': {
      const order = draw(plan.seed + index, 'tournament', 'mixed').shuffle(entrants);
      return [
        ...order.map((_, shift): Table => ({
          ...{ pairing: 'mixed', sides: null },
          chooseEntrant: ({ seat }) => order[(seat + shift) % order.length]!,
        })),
        ...added,
      ];
    }
    case 'by-role':
      return [
        ...entrants.map((entrant): Table => ({
          ...{ pairing: `${role!}-${entrant}`, sides: null },
          chooseEntrant: (seat) => (seat.role === role ? entrant : baselineName),
        })),
        ...added,
      ];
  }
}

const seatSides = ({ folder, werewolves, villagers }: ModelPair): Table => {
  const sides = { werewolves, villagers };
  return { pairing: folder, sides, chooseEntrant: ({ team }) => sides[team] };
};

/**
 * Whether two entrants meet on a deal. In a cyclic design each meets the one that stands as many places after it as the deal
 * says: every ordered pair once a block, and after two deals of neighbouring shifts all are connected.
 */
function isPaired(
  { design, selfPlay, ...plan }: TournamentPlan,
  index: number,
  { werewolves, villagers }: Readonly<Record<Team, string>>,
): boolean {
  if (design === 'all') return selfPlay || werewolves !== villagers;
  const names = listEntrants(plan);
  const shift = selfPlay ? index % names.length : 1 + (index % (names.length - 1));
  return (names.indexOf(werewolves) + shift) % names.length === names.indexOf(villagers);
}
