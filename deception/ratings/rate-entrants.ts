// Ratings of the entrants in one set of matches: expected scores against the field, strengths, ranks, and goodness of
// fit.
import { MIN_CLUSTERS } from '../statistics/bootstrap.ts';
import { adjustHolm } from '../statistics/adjusted-p-values.ts';
import { baselineName } from '../tournament-plan/tournament-plan.ts';
import type { DesignRow } from './firth-fit.ts';
import { computeDealScores, type DealScore } from './deal-scores.ts';
import {
  adjustDifferences,
  listPairs,
  type RankRange,
  computeRankRange,
  type RatingDifference,
} from './rank-ranges.ts';
import { compareFitted, nameUnit } from './exchanged-pairs.ts';
import {
  compareSeatScores,
  estimateSeatScore,
  estimateWerewolfScore,
  estimateWonShare,
  isBalanced,
  isMixedTable,
} from './seat-scores.ts';
import { rateRoles, type RoleDifference, type RoleRating } from './rate-roles.ts';
import {
  createMissingEstimate,
  MIN_OUTCOMES,
  type EstimateOptions,
  estimateTargets,
  type RatingEstimate,
  type RatingTarget,
} from './rating-estimates.ts';
import {
  createRatingModel,
  nameContext,
  nameStrength,
  type RatedMatch,
  type RatingCell,
  type RatingModel,
} from './rating-model.ts';
import type { Team } from '../../state/teams.ts';

const sides = ['werewolves', 'villagers'] as const;
type DealScores = ReturnType<typeof computeDealScores>;
export interface EntrantRating {
  readonly entrant: string;
  /**
   * Index of the group that this entrant belongs to. Only entrants of the same group can be compared. An entrant alone
   * in its group has no score.
   */
  readonly group: number;
  readonly matches: number;
  readonly deals: number;
  /**
   * Expected score from 0 to 1 against the other entrants of the group, if the entrant holds all seats of a side.
   * `score` is the mean over both sides; the next two fields are the scores on each side.
   */
  readonly score: RatingEstimate;
  readonly werewolves: RatingEstimate;
  readonly villagers: RatingEstimate;
  /**
   * Log-odds above the group's mean. `strength` is half the effect of replacing the players on both sides; the next two
   * fields are the effects on each side.
   */
  readonly strength: RatingEstimate;
  readonly strengthAsWerewolves: RatingEstimate;
  readonly strengthAsVillage: RatingEstimate;
  /** The best and worst rank possible after Holm's procedure at .05; null if nothing was tested. */
  readonly ranks: RankRange;
}

/** All matches on a board that have the same entrant on each side. */
export interface PairingResult extends RatingCell {
  readonly matches: number;
  /** The Werewolves' score per match, as observed and as the ratings predict. */
  readonly found: number;
  readonly fitted: number;
  /** p adjusted by Holm's procedure over all pairings; null if the pairing was not tested. */
  readonly adjusted: number | null;
}

export interface Ratings {
  readonly matches: number;
  readonly deals: number;
  readonly entrants: readonly EntrantRating[];
  /** Differences of all pairs of entrants in the same group. */
  readonly differences: readonly RatingDifference[];
  readonly roles: readonly RoleRating[];
  readonly roleDifferences: readonly RoleDifference[];
  readonly pairings: readonly PairingResult[];
  /** The Werewolves' expected score over all pairings of different entrants. */
  readonly advantage: RatingEstimate;
  /** Test of whether pairings deviate from the strengths; null if this cannot be tested. */
  readonly lackOfFit: { readonly statistic: number; readonly freedom: number; readonly p: number } | null;
  /** Questions that these matches cannot answer, as sentences. */
  readonly refused: readonly string[];
}

/**
 * Rates entrants by wins. With fewer than ten deals, returns only the score of each pairing, without ratings. Matches
 * in which one entrant plays both sides inform about the strength of the sides, but not about the entrant. The baseline
 * entrant of a plan is not rated.
 *
 * @example
 * const { entrants } = rateEntrants(matches, { resampling: createResampling(40, 2000, 1) });
 * entrants[0]?.score; // { value: .61, low: .54, high: .68, … }
 */
export function rateEntrants(matches: readonly RatedMatch[], options: EstimateOptions): Ratings {
  const model = createRatingModel(matches);
  const seated = new Set(matches.flatMap(({ seats }) => seats.map(({ entrant }) => entrant)));
  const names = [...seated].filter((name) => name !== baselineName).sort();
  const scores = computeDealScores(matches);
  const isMixed =
    matches.some(isMixedTable) &&
    names.every((name) => [...scores.values()].some((deal) => deal.get(name)?.both != null));
  const field = new Field(model, names, isMixed);
  const countDeals = (...own: string[]) =>
    [...scores.values()].filter((deal) => own.every((name) => deal.get(name)?.both != null)).length;
  const groups = field.groups;
  const asked: (RatingTarget | null)[] = [];
  /** Adds a target to the list of targets to estimate, and returns its index. */
  const ask = (target: RatingTarget | null) => asked.push(target) - 1;
  const ofEntrants = groups.flatMap((group, number) => {
    const isOneSided = hasOneSided(matches, group);
    return group.map((entrant) => {
      const deals = countDeals(entrant);
      const describe = (of: keyof DealScore) => ({
        ...{ deals, constantScore: findConstantScore(scores, entrant, of) },
        matches: countSideMatches(matches, entrant, of),
      });
      const strong = { deals, isOneSided };
      return {
        ...{ entrant, group: number, deals },
        score: ask(field.scoreEntrant(entrant, group, sides, describe('both'))),
        werewolves: ask(field.scoreAsSide(entrant, group, 'werewolves', describe('werewolves'))),
        villagers: ask(field.scoreAsSide(entrant, group, 'villagers', describe('villagers'))),
        strength: ask(field.compareStrength(entrant, group, sides, strong)),
        strengths: sides.map((side) => ask(field.compareStrength(entrant, group, [side], strong))),
      };
    });
  });
  const ofPairs = groups.flatMap((group, number) =>
    listPairs(group).map((pair) => ({
      ...{ pair, group: number },
      place: ask(field.compareScores(pair, group, countDeals(...pair))),
    })),
  );
  const advantage = ask(field.scoreWerewolves(groups, scores.size, matches.length));
  const identified = asked.filter((target) => target !== null);
  const found = estimateTargets(model, identified, options);
  const places = asked.map((target) => (target === null ? -1 : identified.indexOf(target)));
  const read = (place: number): RatingEstimate =>
    places[place] === -1 ? notIdentified : found.targets[places[place]!]!;
  const { roles, differences: roleDifferences } = rateRoles(matches, options);
  /** The unit of matches without blocks is the deal, as in `scores`. */
  const unitScores = isInBlocks(matches) ? computeDealScores(matches.map((one) => ({ ...one, deal: nameUnit(one) }))) : scores; // prettier-ignore
  const balanced = new Set([...groups.keys()].filter((at) => !isMixed && isBalanced(matches, groups[at] ?? [])));
  const compare = ({ pair, group, place }: (typeof ofPairs)[number]) => {
    const fitted = read(place);
    if (countDeals(...pair) < MIN_CLUSTERS) return { difference: createMissingEstimate('too few'), informative: 0 };
    if (isMixed || balanced.has(group)) return compareSeatScores(matches, pair, options);
    return fitted.value === null
      ? { difference: fitted, informative: 0 }
      : compareFitted(matches, { pair }, fitted, options);
  };
  const differences = adjustDifferences(ofPairs.map((one) => ({ pair: one.pair, ...compare(one) })));
  const readScore = ({ entrant, group }: { entrant: string; group: number }, of: keyof DealScore, place: number) => {
    if (isMixed) return estimateSeatScore(scores, entrant, of, options);
    const fitted = read(place);
    if (!balanced.has(group) || fitted.reason === 'not identified') return fitted;
    return of === 'both'
      ? estimateSeatScore(unitScores, entrant, of, options)
      : estimateWonShare(matches, entrant, of, options);
  };
  /** Returns the score of a side. At mixed tables, the score has a value only if the side's strength has one. */
  const readSide = (one: (typeof ofEntrants)[number], of: Team, place: number, strength: RatingEstimate) =>
    isMixed && strength.reason === 'not identified' ? strength : readScore(one, of, place);
  return {
    ...{ matches: matches.length, deals: scores.size },
    entrants: ofEntrants.map((one) => {
      const [attack, defence] = one.strengths.map(read) as [RatingEstimate, RatingEstimate];
      return {
        ...{ entrant: one.entrant, group: one.group, deals: one.deals, matches: countMatches(matches, one.entrant) },
        score: readScore(one, 'both', one.score),
        werewolves: readSide(one, 'werewolves', one.werewolves, attack),
        villagers: readSide(one, 'villagers', one.villagers, defence),
        ...{ strength: read(one.strength), strengthAsWerewolves: attack, strengthAsVillage: defence },
        ranks: computeRankRange(one.entrant, groups[one.group]!, differences),
      };
    }),
    differences,
    ...{ roles, roleDifferences },
    pairings: listPairings(model, found.residuals),
    advantage:
      isMixed || (read(advantage).reason !== 'not identified' && groups.length === 1 && balanced.has(0))
        ? estimateWerewolfScore(matches, options)
        : read(advantage),
    lackOfFit: isMixed || groups.some((group) => hasOneSided(matches, group)) ? null : found.lackOfFit,
    refused: field.describeRefused(roles.length > 0),
  };
}

const notIdentified = createMissingEstimate('not identified');

const countMatches = (matches: readonly RatedMatch[], name: string) =>
  matches.filter(({ seats }) => seats.some(({ entrant }) => entrant === name)).length;

const isInBlocks = (matches: readonly RatedMatch[]) =>
  new Set(matches.map(nameUnit)).size < new Set(matches.map(({ deal }) => deal)).size;

const countSideMatches = (matches: readonly RatedMatch[], name: string, of: keyof DealScore) =>
  matches.filter(({ seats }) => seats.some(({ entrant, team }) => entrant === name && (of === 'both' || team === of)))
    .length;

/**
 * Returns an entrant's score if it is equal in every deal; undefined otherwise. The fit cannot estimate the spread of
 * such a score.
 */
function findConstantScore(scores: DealScores, entrant: string, of: keyof DealScore): number | undefined {
  const own = new Set([...scores.values()].flatMap((deal) => deal.get(entrant)?.[of] ?? []));
  const [only] = own;
  return own.size === 1 ? only : undefined;
}

/** Returns whether any entrant of the group won or lost almost every match on a side. */
function hasOneSided(matches: readonly RatedMatch[], group: readonly string[]): boolean {
  return group.some((name) =>
    sides.some((side) => {
      const own = matches.filter(({ seats }) => seats.some(({ entrant, team }) => entrant === name && team === side));
      const won = own.filter(({ winner }) => winner === side).length;
      const lost = own.filter(({ winner }) => winner !== null && winner !== side).length;
      return own.length > 0 && Math.min(won, lost) < MIN_OUTCOMES;
    }),
  );
}

function listPairings({ cells }: RatingModel, residuals: ReturnType<typeof estimateTargets>['residuals']) {
  const adjusted = adjustHolm(residuals.map(({ p }) => p));
  return residuals.flatMap(({ matches, found, fitted }, place): PairingResult[] => {
    const cell = cells[place]!;
    const isMixed = cell.werewolves === null || cell.villagers === null;
    return isMixed ? [] : [{ ...cell, matches, found, fitted, adjusted: adjusted[place]! }];
  });
}

/** The field of entrants. Decides which questions about entrants the model of these matches can answer. */
class Field {
  readonly #model: RatingModel;
  readonly #isMixed: boolean;
  readonly groups: readonly (readonly string[])[];

  /** Creates the field. At mixed tables, all entrants form one group. */
  constructor(model: RatingModel, names: readonly string[], isMixed: boolean) {
    this.#model = model;
    this.#isMixed = isMixed;
    this.groups = isMixed ? [names] : this.#findGroups(names);
  }

  /** Finds groups of entrants whose overall strengths can be compared. */
  #findGroups(names: readonly string[]): string[][] {
    const groups: string[][] = [];
    for (const name of names) {
      const own = groups.find(([first]) => this.#reduceLead(name, [first!], sides) !== null);
      if (own) own.push(name);
      else groups.push([name]);
    }
    return groups;
  }

  /**
   * Returns, as a row of the design, how much stronger an entrant is than the mean of `others` on the sides `over`.
   * Null if the matches do not identify this difference.
   */
  #reduceLead(entrant: string, others: readonly string[], over: readonly Team[]): DesignRow | null {
    const lead = new Map<string, number>();
    const add = (name: string, share: number) => {
      for (const side of over) {
        const key = nameStrength(side, name, null);
        lead.set(key, (lead.get(key) ?? 0) + share / over.length);
      }
    };
    add(entrant, 1);
    for (const other of others) add(other, -1 / others.length);
    return this.#model.reduce(lead);
  }

  compareStrength(
    entrant: string,
    group: readonly string[],
    over: readonly Team[],
    own: Pick<RatingTarget, 'deals' | 'isOneSided'>,
  ): RatingTarget | null {
    const row = group.length < 2 ? null : this.#reduceLead(entrant, group, over);
    return row && { constant: 0, terms: [{ row, tie: null, weight: 1 }], ...own };
  }

  /**
   * Lists one term per context, for a table in which one entrant plays the Werewolves and another entrant the village.
   * Null if the matches do not identify such a table.
   */
  #listTables(werewolves: string, villagers: string, weight: number) {
    const { contexts, design } = this.#model;
    const terms = contexts.map((context) => {
      const row = this.#model.reduce(
        new Map([
          [nameContext(context), 1],
          [nameStrength('werewolves', werewolves, null), 1],
          [nameStrength('villagers', villagers, null), -1],
        ]),
      );
      const cell = this.#model.cells.findIndex((one) => one.context === context);
      return row && { row, tie: design.ties[cell]!, weight: weight / contexts.length };
    });
    return terms.every((term) => term !== null) ? terms : null;
  }

  #listScored(entrant: string, group: readonly string[], over: readonly Team[], weight: number) {
    const others = group.filter((name) => name !== entrant);
    const share = weight / others.length / over.length;
    const terms = others.flatMap((other) =>
      over.map((side) =>
        side === 'werewolves' ? this.#listTables(entrant, other, share) : this.#listTables(other, entrant, -share),
      ),
    );
    return others.length > 0 && terms.every((one) => one !== null) ? terms.flat() : null;
  }

  /**
   * Returns the constant term of a score over these sides. The village's score is 1 minus the Werewolves' score, so the
   * village side adds a constant; the Werewolves' side adds none.
   */
  #countVillage = (over: readonly Team[]) => (over.includes('villagers') ? 1 / over.length : 0);

  scoreEntrant(
    entrant: string,
    group: readonly string[],
    over: readonly Team[],
    own: Pick<RatingTarget, 'deals' | 'matches' | 'constantScore'>,
  ): RatingTarget | null {
    const terms = this.#listScored(entrant, group, over, 1);
    return terms && { constant: this.#countVillage(over), terms, range: [0, 1], ...own };
  }

  /**
   * Returns the score of an entrant on a side. Null if the matches do not identify this score, or cannot separate the
   * opponents' strengths from the entrant's.
   */
  scoreAsSide(
    entrant: string,
    group: readonly string[],
    side: Team,
    own: Pick<RatingTarget, 'deals' | 'matches' | 'constantScore'>,
  ): RatingTarget | null {
    if (group.length < 2 || this.#reduceLead(entrant, group, [side]) === null) return null;
    return this.scoreEntrant(entrant, group, [side], own);
  }

  compareScores([one, other]: readonly [string, string], group: readonly string[], deals: number): RatingTarget | null {
    const [ofOne, ofOther] = [this.#listScored(one, group, sides, 1), this.#listScored(other, group, sides, -1)];
    return ofOne && ofOther && { constant: 0, terms: [...ofOne, ...ofOther], width: 1, deals };
  }

  scoreWerewolves(groups: Field['groups'], deals: number, matches: number): RatingTarget | null {
    const pairs = groups.flatMap((group) =>
      listPairs(group).flatMap(([one, other]) => [
        [one, other],
        [other, one],
      ]),
    );
    const terms = pairs.map(([one, other]) => this.#listTables(one!, other!, 1 / pairs.length));
    const isKnown = pairs.length > 0 && terms.every((one) => one !== null);
    return isKnown ? { constant: 0, terms: terms.flat(), range: [0, 1], deals, matches } : null;
  }

  /** Describes the questions that these matches cannot answer, and the matches that would answer them. */
  describeRefused(hasRoles: boolean): string[] {
    const { groups } = this;
    if (this.#isMixed) return this.#describeMixed(groups[0]!, hasRoles);
    const isAlone = groups.every(({ length }) => length === 1);
    if (isAlone && hasRoles) return [`How strong ${joinNames(groups.flat())} are outside the roles that they held.`];
    const refused = groups.flatMap((group) => {
      if (group.length < 2) return [];
      const [first, second] = group as [string, string];
      const isBySide = sides.every((side) => group.every((name) => this.#reduceLead(name, group, [side]) !== null));
      const isScored = group.every((name) => this.#listScored(name, group, sides, 1) !== null);
      return [
        ...(isBySide
          ? []
          : [
              `How strong ${joinNames(group)} are as Werewolves and as the village, apart: only their strength on both sides together is known. This needs matches of each against itself (selfPlay: true), or of a third entrant against both, on either side.`,
            ]),
        ...(isScored
          ? []
          : [
              `The expected scores of ${joinNames(group)}: nothing shows how some of them would do against each other, e.g. ${first} against ${second}. This needs matches between them.`,
            ]),
      ];
    });
    if (groups.length < 2) return refused;
    return [
      `How strong the groups ${groups.map(joinNames).join('; ')} are relative to each other: no chain of matches with changed sides connects the groups.`,
      ...refused,
    ];
  }

  #describeMixed(group: readonly string[], hasRoles: boolean): string[] {
    const isBySide = sides.every((side) => group.every((name) => this.#reduceLead(name, group, [side]) !== null));
    return [
      ...(isBySide
        ? []
        : [
            `How strong ${joinNames(group)} are as Werewolves and as the village, apart, nor their log-odds: every table seats all of them equally often, so that whoever is not with the Werewolves is with the village. This needs a round robin.`,
          ]),
      ...(hasRoles
        ? []
        : [`How strong ${joinNames(group)} are in single roles, for the same reason. This needs the format by-role.`]),
    ];
  }
}

const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`;
