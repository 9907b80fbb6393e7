// WOLF's report on a match: the three parts of its summary.
import { summarizeMatch } from '../../deception/summary/match-summary.ts';
import { escapeMarkdown, formatDecimal } from '../format.ts';
import type { PaperItem, PaperMatch } from './paper-item.ts';

const plans = ['wolf.yaml'];

const nameMatch = ({ record }: PaperMatch) => [`Match ${escapeMarkdown(record.manifest.id)}.`];

const kinds = ['debate', 'ballot'] as const;

/** Returns the rank of a match; null if none of its statements was analyzed. */
const rankAnalyzed = ({ tables }: PaperMatch) => (tables.analyses.some(({ source }) => source === 'match') ? 0 : null);

/** All items show the same match. */
const ofMatch = { paper: 'wolf', plans, choice: 'the first match with analyses', rank: rankAnalyzed } as const;

/** Items in the order of the paper. */
export const wolfItems: readonly PaperItem[] = [
  {
    ...ofMatch,
    source: 'match',
    ...{ id: 'wolf-metric-1', number: 'Metric 1', title: 'Statements analyzed' },
    needs: 'analyses of statements (rule `analysis`)',
    make: (match) => {
      const { total_statements_analyzed: analyzed } = summarizeMatch(match.record);
      const all = kinds.map((kind) => analyzed[kind]);
      return {
        head: ['', ...kinds, 'all'],
        rows: [['Statements analyzed', ...all.map(String), String(all.reduce((sum, one) => sum + one, 0))]],
        missing: [],
        notes: nameMatch(match),
      };
    },
    where: '`total_statements_analyzed` of `deception_summary.json`',
    differs: 'Debate statements and explanations of ballots are counted separately.',
  },
  {
    ...ofMatch,
    source: 'match',
    ...{ id: 'wolf-metric-2', number: 'Metric 2', title: 'Statistics of each player' },
    needs: 'analyses of statements (rule `analysis`)',
    make: (match) => {
      const { players } = summarizeMatch(match.record);
      const rows = Object.entries(players).flatMap(([name, own]) => kinds.map((kind) => ({ name, kind, own })));
      return {
        head: [
          ...['Player', 'Kind', 'Statements', 'Self-reported deceptions'],
          ...['Peer-detected deceptions', 'Average suspicion'],
        ],
        rows: rows.map(({ name, kind, own }) => [
          ...[escapeMarkdown(name), kind, String(own.total_statements[kind])],
          ...[String(own.self_reported_deceptions[kind]), String(own.peer_detected_deceptions[kind])],
          formatDecimal(own.average_suspicion[kind]),
        ]),
        texts: 2,
        missing: rows.every(({ kind, own }) => own.average_suspicion[kind] === null)
          ? ['Average suspicion: needs analyses by listeners (rule `analysis`)']
          : [],
        notes: nameMatch(match),
      };
    },
    where:
      '`players` of `deception_summary.json`; over many matches `self_deceptive_rate`, `perceived_flag_rate`, `perceived_suspicion`',
    differs: 'Debate statements and explanations of ballots have separate rows.',
  },
  {
    ...ofMatch,
    source: 'match',
    ...{ id: 'wolf-metric-3', number: 'Metric 3', title: 'Final matrix of deception scores' },
    needs: 'analyses of statements by listeners (rule `analysis`)',
    make: (match) => {
      const { deception_scores: scores, players } = summarizeMatch(match.record);
      const names = Object.keys(players);
      return {
        head: ['Observer', ...names.map(escapeMarkdown)],
        rows: names.map((observer) => [
          escapeMarkdown(observer),
          ...names.map((target) => formatDecimal(scores[observer]?.[target]?.score ?? null)),
        ]),
        missing: [],
        notes: nameMatch(match),
      };
    },
    where: '`deception_scores` of `deception_summary.json`; by model `perceived_suspicion`',
    differs: 'How scores are computed: [data.md](data.md#deception_scores).',
  },
];
