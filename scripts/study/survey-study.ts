// How far the study in a folder is, from its records: read only, also while other commands play it.
import path from 'node:path';
import { measureStudy, type StudyMatch, type StudyProgress } from '../../deception/design/study-progress.ts';
import { getMachine } from '../../models/machine/machine.ts';
import { findMatches } from '../command/match-folder.ts';
import { AnswerCounter, describeStudyMatch, readMatchFacts } from './match-facts.ts';
import { readPlannedMatches, readSigns, readStudyPlan } from './study-file.ts';

/**
 * Reads how far a study is. Calls nobody and writes nothing. Throws a UsageError for a folder that is not there or holds no match.
 *
 * @example surveyStudy('runs/study').finished // 162
 */
export function surveyStudy(folder: string): StudyProgress {
  const answers = new AnswerCounter();
  const isBegun = readStudyPlan(folder) !== null; // before its first match there is none to be found
  const matches = (isBegun ? findOrNone(folder) : findMatches([folder])).flatMap((match): StudyMatch[] => {
    const name = path.relative(folder, match).split(path.sep).join('/');
    const facts = readMatchFacts(match, name);
    return facts === null ? [] : [describeStudyMatch(match, name, facts, answers)];
  });
  return measureFolder(folder, matches);
}

function findOrNone(folder: string): string[] {
  try {
    return findMatches([folder]);
  } catch {
    return [];
  }
}

/** Counts matches that have been read against the plan in the study's folder, and adds what its commands tell of themselves. */
export function measureFolder(folder: string, matches: readonly StudyMatch[]): StudyProgress {
  const now = getMachine().clock.now();
  const plan = readStudyPlan(folder);
  const playedSince = plan === null ? 0 : Date.parse(plan.played_since);
  return measureStudy(matches, {
    plan,
    planned: readPlannedMatches(folder),
    ...readSigns(folder, now),
    playedSince,
    now,
  });
}
