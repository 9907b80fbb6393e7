// Lists all commands of `wolfgraph` on one screen, and runs the command that the first argument names.
import { createRequire } from 'node:module';
import { describeNearName, UsageError } from '../state/usage-error.ts';
import { type CommandFunction, type CommandIO, exitCodes, runCommand } from './command/command-line.ts';

interface NamedCommand {
  /** Description in the help. Null for an earlier name of a command, which the help does not list. */
  about: string | null;
  load: () => Promise<CommandFunction>;
}

/** Commands in the order in which a study needs them. */
const commands: Readonly<Record<string, NamedCommand>> = {
  match: {
    about: 'play one or more matches: --matches 100, --dry-run, --crossed X Y',
    load: async () => (await import('./match.ts')).runMatch,
  },
  tournament: {
    about: 'play models against each other from one plan: --dry-run, --status',
    load: async () => (await import('./tournament.ts')).runTournament,
  },
  worker: {
    about: 'play queued tournaments beside other machines: --database …',
    load: async () => (await import('./worker.ts')).runWorkerCommand,
  },
  view: {
    about: 'show matches and reports in a browser, also while they are played',
    load: async () => (await import('./view.ts')).runView,
  },
  show: {
    about: 'print a match: speech, private reasoning, labels, votes',
    load: async () => (await import('./show.ts')).runShow,
  },
  report: {
    about: 'report on matches: figures with intervals, and tables',
    load: async () => (await import('./report.ts')).runReport,
  },
  plan: {
    about: 'compute how many deals, calls, USD and hours a study needs',
    load: async () => (await import('./plan.ts')).runPlan,
  },
  compare: {
    about: 'test whether models, conditions or annotators differ',
    load: async () => (await import('./compare.ts')).runCompare,
  },
  fork: {
    about: 'measure what a lie does: play matches again without it',
    load: async () => (await import('./fork.ts')).runFork,
  },
  annotate: {
    about: 'have a model judge recorded statements as a listener',
    load: async () => (await import('./annotate.ts')).runAnnotate,
  },
  label: {
    about: 'draw a sample of statements for people to label',
    load: async () => (await import('./label.ts')).runLabel,
  },
  pool: {
    about: 'build and inspect what players remember of earlier matches',
    load: async () => (await import('./pool.ts')).runPool,
  },
  export: {
    about: 'write verified lies, logs for Inspect, chats: export lies STUDY',
    load: async () => (await import('./export.ts')).runExport,
  },
  bank: {
    about: 'score a lie detector on a bank: bank score BANK --model MODEL',
    load: async () => (await import('./bank.ts')).runBank,
  },
  import: {
    about: 'import games recorded by other programs',
    load: async () => (await import('./import.ts')).runImport,
  },
  verify: {
    about: 'check that records are complete, sealed and replay identically',
    load: async () => (await import('./verify.ts')).runVerify,
  },
  redact: {
    about: 'remove the words of a person who played: redact STUDY --person',
    load: async () => (await import('./redact.ts')).runRedact,
  },
  simulate: {
    about: 'simulate how often the village wins without talk',
    load: async () => (await import('./simulate.ts')).runSimulate,
  },
  validate: {
    about: 'measure how well claims are extracted: --claims',
    load: async () => (await import('./validate.ts')).runValidate,
  },
  doctor: {
    about: 'find what is missing on this machine, and how to fix it',
    load: async () => (await import('./doctor.ts')).runDoctor,
  },
  replay: {
    about: null,
    load: async () => (await import('./replay.ts')).runReplay,
  },
};

/** Name → description of each command that the help lists. */
export const commandsAbout: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(commands).flatMap(([name, { about }]) => (about === null ? [] : [[name, about]])),
);

/** Names that the help lists. */
export const commandNames = Object.keys(commandsAbout);

/** The help fits on a screen of 24 lines. */
const help = `Usage: wolfgraph COMMAND [arguments]; COMMAND --help lists them

${Object.entries(commandsAbout)
  .map(([name, about]) => `  ${name.padEnd(12)}${about}`)
  .join('\n')}
wolfgraph match without options plays bots: no key, no cost.
`;

/**
 * Runs the command that the first argument names, and returns its exit code. Without a name, or with --help, lists all
 * commands. Throws a UsageError for an unknown name.
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
