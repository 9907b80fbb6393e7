// What decides how matches go that are played by chance: the board and the rules, without what is mere wording.
import { createHash } from 'node:crypto';
import type { Rules } from '../../state/rules/options.ts';
import { rulebook } from '../../state/rules/all-options.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { withDefaults } from '../../state/rules/presets.ts';
import { withoutAnalyses, type Ground } from '../simulation/random-matches.ts';

interface Played {
  board: { roles: Readonly<Record<string, number>> };
  rules: RuleValues;
}

/** The same for all set-ups that are the same by chance, whatever their board is called. */
export function createBaselineKey({ board, rules }: Played): Ground {
  const dealt = Object.entries(board.roles).filter(([, count]) => count > 0);
  const played = withoutAnalyses(withDefaults(rules));
  const settled = Object.entries(rulebook).map(([name, { isOfWordsAlone, default: usual }]) => [
    name,
    isOfWordsAlone ? usual : played[name]!,
  ]);
  return {
    board: { name: 'by-chance', roles: Object.fromEntries(dealt.sort(compareNames)) },
    rules: Object.fromEntries(settled.sort(compareNames)) as Rules,
  };
}

const compareNames = ([one]: readonly unknown[], [other]: readonly unknown[]) => (one! < other! ? -1 : 1);

/** Sha-256 in hexadecimal: equal where chance plays alike. */
export const hashBaselineKey = (played: Played): string =>
  createHash('sha256')
    .update(JSON.stringify(createBaselineKey(played)))
    .digest('hex');
