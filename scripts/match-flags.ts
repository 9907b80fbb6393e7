// The command line of `npm run match`, read into a plan.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { planOf, type MatchPlan } from '../graph/prepare.ts';
import type { SeatChoice } from '../graph/seating.ts';
import { readManifest } from '../models/recorder.ts';
import { recordFiles, type Manifest } from '../state/record.ts';
import type { RuleValue } from '../state/rule.ts';
import { readRuleFlag } from '../state/rules.ts';
import { MatchFile, readBoardFile, readMatchFile } from './match-file.ts';

/** What only the script cares about. */
export interface MatchCommand extends Pick<MatchFile, 'reveal' | 'json' | 'quiet' | 'maxCost' | 'concurrency'> {
  plan: MatchPlan;
  out: string;
}

const number = (text: string) => {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new InvalidArgumentError(`it must be a number, not "${text}".`);
  return value;
};

const wholeNumber = (text: string) => {
  const value = number(text);
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError(`it must be a whole number, not "${text}".`);
  return value;
};

const keyed = (text: string, before: Readonly<Record<string, string>> = {}) => {
  const [, key, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError(`it must be KEY=MODEL, not "${text}".`);
  return { ...before, [key]: value };
};

const ruleFlag = (text: string, before: Readonly<Record<string, RuleValue>> = {}) => {
  const [name, value] = readRuleFlag(text);
  return { ...before, [name]: value };
};

interface Flags extends Omit<MatchFile, 'roles' | 'seats'> {
  role?: Record<string, string>;
  seat?: Record<string, string>;
}

export const command = () =>
  new Command('npm run match --')
    .description(
      'Plays one match of Werewolf and writes its record and deception summary. The same command resumes it.',
    )
    .argument(
      '[file]',
      'a YAML file that says what these flags say (see docs/data.md), or the manifest of a match; flags override it',
    )
    .option('--board <name|file>', 'a board by name or a YAML file (default: classic-8)')
    .option('--rules <preset>', 'a preset of rules: wolf or arena (default: wolf)')
    .option('--rule <key=value>', 'a single rule; repeatable', ruleFlag)
    .option('--seed <n>', 'decides names, roles, seats and all draws (default: drawn at random)', wholeNumber)
    .option('--model <model>', 'for all seats, e.g. openai:gpt-4o?temperature=0.5 (default: bot:classic)')
    .option('--villagers <model>', 'for the village')
    .option('--werewolves <model>', 'for the Werewolves')
    .option('--role <role=model>', 'for a role; repeatable', keyed)
    .option('--seat <name=model>', 'for a player, who is then at the table; repeatable', keyed)
    .option('--out <folder>', 'where the folders of matches are (default: runs)')
    .option('--id <id>', 'the name of the match and its folder (default: made from board, seed and set-up)')
    .option('--max-cost <usd>', 'start no call once so much is spent', number)
    .option('--concurrency <n>', 'calls under way at the same time (default: 32)', wholeNumber)
    .option('--reveal', 'show roles and what happens in secret')
    .option('--json', 'print one JSON object instead of the story')
    .option('--quiet', 'print nothing but errors')
    .allowExcessArguments(false)
    .showHelpAfterError('(--help lists all options)')
    .exitOverride();

/**
 * Reads the command line. Throws a RangeError or a CommanderError that names the value and what was expected.
 * `randomSeed` is used where nothing says another.
 */
export function readCommand(argv: readonly string[], randomSeed: number): MatchCommand {
  const program = command().parse(argv, { from: 'user' });
  const { role, seat, ...rest } = program.opts<Flags>();
  const flags: MatchFile = { ...rest, ...(role ? { roles: role } : {}), ...(seat ? { seats: seat } : {}) };
  const checked = MatchFile.safeParse(flags);
  if (!checked.success) throw new RangeError(describe(checked.error.issues[0]!));
  const [file] = program.args;
  const { plan: base, manifest: from } = file === undefined ? { plan: {} as MatchFile } : readMatchFile(file);
  const merged: MatchFile = {
    ...base,
    ...flags,
    rule: { ...base.rule, ...flags.rule },
    roles: { ...base.roles, ...flags.roles },
    seats: { ...base.seats, ...flags.seats },
  };
  const out = merged.out ?? 'runs';
  const manifest = from ?? startedMatch(out, merged.id);
  const { reveal, json, quiet, maxCost, concurrency, out: _out, ...plan } = merged;
  const board = typeof plan.board === 'string' && /\.ya?ml$/i.test(plan.board) ? readBoardFile(plan.board) : plan.board;
  const wanted: MatchPlan = { ...plan, ...(board === undefined ? {} : { board }) };
  return {
    plan: manifest ? continueFrom(manifest, wanted) : { ...wanted, seed: wanted.seed ?? randomSeed },
    out,
    ...{ reveal, json, quiet, maxCost, concurrency },
  };
}

const describe = ({ path: field, message }: { path: readonly PropertyKey[]; message: string }) =>
  `--${String(field[0]).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} cannot be used: ${message}.`;

/** The manifest of the match that has this id, where it was begun. */
function startedMatch(out: string, id: string | undefined) {
  const file = path.join(out, id ?? '', recordFiles.manifest);
  return id !== undefined && existsSync(file) ? readManifest(file) : undefined;
}

/** The plan of a manifest, except for what is wanted otherwise: models by seat, role, side or for all. */
function continueFrom(manifest: Manifest, wanted: MatchPlan): MatchPlan {
  const { setup } = manifest;
  const { id: _id, seats: _seats, ...kept } = planOf(manifest);
  const { model, villagers, werewolves, roles = {}, seats = {}, rule, ...rest } = wanted;
  const sides = { villagers, werewolves };
  const present = setup.players.map(({ name, role, team, persona }) => {
    const chosen = seats[name];
    const seat = typeof chosen === 'string' ? { model: chosen } : (chosen as SeatChoice | undefined);
    return [
      name,
      {
        model: seat?.model ?? roles[role] ?? sides[team] ?? model ?? setup.models[name],
        persona: seat?.persona ?? persona,
      },
    ] as const;
  });
  return {
    ...kept,
    ...rest,
    rule: { ...(rest.rules === undefined ? kept.rule : {}), ...rule },
    roles,
    seats: { ...seats, ...Object.fromEntries(present) },
  };
}
