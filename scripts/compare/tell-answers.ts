// Prints the table of answers when a study without a judge ends. It is the table at the top of the report, made from
// claims that the rules extract.
import path from 'node:path';
import { buildAnswerTables } from '../../deception/answers/build-answer-tables.ts';
import { describeClaimsShare } from '../../deception/summary/match-conditions.ts';
import type { AnswerTable } from '../../deception/metrics/answer-table-schema.ts';
import { DEFAULT_RESAMPLES } from '../../deception/statistics/bootstrap.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { renderProgressText } from '../../report/progress-page.ts';
import { createProgressPage, findOpenStudies } from '../study/open-study.ts';
import { tellAnswers } from '../../report/answer-table-markdown.ts';
import type { CommandIO } from '../command/command-line.ts';
import { listAnswered } from './comparison-sources.ts';
import { readMatches } from './read-matches.ts';
import { chooseCache, MeasurementCache } from '../report/measurement-cache.ts';

/**
 * Prints the table of answers of the matches in this folder. Measurements are cached for the report.
 *
 * @example await tellStudy('runs/study', io);
 */
export async function tellStudy(out: string, io: CommandIO): Promise<void> {
  if (tellProgress(out, io)) return;
  const kept = chooseCache(io);
  const cache = kept && new MeasurementCache(kept);
  await tellTables(async () => {
    const { matches } = await readMatches([out], { judge: undefined }, { cache });
    const { answered, isOfEntrants } = listAnswered(matches);
    const extractors = [...new Set(matches.map(({ tables }) => tables.match.extractor))];
    return {
      answers: buildAnswerTables(answered, {
        ...{ resamples: DEFAULT_RESAMPLES, seed: 1, reading: null, study: { folders: [out], isOfEntrants } },
        claims: describeClaimsShare(extractors, { finding: null, agreement: {}, isNothingRead: false }),
      }),
    };
  }, io);
}

/**
 * Prints the table of answers of a tournament, with the scores of its leaderboard.
 *
 * @example await tellTournament('runs/cup', io);
 */
export async function tellTournament(out: string, io: CommandIO): Promise<void> {
  if (tellProgress(out, io)) return;
  const { readReport } = await import('../report/write-reports.ts');
  const options = { folders: [out], out: path.join(out, 'report'), seed: 1, resamples: DEFAULT_RESAMPLES };
  const rest = { isTabled: false, baselines: null, cache: chooseCache(io) };
  await tellTables(() => readReport({ ...options, ...rest }), io);
}

/** Prints the progress of an incomplete study, whose figures are not shown. Returns whether the study is incomplete. */
function tellProgress(out: string, io: CommandIO): boolean {
  if (!getDisk().exists(out)) return false;
  const open = findOpenStudies([out], new MeasurementCache(chooseCache(io)));
  if (open.length > 0) io.stdout.write(`\n${renderProgressText(createProgressPage('Report', open, ['report', out]))}`);
  return open.length > 0;
}

async function tellTables(
  read: () => Promise<{ answers: readonly AnswerTable[] }>,
  { stdout }: CommandIO,
): Promise<void> {
  try {
    const { answers } = await read();
    stdout.write(`\n${tellAnswers(answers)}`);
  } catch (error) {
    if (!(error instanceof RecordError)) throw error; // no match is finished or readable; earlier output has said so
  }
}
