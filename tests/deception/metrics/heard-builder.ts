// Builds statements together with their listeners' judgments.
import type { AnalysisRow } from '../../../deception/tables/analysis-rows.ts';
import type { MatchTables } from '../../../deception/tables/match-tables.ts';
import type { ClaimRow } from '../../../deception/tables/claim-rows.ts';
import type { StatementRow } from '../../../deception/tables/statement-rows.ts';
import { analysis, claim, statement } from './row-builder.ts';

const cast = {
  Sam: { role: 'Seer', team: 'villagers', model: 'openai:one' },
  Saul: { role: 'Seer', team: 'villagers', model: 'openai:one' },
  Nora: { role: 'Doctor', team: 'villagers', model: 'openai:one' },
  Dan: { role: 'Villager', team: 'villagers', model: 'openai:one' },
  Ginger: { role: 'Werewolf', team: 'werewolves', model: 'openai:two' },
} as const;
type Name = keyof typeof cast;

export type Heard = Pick<MatchTables, 'statements' | 'analyses'>;

/**
 * A statement with one judgment for each suspicion (null: a missing judgment). A suspicion above one half is a flag.
 */
export function said(
  id: string,
  speaker: Name,
  { round = 1, kind = 'debate', ...self }: Partial<StatementRow>,
  suspicions: readonly (number | null)[],
  heardBy: Partial<AnalysisRow> = {},
): Heard {
  const { role, team, model } = cast[speaker];
  const which = { statement: id, round, kind } as const;
  return {
    statements: [statement({ ...which, speaker, role, team, model, ...self })],
    analyses: suspicions.map((suspicion) =>
      analysis({
        ...which,
        ...{ speaker, speaker_role: role, speaker_team: team, speaker_model: model },
        ...(suspicion === null ? { missing: 'fallback' } : { suspicion, deceptive: suspicion > 0.5 }),
        ...heardBy,
      }),
    ),
  };
}

/** Joins statements and their judgments into one sequence. */
export const joinHeard = (...parts: readonly Heard[]): Heard => ({
  statements: parts.flatMap(({ statements }) => statements),
  analyses: parts.flatMap(({ analyses }) => analyses),
});

export const claimSeer = (id: string, speaker: Name, changes: Partial<ClaimRow> = {}): ClaimRow =>
  claim({ statement: id, speaker, subject: speaker, ...cast[speaker], claimed_role: 'Seer', ...changes });
