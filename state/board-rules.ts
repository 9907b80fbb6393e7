// The rules of a match on its board: what decides nothing there, and what cannot be played there.
import type { Board } from './boards.ts';
import type { Rules } from './common-rules.ts';
import { roleNamed, roles } from './roles/index.ts';
import type { RuleValue } from './rule.ts';
import { readRules } from './rules.ts';

/**
 * The rules of a board in full: defaults, then the preset, then the board's own, then single options.
 * Throws a RangeError with the reason for options that are unknown or make no sense on this board.
 */
export function rulesOn(board: Board, preset: string, options: Readonly<Record<string, unknown>> = {}): Rules {
  const asked = { ...board.rules, ...options };
  const rules = withoutAbsent(readRules(preset, asked), board, asked);
  const kinds = new Set(
    dealtRoles(board)
      .filter(({ team }) => team === 'villagers')
      .map(({ special }) => special),
  );
  if (rules.wins === 'edge' && kinds.size < 2)
    throw new RangeError(
      `Rule "wins" cannot be "edge" on board "${board.name}": its village has no ${kinds.has(true) ? 'players without a special role' : 'special roles'}.`,
    );
  return rules;
}

const dealtRoles = ({ roles: counts }: Board) =>
  Object.entries(counts).flatMap(([name, count]) => (count > 0 ? [roleNamed(name)] : []));

/** Puts the options of roles that nobody has to their default. Throws a RangeError for one that was asked for. */
function withoutAbsent(rules: Rules, board: Board, asked: Readonly<Record<string, unknown>>): Rules {
  const dealt = dealtRoles(board);
  const idle = [...roles.values()].filter((role) => !dealt.includes(role));
  const settled = idle.flatMap((role) =>
    Object.entries(role.rules).map(([name, { default: fallback }]): [string, RuleValue] => {
      if (asked[name] !== undefined && rules[name] !== fallback)
        throw new RangeError(
          `Rule "${name}" decides nothing on board "${board.name}": nobody is ${role.name} there. Leave it out.`,
        );
      return [name, fallback];
    }),
  );
  return { ...rules, ...Object.fromEntries(settled) };
}
