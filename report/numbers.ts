// Numbers as people read them; what is not known is a dash, never a zero.
import type { CallFigures } from '../deception/summary-schema.ts';

export const unknown = '–';

/** Two decimals, e.g. a suspicion of 0…1. */
export const decimal = (value: number | null) => (value === null ? unknown : value.toFixed(2));

/** With thousands set apart. */
export const whole = (value: number | null) => (value === null ? unknown : value.toLocaleString('en-US'));

export const percent = (value: number | null) => (value === null ? unknown : `${(value * 100).toFixed(0)} %`);

/** "1 call", "2 calls". */
export const counted = (count: number, one: string, many = `${one}s`) => `${whole(count)} ${count === 1 ? one : many}`;

/** Milliseconds in the unit that fits. */
export function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  const seconds = ms / 1000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(Math.round(seconds) / 60);
  return `${minutes} min ${Math.round(seconds) % 60} s`;
}

/** USD; a lower bound where the cost of some calls is not known. */
export function money({ cost, calls_with_unknown_cost }: Pick<CallFigures, 'cost' | 'calls_with_unknown_cost'>) {
  if (cost === null) return unknown;
  const digits = cost > 0 && cost < 0.01 ? 6 : cost < 1 ? 4 : 2;
  return `${calls_with_unknown_cost > 0 ? 'at least ' : ''}USD ${cost === 0 ? '0' : cost.toFixed(digits)}`;
}
