// Explains which pairs of models are missing if a study cannot separate the effects of its models. Names the command
// that plays all pairs.
import type { CrossedArm, NotIdentified } from '../../deception/comparison/comparison-schema.ts';
import { formatCommand } from '../../state/command-name.ts';

/** Names a part of a difference between two models, in the words of pages. */
export const nameMissingPart = (part: NotIdentified['part']) =>
  ({ pack: 'The difference as Werewolf', village: 'The difference as village', interaction: 'The interaction' })[part];

/** Returns the command that plays all pairs of these models, in a folder next to the study's. */
export function explainCrossing([folder = 'runs/study']: readonly string[], arms: readonly CrossedArm[]): string {
  const models = [...new Set(arms.flatMap(({ werewolves, villagers }) => [werewolves, villagers]))].sort();
  const out = `${folder.replace(/[\\/]+$/, '')}-crossed`;
  const format = (played: readonly string[]) => formatCommand('match', '--crossed', ...played, '--matches', '30', '--out', out); // prettier-ignore
  return models.length < 2
    ? `Play two models, for example: ${format([...models, 'OTHER_MODEL'])}.`
    : `Play them all with ${format(models)}.`;
}
