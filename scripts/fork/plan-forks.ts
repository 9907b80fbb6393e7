// Which forks a study has: every statement in every arm, and fresh replays of those that are ranked.
import { firstFreshCopy, freshReplays } from '../../deception/forks/estimate-effects.ts';
import type { PlannedFork } from '../../graph/fork/fork-set.ts';
import type { FoundStatement } from './choose-statements.ts';
import type { ArmChoice, ForkStudy } from './fork-study.ts';

type Statement = Pick<FoundStatement, 'match' | 'folder' | 'statement'>;

/** Replays of `keep`: the second shows how far two continuations of the same differ. */
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

/** The forks of each statement, statement by statement, so that however far they are played all arms have the same statements. */
export const planForks = (
  statements: readonly Statement[],
  { arms, until }: Pick<ForkStudy, 'arms' | 'until'>,
): PlannedFork[] =>
  statements.flatMap((one) =>
    arms.flatMap((arm) => (arm.arm === 'keep' ? keptCopies : [1]).map((copy) => planFork(one, arm, copy, until))),
  );

/** Fresh replays of statements that were chosen by their effect, of `keep` and of the first other arm. */
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
