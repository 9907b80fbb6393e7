// The provenance of a match in its manifest: versions, commit, wording of the prompts, prices.
import { createRequire } from 'node:module';
import path from 'node:path';
import { readTemplatesHash } from '../../prompts/wording.ts';
import { listModelStrings } from '../../state/model-identity.ts';
import type { Manifest, Price } from '../../state/record.ts';
import { getMachine } from '../machine/machine.ts';

const root = path.join(import.meta.dirname, '../..');
const packages = ['@langchain/core', '@langchain/langgraph', '@langchain/openai', '@langchain/google-vertexai'];

/** Optional packages by provider. */
const packagesOfProviders: Readonly<Record<string, string>> = {
  anthropic: '@langchain/anthropic',
  bedrock: '@langchain/aws',
  ollama: '@langchain/ollama',
};

/** Cached part of the provenance that is the same for all matches of a process. */
let unchanging: Omit<Manifest['made_by'], 'model_strings' | 'addresses' | 'prices' | 'created_at'> | undefined;

/**
 * Returns the provenance of new matches. `prices`: identity of a model → USD per million tokens; `createdAt`:
 * milliseconds since 1970; `texts`: model strings as they were given; `addresses`: identity → address of its server,
 * except a provider's own.
 */
export function createProvenance(
  prices: Readonly<Record<string, Price | null>>,
  createdAt: number,
  texts: readonly string[] = [],
  addresses?: Readonly<Record<string, string>>,
): Manifest['made_by'] {
  unchanging ??= {
    wolfgraph: readWolfgraphVersion(),
    node: process.version,
    packages: Object.fromEntries(packages.map((name) => [name, readVersion(findManifest(name))])),
    ...readCheckout(),
    templates_sha256: readTemplatesHash(),
  };
  const used = Object.keys(prices).flatMap((spec) => packagesOfProviders[spec.split(':')[0]!] ?? []);
  const versions = used.map((name) => [name, readVersion(findManifest(name))] as const);
  return {
    ...unchanging,
    packages: { ...unchanging.packages, ...Object.fromEntries(versions) },
    ...listModelStrings(texts),
    ...(addresses && { addresses }),
    prices,
    created_at: new Date(createdAt).toISOString(),
  };
}

const requireHere = createRequire(import.meta.url);

/** Returns the version of this Wolfgraph. */
export const readWolfgraphVersion = (): string => readVersion(path.join(root, 'package.json'));

const readVersion = (file: string) => (requireHere(file) as { version: string }).version;

const findManifest = (name: string) => requireHere.resolve(`${name}/package.json`);

/**
 * Returns the commit of this program, from its package or from its checkout, and whether the checkout has uncommitted
 * changes. Both are null if there is neither a recorded commit nor a checkout.
 */
function readCheckout(): Pick<Manifest['made_by'], 'commit' | 'dirty'> {
  const { commit } = requireHere(path.join(root, 'package.json')) as { commit?: string | null };
  if (commit !== undefined) return { commit };
  const { processes } = getMachine();
  // Inside another checkout, such as a study's node_modules, git would report the commit of that other repository.
  const told = processes.readOutput('git', ['rev-parse', '--show-prefix', 'HEAD'], root)?.trim();
  if (told === undefined || !/^[0-9a-f]{40,64}$/.test(told)) return { commit: null };
  const changes = processes.readOutput('git', ['status', '--porcelain', '--untracked-files=no'], root)?.trim() ?? '';
  return { commit: told, ...(changes === '' ? {} : { dirty: true }) };
}
