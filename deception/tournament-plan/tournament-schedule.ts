// The schedule of a tournament, a pure function of its plan: who sits in which seat of which deal, in the order of
// play.
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

/** A seat of a deal. `player`: name of the player in the deal. */
export interface TournamentSeat {
  player: string;
  role: string;
  team: Team;
  /** Name of the entrant, or `baseline` for the player of the other roles in the format by-role. */
  entrant: string;
}

/** One match of a schedule. */
export interface TournamentMatch {
  /**
   * Number of the block, from 1. The schedule is balanced after each block, which is one deal except in a cyclic
   * design.
   */
  block: number;
  /** Number of the deal, from 1. Matches of the same board and deal have the same players, roles, seats and draws. */
  deal: number;
  /** Seed of the deal. */
  seed: number;
  /** Number of the replicate, from 2; absent for the first replicate. */
  replicate?: number;
  board: Board;
  /** Preset of the match's rules. */
  preset: string;
  /** Rules of the condition, added to the rules of the plan. */
  rule: RuleValues;
  /** Memories of earlier matches that players get; null for none. */
  experience: ExperiencePart | null;
  /** Name of the condition, e.g. `honesty-unsaid`; null if there is only one. */
  condition: string | null;
  /** Name of the pairing, e.g. `pack-gpt_village-gemini` or `mixed`. */
  pairing: string;
  /** Path of the match's folder, relative to the tournament's folder. */
  folder: string;
  /** Entrants that hold all seats of each side. Null if several entrants share a side. */
  sides: Readonly<Record<Team, string>> | null;
  /** Seats in the order of the deal. */
  seats: readonly TournamentSeat[];
}

/** A condition played on every deal of a board: a preset with rules. */
export interface TournamentCondition {
  preset: string;
  rule: RuleValues;
  experience: ExperiencePart | null;
  condition: string | null;
}

/**
 * Lists all matches, block by block and deal by deal, so that a stopped tournament has whole blocks except the last.
 * Adding deals does not change earlier matches. Throws a UsageError for rules that are unknown or invalid.
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

/** Returns the number of deals after which the schedule is balanced. */
export function countBlockDeals({ design, entrants, selfPlay }: TournamentPlan): number {
  const { length } = Object.keys(entrants);
  return design === 'cyclic' ? Math.max(1, selfPlay ? length : length - 1) : 1;
}

/** Lists every combination of presets, values of crossed rules and arms of experience on a board. */
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

/** Word in a plan file → the arm of experience that it stands for. */
const armWords: Readonly<Record<string, ExperiencePart | null>> = {
  none: null,
  pool: { arm: 'pool' },
  shuffled: { arm: 'shuffled' },
};

/**
 * Lists the arms of experience, i.e. what players remember in each condition, completed by the plan's common settings.
 * Lists a single unnamed arm if the plan crosses no arms. Throws a UsageError for an arm that is invalid, repeated, or
 * without a pool.
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
      throw new UsageError(
        '"grow" and "reward" apply to all matches: set them in "experience", not in "conditions.experience".',
      );
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

/** Returns the arm's name in a folder: its word and its other settings. */
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

/** Sorts entrants, so that their order in the file makes no difference to the tournament. */
const listEntrants = ({ entrants }: Pick<TournamentPlan, 'entrants'>) => Object.keys(entrants).sort();

/** The seating of one match of a deal. */
interface Table extends Pick<TournamentMatch, 'pairing' | 'sides'> {
  chooseEntrant: (seat: { role: string; team: Team; seat: number }) => string;
}

/** Lists the tables of the deal with this index. The index of the first deal is 0. */
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
 * Returns whether two entrants meet on a deal. In a cyclic design, each entrant meets the one that follows it by a
 * number of places that depends on the deal. Every ordered pair meets once per block. Two successive deals already link
 * all entrants by chains of common opponents.
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
