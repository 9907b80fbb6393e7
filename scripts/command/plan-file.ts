// Reads the file of an analysis plan, and hashes what stands in it.
import { z } from 'zod';
import { AnalysisPlan, hashPlan } from '../../deception/comparison/analysis-plan.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { normalizeModelSpec } from '../../models/providers/index.ts';
import { type NamedModels, resolveModel } from '../../models/providers/models-file.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import { describeIssue, UsageError } from '../../state/usage-error.ts';
import { parseYaml } from '../../models/yaml-file.ts';

export interface ReadPlan {
  file: string;
  /** See `hashPlan`. */
  sha256: string;
  plan: AnalysisPlan;
}

/**
 * `named`: what the models that it names stand for. Throws a UsageError that names the file, the field and what was
 * expected.
 */
export function readPlanFile(file: string, named: NamedModels = new Map()): ReadPlan {
  const text = explainFault(`${file} cannot be read:`, () => getDisk().readText(file));
  const contents = parseYaml(file, text);
  const read = AnalysisPlan.safeParse(contents, { error: describeIssue });
  if (!read.success) throw new UsageError(`${file} is no analysis plan: ${z.prettifyError(read.error)}`);
  return { file, sha256: hashPlan(contents), plan: explainFault(`${file}:`, () => normalizeModels(read.data, named)) };
}

/** The plan with its models as they are labelled in tables, and the judge as it is asked. */
const normalizeModels = ({ judge, endpoints, ...plan }: AnalysisPlan, named: NamedModels): AnalysisPlan => ({
  ...plan,
  ...(judge === undefined ? {} : { judge: normalizeModelSpec(resolveModel(judge, named)) }),
  endpoints: endpoints.map((endpoint) => ({
    ...endpoint,
    ...(endpoint.models
      ? { models: endpoint.models.map((text) => getModelLabel(normalizeModelSpec(text))) as typeof endpoint.models }
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
