// How well players who cannot know tell Werewolves from others by the probabilities that they give.
import { isByListener, getObserverCell, ofJudgements, listScores } from './judgements.ts';
import { createScoreMetrics, type Scored } from './probability-scores.ts';
import type { MatchTables } from '../tables/row-schemas.ts';

/** Not by whether the models are the same: where each side has one model, that is whether the sides are. */
const few = [['observer_team'], ['observer_model']];

/** What listeners said of a speaker beside their analysis of a statement. */
const listAnalysisBeliefs = ({ analyses }: MatchTables): Scored[] =>
  analyses.flatMap((row) => {
    if (row.knows_side || !isByListener(row)) return [];
    const { source, kind, speaker_team: team } = row;
    const cell = { source, kind, ...getObserverCell(row) };
    return listScores(row, 'p_werewolf').map(({ score }) => ({ cell, score, isSo: team === 'werewolves' }));
  });

const outright = 'beliefs';

/** What players said of all others when beliefs were asked for. An answer that is missing has no rows. */
const listAskedBeliefs = ({ beliefs }: MatchTables): Scored[] =>
  beliefs
    .filter((row) => !row.could_know)
    .map((row) => ({
      cell: { source: 'match', kind: outright, ...getObserverCell(row) },
      score: row.p_werewolf,
      isSo: row.is_werewolf,
    }));

export const beliefs = createScoreMetrics({
  name: 'belief',
  title: 'Belief',
  score: 'the probability of being a Werewolf',
  positive: 'a Werewolf',
  section: 'beliefs',
  subject: 'observer_model',
  apart: ofJudgements,
  by: few,
  scored: (match) => [...listAnalysisBeliefs(match), ...listAskedBeliefs(match)],
  isWithMissing: ({ kind }) => kind !== outright,
  headline: {
    name: 'brier',
    by: [...few, ['observer_role'], ['observer_model', 'observer_role'], ['round']],
  },
});
