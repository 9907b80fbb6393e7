// The rules of a match on its board: what cannot be played there, and how they are described.
import { type Board, boards } from '../boards.ts';
import { UsageError } from '../usage-error.ts';
import { isInactive, listDealtRoles } from './all-options.ts';
import type { Rules } from './options.ts';
import { presets, readRules } from './presets.ts';
import type { RuleValues } from './rule.ts';

/**
 * The rules of a board in full: defaults, then the preset, then the board's own, then single options. `recorded` are
 * the rules of a match that was begun before, in place of preset and board: what decided nothing there is kept.
 * Throws a UsageError with the reason for options that are unknown or make no sense on this board.
 */
export function resolveBoardRules(
  board: Board,
  preset: string,
  options: Readonly<Record<string, unknown>> = {},
  recorded?: RuleValues,
): Rules {
  const rules = readRules(preset, options, { board, recorded });
  const kinds = new Set(
    listDealtRoles(board)
      .filter(({ team }) => team === 'villagers')
      .map(({ special }) => special),
  );
  if (rules.wins === 'edge' && kinds.size < 2)
    throw new UsageError(
      `Rule "wins" cannot be "edge" on board "${board.name}": its village has no ${kinds.has(true) ? 'players without a special role' : 'special roles'}.`,
    );
  return rules;
}

/** The roles of the village on a board that have powers, by name. */
export const listSpecialRoles = (board: Pick<Board, 'roles'>) =>
  listDealtRoles(board)
    .filter(({ team, special }) => team === 'villagers' && special)
    .map(({ name }) => name);

/**
 * E.g. "preset arena with debateTurns=4": the nearest preset as it is played on the board, and what differs from it.
 * What decides nothing there is not named.
 */
export function describeRules(rules: RuleValues, { name, roles }: Pick<Board, 'name' | 'roles'>): string {
  const board = { name, roles, rules: getBoardRules({ name, roles }) };
  const [nearest] = Object.keys(presets)
    .map((preset) => ({ preset, others: listDifferingRules(rules, readRules(preset, {}, { board }), board) }))
    .sort((one, other) => one.others.length - other.others.length);
  const { preset, others } = nearest!;
  return others.length === 0 ? `preset ${preset}` : `preset ${preset} with ${others.join(', ')}`;
}

/** What a known board brings; that of another is not kept in a record. */
function getBoardRules({ name, roles }: Pick<Board, 'name' | 'roles'>): RuleValues {
  const known = Object.hasOwn(boards, name) ? boards[name] : undefined;
  return known && JSON.stringify(known.roles) === JSON.stringify(roles) ? (known.rules ?? {}) : {};
}

const listDifferingRules = (rules: RuleValues, preset: RuleValues, board: Board) =>
  Object.entries(rules)
    .filter(([name, value]) => value !== preset[name] && !isInactive(name, rules, board))
    .map(([name, value]) => `${name}=${String(value)}`);
