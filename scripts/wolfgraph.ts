// All commands of `wolfgraph` on one screen, and the way to each.
import { createRequire } from 'node:module';
import { describeNearName, UsageError } from '../state/usage-error.ts';
import { type CommandFunction, type CommandIO, exitCodes, runCommand } from './command/command-line.ts';

interface NamedCommand {
  /** Null where the help leaves it out: an earlier name of another. */
  about: string | null;
  load: () => Promise<CommandFunction>;
}

/** In the order in which a study needs them. */
const commands: Readonly<Record<string, NamedCommand>> = {
  match: {
    about: 'plays a match, or many: --matches 100, --dry-run, --crossed X Y',
    load: async () => (await import('./match.ts')).runMatch,
  },
  tournament: {
    about: 'plays models against each other from one plan: --dry-run, --status',
    load: async () => (await import('./tournament.ts')).runTournament,
  },
  worker: {
    about: 'plays a queued tournament, beside others: --database postgres://…',
    load: async () => (await import('./worker.ts')).runWorkerCommand,
  },
  view: {
    about: 'shows matches and reports in a browser, also while they are played',
    load: async () => (await import('./view.ts')).runView,
  },
  show: {
    about: 'prints a match: speech, private reasoning, labels, votes',
    load: async () => (await import('./show.ts')).runShow,
  },
  report: {
    about: 'reports matches: figures with intervals, and tables',
    load: async () => (await import('./report.ts')).runReport,
  },
  plan: {
    about: 'how many deals, calls, USD and hours a finding takes',
    load: async () => (await import('./plan.ts')).runPlan,
  },
  compare: {
    about: 'whether models or conditions differ',
    load: async () => (await import('./compare.ts')).runCompare,
  },
  annotate: {
    about: 'has a model judge recorded statements as a listener',
    load: async () => (await import('./annotate.ts')).runAnnotate,
  },
  label: {
    about: 'draws a sample of statements for people to label',
    load: async () => (await import('./label.ts')).runLabel,
  },
  pool: {
    about: 'makes what players remember of earlier matches',
    load: async () => (await import('./pool.ts')).runPool,
  },
  export: {
    about: 'writes verified lies, logs for Inspect, chats: export lies STUDY',
    load: async () => (await import('./export.ts')).runExport,
  },
  import: {
    about: 'imports games that other programs recorded',
    load: async () => (await import('./import.ts')).runImport,
  },
  verify: {
    about: 'checks that records are whole, sealed and replay the same',
    load: async () => (await import('./verify.ts')).runVerify,
  },
  simulate: {
    about: 'how often the village wins without talk',
    load: async () => (await import('./simulate.ts')).runSimulate,
  },
  validate: {
    about: 'measures how well claims are extracted: --claims',
    load: async () => (await import('./validate.ts')).runValidate,
  },
  doctor: {
    about: 'says what is missing on this machine, and how to mend it',
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  replay: {
    about: null,
    load: async () => (await import('./replay.ts')).runReplay,
  },
};

/** The names that the help lists. */
export const commandNames = Object.keys(commands).filter((name) => commands[name]!.about !== null);

/** At most one screen of 24 lines. */
const help = `Usage: wolfgraph COMMAND [arguments]; COMMAND --help lists them

${Object.entries(commands)
  .flatMap(([name, { about }]) => (about === null ? [] : [`  ${name.padEnd(12)}${about}`]))
  .join('\n')}

wolfgraph match alone lets bots play: no key, no cost.
`;

/**
 * Runs the command that is named first, and returns its exit code; without one, or with --help, tells of all. Throws a
 * UsageError for a name that is none.
 *
 * @example await runScript(runWolfgraph); // wolfgraph match --seed 7
 */
export async function runWolfgraph([name = '--help', ...rest]: readonly string[], io: CommandIO): Promise<number> {
  const told = { '--help': help, '-h': help, help, '--version': `${readOwnVersion()}\n` }[name];
  if (told !== undefined) {
    io.stdout.write(told);
    return exitCodes.done;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command)
    throw new UsageError(
      `Unknown command "${name}". ${describeNearName(name, commandNames)}It must be one of: ${commandNames.join(', ')}.`,
    );
  return runCommand(await command.load(), rest, io);
}

const readOwnVersion = () => (createRequire(import.meta.url)('../package.json') as { version: string }).version;
