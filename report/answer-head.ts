// The head of a study's pages: what the table below is made of, and what to know before reading the table. All pages
// and the console use this head, so that they begin alike.
import type { AnswerTable, StudyFacts } from '../deception/metrics/answer-table-schema.ts';
import { rulesExtractor } from '../deception/metrics/comparability.ts';
import { pluralize } from './format.ts';

/** Texts above a table. */
export interface AnswerHead {
  facts: readonly string[];
  cautions: readonly string[];
}

/** Texts of a page: the texts that all tables share, and the other texts of each table. */
export interface AnswerHeads {
  shared: AnswerHead;
  own: readonly AnswerHead[];
}

/**
 * Returns the texts above all tables of a page, and the texts above each single table.
 *
 * @example listHeads(report.answers).shared.facts // ['30 matches on 10 deals', 'board classic-8, preset arena@2', …]
 */
export function listHeads(tables: readonly AnswerTable[]): AnswerHeads {
  const heads = tables.map((table): AnswerHead => ({ facts: listFacts(table), cautions: table.cautions }));
  const [first = { facts: [], cautions: [] }, ...others] = heads;
  const keepShared = (of: keyof AnswerHead) =>
    first[of].filter((text) => others.every((head) => head[of].includes(text)));
  const shared = { facts: keepShared('facts'), cautions: keepShared('cautions') };
  const keepOwn = (head: AnswerHead, of: keyof AnswerHead) => head[of].filter((text) => !shared[of].includes(text));
  // If a page has several tables, each covers one condition, so shared numbers of matches and deals are per condition.
  const facts =
    others.length === 0
      ? shared.facts
      : shared.facts.map((fact, at) => (at === 0 ? `in each condition: ${fact}` : fact));
  return {
    shared: { ...shared, facts },
    own: heads.map((head) => ({ facts: keepOwn(head, 'facts'), cautions: keepOwn(head, 'cautions') })),
  };
}

function listFacts({ matches, deals, facts }: AnswerTable): string[] {
  const counted = `${pluralize(matches, 'match', 'matches')} on ${pluralize(deals, 'deal')}`;
  if (facts === null) return [counted];
  const ground = [
    ...(facts.board === null ? [] : [`board ${facts.board}`]),
    ...(facts.rules === null ? [] : [facts.rules]),
  ];
  return [
    counted,
    ...(facts.is_crossed ? ['each model against each and against itself'] : []),
    ...(ground.length === 0 ? [] : [ground.join(', ')]),
    describeReader(facts),
  ];
}

function describeReader({ extractors, read }: StudyFacts): string {
  if (extractors.every((one) => one === rulesExtractor)) return 'claims by rules, without a judge';
  const share = read === null ? '' : `, read ${formatShareDown(read)} of statements`;
  return `${extractors.length === 1 ? 'judge' : 'claims by'} ${extractors.join(' and ')}${share}`;
}

/** Formats a share without rounding it up to 100% or down to 0%. */
function formatShareDown(share: number): string {
  if (share > 0 && share < 0.01) return 'under 1%';
  return `${share < 1 ? Math.floor(100 * share) : 100}%`;
}
