// The data of a study that a browser gets: a row of the list of studies, and everything about an open study.
import type { StudyProgress } from '../../deception/design/study-progress.ts';

/** An open study. */
export interface ViewedStudy {
  /** Path from the served folder; `.` for that folder itself. */
  path: string;
  name: string;
  progress: StudyProgress;
  /** Reports and comparisons in the study's folder. */
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
  /** Cost in USD; null if unknown. */
  cost: number | null;
  begunAt: string | null;
}

/**
 * Creates the row of a study.
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
 * Finds the study that a match belongs to: the nearest study folder above it. Null if none.
 *
 * @example findStudyOf('study/arm/classic-8-1-0f3a', ['study']) // 'study'
 */
export function findStudyOf(match: string, studies: readonly string[]): string | null {
  const above = studies.filter((study) => study === '.' || match.startsWith(`${study}/`));
  return above.length === 0 ? null : above.reduce((one, other) => (other === '.' || one.length >= other.length ? one : other)); // prettier-ignore
}
