// Ratings by role, for tables in which several entrants share a side. The rating is an entrant's worth in the seats of
// a role if the rest of the table is average.
import type { Team } from '../../state/teams.ts';
import { compareFitted } from './exchanged-pairs.ts';
import { addRows, type DesignRow } from './firth-fit.ts';
import { adjustDifferences, type RankRange, computeRankRange, type RatingDifference } from './rank-ranges.ts';
import {
  createMissingEstimate,
  type EstimateOptions,
  estimateTargets,
  MIN_OUTCOMES,
  type RatingEstimate,
  type RatingTarget,
} from './rating-estimates.ts';
import {
  type Combination,
  createRatingModel,
  nameContext,
  nameStrength,
  type RatedMatch,
  type RatingModel,
} from './rating-model.ts';

const sides = ['werewolves', 'villagers'] as const;

/**
 * Rating of an entrant in all seats of a role. All other seats are held by the average of the entrants that played
 * there.
 */
export interface RoleRating {
  readonly role: string;
  readonly team: Team;
  readonly entrant: string;
  readonly deals: number;
  readonly score: RatingEstimate;
  readonly strength: RatingEstimate;
  readonly ranks: RankRange;
}

/**
 * Difference between the two entrants of a pair: the side's expected score if one of them holds all seats of the role,
 * minus the score if the other does.
 */
export interface RoleDifference extends RatingDifference {
  readonly role: string;
}

export interface RoleRatings {
  readonly roles: readonly RoleRating[];
  /**
   * Differences of pairs. p is adjusted by Holm's procedure over all pairs of all roles. The list is empty if the
   * matches do not identify the rest of the table.
   */
  readonly differences: readonly RoleDifference[];
}

/** Rates each entrant in each role in which the entrant can be compared with others. */
export function rateRoles(matches: readonly RatedMatch[], options: EstimateOptions): RoleRatings {
  const isMixed = matches.some(({ seats }) =>
    sides.some((side) => new Set(seats.flatMap(({ team, entrant }) => (team === side ? [entrant] : []))).size > 1),
  );
  if (!isMixed) return { roles: [], differences: [] };
  const model = createRatingModel(matches, { byRole: true });
  const byRole = Map.groupBy(model.seated.values(), ({ team, role }) => JSON.stringify([team, role]));
  const roles = [...byRole.values()].map((own) => ({
    ...{ team: own[0]!.team, role: own[0]!.role! },
    entrants: own.map(({ entrant }) => entrant).sort(),
  }));
  const average = averageTable(model, roles);
  const compared = roles.flatMap((one) => {
    const entrants = one.entrants.map((entrant) => {
      const sat = matches.filter(({ seats }) =>
        seats.some((seat) => seat.entrant === entrant && seat.role === one.role),
      );
      const won = sat.filter(({ winner }) => winner === one.team).length;
      const lost = sat.filter(({ winner }) => winner !== null && winner !== one.team).length;
      const deals = new Set(sat.map(({ deal }) => deal)).size;
      return {
        entrant,
        deals,
        played: sat.length,
        isOneSided: Math.min(won, lost) < MIN_OUTCOMES,
        lead: leadRole(model, one, entrant),
      };
    });
    if (entrants.length < 2) return [];
    const isOneSided = entrants.some((each) => each.isOneSided);
    const known = entrants.flatMap(({ lead, ...each }) => (lead === null ? [] : [{ ...each, lead, isOneSided }]));
    return known.length < entrants.length ? [] : [{ ...one, entrants: known }];
  });
  const targets = compared.flatMap(({ team, entrants }) =>
    entrants.flatMap(({ lead, deals, played, isOneSided }): RatingTarget[] => [
      { constant: 0, terms: [{ row: lead, tie: null, weight: team === 'werewolves' ? 1 : -1 }], deals, isOneSided },
      ...(average === null
        ? []
        : [{ constant: team === 'werewolves' ? 0 : 1, terms: scoreRole(average, lead, team), range: [0, 1], deals, matches: played } as const]), // prettier-ignore
    ]),
  );
  const pairs = compared.flatMap(({ role, team, entrants }) =>
    entrants.flatMap((one, place) => entrants.slice(place + 1).map((other) => ({ role, team, one, other }))),
  );
  /**
   * Contrasts of scores. If the matches do not identify the rest of the table, these are contrasts of log-odds instead.
   */
  const contrasts = pairs.map(({ team, one, other }): RatingTarget => {
    const deals = Math.min(one.deals, other.deals);
    if (average !== null) {
      const less = scoreRole(average, other.lead, team).map((term) => ({ ...term, weight: -term.weight }));
      return { constant: 0, terms: [...scoreRole(average, one.lead, team), ...less], width: 1, deals };
    }
    const row = addRows(one.lead, other.lead, -1);
    const weight = team === 'werewolves' ? 1 : -1;
    return { constant: 0, terms: [{ row, tie: null, weight }], deals, isOneSided: one.isOneSided };
  });
  const found = estimateTargets(model, [...targets, ...contrasts], options).targets;
  const perEntrant = average === null ? 1 : 2;
  const differences = adjustDifferences(
    pairs.map(({ team, role, one, other }, place) => {
      const pair = [one.entrant, other.entrant] as const;
      return {
        pair,
        ...compareFitted(matches, { pair, role: { team, role } }, found[targets.length + place]!, options),
      };
    }),
  );
  let next = 0;
  const rated = compared.flatMap(({ role, team, entrants }) =>
    entrants.map(({ entrant, deals }): RoleRating => {
      const place = perEntrant * next++;
      const own = differences.filter((_, at) => pairs[at]!.role === role);
      return {
        ...{ role, team, entrant, deals, strength: found[place]! },
        score: average === null ? createMissingEstimate('not identified') : found[place + 1]!,
        ranks: computeRankRange(
          entrant,
          entrants.map((one) => one.entrant),
          own,
        ),
      };
    }),
  );
  const told = average === null ? [] : differences.map((one, at) => ({ ...one, role: pairs[at]!.role }));
  return { roles: rated, differences: told };
}

interface RoleOfTable {
  readonly team: Team;
  readonly role: string;
  readonly entrants: readonly string[];
}

/** Returns the share of a side's seats that have the role, averaged over contexts. */
const findShare = ({ rolesOf, contexts }: RatingModel, { team, role }: Pick<RoleOfTable, 'team' | 'role'>) =>
  contexts.reduce((sum, context) => {
    const own = rolesOf.get(context)!.find((one) => one.team === team && one.role === role);
    return sum + (own?.share ?? 0) / contexts.length;
  }, 0);

/**
 * Returns the change of η if this entrant holds all seats of the role, compared with the average of all entrants that
 * held the role.
 */
function leadRole(model: RatingModel, one: RoleOfTable, entrant: string): DesignRow | null {
  const share = findShare(model, one) * (one.team === 'werewolves' ? 1 : -1);
  const lead = new Map<string, number>();
  for (const other of one.entrants)
    lead.set(nameStrength(one.team, other, one.role), share * ((other === entrant ? 1 : 0) - 1 / one.entrants.length));
  return model.reduce(lead);
}

/**
 * Lists one term per context, for a table in which each role is held by the average of all entrants that held it. Null
 * if the matches do not identify this table.
 */
function averageTable(model: RatingModel, roles: readonly RoleOfTable[]) {
  const terms = model.contexts.map((context) => {
    const table: Combination = new Map([
      [nameContext(context), 1],
      ...model.rolesOf.get(context)!.flatMap(({ team, role, share }) => {
        const { entrants } = roles.find((one) => one.team === team && one.role === role)!;
        const each = (share * (team === 'werewolves' ? 1 : -1)) / entrants.length;
        return entrants.map((entrant): [string, number] => [nameStrength(team, entrant, role), each]);
      }),
    ]);
    const row = model.reduce(table);
    const cell = model.cells.findIndex((one) => one.context === context);
    return row && { row, tie: model.design.ties[cell]!, weight: 1 / model.contexts.length };
  });
  return terms.every((term) => term !== null) ? terms : null;
}

function scoreRole(average: NonNullable<ReturnType<typeof averageTable>>, lead: DesignRow, team: Team) {
  const sign = team === 'werewolves' ? 1 : -1;
  return average.map(({ row, tie, weight }) => ({
    ...{ row: addRows(row, lead), tie, weight: sign * weight },
  }));
}
