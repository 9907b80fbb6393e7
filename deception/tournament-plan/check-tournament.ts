// Checks a plan for settings with which no tournament can be played. Each error names the fix.
import { getRole } from '../../state/roles/index.ts';
import { resolveBoardRules, rulebook } from '../../state/rulebook.ts';
import { UsageError } from '../../state/usage-error.ts';
import { checkRememberingEntrants } from './remembering-entrants.ts';
import { baselineName, type Entrant, type TournamentPlan } from './tournament-plan.ts';
import { listConditions } from './tournament-schedule.ts';

/**
 * Throws a UsageError that names the conflicting settings and the fix. Does not check models, because opening a model
 * reports an unknown name.
 *
 * @example checkTournament(plan);
 */
export function checkTournament(plan: TournamentPlan): void {
  checkEntrants(plan);
  checkFormat(plan);
  checkBaseline(plan);
  checkBoards(plan);
  checkStop(plan);
  const { seed, deals } = plan;
  if (!Number.isSafeInteger(seed) || seed > Number.MAX_SAFE_INTEGER - deals)
    throw new UsageError(`seed ${seed} leaves no room for the seeds of ${deals} deals. Choose a smaller one.`);
  checkRememberingEntrants(plan);
}

function checkEntrants({ entrants, boards, format }: TournamentPlan): void {
  const names = Object.keys(entrants);
  if (names.length < (format === 'self-play' ? 1 : 2))
    throw new UsageError(
      `A tournament needs two entrants or more, not ${names.join(', ') || 'none'}. To play one model alone, for example under several conditions, use "format: self-play".`,
    );
  const alike = names.find((name, place) =>
    names.slice(0, place).some((other) => other.toLowerCase() === name.toLowerCase()),
  );
  if (alike !== undefined)
    throw new UsageError(
      `Two entrants are called ${alike} if case is ignored, as some file systems do. Rename one of them.`,
    );
  if (names.includes(baselineName))
    throw new UsageError(
      `No entrant can be called "${baselineName}": that is the name of the baseline’s seats. Choose another name.`,
    );
  for (const board of boards) {
    const dealt = Object.keys(board.roles).filter((role) => board.roles[role]! > 0);
    const found = new Map<string, string>();
    for (const [name, entrant] of Object.entries(entrants)) {
      const same = found.get(describeConfiguration(entrant, dealt));
      if (same !== undefined)
        throw new UsageError(
          `${same} and ${name} are the same entrant on board ${board.name}: the same models and persona. Leave out one, or, to compare a model with itself, give it two names in a models file.`,
        );
      found.set(describeConfiguration(entrant, dealt), name);
    }
  }
}

const describeConfiguration = ({ model, persona, roles = {} }: Entrant, dealt: readonly string[]) =>
  JSON.stringify([persona, dealt.map((role) => roles[role] ?? model)]);

/**
 * Throws a UsageError if the plan has `selfPlay` and the baseline has the same configuration as an entrant. If that
 * entrant plays one role and the baseline plays all others, one configuration already holds all seats. Self-play would
 * play the same match again.
 */
function checkBaseline({ entrants, baseline, selfPlay, boards }: TournamentPlan): void {
  if (!selfPlay || baseline === undefined) return;
  for (const board of boards) {
    const dealt = Object.keys(board.roles).filter((role) => board.roles[role]! > 0);
    const own = describeConfiguration(baseline, dealt);
    const same = Object.keys(entrants).find((name) => describeConfiguration(entrants[name]!, dealt) === own);
    if (same !== undefined)
      throw new UsageError(
        `selfPlay: true would play ${same} against itself twice on board ${board.name}: the baseline is the same configuration, so ${same} in its role already has all seats. Leave out selfPlay, or choose another baseline.`,
      );
  }
}

function checkFormat({ format, entrants, role, baseline, design, boards }: TournamentPlan): void {
  const names = Object.keys(entrants);
  if (format === 'head-to-head' && names.length !== 2)
    throw new UsageError(
      `format: head-to-head is between two entrants, not ${names.length} (${names.join(', ')}). For more: format: round-robin.`,
    );
  if (format === 'by-role' && role === undefined)
    throw new UsageError(
      `format: by-role needs the field role: the role in which entrants are compared, one of ${Object.keys(boards[0]!.roles).join(', ')}.`,
    );
  if (format === 'by-role' && baseline === undefined)
    throw new UsageError(
      'format: by-role needs baseline, the entrant that plays the other roles, e.g. baseline: bot:classic.',
    );
  if (format !== 'by-role' && (role !== undefined || baseline !== undefined))
    throw new UsageError(
      `"${role === undefined ? 'baseline' : 'role'}" needs "format: by-role", but the format is ${format}. Remove it, or write "format: by-role".`,
    );
  if (design === 'cyclic' && format !== 'round-robin')
    throw new UsageError(`"design: cyclic" needs "format: round-robin", but the format is ${format}. Remove "design".`);
}

function checkBoards(plan: TournamentPlan): void {
  const { boards, role, entrants, baseline, rules } = plan;
  const names = boards.map(({ name }) => name);
  const twice = [...names, ...rules].find((name, place, all) => all.indexOf(name) !== place);
  if (twice !== undefined) throw new UsageError(`${twice} is in the plan twice. Name each board and preset once.`);
  const named = [entrants, baseline ? { [baselineName]: baseline } : {}].flatMap((some) =>
    Object.values(some).flatMap(({ roles = {} }) => Object.keys(roles)),
  );
  for (const one of new Set([...named, ...(role === undefined ? [] : [role])])) {
    getRole(one);
    const lacking = boards.filter((board) => !board.roles[one]);
    if (lacking.length === boards.length || (one === role && lacking.length > 0))
      throw new UsageError(
        `Nobody is ${one} on board ${lacking[0]!.name}. Its roles: ${Object.keys(lacking[0]!.roles).join(', ')}.`,
      );
  }
  checkConditions(plan);
  for (const board of boards)
    for (const { preset, rule } of listConditions(plan, board))
      resolveBoardRules(board, preset, { ...plan.rule, ...rule });
}

function checkConditions({ conditions = {}, rule = {} }: TournamentPlan): void {
  for (const [name, values] of Object.entries(conditions)) {
    if (name === 'experience') continue; // the arms of experience are listed with the conditions
    const part = values.find((value) => typeof value === 'object' && value !== null);
    if (part !== undefined)
      throw new UsageError(
        `conditions.${name}: ${JSON.stringify(part)} is not a value of a rule. Only conditions.experience may contain settings.`,
      );
    if (!Object.hasOwn(rulebook, name))
      throw new UsageError(
        `conditions: unknown rule ${JSON.stringify(name)}. Known rules: ${Object.keys(rulebook).join(', ')}.`,
      );
    if (Object.hasOwn(rule, name))
      throw new UsageError(
        `"conditions" has several values of ${name}, but "rule" fixes it. Remove it from one of the two.`,
      );
  }
}

function checkStop({ stop, format, entrants }: TournamentPlan): void {
  if (stop === undefined) return;
  if (format === 'self-play')
    throw new UsageError(
      'stop compares the scores of two entrants, but in format: self-play no entrant meets another. Leave stop out, or choose another format.',
    );
  for (const pair of stop.pairs ?? []) {
    const unknown = pair.find((name) => !Object.hasOwn(entrants, name));
    if (unknown !== undefined)
      throw new UsageError(
        `stop.pairs: no entrant is called "${unknown}". Entrants: ${Object.keys(entrants).join(', ')}.`,
      );
    if (pair[0] === pair[1]) throw new UsageError(`stop.pairs: ${pair[0]} is paired with itself. Name two entrants.`);
  }
}
