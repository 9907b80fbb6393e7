// Ratings by role, where tables mix entrants within a side: what an entrant is worth in the seats of a role, the rest of the
// table being as the mean of the field.
import type { Team } from '../../state/teams.ts';
import { adjustDifferences, listPairs, type RankRange, computeRankRange } from './rank-ranges.ts';
import {
  createMissing,
  type EstimateOptions,
  estimateTargets,
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

/** An entrant in all seats of a role, at a table that is else as the mean of all who ever sat there. */
export interface RoleRating {
  readonly role: string;
  readonly team: Team;
  readonly entrant: string;
  readonly deals: number;
  readonly score: RatingEstimate;
  readonly strength: RatingEstimate;
  readonly ranks: RankRange;
}

/** Each entrant in each role in which it can be compared with others. */
export function rateRoles(matches: readonly RatedMatch[], options: EstimateOptions): RoleRating[] {
  const isMixed = matches.some(({ seats }) =>
    sides.some((side) => new Set(seats.flatMap(({ team, entrant }) => (team === side ? [entrant] : []))).size > 1),
  );
  if (!isMixed) return [];
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
      return { entrant, deals: new Set(sat.map(({ deal }) => deal)).size, lead: leadRole(model, one, entrant) };
    });
    return entrants.length < 2 || entrants.some(({ lead }) => lead === null) ? [] : [{ ...one, entrants }];
  });
  const targets = compared.flatMap(({ team, entrants }) =>
    entrants.flatMap(({ lead, deals }): RatingTarget[] => [
      { constant: 0, terms: [{ row: lead!, tie: null, weight: team === 'werewolves' ? 1 : -1 }], deals },
      ...scoreRole(average, lead!, team, deals),
    ]),
  );
  const pairs = compared.flatMap(({ role, entrants }) =>
    listPairs(entrants.map(({ entrant }) => entrant)).map((pair) => ({ role, pair })),
  );
  const contrasts = pairs.map(({ role, pair }): RatingTarget => {
    const { team, entrants } = compared.find((one) => one.role === role)!;
    const [one, other] = pair.map((name) => entrants.find(({ entrant }) => entrant === name)!) as [
      (typeof entrants)[number],
      (typeof entrants)[number],
    ];
    const row = one.lead!.map((amount, i) => amount - other.lead![i]!);
    const weight = team === 'werewolves' ? 1 : -1;
    return { constant: 0, terms: [{ row, tie: null, weight }], deals: Math.min(one.deals, other.deals) };
  });
  const found = estimateTargets(model, [...targets, ...contrasts], options).targets;
  const perEntrant = average === null ? 1 : 2;
  const differences = adjustDifferences(
    pairs.map(({ pair }, place) => ({ pair, difference: found[targets.length + place]! })),
  );
  let next = 0;
  return compared.flatMap(({ role, team, entrants }) =>
    entrants.map(({ entrant, deals }): RoleRating => {
      const place = perEntrant * next++;
      const own = differences.filter((_, at) => pairs[at]!.role === role);
      return {
        ...{ role, team, entrant, deals, strength: found[place]! },
        score: average === null ? createMissing('not identified') : found[place + 1]!,
        ranks: computeRankRange(
          entrant,
          entrants.map((one) => one.entrant),
          own,
        ),
      };
    }),
  );
}

interface RoleOfTable {
  readonly team: Team;
  readonly role: string;
  readonly entrants: readonly string[];
}

/** The share of a role in its side, the mean over boards. */
const findShare = ({ rolesOf, contexts }: RatingModel, { team, role }: Pick<RoleOfTable, 'team' | 'role'>) =>
  contexts.reduce((sum, context) => {
    const own = rolesOf.get(context)!.find((one) => one.team === team && one.role === role);
    return sum + (own?.share ?? 0) / contexts.length;
  }, 0);

/** What η gains where the entrant holds all seats of the role, and not the mean of all who held it. */
function leadRole(model: RatingModel, one: RoleOfTable, entrant: string): Float64Array | null {
  const share = findShare(model, one) * (one.team === 'werewolves' ? 1 : -1);
  const lead = new Map<string, number>();
  for (const other of one.entrants)
    lead.set(nameStrength(one.team, other, one.role), share * ((other === entrant ? 1 : 0) - 1 / one.entrants.length));
  return model.reduce(lead);
}

/** A table, in every context, in which each role is held as by the mean of all who ever held it. */
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

function scoreRole(
  average: ReturnType<typeof averageTable>,
  lead: Float64Array,
  team: Team,
  deals: number,
): RatingTarget[] {
  if (average === null) return [];
  const sign = team === 'werewolves' ? 1 : -1;
  const terms = average.map(({ row, tie, weight }) => ({
    ...{ row: row.map((amount, i) => amount + lead[i]!), tie, weight: sign * weight },
  }));
  return [{ constant: team === 'werewolves' ? 0 : 1, terms, range: [0, 1], deals }];
}
