// Presents labeled statements to judges as matches, and reads the claims that judges extracted. Answers are cached by
// match, so that no question is paid for twice.
import path from 'node:path';
import type { JudgePlan } from '../../../deception/claims/majority-claims.ts';
import { meantJudge } from '../../../deception/claims/meant-claims.ts';
import { computeJudgeAlpha } from '../../../deception/metrics/label-agreement.ts';
import { mean, sum } from '../../../deception/statistics/sums.ts';
import { type JudgedMatch, readJudgedClaims, surveyJudge } from '../../../graph/annotation/llm-judge.ts';
import { RecordError } from '../../../models/record/ndjson.ts';
import { listReplayStates } from '../../../graph/annotation/statement-states.ts';
import { judgeName } from '../../../prompts/judge.ts';
import type { GameEvent } from '../../../state/events.ts';
import { UsageError } from '../../../state/usage-error.ts';
import { createPublicView } from '../../../state/view.ts';
import type { DrawnClaims } from './judge-at-moment.ts';
import type { Corpus, CorpusStatement, CorpusSplit } from './read-corpus.ts';

/** A match of a corpus, and the labeled statements made in it. */
export interface JudgedCorpusMatch {
  judged: JudgedMatch;
  /** Labeled statements, in the order of the match's moments. */
  statements: readonly CorpusStatement[];
}

/**
 * Lists the statements of these corpora by match. The key of a question contains the statement's number. Numbers count
 * all statements of the corpus, so answers about one split stay valid when another split is asked. `answers`: folder of
 * all answers.
 *
 * @example const matches = listJudgedMatches([readCorpus('voices')], { split: 'test', answers: 'answers' });
 */
export const listJudgedMatches = (
  corpora: readonly Corpus[],
  { split, answers }: { split: CorpusSplit | 'both'; answers: string },
): JudgedCorpusMatch[] =>
  corpora.flatMap(({ name, statements }) => {
    const numbered = statements.map((statement, index) => ({ statement, step: index + 1 }));
    const wanted = numbered.filter(({ statement }) => split === 'both' || statement.split === split);
    return [...Map.groupBy(wanted, ({ statement }) => statement.match)].map(([match, some]): JudgedCorpusMatch => {
      const inOrder = [...Map.groupBy(some, ({ statement }) => statement.before).values()].flat();
      const views = new Map(inOrder.map(({ statement }) => [statement.before, createMomentView(statement)]));
      const { board, rules, players, seed } = match.manifest.setup;
      const moments = inOrder.map(({ statement, step }) => ({
        ...{ statement: statement.said, view: views.get(statement.before)!, step },
      }));
      return {
        judged: {
          ...{ id: match.name, folder: path.join(answers, name, match.name), seed, moments },
          table: { board, rules, players: players.map((player) => player.name) },
          readMeant: () => {
            throw new UsageError(
              `--judge ${meantJudge} reads matches of bots: labeled statements have no record of what was meant. Name a language model.`,
            );
          },
        },
        statements: inOrder.map(({ statement }) => statement),
      };
    });
  });

/** Creates the public view just before the statement. */
function createMomentView({ match, before, said: { id, round, by, text } }: CorpusStatement) {
  const probe: GameEvent = { round, phase: 'day', audience: 'everyone', type: 'statement', id, by, text };
  const record = { manifest: match.manifest, events: [...match.events.slice(0, before), probe], answers: [] };
  return createPublicView(listReplayStates(record).at(-1)!.gameBefore, judgeName);
}

/** Calls, tokens and cost of judges' answers. */
export interface JudgeUsage {
  calls: number;
  /** Tokens; null if some are unknown. */
  tokens: { in: number; out: number } | null;
  /** Cost in USD. */
  cost: number | null;
}

interface JudgedCorpora {
  drawn: DrawnClaims;
  /**
   * Number of claims dropped from the answers, because their quoted words are not in the statement or because they are
   * not meaningful.
   */
  dropped: number;
  /** Agreement between a judge's repeats; null if there is nothing to compare. */
  retest: number | null;
  alpha: number | null;
  effort: JudgeUsage;
}

/**
 * Reads the cached answers. The claims of a statement without a readable answer are null. Throws a RecordError if some
 * answers are missing.
 */
export function readJudgedCorpora(matches: readonly JudgedCorpusMatch[], plan: JudgePlan): JudgedCorpora {
  const read = matches.map(({ judged, statements }) => {
    const { extract, agreementOf, dropped, fault } = readJudgedClaims(judged, plan);
    if (fault !== null) throw new RecordError(fault); // errors can be measured only with all answers
    return {
      drawn: statements.map(({ id, said }) => [id, extract(said, judged.table)] as const),
      agreements: statements.map(({ said }) => agreementOf(said.id)),
      lines: plan.models.flatMap((spec) => surveyJudge(judged, plan, { spec, isBot: false, price: null }).lines),
      dropped,
    };
  });
  const agreements = read.flatMap((one) => one.agreements);
  const lines = read.flatMap((one) => one.lines);
  const tokens = lines.flatMap((line) => line.tokens ?? []);
  return {
    drawn: new Map(read.flatMap(({ drawn }) => drawn)),
    dropped: sum(read.map(({ dropped }) => dropped)),
    retest: mean(agreements.flatMap(({ retest }) => retest ?? [])),
    alpha: plan.models.length < 2 ? null : computeJudgeAlpha(agreements.map(({ types }) => types)),
    effort: {
      calls: lines.length,
      tokens:
        tokens.length < lines.length
          ? null
          : { in: sum(tokens.map((one) => one.in)), out: sum(tokens.map((one) => one.out)) },
      cost: lines.some(({ cost }) => cost === null) ? null : sum(lines.map(({ cost }) => cost ?? 0)),
    },
  };
}
