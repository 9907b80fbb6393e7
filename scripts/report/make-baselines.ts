// Gets the baselines that a report needs: those that are kept, and the others played by whoever is free.
import {
  baselineFrom,
  batches,
  matchesOf,
  usualEffort,
  type Baseline,
  type Effort,
} from '../../deception/baseline/baseline.ts';
import type { CellTotal } from '../../deception/baseline/batch.ts';
import { describeRules } from '../../state/board-rules.ts';
import type { Ground } from '../../deception/simulation/random-matches.ts';
import { whole } from '../../report/numbers.ts';
import type { Member } from './crew.ts';
import { keepBaseline, readBaseline } from './baseline-files.ts';
import { shareOut } from './shared-work.ts';

export interface BaselineOptions {
  /** Where baselines are kept. */
  folder: string;
  /** `usualEffort` unless told. */
  effort?: Effort | undefined;
  /** What is under way, and what could not be kept, a line each. */
  tell?: ((line: string) => void) | undefined;
}

/** By hash of board and rules. */
export type GroundsByHash = ReadonlyMap<string, Ground>;

export function keptBaselines(hashes: Iterable<string>, { folder, effort = usualEffort }: BaselineOptions) {
  const kept = [...hashes].map((hash) => [hash, readBaseline(folder, hash, effort)] as const);
  return new Map(kept.flatMap(([hash, baseline]) => (baseline ? [[hash, baseline]] : [])));
}

/** Plays what is not among `kept`, and keeps it. The same whoever plays. */
export async function makeBaselines(
  grounds: GroundsByHash,
  kept: ReadonlyMap<string, Baseline>,
  members: readonly Member[],
  { folder, effort = usualEffort, tell }: BaselineOptions,
): Promise<ReadonlyMap<string, Baseline>> {
  const made = new Map(kept);
  for (const [hash, ground] of [...grounds].filter(([known]) => !kept.has(known))) {
    tell?.(`Playing ${whole(effort.games)} games by chance, once, for ${nameOf(ground)}.`);
    const found: CellTotal[][] = [];
    const numbers = Array.from({ length: batches }, (_, batch) => batch);
    const work = (member: Member, batch: number) => member.playByChance(ground, matchesOf(batch, effort));
    await shareOut(members, numbers, work, (totals) => void found.push(totals));
    const baseline = baselineFrom(found, effort);
    made.set(hash, baseline);
    try {
      keepBaseline(folder, hash, ground, baseline);
    } catch (error) {
      tell?.(`What chance gives could not be kept in ${folder}: ${(error as Error).message}`);
    }
  }
  return made;
}

/** E.g. "2 × Werewolf, 6 × Villager under preset wolf". */
function nameOf({ board, rules }: Ground): string {
  const roles = Object.entries(board.roles).map(([role, count]) => `${count} × ${role}`);
  return `${roles.join(', ')} under ${describeRules(rules, board)}`;
}
