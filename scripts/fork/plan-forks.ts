// Plans the forks of a study: every statement in every arm, and fresh replays of ranked statements.
import { firstFreshCopy, freshReplays } from '../../deception/forks/estimate-effects.ts';
import type { PlannedFork } from '../../graph/fork/fork-set.ts';
import type { FoundStatement } from './choose-statements.ts';
import type { ArmChoice, ForkStudy } from './fork-study.ts';

type Statement = Pick<FoundStatement, 'match' | 'folder' | 'statement'>;

/** Numbers of the copies of `keep`. The second copy shows how much two continuations of one statement differ. */
const keptCopies = [1, 2];

const planFork = (
  { match, folder, statement }: Statement,
  { arm, text }: ArmChoice,
  copy: number,
  until: ForkStudy['until'],
): PlannedFork => ({
  of: { match, statement, arm, ...(text === undefined ? {} : { text }), copy },
  folder,
  isCut: until === 'vote',
});

/** Plans the forks statement by statement. Whenever play stops, all arms then have the same statements. */
export const planForks = (
  statements: readonly Statement[],
  { arms, until }: Pick<ForkStudy, 'arms' | 'until'>,
): PlannedFork[] =>
  statements.flatMap((one) =>
    arms.flatMap((arm) => (arm.arm === 'keep' ? keptCopies : [1]).map((copy) => planFork(one, arm, copy, until))),
  );

/** Plans fresh replays of statements chosen by their effect, in `keep` and in the first other arm. */
export const planFreshForks = (
  statements: readonly Statement[],
  { arms, until }: Pick<ForkStudy, 'arms' | 'until'>,
): PlannedFork[] =>
  statements.flatMap((one) =>
    arms
      .slice(0, 2)
      .flatMap((arm) =>
        Array.from({ length: freshReplays }, (_, index) => planFork(one, arm, firstFreshCopy + index, until)),
      ),
  );
