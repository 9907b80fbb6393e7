// Lies and true claims with their listeners' judgments and with the beliefs before and after, made by hand or drawn.
import type { MatchTables } from '../../../deception/tables/match-tables.ts';
import type { AnalysisRow } from '../../../deception/tables/analysis-rows.ts';
import type { ClaimRow } from '../../../deception/tables/claim-rows.ts';
import { analysis, belief, claim, match, statement, tables } from './row-builder.ts';

const speakers = {
  Ginger: { speaker: 'Ginger', role: 'Werewolf', team: 'werewolves', model: 'openai:two' },
  Will: { speaker: 'Will', role: 'Villager', team: 'villagers', model: 'openai:one' },
} as const;

/** A claim (by default a Werewolf's lie) with its listeners' judgments. */
export interface ToldClaim {
  by: keyof typeof speakers;
  round?: number;
  isLie?: boolean;
  type?: ClaimRow['type'];
  /** Each listener's probability that the claim is deceptive. */
  heardBy: Readonly<Record<string, number>>;
  /** Each listener's probability that the speaker is a Werewolf, just before and just after. */
  asked?: Readonly<Record<string, readonly [before: number, after: number]>>;
  changes?: Partial<AnalysisRow>;
}

/** Consecutive statements, each with one claim. */
export function tellClaims(...told: readonly ToldClaim[]): MatchTables {
  const rows = told.map(({ by, round = 1, type = 'own_role', heardBy, asked = {}, changes, ...one }, at) => {
    const said = { ...speakers[by], statement: `${round}.${at + 1}`, round };
    const isLie = one.isLie ?? by === 'Ginger';
    const { speaker, role, team, model } = said;
    return {
      statement: statement({ ...said, is_lie: isLie }),
      claim: claim({ ...said, subject: by, type, verdict: isLie ? 'lie' : 'true', is_true: !isLie }),
      analyses: Object.entries(heardBy).map(([observer, suspicion]) =>
        analysis({
          ...{ statement: said.statement, round, observer, is_lie: isLie, suspicion, deceptive: suspicion > 0.5 },
          ...{ speaker, speaker_role: role, speaker_team: team, speaker_model: model },
          ...changes,
        }),
      ),
      beliefs: Object.entries(asked).flatMap(([observer, answers]) =>
        answers.map((p_werewolf, after) => belief({ round, step: at + after, observer, about: by, p_werewolf })),
      ),
    };
  });
  return tables({
    match: match({ villagers_model: 'openai:one', werewolves_model: 'openai:two' }),
    statements: rows.map((row) => row.statement),
    claims: rows.map((row) => row.claim),
    analyses: rows.flatMap((row) => row.analyses),
    beliefs: rows.flatMap((row) => row.beliefs),
  });
}
