// Rows with at least one case for every metric.
import { call } from './call-builder.ts';
import { createGameTables } from './game-row-builder.ts';
import { claimSeer, joinHeard, said } from './heard-builder.ts';
import { analysis, belief, byWolf, claim, coding, match, statement, tables } from './row-builder.ts';

const answers = [true, false];
const asked = { observer: 'Eve' } as const;
const isWolf = { speaker_team: 'werewolves' } as const;

/** Statements of a Seer who reveals the role in the second of two rounds, of a Seer who never does, and of a Doctor. */
const special = joinHeard(
  ...[1, 2].map((round) => said(`${round}.5`, 'Sam', { round, self_deceptive: round === 1, self_type: 'none' }, [0.5])),
  said('1.6', 'Nora', { round: 1 }, [0.5]),
  said('1.7', 'Saul', { round: 1 }, [0.5]),
);

/** One row of every kind that a metric counts. */
export const everything = tables({
  match: match({
    ...{ extractor: 'openai:judge', wall_ms: 1000 },
    ...{ experience: 'pool of 0123456789ab, k=3 good=0.5 from=own', experience_block: 2 },
  }),
  statements: [
    ...answers.flatMap((is) => [
      statement({ ...byWolf, is_lie: is, self_stated_falsehood: is, self_deceptive: is, flagged_by_majority: is }),
      statement({ opportunities: 2, lies: 1, verdict: 'lie', verdict_judge: is ? 'lie' : 'true', is_withheld: is }),
    ]),
    ...special.statements,
    statement({ ...byWolf, kind: 'ballot', is_lie: true }),
    statement({ judge_retest: 0.5, judge_types: 'own_role vote | vote' }),
    statement({ judge_retest: 1, judge_types: 'vote | vote' }),
  ],
  claims: [
    ...answers.flatMap((is_true) =>
      (['accusation', 'defence', 'promise'] as const).map((type) =>
        claim({ type, is_true, extractor: 'openai:judge', verdict: type === 'promise' ? 'kept' : 'error' }),
      ),
    ),
    claim({ is_true: false, extractor: 'openai:judge', verdict: 'lie' }),
    claimSeer('2.5', 'Sam', { round: 2, extractor: 'openai:judge' }),
  ],
  analyses: [
    ...(['with-notes', 'without-notes'] as const).map((notes) =>
      analysis({
        ...{ perspective: 'self', notes, observer: 'Ginger', observer_model: 'openai:two', is_same_model: true },
        ...{ is_lie: true, deceptive: true, stated_falsehood: notes === 'with-notes' },
      }),
    ),
    ...[...answers, true].flatMap((is) =>
      [1, 2].map((repeat) =>
        analysis({ ...isWolf, is_lie: is, deceptive: is, suspicion: 0.5, p_werewolf: 0.5, source: 'bot:x', repeat }),
      ),
    ),
    ...[true, false].map((is) => analysis({ ...isWolf, ...asked, is_lie: is, deceptive: is, suspicion: 0.5 })),
    ...special.analyses,
  ],
  codings: ['openai:coder', 'openai:other'].flatMap((coder) =>
    [1, 2].map((repeat) => coding({ coder, repeat, codes: repeat === 1 ? 'formal humor' : 'formal' })),
  ),
  beliefs: [
    ...answers.map((is_werewolf) => belief({ is_werewolf, p_werewolf: 0.75 })),
    ...[0, 1].map((step) => belief({ step, observer: 'Eve' })),
  ],
  ...createGameTables(),
  calls: [call('vote', { remembered: 3, without_memory: 0 }), call('self_analysis')],
});
