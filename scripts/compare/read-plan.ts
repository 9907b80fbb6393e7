// Reads the file of an analysis plan.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';
import { AnalysisPlan, checkPlan } from '../../deception/comparison/analysis-plan.ts';
import type { Metric } from '../../deception/metrics/metric.ts';
import { UsageError } from '../../state/usage-error.ts';

/** Throws a UsageError that names the file, the field and what was expected. */
export function readPlan(file: string, metrics: readonly Metric[]): AnalysisPlan & { sha256: string } {
  const text = contentsOf(file);
  const read = AnalysisPlan.safeParse(parsed(file, text.toString()));
  if (!read.success) throw new UsageError(`${file} is no analysis plan: ${z.prettifyError(read.error)}`);
  try {
    checkPlan(read.data, metrics);
  } catch (error) {
    throw new UsageError(`${file}, ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return { ...read.data, sha256: createHash('sha256').update(text).digest('hex') };
}

function contentsOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    throw new UsageError(`${file} is not YAML: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
