// Checks whether this machine can play matches, and prints a fix for each problem: `wolfgraph doctor`.
import { statfsSync } from 'node:fs';
import path from 'node:path';
import { HumanMessage, type UsageMetadata } from '@langchain/core/messages';
import { passingErrors } from '../models/machine/disk.ts';
import { getDisk, getMachine } from '../models/machine/machine.ts';
import { tellServers, addSilentPolicy } from '../models/key-policy.ts';
import { type Environment, getServerName } from '../models/model.ts';
import { addMissingKeys, openModel, providers } from '../models/providers/index.ts';
import { readModelsFile } from '../models/providers/models-file.ts';
import { parseChatResponse } from '../models/chat-response.ts';
import type { Refusal } from '../models/refusal-table.ts';
import { callWithRetries, ProviderFailure } from '../models/retry.ts';
import { createProvenance } from '../models/record/provenance.ts';
import { describeProxies, findProxies } from '../models/proxies.ts';
import { createRedactor, listSecrets } from '../models/redact.ts';
import { formatCommand } from '../state/command-name.ts';
import { checkTracing, describeHiding } from '../models/tracing.ts';
import { getModelLabel } from '../state/model-identity.ts';
import {
  allowKeyOption,
  type CommandIO,
  createCommand,
  exitCodes,
  getErrorMessage,
  modelsFileOption,
  runScript,
} from './command/command-line.ts';
import { readManifestIfSound } from '../graph/earlier-match.ts';
import { listReworded } from '../graph/recorded-wording.ts';
import { type Manifest, recordFiles } from '../state/record.ts';
import { findCacheRoot } from './command/cache-folder.ts';
import { findRecords, hasMatches, isFork, isRedacted } from './command/match-folder.ts';
import { checkPassword, databaseOption, findDatabase } from './command/database-option.ts';
import { resolveNames } from './command/judge-options.ts';
import { describeFileSystem, findExistingFolder } from './command/file-system.ts';
import { listUnplaced } from './command/replace-folder.ts';
import {
  describeRecordFiles,
  describeReport,
  describeSecondPlays,
  describeUnplaced,
} from './command/unusable-files.ts';
import { describeEnvFile, describeSignals, describeTerminal } from './command/surroundings.ts';

const about =
  'Check what this machine has, what is missing, and how to fix it. Keys are never shown; no model is called unless --call names it.';

/** Result of one check. State `fault`: matches cannot be played or reported. State `none`: something optional is missing. */
interface Finding {
  state: 'fine' | 'none' | 'fault';
  name: string;
  says: string;
}

const marks = { fine: 'ok', none: '-', fault: 'FAULT' } as const;

/** Parses the command line, prints all checks, and returns the exit code: 1 if there is a fault. */
export async function runDoctor(argv: readonly string[], io: CommandIO): Promise<number> {
  const program = createCommand('doctor', about, io)
    .option('--call <models...>', 'make one small paid call to each of these models, e.g. openai:gpt-4o-mini')
    .option(...modelsFileOption)
    .option(...allowKeyOption)
    .option('--out <folder>', 'folder for records', 'runs')
    .option(...databaseOption)
    .addHelpText('after', '\nExit codes: 0 no faults, 1 faults, 2 wrong usage.')
    .parse(argv, { from: 'user' });
  const {
    call: called = [],
    models,
    out,
    database,
  } = program.opts<{ call?: string[]; models?: string; out: string; database?: string }>();
  const call = resolveNames(called, models);
  const { wolfgraph, node, commit, dirty } = createProvenance({}, 0);
  const findings: Finding[] = [
    {
      state: 'fine',
      name: 'Wolfgraph',
      says: `${wolfgraph}${describeCheckout({ commit, dirty })}`,
    },
    { state: 'fine', name: 'Node', says: `${node} on ${process.platform} ${process.arch}` },
    checkFolder(out),
    ...checkMatches(out),
    findProxy(io.env),
    findTracing(io.env),
    findAuthorities(io.env),
    findCaches(io.env),
    { name: '.env', ...describeEnvFile('.') },
    { name: 'terminal', ...describeTerminal(io.env) },
    { name: 'signals', ...describeSignals(io.env, process.execArgv) },
  ];
  for (const { name, keyEnv = [] } of providers)
    if (name !== 'bot') findings.push(await checkProvider(name, keyEnv, io.env));
  for (const [name, use] of Object.entries(optionalPackages)) findings.push(checkPackage(name, use));
  findings.push(await checkDatabase(findDatabase(database, io.env), io.env));
  for (const [name, model] of models === undefined ? [] : readModelsFile(models))
    findings.push(await checkNamedModel(name, model, io.env));
  for (const finding of findings) tell(finding, io);
  tellServers(io.env);
  for (const model of call) {
    const signal = io.listenToSignals();
    const finding = await checkModel(model, io.env, signal);
    signal.throwIfAborted();
    findings.push(finding);
    tell(finding, io);
  }
  if (call.length === 0)
    io.stdout.write(`No model was called. To call one: ${formatCommand('doctor', '--call', 'openai:gpt-4o-mini')}\n`);
  return findings.some(({ state }) => state === 'fault') ? exitCodes.other : exitCodes.done;
}

const tell = ({ state, name, says }: Finding, { stdout, env }: CommandIO) =>
  stdout.write(`${marks[state].padEnd(6)}${name.padEnd(20)} ${createRedactor(listSecrets(env))(says)}\n`);

const bytesOfGigabyte = 1e9;

/**
 * Checks the free space, and whether records can be written to the folder. A folder that does not exist yet is checked
 * where it would be created.
 */
function checkFolder(out: string): Finding {
  const name = 'records';
  const folder = findExistingFolder(out);
  try {
    const weaknesses = describeFileSystem(getDisk().survey(folder));
    const { bavail, bsize } = statfsSync(folder);
    const free = (bavail * bsize) / bytesOfGigabyte;
    const room = `${path.resolve(out)} can be written, ${free.toFixed(1)} GB free; a match takes about 1 MB`;
    const says = [room, ...weaknesses].join('. ');
    return { state: free < 0.1 ? 'fault' : 'fine', name, says };
  } catch (error) {
    const isHeld = passingErrors.includes((error as NodeJS.ErrnoException).code ?? '');
    const cause = isHeld ? ' A virus scanner or sync program may hold files there: exclude the folder from it.' : '';
    return { state: 'fault', name, says: `${getErrorMessage(error)}.${cause} Name another folder with --out.` };
  }
}

/**
 * Describes the commit of the checkout. Uncommitted changes do not change the commit's hash, so two matches with the
 * same hash may have been played by different code; committing prevents this.
 */
function describeCheckout({ commit, dirty }: Pick<Manifest['made_by'], 'commit' | 'dirty'>): string {
  const checkout = commit === null ? '' : `, commit ${commit.slice(0, 10)}`;
  return dirty === true
    ? `${checkout} with uncommitted changes (records are marked dirty); commit them, so that the commit identifies the code that plays`
    : checkout;
}

/** Checks the matches and the report of a folder. */
function checkMatches(out: string): Finding[] {
  const records = hasMatches(out) ? findRecords([out]) : [];
  const report = describeReport(path.join(out, 'report'));
  const plays = describeSecondPlays(records);
  const unplaced = listUnplaced(out).filter((folder) => path.basename(folder) !== 'report');
  return [
    ...(records.length > 0 ? [{ name: 'matches', ...describeRecordFiles(records) }] : []),
    ...(plays === null ? [] : [{ name: 'plays', ...plays }]),
    findUnfinished(out, records),
    ...(report === null ? [] : [{ name: 'report', ...report }]),
    ...unplaced.map((folder) => ({ name: path.basename(folder), ...describeUnplaced(folder) })), // e.g. folders of comparisons
  ];
}

/**
 * Finds the unfinished matches of a folder, and those among them that cannot be resumed because the wording of prompts
 * has changed.
 */
function findUnfinished(out: string, records: readonly string[]): Finding {
  const name = 'unfinished';
  const isUnfinished = (folder: string) => !getDisk().exists(path.join(folder, recordFiles.summary));
  const unfinished = records.filter((folder) => !isFork(folder) && !isRedacted(folder) && isUnfinished(folder));
  if (unfinished.length === 0) return { state: 'none', name, says: `no unfinished matches in ${out}` };
  const manifests = unfinished.flatMap((folder) => readManifestIfSound(path.join(folder, recordFiles.manifest)) ?? []);
  const reworded = manifests.filter((manifest) => listReworded(manifest).length > 0);
  const count = `${unfinished.length} unfinished ${unfinished.length === 1 ? 'match' : 'matches'} in ${out}`;
  const [first] = reworded;
  if (first === undefined) return { state: 'none', name, says: `${count}: run their command again to resume` };
  const { wolfgraph, commit } = first.made_by;
  const maker = `Wolfgraph ${wolfgraph}${commit === null ? '' : ` of commit ${commit.slice(0, 10)}`}`;
  return {
    state: 'none',
    name,
    says: `${count}, of which ${reworded.length} cannot be resumed, because the wording of prompts has changed (${listReworded(first).join(', ')}). Finish them with the version that began them (${maker}), or play new matches into another --out`,
  };
}

function findProxy(env: Environment): Finding {
  const name = 'proxy';
  const proxies = findProxies(env);
  if (proxies === null) return { state: 'none', name, says: 'none (HTTPS_PROXY and HTTP_PROXY are not set)' };
  const hosts = describeProxies(proxies);
  if (hosts === '')
    return {
      state: 'fault',
      name,
      says: 'HTTPS_PROXY or HTTP_PROXY is not an address such as http://proxy.example:3128',
    };
  return { state: 'fine', name, says: `calls go through ${hosts}, except to ${proxies.noProxy.replaceAll(',', ', ')}` };
}

/** Checks the certificates file, which Node reads at start. Node only warns if the file is unreadable. */
function findAuthorities(env: Environment): Finding {
  const name = 'certificates';
  const file = env['NODE_EXTRA_CA_CERTS'];
  if (!file)
    return {
      state: 'none',
      name,
      says: 'those that Node trusts (to add a private authority, set NODE_EXTRA_CA_CERTS=FILE)',
    };
  try {
    const count = getDisk().readText(file).split('-----BEGIN CERTIFICATE-----').length - 1;
    if (count > 0) return { state: 'fine', name, says: `those that Node trusts, and ${count} of NODE_EXTRA_CA_CERTS` };
    return { state: 'fault', name, says: `NODE_EXTRA_CA_CERTS: ${file} holds no certificate in PEM form` };
  } catch (error) {
    return { state: 'fault', name, says: `NODE_EXTRA_CA_CERTS: ${getErrorMessage(error)}` };
  }
}

/** Checks the folders of caches. They are optional, but without them reports take longer. */
function findCaches(env: Environment): Finding {
  const name = 'caches';
  const root = findCacheRoot(env);
  if (root === null)
    return {
      state: 'none',
      name,
      says: 'nothing is cached, because there is no home directory: set HOME or XDG_CACHE_HOME to a folder',
    };
  try {
    getDisk().survey(findExistingFolder(root));
    return { state: 'fine', name, says: `kept in ${path.join(root, 'wolfgraph')}` };
  } catch (error) {
    return {
      state: 'none',
      name,
      says: `nothing is cached: ${getErrorMessage(error)}. Set XDG_CACHE_HOME to another folder`,
    };
  }
}

/** Checks whether tournaments can be played through the named database, without creating anything there. */
async function checkDatabase(address: string | undefined, env: Environment): Promise<Finding> {
  const name = 'database';
  if (address === undefined)
    return {
      state: 'none',
      name,
      says: 'none named (--database, WOLFGRAPH_DATABASE); only needed for play on many machines',
    };
  try {
    const { surveyDatabase } = await import('../graph/queue/database-survey.ts');
    await checkPassword(address, env);
    const { isFit, says } = await surveyDatabase(address);
    return { state: isFit ? 'fine' : 'fault', name, says };
  } catch (error) {
    return { state: 'fault', name, says: getErrorMessage(error) };
  }
}

function findTracing(env: Environment): Finding {
  const name = 'LangSmith';
  const isWanted = ['LANGSMITH_TRACING', 'LANGSMITH_TRACING_V2', 'LANGCHAIN_TRACING', 'LANGCHAIN_TRACING_V2'].some(
    (variable) => env[variable] === 'true',
  );
  const hasKey = Boolean(env['LANGSMITH_API_KEY'] ?? env['LANGCHAIN_API_KEY']);
  if (!isWanted) return { state: 'none', name, says: 'no traces are sent (LANGSMITH_TRACING is not true)' };
  if (!hasKey) return { state: 'fault', name, says: 'LANGSMITH_TRACING is true, but LANGSMITH_API_KEY is not set' };
  try {
    checkTracing(env);
  } catch (error) {
    return { state: 'fault', name, says: getErrorMessage(error) };
  }
  return {
    state: 'fine',
    name,
    says: `traces are sent to ${env['LANGSMITH_ENDPOINT'] ?? 'LangSmith'}; a key was found; ${describeHiding(env)}`,
  };
}

/**
 * Checks whether the provider's key exists and its package is installed. Opening a model calls no server, so any model
 * name will do.
 */
async function checkProvider(name: string, keyEnv: readonly string[], env: NodeJS.ProcessEnv): Promise<Finding> {
  try {
    // Google's package may find credentials without a key. They are looked up as in a match.
    const keys = name === 'vertexai' ? env : addMissingKeys('', env);
    await openModel(`${name}:gemini-any`, { temperature: null, env: addSilentPolicy(keys) });
  } catch (error) {
    const says = getErrorMessage(error).replaceAll(`${name}:gemini-any`, `every ${name}: model`);
    return { state: 'none', name: `${name}:`, says };
  }
  if (keyEnv.length === 0) return { state: 'fine', name: `${name}:`, says: 'needs no key' };
  const found = keyEnv.find((variable) => env[variable]);
  if (found === undefined && name === 'vertexai')
    return { state: 'fine', name: `${name}:`, says: "Google's own credentials found" };
  if (found === undefined) return { state: 'none', name: `${name}:`, says: `no key: set ${keyEnv.join(' or ')}` };
  return { state: 'fine', name: `${name}:`, says: `key found in ${found}` };
}

/** Checks whether the model answers: one attempt, with the model's own timeout. */
async function checkModel(model: string, env: Environment, signal: AbortSignal): Promise<Finding> {
  const { clock } = getMachine();
  const label = getModelLabel(model);
  const begun = clock.elapsed();
  try {
    const opened = await openModel(model, { temperature: null, env });
    const { chat, isBot, timeoutMs, secrets } = opened;
    if (isBot) return { state: 'fine', name: 'call', says: `${label} answers at once, without a call` };
    tellServers(env);
    const attempt = (own: AbortSignal) =>
      chat.invoke([new HumanMessage('Answer with the word ready.')], { signal: own });
    const server = getServerName(opened);
    const delivery = { timeoutMs, maxRetries: 0, maxWaitMs: 0, signal, clock, redact: createRedactor(secrets), server };
    const { result } = await callWithRetries(attempt, delivery);
    const { refusal, refusedBy } = parseChatResponse(result, server);
    if (refusedBy !== null) return { state: 'fault', name: 'call', says: tellRefusal(label, refusedBy, refusal ?? '') };
    const { usage_metadata: usage } = result;
    const tokens = usage ? `, ${(usage as UsageMetadata).total_tokens} tokens` : '';
    return {
      state: 'fine',
      name: 'call',
      says: `${label} answered in ${((clock.elapsed() - begun) / 1000).toFixed(1)} s${tokens}`,
    };
  } catch (error) {
    const refusal = error instanceof ProviderFailure ? error.told.refusal : undefined;
    const says = refusal ? tellRefusal(label, refusal, getErrorMessage(error)) : `${label}: ${getErrorMessage(error)}`;
    return { state: 'fault', name: 'call', says };
  }
}

const tellRefusal = (label: string, { vendor, category }: Refusal, words: string) =>
  `${label}: ${vendor} refuses the prompt or its answer (${category}). Key and address are right; in a match such a question counts as refused. Server message: ${words}`;

/** Checks whether a model of the models file could be called, by its options, package and key. Calls no server. */
async function checkNamedModel(name: string, model: string, env: Environment): Promise<Finding> {
  const finding = { name: `model ${name}` };
  try {
    const { server, isBot } = await openModel(model, { temperature: null, env });
    const at = isBot ? 'answers at once' : `asked at ${server?.address ?? server?.name}`;
    return { ...finding, state: 'fine', says: at };
  } catch (error) {
    return { ...finding, state: 'fault', says: getErrorMessage(error) };
  }
}

/** Packages that only some commands need. */
const optionalPackages: Readonly<Record<string, string>> = {
  'pg-boss': 'tournaments on many machines (--database)',
  '@lat.md/embed': 'finding experiences by meaning (pool embed)',
};

/** Checks whether a package can be loaded. */
function checkPackage(name: string, about: string): Finding {
  try {
    import.meta.resolve(name);
    return { state: 'fine', name, says: `installed, for ${about}` };
  } catch {
    return { state: 'none', name, says: `not installed; only needed for ${about}: npm install ${name}` };
  }
}

if (import.meta.main) await runScript(runDoctor);
