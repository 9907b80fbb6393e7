// Formats the commands that resume a stopped match or set.
import { formatCommand, nameCommand } from '../../state/command-name.ts';
import { quoteForShell } from '../../state/text.ts';
import { defaultOut } from './command-line.ts';
import type { CallLimits } from '../../models/call-limits.ts';
import { formatLimits } from './limit-options.ts';

interface Limits extends CallLimits {
  /** Whether the cap was reached. The next run then needs a higher cap. */
  isCapReached?: boolean;
  /** Options that give the addresses of the match's models; see `MatchCommand`. */
  reach?: readonly string[];
}

export function formatResumeCommand(
  id: string,
  out: string,
  { isCapReached, reach = [], ...limits }: Limits = {},
): string {
  const parts = [
    `${nameCommand('match')} --id ${id}`,
    ...reach.map(quoteForShell),
    ...(out === defaultOut ? [] : [`--out ${quoteForShell(out)}`]),
    ...formatLimits(isCapReached ? { ...limits, maxCost: undefined } : limits),
    ...(isCapReached ? ['--max-cost …'] : []),
  ];
  return parts.join(' ');
}

/** Formats the typed command line with a placeholder for a new cap. The placeholder replaces a typed cap. */
export function formatCommandWithOtherCap(argv: readonly string[], command = 'match'): string {
  const rest = argv.filter((text, at) => !/^--max-cost(=|$)/.test(text) && argv[at - 1] !== '--max-cost');
  return formatCommand(command, ...rest, '--max-cost', '…');
}
