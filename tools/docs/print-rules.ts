// Tables of boards, presets and rules in docs/, from their registers.
import { markdownTable } from 'markdown-table';
import { boards, readBoard } from '../../state/boards.ts';
import { listRuleDepartures, type OtherDeparture, papers } from '../../state/papers.ts';
import { listEarlierVersions, presetNames, resolvePreset } from '../../state/presets.ts';
import { getRole, roles } from '../../state/roles/index.ts';
import { readRules, rulebook } from '../../state/rulebook.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { UsageError } from '../../state/usage-error.ts';
import { readShape, printTable, quoteCode, type Shape } from './print-table.ts';

/**
 * Prints how a preset departs from its paper: rules with the option that restores the paper, then departures that no
 * rule can restore.
 */
export function printDepartures(name: string): string {
  const ofRules = listRuleDepartures(name).map(({ rule, paper, here, words, reason }) => [
    `\`${rule}\`: ${words}`,
    `\`${String(here)}\``,
    `\`--rule ${rule}=${String(paper)}\``,
    reason,
  ]);
  const others = papers[name]!.others.map(({ paper, here, restore, reason }: OtherDeparture) => [
    paper,
    here,
    restore ?? '–',
    reason,
  ]);
  return markdownTable([['paper', `\`${name}\``, 'to play as the paper', 'reason'], ...ofRules, ...others]);
}

/**
 * Prints the rules about which the preset's paper says nothing although they matter, with the values that the preset
 * chooses.
 */
export const printChoices = (name: string): string =>
  papers[name]!.silent.map((rule) => `\`${rule}=${String(readRules(name)[rule])}\``).join(', ');

/** Prints the built-in boards. */
export const printBoards = (): string =>
  printTable(
    ['board', 'players', 'roles', 'rules'],
    Object.values(boards).map(({ name, roles, rules = {} }) => [
      quoteCode(name),
      String(Object.values(roles).reduce((sum, count) => sum + count, 0)),
      Object.entries(roles)
        .map(([role, count]) => (count === 1 ? role : `${count} ${getRole(role).plural}`))
        .join(', '),
      Object.entries(rules)
        .map(([rule, value]) => quoteCode(`${rule}=${String(value)}`))
        .join(', '),
    ]),
  );

/** A number of players that no board may have. */
const beyondAnyTable = 40;

/**
 * Prints the sizes that a board may have: the possible numbers of Werewolves for each number of players, and the
 * built-in boards of that size.
 */
export function printSizes(): string {
  const all = [...roles.values()];
  const packRole = all.find(({ team }) => team === 'werewolves')?.name ?? '';
  const plainRole = all.find(({ special }) => !special)?.name ?? '';
  const isPlayable = (players: number, pack: number) => {
    try {
      readBoard({ name: 'tried', roles: { [packRole]: pack, [plainRole]: players - pack } });
      return true;
    } catch (error) {
      if (error instanceof UsageError) return false;
      throw error;
    }
  };
  const countPlayers = (counts: Readonly<Record<string, number>>) =>
    Object.values(counts).reduce((sum, count) => sum + count, 0);
  const rows = Array.from({ length: beyondAnyTable }, (_, players) => {
    const packs = Array.from({ length: players }, (_unused, pack) => pack).filter((pack) => isPlayable(players, pack));
    const own = Object.values(boards).filter((board) => countPlayers(board.roles) === players);
    return { players, packs, own: own.map(({ name }) => quoteCode(name)).join(', ') };
  });
  return printTable(
    ['players', 'Werewolves', 'built-in boards'],
    rows
      .filter(({ packs }) => packs.length > 0)
      .map(({ players, packs, own }) => [
        String(players),
        packs.length === 1 ? String(packs[0]) : `${packs[0]} to ${packs.at(-1)}`,
        own,
      ]),
  );
}

/** Prints the rules that differ between the newest versions of the presets. */
export function printPresets(): string {
  const rules = presetNames.map((name) => readRules(name));
  return printDifferingRules(presetNames.map(quoteCode), rules);
}

/** Prints the differences between a preset's versions. */
export function printVersions(name: string): string {
  const [newest, ...earlier] = [resolvePreset(name), ...listEarlierVersions(name)];
  const rules = [newest, ...earlier].map((version) => readRules(version));
  return printDifferingRules([newest, ...earlier].map(quoteCode), rules);
}

function printDifferingRules(heads: readonly string[], rules: readonly RuleValues[]): string {
  const differing = Object.keys(rulebook).filter((rule) => rules.some((one) => one[rule] !== rules[0]![rule]));
  return markdownTable([
    ['rule', ...heads],
    ...differing.map((rule) => [quoteCode(rule), ...rules.map((one) => String(one[rule]))]),
  ]);
}

/** Prints every rule with its values and meaning. */
export const printRules = () =>
  printTable(
    ['rule', 'values', 'meaning'],
    Object.entries(rulebook).map(([name, { schema, about }]) => [
      quoteCode(name),
      describeValues(readShape(schema)),
      about,
    ]),
  );

function describeValues({ type, enum: options, anyOf, minimum, maximum }: Shape): string {
  if (options) return options.map((option) => (typeof option === 'string' ? quoteCode(option) : option)).join(', ');
  if (anyOf) return anyOf.map(describeValues).join(' or ');
  return type === 'boolean' ? 'true, false' : minimum === undefined ? type! : `${minimum}…${maximum}`;
}
