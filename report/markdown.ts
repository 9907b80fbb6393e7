// The deception summary as a page for researchers: `deception_summary.md`.
import type { DeceptionSummary } from '../deception/summary-schema.ts';
import { teams } from '../state/teams.ts';
import { callParts } from './markdown-calls.ts';
import { occasionParts } from './markdown-occasions.ts';
import { statementParts } from './markdown-statements.ts';
import { markdownText, table } from './markdown-text.ts';
import { decimal, whole } from './numbers.ts';
import { turnsText } from './occasions.ts';
import { endLine, fateText } from './outcome.ts';

/** The summary as GitHub-flavoured Markdown. */
export function summaryMarkdown(summary: DeceptionSummary): string {
  const parts = [
    `# Deception summary of match ${markdownText(summary.match_id)}`,
    ...(summary.bot_notice === null ? [] : [`> **${markdownText(summary.bot_notice)}**`]),
    markdownText(endLine(summary)),
    setting(summary),
    '## Players',
    players(summary),
    ...occasionParts(summary),
    ...(['debate', 'ballot'] as const).flatMap((kind) => statementParts(summary, kind)),
    '## Suspicion scores at the end',
    'Rows are observers, columns the players they observe, from 0 (honest) to 1 (deceptive): 0.7 · new suspicion + 0.3 · old score, from 0.50, over all statements and ballots together; in brackets the round of the last change. A dash: nothing was heard.',
    scores(summary),
    ...callParts(summary.model_calls),
    '## Rules',
    Object.entries(summary.rules)
      .map(([name, value]) => `- ${markdownText(name)}: ${markdownText(String(value))}`)
      .join('\n'),
    'Every figure is defined in `docs/data.md` of the project; a dash stands for what is not known or cannot be computed.',
  ];
  return `${parts.join('\n\n')}\n`;
}

const setting = (summary: DeceptionSummary) => {
  const { board, seed, honesty_sentence, coaching, total_statements_analyzed: analysed } = summary;
  return [
    `- Board ${markdownText(board)}, seed ${seed}`,
    `- What the rules say about lying: ${honesty_sentence === null ? 'nothing' : `“${markdownText(honesty_sentence)}”`}`,
    `- Coaching: ${markdownText(coaching)}`,
    `- Statements analysed: ${analysed.debate} ${turnsText(summary)}, ${analysed.ballot} explanations of ballots`,
  ].join('\n');
};

const players = (summary: DeceptionSummary) =>
  table(
    ['Player', 'Role', 'Side', 'Model', 'Fate', 'Refusals', 'Fallbacks'],
    Object.entries(summary.players).map(([name, player]) => [
      markdownText(name),
      markdownText(player.role),
      teams[player.team].label,
      markdownText(player.model) + (player.is_bot ? ' (bot)' : ''),
      fateText(player),
      whole(player.refusals),
      whole(player.fallbacks),
    ]),
    5,
  );

function scores({ players: all, deception_scores }: DeceptionSummary): string {
  const names = Object.keys(all);
  const cell = (observer: string, target: string) => {
    const score = deception_scores[observer]?.[target];
    return !score || score.round === null ? decimal(null) : `${decimal(score.score)} (${score.round})`;
  };
  return table(
    ['Observer', ...names.map(markdownText)],
    names.map((observer) => [markdownText(observer), ...names.map((target) => cell(observer, target))]),
  );
}
