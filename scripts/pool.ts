// Builds, shows, checks and merges experience pools: `npm run pool -- build runs --out pool`.
import path from 'node:path';
import { Option } from 'commander';
import {
  createPool,
  describePool,
  getEntryId,
  isGoodEntry,
  listPoolDeals,
  mergePools,
  type Pool,
  type PoolEntry,
  sealEntry,
} from '../deception/experience/pool-entry.ts';
import { countTokens, renderEntry } from '../deception/experience/entry-text.ts';
import { findMoment, selectMeaning } from '../deception/experience/situation.ts';
import { findPossibleNames } from '../deception/experience/seat-letters.ts';
import { resolveSeatReference } from '../deception/experience/seat-references.ts';
import { gatherDecisions, hasRemembered, listEntries, type Reflections } from '../graph/pool/gather-entries.ts';
import { countMissing, computeVectors, readEmbedderName, secondsPerText } from '../graph/experience/embedder.ts';
import {
  checkPoolFolder,
  readPool,
  readVectors,
  vectorFiles,
  writePool,
  writeVectors,
} from '../graph/experience/pool-folder.ts';
import { tellServers } from '../models/key-policy.ts';
import { getReflectionsFile, listReflectionItems, readReflections } from '../graph/pool/reflect.ts';
import { readKeptAnswers } from '../models/record/annotation-log.ts';
import { listPlays } from '../models/record/same-play.ts';
import { readManifest } from '../models/record/recorder.ts';
import { normalizeModelSpec } from '../models/providers/index.ts';
import { formatRoughTime, formatWhole, pluralize, sanitizeLines, sanitizeText } from '../report/format.ts';
import {
  ExperienceMoment,
  ExperienceRetriever,
  ExperienceReward,
  ExperienceSource,
} from '../state/experience-setup.ts';
import { nameCommand } from '../state/command-name.ts';
import { recordFiles } from '../state/record.ts';
import { compareText, quoteActingName } from '../state/text.ts';
import { UsageError } from '../state/usage-error.ts';
import {
  allowKeyOption,
  type CommandIO,
  type CommandPart,
  createCommandPart,
  describeError,
  exitCodes,
  modelsFileOption,
  readCost,
  readCount,
  runCommandPart,
  runScript,
} from './command/command-line.ts';
import { findCacheFolder } from './command/cache-folder.ts';
import { dryNotice } from './run/ask-judges.ts';
import { resolveNames } from './command/judge-options.ts';
import { addLimitOptions, recordLimitWords } from './command/limit-options.ts';
import { checkNotBehindLink, findMatches, tellForksLeftOut } from './command/match-folder.ts';
import { followItems } from './command/work-progress.ts';
import { type FindFlags, findEntries } from './pool/find-entries.ts';
import { askForReflections, type DecidedMatch, type ReflectFlags } from './pool/ask-reflections.ts';
import {
  describeLeftOut,
  explainOtherSetup,
  explainUnusable,
  isSameSetup,
  listOwnFirst,
  readFinishedRecord,
} from './report/match-inventory.ts';

interface BuildFlags extends ReflectFlags {
  out: string;
  reward: ExperienceReward;
  reflect?: string[];
  models?: string;
  dryRun?: boolean;
  strict?: boolean;
  moment?: ExperienceMoment[];
  withMemory?: boolean;
}

/** Builds entries from all usable matches, and names the unusable ones on standard error. */
async function buildPool(folders: readonly string[], flags: BuildFlags, io: CommandIO): Promise<number> {
  const { out, reward, dryRun = false } = flags;
  const models = resolveNames(flags.reflect ?? [], flags.models).map(normalizeModelSpec);
  tellForksLeftOut(folders, io);
  const gathered = await gatherMatches(folders, models, io);
  let { isComplete } = gathered;
  let matches = flags.withMemory ? gathered.matches : leaveOutMemory(gathered.matches, io);
  if (models.length > 0) {
    const { code, leftOut } = await askForReflections(matches, models, flags, io);
    if (code !== exitCodes.done) return code;
    matches = matches.filter((match) => !leftOut.has(match));
    isComplete &&= leftOut.size === 0;
  }
  if (dryRun) {
    io.stdout.write(dryNotice);
    return isComplete ? exitCodes.done : exitCodes.other;
  }
  const entries = matches.flatMap(({ folder, record, decisions }): PoolEntry[] => {
    const written = models.map((model) =>
      readReflections(folder, listReflectionItems(record, decisions, model), model),
    );
    const findWritten: Reflections = (decision) =>
      written.map((find) => find(decision)).find((found) => found !== null) ?? null;
    const wanted = decisions.filter(({ action }) => flags.moment?.some((kind) => kind === findMoment(action)) ?? true);
    return listEntries(record, wanted, reward, findWritten).map(sealEntry);
  });
  if (entries.length === 0)
    throw new UsageError('These matches give no entries. A pool needs finished matches that Wolfgraph played itself.');
  const names = listPossibleNames(entries);
  if (names !== null && flags.strict === true)
    throw new UsageError(
      `These entries may still contain names: ${names}. Build the pool from other matches, or without --strict.`,
    );
  if (names !== null) io.stdout.write(`Capitalized words that may still be names: ${names}. --strict refuses them.\n`);
  const code = finishPool(out, createPool(reward, entries), io);
  return isComplete ? code : exitCodes.other;
}

/** Maximum number of names shown. */
const mostNames = 20;

/** Lists the possible names in a sentence; null if there are none. */
function listPossibleNames(entries: readonly PoolEntry[]): string | null {
  const found = findPossibleNames(entries.map(renderEntry));
  if (found.length === 0) return null;
  const shown = found.slice(0, mostNames).map(([word, count]) => `${word} (${formatWhole(count)})`);
  const more = found.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${formatWhole(more)} more` : ''}`;
}

/**
 * Leaves out matches whose players remembered entries of a pool, and prints their number. Decisions in such matches do
 * not come from the player's own experience alone, and would mix the arms of a tournament.
 */
function leaveOutMemory(matches: readonly DecidedMatch[], { stderr }: CommandIO): DecidedMatch[] {
  const kept = matches.filter(({ record }) => !hasRemembered(record));
  const lost = matches.length - kept.length;
  if (lost > 0)
    stderr.write(
      `Left out: ${pluralize(lost, 'match', 'matches')} whose players remembered earlier ones. --with-memory includes them.\n`,
    );
  return kept;
}

const readManifestOf = (folder: string) => readManifest(path.join(folder, recordFiles.manifest));

/**
 * Gathers the usable matches, and prints a line for each unusable one. `models`: models whose answers will be cached
 * beside the records.
 */
async function gatherMatches(folders: readonly string[], models: readonly string[], { stderr, step }: CommandIO) {
  const matches: DecidedMatch[] = [];
  const seen = new Map<string, string>();
  let isComplete = true;
  const readOrLeaveOut = async <Read>(folder: string, read: () => Read): Promise<Awaited<Read>[]> => {
    try {
      return [await read()];
    } catch (error) {
      isComplete = false;
      stderr.write(`Left out: ${quoteActingName(folder)}. ${describeError(explainUnusable(folder, error).message)}\n`);
      return [];
    }
  };
  const found: { folder: string; id: string }[] = [];
  for (const folder of new Set(findMatches(folders)))
    found.push(...(await readOrLeaveOut(folder, () => ({ folder, id: readManifestOf(folder).id }))));
  const plays = [...Map.groupBy(listOwnFirst(found), ({ id }) => id)].flatMap(([id, own]) => {
    const [first] = own as [(typeof own)[number], ...typeof own];
    const same = own.filter(({ folder }) => folder === first.folder || isSameSetup(first.folder, folder));
    for (const { folder } of own.filter((one) => !same.includes(one))) {
      isComplete = false;
      stderr.write(`${describeLeftOut(explainOtherSetup(folder, id, first.folder))}\n`);
    }
    return listPlays(id, same);
  });
  for (const { name, folders: copies } of followItems(plays, 'matches read', step))
    for (const { folder } of copies) {
      const read = async (): Promise<DecidedMatch> => {
        if (models.length > 0) checkNotBehindLink(folder, folders);
        const { manifest, events } = readFinishedRecord(folder);
        const first = seen.get(name);
        if (first !== undefined) throw new UsageError(`Match ${name} was already taken from ${first}.`);
        const record = { manifest: { ...manifest, id: name }, events };
        const match = { folder, record, decisions: await gatherDecisions(folder) };
        for (const model of models) readKeptAnswers(getReflectionsFile(folder, model)); // throws if the cached answers are damaged
        seen.set(name, folder);
        return match;
      };
      matches.push(...(await readOrLeaveOut(folder, read)));
    }
  matches.sort((one, other) => compareText(one.folder, other.folder)); // a pool's entries are in this order
  return { matches, isComplete };
}

function finishPool(out: string, pool: Pool, { stdout }: CommandIO): number {
  writePool(out, pool);
  stdout.write(`${describeContents(pool)}\nWritten to ${sanitizeText(out)}. SHA-256 ${pool.sha256}\n`);
  return exitCodes.done;
}

/** Describes a pool's size in a few lines. */
function describeContents({ reward, entries }: Pool): string {
  const count = (of: (entry: PoolEntry) => string) =>
    [...Map.groupBy(entries, of)].map(([name, some]) => `${sanitizeText(name)} ${formatWhole(some.length)}`).join(', ');
  const good = entries.filter((entry) => isGoodEntry(entry, reward)).length;
  const tokens = entries.map((entry) => countTokens(renderEntry(entry)));
  const mean = Math.round(tokens.reduce((total, one) => total + one, 0) / Math.max(1, tokens.length));
  return [
    `${pluralize(entries.length, 'entry', 'entries')} of ${pluralize(listPoolDeals(entries).length, 'deal')}, reward ${reward}: ${formatWhole(good)} good`,
    `  decisions: ${count(({ moment }) => moment.kind)}`,
    `  roles: ${count(({ role }) => role)}`,
    `  models: ${count(({ model }) => model)}`,
    `  reflections by: ${count((entry) => entry.reflected_by)}`,
    `  distinct situations: ${formatWhole(new Set(entries.map(({ situation }) => situation)).size)}`,
    `  about ${formatWhole(mean)} tokens per entry in a prompt`,
  ].join('\n');
}

interface ShowFlags {
  role?: string;
  moment?: ExperienceMoment;
  first: number;
  json?: boolean;
}

function showPool(folder: string, { role, moment, first, json = false }: ShowFlags, { stdout }: CommandIO): number {
  const pool = readPool(folder);
  const known = [...new Set(pool.entries.map((entry) => entry.role))];
  const meant = role === undefined ? undefined : resolveSeatReference(role, known);
  if (meant === null)
    throw new UsageError(`${folder} has no entry of a ${role!}. Its roles: ${known.join(', ') || 'none'}.`);
  const shown = pool.entries
    .filter((entry) => (meant ?? entry.role) === entry.role && (moment ?? entry.moment.kind) === entry.moment.kind)
    .slice(0, first);
  if (json) {
    stdout.write(`${JSON.stringify({ ...describePool(pool), shown }, null, 2)}\n`);
    return exitCodes.done;
  }
  const lines = shown.map(
    (entry) =>
      `\n${getEntryId(entry)}  ${entry.role}, ${entry.moment.kind} of round ${entry.moment.round}, reward ${entry.reward}, ${entry.model}\n${renderEntry(entry).replace(/^/gm, '  ')}`,
  );
  stdout.write(`${sanitizeLines([describeContents(pool), `  SHA-256 ${pool.sha256}`, ...lines].join('\n'))}\n`);
  return exitCodes.done;
}

function checkPools(folders: readonly string[], { stdout }: CommandIO): number {
  const faulty = folders.filter((folder) => {
    const { record, entries, faults } = checkPoolFolder(folder);
    const vectors = faults.length === 0 ? readVectors(folder, createPool(record.reward, entries)) : null;
    stdout.write(
      faults.length === 0
        ? `${folder}: sound, ${pluralize(record.entries, 'entry', 'entries')}, SHA-256 ${record.sha256}${vectors === null ? '' : `, embedded by ${vectors.embedder}`}\n`
        : faults.map((fault) => `${folder}: ${fault}.\n`).join(''),
    );
    return faults.length > 0;
  });
  return faulty.length === 0 ? exitCodes.done : exitCodes.other;
}

/** Computes the vectors by which `retriever: embedding` finds entries. The pool itself stays unchanged. */
async function embedPool(
  folder: string,
  { dryRun = false, embedder }: { dryRun?: boolean; embedder?: string },
  io: CommandIO,
): Promise<number> {
  const pool = readPool(folder);
  const choice = { embedder, env: io.env };
  const name = readEmbedderName(choice);
  const before = readVectors(folder, pool);
  if (before !== null && before.embedder !== name)
    throw new UsageError(
      `${folder} was embedded by ${before.embedder}, and matches may have been played with those vectors. Copy the pool without ${vectorFiles.record}, and embed the copy with ${name}.`,
    );
  if (before !== null) {
    io.stdout.write(`${folder} was already embedded by ${name}.\n`);
    return exitCodes.done;
  }
  const texts = pool.entries.map(({ situation }) => selectMeaning(situation));
  const cache = findCacheFolder('embeddings', io);
  const missing = countMissing(texts, cache, choice);
  const { least, most } = secondsPerText;
  const time =
    embedder === undefined
      ? `${[least, most].map((each) => formatRoughTime(1000 * each * missing)).join(' to ')} of CPU`
      : 'their texts are sent there';
  io.stdout.write(
    `${pluralize(missing, 'situation')} to embed with ${name}: ${time}${missing < texts.length ? `; ${formatWhole(texts.length - missing)} are cached or repeated` : ''}.\n`,
  );
  if (dryRun) {
    io.stdout.write(dryNotice);
    return exitCodes.done;
  }
  tellServers(io.env);
  const vectors = await computeVectors(texts, {
    ...choice,
    cache,
    onProgress: (done, of) => io.step?.('texts embedded', done, of),
  });
  writeVectors(folder, pool, vectors);
  io.stdout.write(`Written to ${path.join(folder, vectorFiles.record)}.\n`);
  return exitCodes.done;
}

const formatHelp = () => `Usage: ${nameCommand('pool')} PART [arguments]

Makes experience pools from finished matches, for players who remember. See
docs/guides/experience.md.

  build RECORDS --out POOL    make a pool from the decisions of matches
  show POOL                   print the contents of a pool
  find POOL RECORD            print the memories that a player of a match would get
  check POOLS                 check the hashes of pools
  merge POOLS --out POOL      merge pools
  embed POOL                  make the vectors for retriever: embedding

${nameCommand('pool')} PART --help lists the arguments of each.

  ${nameCommand('pool')} build runs/past --out pool
  ${nameCommand('match')} --experience pool --seed 500

Exit codes: 0 done, 1 records left out, a damaged pool or another error,
2 wrong usage, 3 provider failure, 4 budget reached, 129 and above stopped by a
signal.
`;

const embedderOption = [
  '--embedder <model>',
  "embedding model on a server with OpenAI's interface: openai:NAME?baseUrl=ADDRESS (default: the packaged model)",
] as const;

/** Parts of the command: name → function that runs the part with the arguments after its name. */
const parts: Readonly<Record<string, CommandPart>> = {
  build: (argv, io) => {
    const program = addLimitOptions(
      createCommandPart(
        'pool',
        'build',
        'Make a pool from the decisions of finished matches. Makes no calls, except with --reflect.',
        io,
      )
        .argument('<records...>', 'folders of matches, or folders that contain some, e.g. runs')
        .requiredOption('--out <folder>', 'folder for the pool, which must not contain a pool yet')
        .addOption(
          new Option(
            '--reward <what>',
            'reward of a decision: whether its side won, the target of its ballot, the result minus chance, or a win in few rounds',
          )
            .choices(ExperienceReward.options)
            .default('result'),
        )
        .addOption(
          new Option('--moment <kinds...>', 'include only decisions of these kinds').choices(ExperienceMoment.options),
        )
        .option('--with-memory', 'include matches whose players remembered earlier ones')
        .option('--reflect <models...>', 'ask these models to reflect on the matches they played')
        .option(...modelsFileOption)
        .option(...allowKeyOption),
      recordLimitWords,
    )
      .option('--dry-run', 'only estimate calls, tokens and cost of --reflect; make no calls and write nothing')
      .option('--strict', 'refuse entries with words that may still be names')
      .parse(argv, { from: 'user' });
    return buildPool(program.args, program.opts<BuildFlags>(), io);
  },
  show: (argv, io) => {
    const program = createCommandPart('pool', 'show', 'Print the contents of a pool.', io)
      .argument('<pool>', 'folder of a pool')
      .option('--role <role>', 'show only entries of this role')
      .addOption(
        new Option('--moment <kind>', 'show only entries of these decisions').choices(ExperienceMoment.options),
      )
      .option('--first <n>', 'number of entries to print', readCount, 3)
      .option('--json', 'print JSON')
      .parse(argv, { from: 'user' });
    return showPool(program.args[0]!, program.opts<ShowFlags>(), io);
  },
  find: (argv, io) => {
    const program = createCommandPart(
      'pool',
      'find',
      'Print the entries of a pool that a player of a finished match would get, with scores. Makes no calls. Uses the match’s settings if its players remembered, else the defaults.',
      io,
    )
      .argument('<pool>', 'folder of a pool')
      .argument('<record>', 'folder of a match')
      .requiredOption('--player <name>', 'player who would remember')
      .requiredOption('--round <n>', 'round of the decision', readCount)
      .addOption(
        new Option('--moment <kind>', 'kind of decision; the first in the round counts')
          .choices(ExperienceMoment.options)
          .makeOptionMandatory(),
      )
      .option('--k <n>', 'maximum number of entries', readCount)
      .option('--threshold <score>', 'minimum score of an entry', readCost)
      .addOption(new Option('--from <whose>', 'whose entries to search').choices(ExperienceSource.options))
      .addOption(new Option('--retriever <name>', 'method of finding entries').choices(ExperienceRetriever.options))
      .option(...embedderOption)
      .option(...allowKeyOption)
      .option('--json', 'print JSON')
      .parse(argv, { from: 'user' });
    return findEntries(program.args as [string, string], program.opts<FindFlags>(), io);
  },
  check: (argv, io) => {
    const program = createCommandPart('pool', 'check', 'Check the hashes of pools.', io)
      .argument('<pools...>', 'folders of pools')
      .parse(argv, { from: 'user' });
    return checkPools(program.args, io);
  },
  merge: (argv, io) => {
    const program = createCommandPart('pool', 'merge', 'Merge pools; an entry in several pools counts once.', io)
      .argument('<pools...>', 'folders of pools')
      .requiredOption('--out <folder>', 'folder for the pool, which must not contain a pool yet')
      .parse(argv, { from: 'user' });
    const pool = mergePools(program.args.map(readPool) as [Pool, ...Pool[]]);
    return finishPool(program.opts<{ out: string }>().out, pool, io);
  },
  embed: (argv, io) => {
    const program = createCommandPart('pool', 'embed', 'Embed the situations of a pool, for retriever: embedding.', io)
      .argument('<pool>', 'folder of a pool')
      .option(...embedderOption)
      .option(...allowKeyOption)
      .option('--dry-run', 'only estimate the time')
      .parse(argv, { from: 'user' });
    return embedPool(program.args[0]!, program.opts<{ dryRun?: boolean; embedder?: string }>(), io);
  },
};

/** Names of the parts, each with its own options. */
export const poolParts: readonly string[] = Object.keys(parts);

/** Runs the part that the first argument names. Throws a UsageError for an unknown part. */
export const runPool = (argv: readonly string[], io: CommandIO): Promise<number> =>
  runCommandPart({ name: 'pool', parts, formatHelp }, argv, io);

if (import.meta.main) await runScript(runPool);
