// The matched subset of a bank: pairs of a lie and a true claim. Both claims have the same type and were made in the
// same round on the same board, by opposite sides. Without matching, a detector scores well by knowing which types of
// claims Werewolves make.
import type { ClaimType } from '../claims/claim.ts';
import { draw } from '../../state/random.ts';
import type { Team } from '../../state/teams.ts';
import type { BankPair, BankStatement } from './bank-rows.ts';

/** The data of a statement that are kept until all matches are read. */
export interface PairedStatement {
  row: string;
  match: string;
  stratum: Pick<BankPair, 'split' | 'board' | 'round' | 'kind'>;
  team: Team;
  isLie: boolean;
  /** Types of the statement's lies, or of its true claims except plain opinions. */
  types: readonly ClaimType[];
}

/**
 * Returns the properties by which a statement is paired. Null for a statement without a label, and for a statement that
 * contains neither a lie nor a true claim.
 *
 * @example statements.flatMap((row) => readPairedStatement(row) ?? [])
 */
export function readPairedStatement(one: BankStatement): PairedStatement | null {
  const { row, match_id: match, split, board, round, kind, team, is_lie: isLie, claims } = one;
  if (isLie === null) return null;
  const counted = claims.filter(({ verdict, is_true: isTrue, is_hedged: isHedged }) =>
    isLie ? verdict === 'lie' : isTrue === true && !isHedged,
  );
  const types = [...new Set(counted.map(({ type }) => type))].sort();
  return types.length === 0 ? null : { row, match, stratum: { split, board, round, kind }, team, isLie, types };
}

/** Fixed seed. Another seed would form other pairs from the same bank. */
const pairSeed = 1;

/**
 * Pairs lies with true claims, first within a match and then across matches, and returns the pairs sorted by their lie.
 * Each statement is in at most one pair. Choices among several partners depend only on the statements' names.
 *
 * @example listMatchedPairs(statements).length
 */
export function listMatchedPairs(statements: readonly PairedStatement[]): BankPair[] {
  const used = new Set<string>();
  const pairs: BankPair[] = [];
  const shuffled = draw(pairSeed, 'pairs').shuffle(statements.toSorted((one, other) => (one.row < other.row ? -1 : 1)));
  const truths = Map.groupBy(
    shuffled.filter(({ isLie }) => !isLie).flatMap((one) => one.types.map((type) => ({ type, one }))),
    ({ type, one }) => nameStratum(one, type),
  );
  const lies = shuffled.filter(({ isLie }) => isLie);
  for (const isNear of [true, false])
    for (const lie of lies.filter(({ row }) => !used.has(row)))
      for (const type of lie.types) {
        const found = (truths.get(nameStratum(lie, type)) ?? []).find(
          ({ one }) => one.team !== lie.team && !used.has(one.row) && (!isNear || one.match === lie.match),
        );
        if (!found) continue;
        used.add(lie.row).add(found.one.row);
        pairs.push({ pair: '', ...lie.stratum, type, lie: lie.row, truth: found.one.row });
        break;
      }
  return pairs
    .sort((one, other) => (one.lie < other.lie ? -1 : 1))
    .map((pair, place) => ({ ...pair, pair: `p${place + 1}` }));
}

const nameStratum = ({ stratum: { split, board, round, kind } }: PairedStatement, type: ClaimType) =>
  JSON.stringify([split, board, round, kind, type]);
