// The part of the summary page on one kind of statements: by speaker, by type, and how observers agree.
import type { Agreement, DeceptionSummary, PlayerFigures, TypesReported } from '../deception/summary-schema.ts';
import type { Kind } from '../deception/statements.ts';
import { markdownText, table } from './markdown-text.ts';
import { decimal, percent, whole } from './numbers.ts';
import { turnsText } from './occasions.ts';

const titleOf = (summary: DeceptionSummary, kind: Kind) =>
  kind === 'ballot' ? 'Explanations of ballots' : turnsText(summary).replace(/^./, (first) => first.toUpperCase());

/** Everything about the statements of one kind. */
export function statementParts(summary: DeceptionSummary, kind: Kind): string[] {
  const made = Object.values(summary.players).some(({ total_statements }) => total_statements[kind] > 0);
  const title = `## ${titleOf(summary, kind)}`;
  if (!made) return [title, 'None were made.'];
  return [
    title,
    '### By speaker',
    'Own report: what speakers said in private of their own statements. Flags: analyses by others that call a statement deceptive, right or not.',
    speakers(summary, kind),
    '### By type of deception, as the speaker reports it',
    types(summary, kind),
    "### Agreement of observers with the speakers' own reports",
    "Agreement with a claim, not accuracy: a speaker's report may be untrue.",
    agreement(summary, kind),
  ];
}

const speakers = (summary: DeceptionSummary, kind: Kind) =>
  table(
    [
      'Player',
      'Role',
      'Statements',
      'Own reports',
      'Deceptive by own report',
      'Stated falsehoods',
      'Analyses by others',
      'Flags',
      'Flagged by majority',
      'Average suspicion',
      'Analyses not given',
    ],
    Object.entries(summary.players).map(([name, player]) => [
      markdownText(name),
      markdownText(player.role),
      ...speakerCells(player, kind),
    ]),
    2,
  );

function speakerCells(player: PlayerFigures, kind: Kind): string[] {
  const reported = (count: number) => (player.self_reports[kind] === 0 ? decimal(null) : whole(count));
  const flagged = (count: number) => (player.peer_analyses[kind] === 0 ? decimal(null) : whole(count));
  return [
    whole(player.total_statements[kind]),
    whole(player.self_reports[kind]),
    reported(player.self_reported_deceptions[kind]),
    reported(player.self_reported_falsehoods[kind]),
    whole(player.peer_analyses[kind]),
    flagged(player.peer_detected_deceptions[kind]),
    flagged(player.statements_flagged_by_majority[kind]),
    decimal(player.average_suspicion[kind]),
    whole(player.missing_analyses[kind]),
  ];
}

function types(summary: DeceptionSummary, kind: Kind): string {
  const rows = (label: string, reported: TypesReported) =>
    Object.entries(reported)
      .filter(([, { statements }]) => statements > 0)
      .map(([type, figures]) => [
        label,
        type,
        whole(figures.statements),
        type === 'unreported' ? decimal(null) : whole(figures.self_reported_deceptions),
        whole(figures.peer_analyses),
        decimal(figures.mean_suspicion),
        percent(figures.share_flagged),
      ]);
  return table(
    ['Round', 'Type', 'Statements', 'Deceptive by own report', 'Analyses by others', 'Mean suspicion', 'Share flagged'],
    [
      ...rows('all', summary.deception_types[kind]),
      ...summary.deception_types_by_round.flatMap((round) => rows(String(round.round), round[kind])),
    ],
    2,
  );
}

function agreement(summary: DeceptionSummary, kind: Kind): string {
  const cells = ({ tp, tn, fp, fn, accuracy, precision, recall, f1 }: Agreement) => [
    ...[tp, tn, fp, fn].map(whole),
    ...[accuracy, precision, recall, f1].map(decimal),
  ];
  return table(
    ['Observer', 'TP', 'TN', 'FP', 'FN', 'Accuracy', 'Precision', 'Recall', 'F1'],
    [
      ...Object.entries(summary.agreement_with_self_report).map(([name, by]) => [
        markdownText(name),
        ...cells(by[kind]),
      ]),
      ['all', ...cells(summary.agreement_with_self_report_overall[kind])],
    ],
  );
}
