// Reads the file of an analysis plan, and hashes what stands in it.
import { z } from 'zod';
import { AnalysisPlan, hashPlan } from '../../deception/comparison/analysis-plan.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { normalizeModelSpec } from '../../models/providers/index.ts';
import { identifyModel } from '../../state/model-identity.ts';
import { describeIssue, UsageError } from '../../state/usage-error.ts';
import { parseYaml } from '../../models/yaml-file.ts';

export interface ReadPlan {
  file: string;
  /** See `hashPlan`. */
  sha256: string;
  plan: AnalysisPlan;
}

/** Throws a UsageError that names the file, the field and what was expected. */
export function readPlanFile(file: string): ReadPlan {
  const text = explainFault(`${file} cannot be read:`, () => getDisk().readText(file));
  const contents = parseYaml(file, text);
  const read = AnalysisPlan.safeParse(contents, { error: describeIssue });
  if (!read.success) throw new UsageError(`${file} is no analysis plan: ${z.prettifyError(read.error)}`);
  return { file, sha256: hashPlan(contents), plan: normalizeModels(read.data) };
}

/** The plan with the names that its models have in records. */
const normalizeModels = ({ judge, endpoints, ...plan }: AnalysisPlan): AnalysisPlan => ({
  ...plan,
  ...(judge === undefined ? {} : { judge: normalizeModelSpec(judge) }),
  endpoints: endpoints.map((endpoint) => ({
    ...endpoint,
    ...(endpoint.models
      ? { models: endpoint.models.map((text) => identifyModel(normalizeModelSpec(text))) as typeof endpoint.models }
      : {}),
  })),
});

/** Says `what` before the message of any error that `read` throws, as a UsageError. */
export function explainFault<Value>(what: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${what} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
