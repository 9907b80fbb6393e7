// Describes the experience of a match's players. The experience is one of the match's conditions.
import { ExperienceMoment } from '../../state/experience-setup.ts';
import type { Manifest } from '../../state/record.ts';

/** Number of digits of a hash that are shown. */
const shown = 12;

/** Words in a description between "a growing pool" and the hash of the pool that it started with. */
const beginning = ' begun with ';

/**
 * Describes everything that decides what players of a match remembered, except the block of a growing pool. Null if
 * they remembered nothing. Two matches have the same description if, and only if, they belong to the same arm.
 *
 * @example describeExperience(manifest) // 'shuffled of 4316a3e68ad9, k=3 good=0.5 from=own reward=result, found by …'
 */
export function describeExperience({
  setup: { experience, players },
  ...manifest
}: Pick<Manifest, 'setup' | 'experience_block' | 'experience_seats' | 'experience_grown_from'>): string | null {
  if (!experience) return null;
  const { arm, pool, retriever, reward, wording, k, threshold, good, from, seats } = experience;
  const { role, seat, rank, moments } = experience;
  const { experience_block: block, experience_seats: words, experience_grown_from: first } = manifest;
  const began = first === undefined ? '' : `${beginning}${first.slice(0, shown)}`;
  const roles = players.filter(({ name }) => seats.includes(name)).map(({ role }) => role);
  // Older records do not name the words by which the remembering players were selected.
  const remembering = words ?? (seats.length === players.length ? [] : [...new Set(roles)].sort());
  const settings = [
    `k=${k} good=${good} from=${from} reward=${reward}`,
    ...(threshold === 0 ? [] : [`threshold=${threshold}`]),
    ...(role === 'own' ? [] : [`role=${role}`]),
    ...(seat === 'any' ? [] : [`seat=${seat}`]),
    ...(rank === 'likeness' ? [] : [`rank=${rank}`]),
    ...(moments.length === ExperienceMoment.options.length ? [] : [`moments=${moments.join('+')}`]),
    ...(remembering.length === 0 ? [] : [`who=${remembering.join('+')}`]),
  ];
  return [
    `${arm} of ${block === undefined ? pool.slice(0, shown) : `a growing pool${began}`}`,
    settings.join(' '),
    `found by ${retriever}`,
    `wording ${wording}`,
  ].join(', ');
}

/**
 * Whether a growing pool was not empty at the start, according to its description by `describeExperience`. If it was
 * empty, nobody remembers anything in its first block.
 */
export const isExperienceGivenAtStart = (described: string): boolean => described.includes(beginning);
