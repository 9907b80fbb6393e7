// Makes the report of effects from finished forks, and writes its files.
import path from 'node:path';
import type { JudgePlan } from '../../deception/claims/majority-claims.ts';
import { formatJudges } from '../../deception/claims/majority-claims.ts';
import { extractMatchClaims } from '../../deception/claims/match-claims.ts';
import { estimateEffects } from '../../deception/forks/estimate-effects.ts';
import type { ForkedStatement } from '../../deception/forks/forked-statement.ts';
import { createJudgedMatch, readJudgedClaims } from '../../graph/annotation/llm-judge.ts';
import { nameFork } from '../../graph/fork/fork-record.ts';
import type { PlannedFork } from '../../graph/fork/fork-set.ts';
import { readClaimsByRules, readForks, type ReadClaims } from '../../graph/fork/read-forks.ts';
import { getDisk } from '../../models/machine/machine.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { renderPictureCsv } from '../../report/csv.ts';
import { renderForkCsv, renderForkHtml, renderForkJson, renderForkMarkdown } from '../../report/fork-effects-pages.ts';
import type { ForkReport } from '../../report/fork-effects-parts.ts';
import { drawEffects, effectPictureNames } from '../../report/pictures/effect-pictures.ts';
import { picturesFolder } from '../../report/pictures/picture-html.ts';
import { nameForkArm } from '../../state/fork.ts';
import { followItems, type StepListener } from '../command/work-progress.ts';
import { placeDrafts, writeDrafts } from '../command/replace-files.ts';
import type { FoundStatement } from './choose-statements.ts';
import { type ForkStudy, getForksFolder } from './fork-study.ts';

/** Lists the folders of forks whose player was asked for the statement again. A judge must read the new statements. */
export const listAskedAgain = (forks: readonly PlannedFork[], out: string): string[] =>
  forks
    .filter(({ of }) => of.arm === 'honest' || of.arm === 'resample')
    .map(({ of }) => path.join(getForksFolder(out), nameFork(of)));

/** Creates the function that extracts claims of new statements, in the same way as those of the study's statements. */
function createClaimReader(judge: JudgePlan | undefined): ReadClaims {
  if (judge === undefined) return readClaimsByRules;
  return (folder, record) => {
    const { extract } = readJudgedClaims(createJudgedMatch(folder, record), judge);
    return extractMatchClaims(record, extract, { presupposed: true });
  };
}

/**
 * Returns the statements with the outcome of each of their finished forks. Throws a RecordError for a fork that differs
 * from its original match before the statement.
 *
 * @example measureForks(found, forks, { out: 'runs/forks', judge: undefined })[0].forks.length // 3
 */
export function measureForks(
  found: readonly FoundStatement[],
  forks: readonly PlannedFork[],
  { out, judge, onStep }: { out: string; judge: JudgePlan | undefined; onStep?: StepListener | undefined },
): ForkedStatement[] {
  const readClaims = createClaimReader(judge);
  const byOrigin = Map.groupBy(forks, ({ folder }) => folder);
  const measured: ReturnType<typeof readForks> = [];
  for (const [folder, own] of followItems([...byOrigin], 'forked matches read', onStep))
    measured.push(...readForks(getForksFolder(out), own, readRecord(folder), readClaims));
  const byStatement = Map.groupBy(measured, ({ of }) => `${of.match} ${of.statement}`);
  return found.map((one) => ({
    ...one,
    forks: (byStatement.get(`${one.match} ${one.statement}`) ?? []).map(({ fork }) => fork),
  }));
}

/** Creates the report of a study. */
export function createForkReport(
  study: ForkStudy,
  statements: readonly ForkedStatement[],
  judge: JudgePlan | undefined,
): ForkReport {
  const { study: folders, where, arms, until, seed, neutral } = study;
  const forks = statements.flatMap((one) => one.forks);
  const isBot = (model: string) => model.startsWith('bot:');
  return {
    study: {
      ...{ folders, where, arms: arms.map(nameForkArm), until, seed, neutral },
      extractor: judge === undefined ? 'rules' : formatJudges(judge),
    },
    statements: statements.length,
    matches: new Set(statements.map(({ match }) => match)).size,
    deals: new Set(statements.map(({ deal }) => deal)).size,
    forks: forks.length,
    withBots: statements.filter(
      (one) => isBot(one.model) || one.forks.some(({ outcome }) => outcome.listeners.some(({ model }) => isBot(model))),
    ).length,
    ...estimateEffects(statements),
  };
}

/** Renders one row for each fork, with its outcome. */
function renderOutcomesCsv(statements: readonly ForkedStatement[]): string {
  return renderPictureCsv(
    statements.flatMap((one) =>
      one.forks.map(({ arm, copy, outcome, hasLied }) => ({
        ...{ match_id: one.match, statement: `s${one.statement}`, arm, copy, speaker: one.speaker, role: one.role },
        ...{ model: one.model, target: one.target, text: outcome.text, has_lied: hasLied },
        votes: outcome.listeners.filter(({ vote }) => vote !== null).length,
        votes_against_speaker: outcome.listeners.filter(({ vote }) => vote === one.speaker).length,
        votes_against_target:
          one.target === null ? null : outcome.listeners.filter(({ vote }) => vote === one.target).length,
        ...{ exiled: outcome.exiled, side_won: outcome.hasWon },
      })),
    ),
  );
}

/** Writes the files of a report next to the forks, and returns their paths. */
export function writeForkReport(out: string, report: ForkReport, statements: readonly ForkedStatement[]): string[] {
  const pictures = drawEffects(report);
  const files: [string, string][] = [
    ['effects.md', renderForkMarkdown(report)],
    ['effects.html', renderForkHtml(report, pictures)],
    ['effects.json', renderForkJson(report)],
    ['effects.csv', renderForkCsv(report)],
    ['forks.csv', renderOutcomesCsv(statements)],
    ...pictures.flatMap(({ name, svg, data }): [string, string][] => [
      [path.join(picturesFolder, `${name}.svg`), svg],
      [path.join(picturesFolder, `${name}.csv`), renderPictureCsv(data)],
    ]),
  ];
  getDisk().makeFolder(path.join(out, picturesFolder));
  const drawn = new Set(pictures.map(({ name }) => name));
  const outdated = effectPictureNames
    .filter((name) => !drawn.has(name))
    .flatMap((name) => ['svg', 'csv'].map((ending) => path.join(out, picturesFolder, `${name}.${ending}`)));
  return placeDrafts(writeDrafts(files.map(([name, text]) => [path.join(out, name), text])), outdated);
}
