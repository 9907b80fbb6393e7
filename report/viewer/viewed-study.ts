// What a browser is given of a study: a row of the list, and all of one that is open.
import type { StudyProgress } from '../../deception/design/study-progress.ts';

/** One study that is open. */
export interface ViewedStudy {
  /** Its folder, from the one that is served; `.` for that one itself. */
  path: string;
  name: string;
  progress: StudyProgress;
  /** Reports and comparisons in its folder. */
  pages: readonly { name: string; href: string }[];
}

/** A row of the list of studies. */
export interface ListedStudy extends Pick<
  StudyProgress,
  'state' | 'planned' | 'finished' | 'underWay' | 'failed' | 'secondsLeft' | 'maxCost'
> {
  path: string;
  name: string;
  pairings: number;
  /** USD; null where nothing is known. */
  cost: number | null;
  begunAt: string | null;
}

/**
 * The row of a study.
 *
 * @example listStudy('study', 'study', progress).finished
 */
export function listStudy(path: string, name: string, progress: StudyProgress): ListedStudy {
  const { state, planned, finished, underWay, failed, secondsLeft, maxCost, begunAt, pairings, spent } = progress;
  return {
    ...{ path, name, state, planned, finished, underWay, failed, secondsLeft, maxCost, begunAt },
    ...{ pairings: pairings.length, cost: spent.knownCost },
  };
}

/**
 * The path of the study that a match belongs to: the nearest folder above it that is one. Null where none is.
 *
 * @example findStudyOf('study/arm/classic-8-1-0f3a', ['study']) // 'study'
 */
export function findStudyOf(match: string, studies: readonly string[]): string | null {
  const above = studies.filter((study) => study === '.' || match.startsWith(`${study}/`));
  return above.length === 0 ? null : above.reduce((one, other) => (other === '.' || one.length >= other.length ? one : other)); // prettier-ignore
}
