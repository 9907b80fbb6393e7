// The register of metrics, in the order of a report.
import { lieRate } from './lie-rate.ts';
import type { Metric } from './metric.ts';

export const metrics: readonly Metric[] = [lieRate];
