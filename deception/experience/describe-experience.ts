// Describes the experience of a match's players as a condition under which it was played.
import { ExperienceMoment } from '../../state/experience-setup.ts';
import type { Manifest } from '../../state/record.ts';

/** Digits of hashes. */
const shown = 12;

/** Stands in the words of a growing pool that was given to begin with. */
const beginning = ' begun with ';

/**
 * All that decides what players of a match remembered, but for the block of a pool that grows; null where they remembered
 * nothing. Matches of one arm have the same words, those of others have others.
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
  // Older records do not store the words by which the players were named.
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

/** Whether a pool that grows, by the words of `describeExperience`, was given to begin with: else nothing is remembered in its first block. */
export const isExperienceGivenAtStart = (described: string): boolean => described.includes(beginning);
