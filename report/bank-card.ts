// The card of a bank, README.md: its contents, the definition of a lie, the extractor of the claims and its accuracy,
// and the license.
import { roundDown, roundUp } from '../deception/statistics/round-outward.ts';
import type { BankRecord } from '../deception/bank/bank-record.ts';
import { bankSchemas, type BankTable } from '../deception/bank/bank-rows.ts';
import type { ExtractorErrors } from '../deception/claims/extractor-errors.ts';
import { formatCommandInFile } from '../state/command-in-file.ts';
import { escapeMarkdown, formatWhole, pluralize, renderTable } from './format.ts';

/** Descriptions of a row in each table. */
const tableWords: Readonly<Record<BankTable, string>> = {
  statements: 'a public statement, with its claims, the raw answer and the label',
  prompts: 'a prompt: the chat messages exactly as they were sent, by hash',
  matched: 'a pair of a lie and a true claim of the same kind, by the other side, in the same round on the same board',
  silences: 'a statement that was asked for and is missing: a refusal, or no readable answer',
  judgments: "a listener's judgment of a statement",
};

/**
 * Renders the card in Markdown, with the front matter that dataset hubs read.
 *
 * @example renderBankCard(record).split('\n')[0] // '---'
 */
export function renderBankCard(record: BankRecord): string {
  const { counts, files, license, sha256, wolfgraph } = record;
  const tables = (Object.keys(bankSchemas) as BankTable[]).filter((table) => files[`${table}.jsonl`]);
  return [
    '---',
    `license: ${license === null ? 'unknown' : JSON.stringify(license)}`,
    'configs:',
    ...tables.flatMap((table) => [`- config_name: ${table}`, `  data_files: ${table}.parquet`]),
    '---',
    '',
    '# A bank of verified lies',
    '',
    `${pluralize(counts.statements, 'public statement')} from ${pluralize(counts.matches, 'match', 'matches')} of Werewolf (${pluralize(counts.deals, 'deal')}; board: ${counts.boards.map(escapeMarkdown).join(', ')}), with ${pluralize(counts.lies, 'lie')} and ${pluralize(counts.truths, 'statement')} labelled as no lie. Speakers chose what to say: the lies are on policy. The record of each match decides what is true, and who could know it.`,
    '',
    ...(counts.bot_statements === 0
      ? []
      : [
          `**${formatWhole(counts.bot_statements)} of the statements were made by built-in bots** (\`is_bot\`). They say what their program says and are no evidence about language models.`,
          '',
        ]),
    `- License of the texts: ${license === null ? '**not stated** by whoever made this bank' : escapeMarkdown(license)}`,
    `- Hash of the bank: \`${sha256}\``,
    `- Made by Wolfgraph ${escapeMarkdown(wolfgraph)}. Fields: its page docs/reference/export.md`,
    '',
    '## Tables',
    '',
    'Each is there as JSON Lines and as Parquet, with the same rows.',
    '',
    renderTable(
      ['table', 'a row is', 'rows'],
      tables.map((table) => [table, tableWords[table], formatWhole(files[`${table}.jsonl`]?.rows ?? null)]),
      2,
    ),
    '',
    '## Splits',
    '',
    'By deal: matches with the same roles, seats and names are in one split, whoever played. A deal stays in its split whatever else is exported with it.',
    '',
    renderTable(
      ['split', 'deals', 'statements', 'lies', 'no lies'],
      Object.entries(counts.splits).map(([name, { deals, statements, lies, truths }]) => [
        name,
        ...[deals, statements, lies, truths].map(formatWhole),
      ]),
    ),
    '',
    renderTable(
      ['model', 'statements'],
      Object.entries(counts.models).map(([model, n]) => [escapeMarkdown(model), formatWhole(n)]),
    ),
    '',
    '## What is a lie here',
    '',
    'A statement is a lie (`is_lie` true) if one of its claims is false by the record and its speaker could know that for certain, from private facts and from all that everybody had heard, and said so plainly.',
    '',
    'It is no lie (`is_lie` false) if some claim can be decided and none is a lie: what is true, an error, a lucky guess, or forgotten words.',
    '',
    'It has no label (`is_lie` null) if the record decides none of its claims, or if it was merely insincere: an opinion against what the speaker believed. Promises are never lies.',
    '',
    `Not lies here, though they may deceive: what is left out, hints, questions, pretended suspicion, and whatever the reader of claims missed. ${formatWhole(counts.unlabelled)} statements have no label, ${formatWhole(counts.unread)} could not be read.`,
    '',
    '## Who read the claims',
    '',
    ...describeReader(record),
    '',
    '## Places of words',
    '',
    `\`spans\` and \`raw_spans\` count characters (Unicode code points) from 0, as Python slices do. ${formatWhole(counts.raw_spans_missing)} of ${formatWhole(counts.claims)} claims have no \`raw_spans\` because their words do not stand verbatim in the raw answer (escapes, cuts). ${pluralize(counts.raw_missing, 'statement')} ${counts.raw_missing === 1 ? 'has' : 'have'} no raw answer.`,
    '',
    '## What is missing',
    '',
    `- ${pluralize(counts.silences, 'statement')} asked for and not obtained, in the table of silences.`,
    `- ${pluralize(counts.prompts_missing, 'prompt')} that the records name and do not hold.`,
    `- ${pluralize(counts.without_villager, 'labelled statement')} that no living plain villager heard who could not know: a detector in a villager's view is not asked about them.`,
    ...Object.entries(record.left_out).map(
      ([reason, n]) => `- ${pluralize(n, 'record')} left out: ${escapeMarkdown(reason)}.`,
    ),
    '- Forks of matches are never in a bank.',
    '',
  ].join('\n');
}

function describeReader({ claims_by: reader, reader_errors: errors }: BankRecord): string[] {
  const name =
    reader === 'rules' ? 'The rules, which would rather miss a claim than invent one' : escapeMarkdown(reader);
  if (errors === null)
    return [
      `${name}. **Its error was not measured.** \`${formatCommandInFile('validate', '--claims', '--judge', 'MODEL', '--out', 'FILE')}\` measures it; \`--errors FILE\` puts it here.`,
    ];
  return [
    `${name}. Measured on ${pluralize(errors.statements, 'labelled statement')} (${errors.corpora.map(escapeMarkdown).join(', ')}; ${errors.split === 'both' ? 'both splits' : `split ${errors.split}`}), with 95% intervals:`,
    '',
    renderTable(
      ['what', 'share', '95% interval', 'n'],
      [
        ['claims it extracts that are there (precision)', ...formatAccuracy(errors.claims.precision)],
        ['claims there that it extracts (recall)', ...formatAccuracy(errors.claims.recall)],
        ['lies it takes for lies, of those extracted', ...formatAccuracy(errors.lie_rates.lie_rate.sensitivity)],
        ['truths it takes for no lies, of those extracted', ...formatAccuracy(errors.lie_rates.lie_rate.specificity)],
      ],
    ),
    '',
    `Of ${formatWhole(errors.reach.lies.of)} labelled lies about the speaker it extracts ${formatWhole(errors.reach.lies.drawn)}, of ${formatWhole(errors.reach.truths.of)} truths ${formatWhole(errors.reach.truths.drawn)}. A statement without a label may still hold a lie.`,
  ];
}

const formatAccuracy = (measured: ExtractorErrors['claims']['precision']): string[] =>
  measured === null
    ? ['–', '–', '0']
    : [
        (measured.right / measured.of).toFixed(3),
        `${roundDown(measured.low, 3).toFixed(3)}–${roundUp(measured.high, 3).toFixed(3)}`,
        formatWhole(measured.of),
      ];
