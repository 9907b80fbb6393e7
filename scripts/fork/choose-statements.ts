// Finds the statements of a study of forks in the named matches.
import type { JudgePlan } from '../../deception/claims/majority-claims.ts';
import { describeStatement, type ForkedStatement } from '../../deception/forks/forked-statement.ts';
import { parseConditions, SeenValues, selectStatements } from '../../deception/forks/select-statements.ts';
import { checkForkable } from '../../graph/fork/fork-point.ts';
import { draw } from '../../state/random.ts';
import { UsageError } from '../../state/usage-error.ts';
import { isFork, isMatch } from '../command/match-folder.ts';
import { readEachMatch } from '../compare/read-matches.ts';
import { describeLeftOut } from '../report/match-inventory.ts';
import type { MeasurementCache } from '../report/measurement-cache.ts';
import type { CommandIO } from '../command/command-line.ts';
import type { ForkStudy } from './fork-study.ts';

/** A statement without its forks. */
export type FoundStatement = Omit<ForkedStatement, 'forks'>;

interface Selection {
  study: readonly string[];
  where: string;
  judge: JudgePlan | undefined;
}

/**
 * Finds the statements that the conditions select, sorted by match and place. Throws a UsageError for unknown columns
 * and values, for explanations of ballots, for matches that cannot be forked, and if no statement is selected.
 */
export async function findStatements(
  { study, where, judge }: Selection,
  cache: MeasurementCache | null,
  { stderr, step }: Pick<CommandIO, 'stderr' | 'step'>,
): Promise<FoundStatement[]> {
  const conditions = parseConditions(where);
  const forked = study.find((folder) => isMatch(folder) && isFork(folder));
  if (forked !== undefined)
    throw new UsageError(
      `${forked} is a fork, and forks cannot be forked again. Name the folder of its original match.`,
    );
  const seen = new SeenValues(conditions);
  const found: FoundStatement[] = [];
  const ballots: string[] = [];
  const turns = new Set<string>();
  const leftOut = await readEachMatch(
    study,
    { judge },
    {
      cache,
      onStep: step,
      see: ({ folder, manifest, tables }) => {
        seen.add(tables);
        const selected = selectStatements(tables, conditions);
        const match = tables.match.match_id;
        ballots.push(...selected.filter(({ kind }) => kind === 'ballot').map((row) => `${match}/${row.statement}`));
        if (selected.length > 0) {
          checkForkable(folder, { manifest, isFinished: true });
          turns.add(manifest.setup.rules.turn);
        }
        found.push(...selected.map((row) => describeStatement(row, tables, { match, folder })));
      },
    },
  );
  for (const one of leftOut) stderr.write(`${describeLeftOut(one)}\n`);
  if (ballots.length > 0)
    throw new UsageError(
      `--where selects ${ballots.length} explanations of ballots, the first ${ballots[0] ?? ''}: these are read after the vote, so they cannot affect it. Add kind=debate.`,
    );
  if (turns.size > 1)
    throw new UsageError(
      '--where selects statements of matches with turn=bid and with turn=draft, whose effects are not pooled. Name only matches with the same turn.',
    );
  if (found.length > 0) return found;
  seen.check();
  throw new UsageError(
    `No statement in ${study.join(', ')} fulfills --where "${where}". Leave out a condition, or name more matches.`,
  );
}

const nameKey = ({ match, statement }: Pick<FoundStatement, 'match' | 'statement'>) => `${match} ${statement}`;

/**
 * Draws the statements of a study. Statements that the study already has are kept. The study's seed decides which
 * statements complete the sample. `sample`: wanted number; null for all.
 *
 * @example drawStatements(found, { statements: [], sample: 50, seed: 1 }).length // 50
 */
export function drawStatements(
  found: readonly FoundStatement[],
  { statements, sample, seed }: Pick<ForkStudy, 'statements' | 'sample' | 'seed'>,
): FoundStatement[] {
  const kept = new Set(statements.map(nameKey));
  const own = found.filter((one) => kept.has(nameKey(one)));
  if (own.length < kept.size)
    throw new UsageError(
      `${kept.size - own.length} of the ${kept.size} statements of this study are no longer selected: matches or cached answers of the judge are missing. Restore them, or choose another --out.`,
    );
  const others = draw(seed, 'forks').shuffle(found.filter((one) => !kept.has(nameKey(one))));
  const more = sample === null ? others : others.slice(0, Math.max(0, sample - own.length));
  const chosen = new Set([...own, ...more].map(nameKey));
  return found.filter((one) => chosen.has(nameKey(one)));
}
