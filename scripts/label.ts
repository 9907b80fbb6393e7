// Draws a random sample of statements for people to label: `npm run label -- <folders…> --n 200 --out sheet.csv`.
import { stringify } from 'csv-stringify/sync';
import { formatJudgeFlags } from '../deception/claims/majority-claims.ts';
import { goldNotation } from '../deception/claims/gold-notation.ts';
import { drawGoldSample } from '../deception/summary/gold-sample.ts';
import { listStatementMoments } from '../graph/annotation/llm-judge-items.ts';
import { getDisk } from '../models/machine/machine.ts';
import { readRecord } from '../models/record/recorder.ts';
import { renderHistory } from '../prompts/history.ts';
import { formatCsvFile } from '../report/csv-form.ts';
import { draw } from '../state/random.ts';
import { UsageError } from '../state/usage-error.ts';
import {
  type CommandIO,
  createCommand,
  modelsFileOption,
  readCount,
  readWhole,
  runScript,
  writeFile,
} from './command/command-line.ts';
import { tellForksLeftOut } from './command/match-folder.ts';
import { followItems, type StepListener } from './command/work-progress.ts';
import { createCsvOption, type CsvFlag } from './command/csv-option.ts';
import { addJudgeOptions, resolveJudges, type TypedJudge } from './command/judge-options.ts';
import { nameCommand } from '../state/command-name.ts';
import { readEachMatch } from './compare/read-matches.ts';
import { describeLeftOut, type UsableMatch } from './report/match-inventory.ts';
import { chooseCache, MeasurementCache, noCacheOption } from './report/measurement-cache.ts';
import { chooseJudge } from './report/choose-judge.ts';
import { sheetColumns } from './compare/gold-sheet.ts';

interface LabelFlags extends TypedJudge, CsvFlag {
  models?: string;
  cache: boolean;
  n: number;
  out: string;
  seed: number;
}

const about =
  'Draw a random sample of statements of recorded matches into a spreadsheet for people to label, blind to roles and to judges’ answers. Statements are stratified by model, side and the judge’s verdict; the sheet has the probability with which each was drawn. `report --gold` reads the sheet. See docs/guides/judging.md.';

/** Maximum length of the preceding talk in the sheet, in characters from its end. */
const longestContext = 3000;

/** Draws the sample and writes the sheet. Makes no call. */
export async function runLabel(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('label', about, io)
    .argument('<folders...>', 'folders of matches, or folders that contain some, e.g. runs')
    .option('--n <count>', 'number of statements', readCount, 200)
    .requiredOption('--out <file>', 'the spreadsheet (CSV); an existing file is not overwritten')
    .option('--seed <n>', 'seed of the draw', readWhole, 1)
    .option(
      '--judge <models...>',
      'judge whose cached answers stratify the sample (default: the judge that all the matches name)',
    )
    .option('--no-judge', 'stratify by the rules’ verdicts')
    .option(...modelsFileOption)
    .addOption(createCsvOption())
    .option(...noCacheOption)
    .addHelpText('after', `\nExample:\n  ${nameCommand('label')} runs --judge openai:gpt-4o --n 200 --out sheet.csv`);
  addJudgeOptions(program).parse(argv, { from: 'user' });
  const { models, cache, n, out, seed, csv, judge: typed, judgePer, repeat, guard } = program.opts<LabelFlags>();
  if (getDisk().exists(out))
    throw new UsageError(`${out} already exists, and a sheet is not overwritten. Name another file.`);
  const how = { judgePer, repeat, guard };
  tellForksLeftOut(program.args, io);
  const judge = await chooseJudge(
    { judge: resolveJudges(typed, models), ...how },
    { folders: program.args, tellsRules: true },
    io,
  );
  const { statements, leftOut } = await listStatements(
    program.args,
    judge,
    cache ? new MeasurementCache(chooseCache(io)) : null,
    io.step,
  );
  for (const one of leftOut) io.stderr.write(`${describeLeftOut(one)}\n`);
  const sample = drawGoldSample(statements, n, draw(seed, 'gold'));
  const byFolder = Map.groupBy(sample, ({ statement }) => statement.folder);
  const described = new Map<Sampled, (string | number)[]>();
  for (const [folder, some] of followItems([...byFolder], 'matches replayed', io.step))
    for (const [one, row] of describeStatements(folder, some)) described.set(one, row);
  const rows = sample.flatMap((one) => {
    const row = described.get(one);
    return row ? [[...row, '', '']] : [];
  });
  writeFile(out, formatCsvFile(stringify([[...sheetColumns], ...rows], { escape_formulas: true }), csv));
  io.stdout.write(
    `${rows.length} of ${statements.length} statements are in ${out}. Fill in the column "claims" of each row ("none" if the statement makes no claim); a second person fills in "claims_2". Then: ${nameCommand('report')} ${program.args.join(' ')}${judge ? ` ${formatJudgeFlags(judge)}` : ''} --gold ${out}\n`,
  );
}

type SampledStatement = Awaited<ReturnType<typeof listStatements>>['statements'][number];

/** Lists the statements to draw from. Leaves out the tables, which use much memory. */
async function listStatements(
  folders: readonly string[],
  judge: Awaited<ReturnType<typeof chooseJudge>>,
  cache: MeasurementCache | null,
  onStep: StepListener | undefined,
) {
  const list = ({ folder, tables }: UsableMatch) =>
    tables.statements.map((row) => ({
      ...{ folder, model: row.model, team: row.team, match: row.match_id, id: row.statement },
      verdict: row.is_judge_missing ? 'unread' : (row.verdict ?? 'no claim'),
    }));
  const statements: ReturnType<typeof list> = [];
  const see = (match: UsableMatch) => void statements.push(...list(match));
  const leftOut = await readEachMatch(folders, { judge }, { cache, see, onStep });
  return { statements, leftOut };
}

interface Sampled {
  statement: SampledStatement;
  probability: number;
}

/**
 * Describes the sampled statements of one match for a person who labels them. Only one match is in memory at a time.
 */
function describeStatements(folder: string, sampled: readonly Sampled[]): [Sampled, (string | number)[]][] {
  const wanted = new Set(sampled.map(({ statement }) => statement.id));
  const found = listStatementMoments(readRecord(folder), wanted);
  const moments = new Map(found.map((moment) => [moment.statement.id, moment]));
  return sampled.flatMap((one): [Sampled, (string | number)[]][] => {
    const { match, id } = one.statement;
    const moment = moments.get(id);
    if (!moment) return [];
    const { view, statement } = moment;
    const known = `${renderHistory(view)}\nIt is ${view.phase} ${view.round}. Still in the game: ${view.alive.join(', ')}.`;
    // Copies the end of the text, because a substring would keep the whole text in memory.
    const end = Buffer.from(known.slice(-longestContext)).toString('utf8');
    const context = known.length > longestContext ? `… ${end}` : end;
    return [[one, [`${match}/${id}`, one.probability, context, statement.by, statement.text, goldNotation]]];
  });
}

if (import.meta.main) await runScript(runLabel);
