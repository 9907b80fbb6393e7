// Reads the progress of a study from its records, even while other commands play the study. Writes nothing.
import path from 'node:path';
import { measureStudy, type StudyMatch, type StudyProgress } from '../../deception/design/study-progress.ts';
import { getMachine } from '../../models/machine/machine.ts';
import { findMatches } from '../command/match-folder.ts';
import { followItems, type StepListener } from '../command/work-progress.ts';
import { AnswerCounter, describeStudyMatch, readMatchFacts } from './match-facts.ts';
import { readPlannedMatches, readSigns, readStudyPlan } from './study-file.ts';

/**
 * Reads the progress of a study. Makes no call and writes nothing. Throws a UsageError for a folder that does not exist
 * or holds no match.
 *
 * @example surveyStudy('runs/study').finished // 162
 */
export function surveyStudy(folder: string, onStep?: StepListener): StudyProgress {
  const answers = new AnswerCounter();
  const isBegun = readStudyPlan(folder) !== null; // a begun study may have no match yet
  const found = isBegun ? findOrNone(folder) : findMatches([folder]);
  const matches: StudyMatch[] = [];
  for (const match of followItems(found, 'matches read', onStep)) {
    const name = path.relative(folder, match).split(path.sep).join('/');
    const facts = readMatchFacts(match, name);
    if (facts !== null) matches.push(describeStudyMatch(match, name, facts, answers));
  }
  return measureFolder(folder, matches);
}

function findOrNone(folder: string): string[] {
  try {
    return findMatches([folder]);
  } catch {
    return [];
  }
}

/** Compares the matches in the study's folder with the plan, and adds the states that running commands report. */
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
