// What decides how matches go that are played by chance: the board and the rules, without what is mere wording.
import { createHash } from 'node:crypto';
import type { Rules } from '../../state/common-rules.ts';
import { rulebook } from '../../state/rulebook.ts';
import type { RuleValues } from '../../state/rule.ts';
import { withDefaults } from '../../state/rules.ts';
import { withoutAnalyses, type Ground } from '../simulation/random-matches.ts';

interface Played {
  board: { roles: Readonly<Record<string, number>> };
  rules: RuleValues;
}

/** The same for all set-ups that are the same by chance, whatever their board is called. */
export function groundOf({ board, rules }: Played): Ground {
  const dealt = Object.entries(board.roles).filter(([, count]) => count > 0);
  const played = withoutAnalyses(withDefaults(rules));
  const settled = Object.entries(rulebook).map(([name, { isOfWordsAlone, default: usual }]) => [
    name,
    isOfWordsAlone ? usual : played[name]!,
  ]);
  return {
    board: { name: 'by-chance', roles: Object.fromEntries(dealt.sort(byName)) },
    rules: Object.fromEntries(settled.sort(byName)) as Rules,
  };
}

const byName = ([one]: readonly unknown[], [other]: readonly unknown[]) => (one! < other! ? -1 : 1);

/** Sha-256 in hexadecimal: equal where chance plays alike. */
export const groundHash = (played: Played): string =>
  createHash('sha256')
    .update(JSON.stringify(groundOf(played)))
    .digest('hex');
