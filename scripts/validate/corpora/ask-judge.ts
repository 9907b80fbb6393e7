// Has a judge draw the claims of labelled statements. Its answers are kept by match, so that nothing is paid for twice.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Claim } from '../../../deception/claims/claim.ts';
import { acceptQuotedClaims } from '../../../deception/claims/extract-by-judge.ts';
import { sum } from '../../../deception/statistics/sums.ts';
import {
  type AnnotationItem,
  type AnnotationRunOptions,
  type AnyAnnotationItem,
  createAnswerCache,
  estimateAnnotation,
  runAnnotation,
  runConcurrently,
} from '../../../graph/annotation/annotation-run.ts';
import {
  type ConfirmItem,
  createConfirmItem,
  mergeClaims,
  readConfirmedClaims,
} from '../../../graph/annotation/judge-claims.ts';
import { listReplayStates } from '../../../graph/annotation/replay-states.ts';
import type { PlayerModel } from '../../../models/model.ts';
import { getKeptAnswersFile, type KeptAnswer, readKeptAnswers } from '../../../models/record/annotation-log.ts';
import { composeJudgePrompt, type JudgedAnswer, judgeName } from '../../../prompts/judge.ts';
import type { GameEvent } from '../../../state/events.ts';
import { createPublicView, type PublicSetup, type PublicView } from '../../../state/view.ts';
import type { DrawnClaims } from './judge-at-moment.ts';
import type { Corpus, CorpusMatch, CorpusStatement, Split } from './read-corpus.ts';

/** The questions about the statements of one match. */
export interface JudgeQuestions<Item extends AnyAnnotationItem = AnnotationItem<JudgedAnswer>> {
  /** Where the answers are kept. */
  folder: string;
  match: CorpusMatch;
  items: readonly { statement: CorpusStatement; item: Item; view: PublicView }[];
}

interface QuestionsAsked {
  split: Split | 'both';
  /** How often each is asked. */
  repeat: number;
  /** The folder of all answers. */
  answers: string;
}

/**
 * One question a statement and repeat. Its number, a part of its key, is that among all statements of the corpus, so that
 * the answers to one split stay valid when the other is asked.
 *
 * @example const questions = listJudgeQuestions([readCorpus('voices')], { split: 'test', repeat: 1, answers: 'answers' });
 */
export function listJudgeQuestions(
  corpora: readonly Corpus[],
  { split, repeat, answers }: QuestionsAsked,
): JudgeQuestions[] {
  return corpora.flatMap(({ name, statements }) => {
    const numbered = statements.map((statement, index) => ({ statement, number: index + 1 }));
    const wanted = numbered.filter(({ statement }) => split === 'both' || statement.split === split);
    return [...Map.groupBy(wanted, ({ statement }) => statement.match)].map(([match, some]) => {
      const once = [...Map.groupBy(some, ({ statement }) => statement.before).values()].flatMap(createPrompts);
      const items = Array.from({ length: repeat }, (_, index) =>
        once.map(({ statement, prompt, view }) => ({
          statement,
          view,
          item: { prompt, statements: [statement.said.id], repeat: index + 1 },
        })),
      ).flat();
      return { folder: path.join(answers, name, match.name), match, items };
    });
  });
}

/** Of statements made at the same time. */
function createPrompts(here: readonly { statement: CorpusStatement; number: number }[]) {
  const { match, before, said } = here[0]!.statement;
  const { round, by } = said;
  const probe: GameEvent = {
    ...{ round, phase: 'day', audience: 'everyone', type: 'statement', id: said.id, by, text: said.text },
  };
  const record = { manifest: match.manifest, events: [...match.events.slice(0, before), probe], answers: [] };
  const view = createPublicView(listReplayStates(record).at(-1)!.gameBefore, judgeName);
  return here.map(({ statement, number }) => ({
    statement,
    view,
    prompt: composeJudgePrompt(view, number, statement.said),
  }));
}

/** What is left to ask of each match, and what was paid for the answers that are kept. */
export const surveyQuestions = (questions: readonly JudgeQuestions<AnyAnnotationItem>[], model: PlayerModel) =>
  questions.map(({ folder, items }) => {
    const kept = createAnswerCache(readKeptAnswers(getKeptAnswersFile(folder, 'claims', model.spec)));
    const open = items.filter(({ item }) => !kept.isAnswered(item));
    const lines = items.flatMap(({ item }) => kept.linesOf(item));
    return {
      questions: items.length,
      left: estimateAnnotation(
        open.map(({ item }) => item),
        model,
      ),
      paid: sum(lines.map(({ cost }) => cost ?? 0)),
    };
  });

/** Asks what is not answered yet. Throws as `runAnnotation` does; what was answered by then is kept. */
export async function askQuestions(
  questions: readonly JudgeQuestions<AnyAnnotationItem>[],
  model: PlayerModel,
  { maxCost, ...options }: AnnotationRunOptions,
): Promise<void> {
  await runConcurrently(questions, { maxCost, concurrency: undefined }, async ({ folder, match, items }, shared) => {
    mkdirSync(folder, { recursive: true });
    const run = { id: match.name, folder, kind: 'claims', seed: match.manifest.setup.seed } as const;
    await runAnnotation(
      run,
      items.map(({ item }) => item),
      model,
      { ...options, ...shared, maxCost },
    );
  });
}

/** What a judge's answers took. */
export interface JudgeEffort {
  calls: number;
  /** Null where some of it is not known. */
  tokens: { in: number; out: number } | null;
  /** USD. */
  cost: number | null;
}

interface JudgedCorpora {
  /** By repeat, from the first. */
  drawn: readonly DrawnClaims[];
  /** Claims in the answers whose words do not stand in the statement or that make no sense as they are. */
  dropped: number;
  /** Of all repeats. */
  effort: JudgeEffort;
}

/** Reads the kept answers. A statement without a readable answer has null. */
export function readAnswers(questions: readonly JudgeQuestions[], judge: string): JudgedCorpora {
  const read = questions.flatMap(({ folder, match, items }) => {
    const kept = createAnswerCache(readKeptAnswers(getKeptAnswersFile(folder, 'claims', judge)));
    const { board, rules, players } = match.manifest.setup;
    const table = { board, rules, players: players.map(({ name }) => name) };
    return items.map(({ statement, item }) => {
      const lines = kept.linesOf(item);
      const answer = readAnswer(item, lines.at(-1));
      const accepted = answer && acceptQuotedClaims(statement.said, answer.claims, table);
      return { id: statement.id, repeat: item.repeat, lines, accepted };
    });
  });
  const lines = read.flatMap((one) => one.lines);
  const tokens = lines.flatMap((line) => line.tokens ?? []);
  const repeats = [...Map.groupBy(read, ({ repeat }) => repeat)].sort(([one], [other]) => one - other);
  return {
    drawn: repeats.map(
      ([, some]) =>
        new Map(some.map(({ id, accepted }): [string, readonly Claim[] | null] => [id, accepted?.claims ?? null])),
    ),
    dropped: sum(read.map(({ accepted }) => accepted?.dropped ?? 0)),
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

const readAnswer = ({ prompt }: AnnotationItem<JudgedAnswer>, line: KeptAnswer | undefined): JudgedAnswer | null => {
  const read = line === undefined || line.mark !== undefined ? null : prompt.answer.safeParse(line.answer);
  return read?.success ? read.data : null;
};

// The rules as a guard: what they draw and the judge lacks is asked again.

/** The guard's questions that follow from what the judge found. */
export const listGuardQuestions = (
  questions: readonly JudgeQuestions[],
  found: DrawnClaims,
): JudgeQuestions<ConfirmItem>[] =>
  questions.map(({ folder, match, items }) => {
    const { board, rules, players } = match.manifest.setup;
    const table: PublicSetup = { board, rules, players: players.map(({ name }) => name) };
    const first = items.filter(({ item }) => item.repeat === 1);
    return {
      folder,
      match,
      items: first.flatMap(({ statement, view, item: { prompt } }) => {
        const own = found.get(statement.id) ?? null;
        const item = createConfirmItem({ view, step: prompt.step }, statement.said, own, table);
        return item ? [{ statement, view, item }] : [];
      }),
    };
  });

/** What the judge found with what it confirmed of the rules' claims. */
export function addConfirmedClaims(
  found: DrawnClaims,
  questions: readonly JudgeQuestions<ConfirmItem>[],
  judge: string,
): DrawnClaims {
  const joined = new Map(found);
  for (const { folder, items } of questions) {
    const kept = createAnswerCache(readKeptAnswers(getKeptAnswersFile(folder, 'claims', judge)));
    for (const { statement, item } of items)
      joined.set(
        statement.id,
        mergeClaims(found.get(statement.id) ?? [], readConfirmedClaims(item, kept.linesOf(item).at(-1))),
      );
  }
  return joined;
}
