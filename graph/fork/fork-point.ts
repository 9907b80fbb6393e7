// Fork points: the question of a statement in a recorded match, with the answers and events before it.
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { statementActions } from '../../deception/record/match-record.ts';
import { readRecord, type StoredRecord } from '../../models/record/recorder.ts';
import { RecordError } from '../../models/record/ndjson.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { draftAction } from '../../state/event-descriptions.ts';
import { type GameEvent, isEventOfType } from '../../state/events.ts';
import { findStatementPlace, type ForkOf } from '../../state/fork.ts';
import { type AnswerLine, recordFiles } from '../../state/record.ts';
import { isTurn } from '../../state/steps/debate.ts';
import { UsageError } from '../../state/usage-error.ts';
import { isAskedFor } from '../fork-client.ts';
import { replayMatch } from '../play-match.ts';
import { describeOtherWording, listReworded } from '../recorded-wording.ts';

/** A statement of a recorded match, with all recorded data that a fork of it needs. */
export interface ForkPoint {
  /** The folder of the match. */
  folder: string;
  record: StoredRecord;
  statement: string;
  /** The question that produced the statement. */
  prompt: AnyPrompt;
  /** The answers before the question, in the order of the record. */
  before: readonly AnswerLine[];
  /** The answer to the question, and the unreadable attempts before it. */
  answered: readonly [AnswerLine, ...AnswerLine[]];
}

/**
 * Throws a UsageError for a match that cannot be forked: a fork, an imported match, a match whose players remember
 * earlier matches, or a match with other wording of prompts.
 */
export function checkForkable(
  folder: string,
  { manifest, isFinished }: Pick<StoredRecord, 'manifest' | 'isFinished'>,
): void {
  const { id, fork_of: fork, imported, setup } = manifest;
  if (fork !== undefined)
    throw new UsageError(
      `${folder} is a fork of match ${fork.match}, and forks cannot be forked again. Name the folder of that match.`,
    );
  if (imported !== undefined)
    throw new UsageError(
      `${folder} was imported (${imported.format}) and has no prompts, so it cannot be continued. Fork matches that Wolfgraph played.`,
    );
  if (!isFinished)
    throw new UsageError(`Match ${id} in ${folder} is not finished. Play it to its end before you fork it.`);
  if (setup.experience !== undefined)
    throw new UsageError(
      `The players of ${folder} remember earlier matches, but a fork cannot use a pool. Choose matches that were played without --experience.`,
    );
  const other = describeOtherWording(manifest) ?? listReworded(manifest).join(', ');
  if (other !== '')
    throw new UsageError(
      `${folder} was played with prompts of another wording (${other}), so its questions would be worded differently now. Fork it with the version that played it.`,
    );
}

/**
 * Returns the points of a match at these statements, in the given order. Replays the match once, without a call. Throws
 * a UsageError like `checkForkable`, and for an id that is not a statement of a debate. Throws a RecordError if the
 * record does not lead to the same match.
 *
 * @example const [point] = await readForkPoints('runs/classic-8-7-1a2b3c4d', ['2.3']);
 */
export async function readForkPoints(folder: string, statements: readonly string[]): Promise<ForkPoint[]> {
  const record = readRecord(folder);
  checkForkable(folder, record);
  const prompts = new Map<string, AnyPrompt>();
  const speakers = new Map(record.events.filter(isTurn).map(({ id, by }) => [id, by]));
  await replayMatch(folder, {
    onAsked: (prompt) => {
      const found = statements.find(
        (statement) => isAskedFor(statement, prompt) && speakers.get(statement) === prompt.view.me,
      );
      if (found !== undefined) prompts.set(found, prompt);
    },
  });
  return statements.map((statement) => {
    const prompt = prompts.get(statement);
    if (prompt === undefined)
      throw new UsageError(
        `${statement} is not a debate statement in ${folder}, and only those can be forked: nobody hears the explanation of a ballot before the vote.`,
      );
    const { round, step } = findStatementPlace(statement);
    const isOfIt = (line: AnswerLine) =>
      line.round === round &&
      line.step === step &&
      line.player === prompt.view.me &&
      statementActions.includes(line.action);
    const answered = record.answers.filter(isOfIt) as [AnswerLine, ...AnswerLine[]];
    const isBefore = (line: AnswerLine) => line.round < round || (line.round === round && line.step <= step);
    const before =
      prompt.action === draftAction // drafts are answered together with analyses of the previous turn
        ? record.answers.filter((line) => isBefore(line) && !isOfIt(line))
        : record.answers.slice(0, record.answers.findIndex(isOfIt));
    return { folder, record, statement, prompt, before, answered };
  });
}

/**
 * Finds the player and the bid of a drafted statement; undefined for a statement that was not drafted.
 *
 * @example findDraft(readRecord('runs/a'), '2.3') // { by: 'Dan', bid: 4 }
 */
export function findDraft(
  { manifest, events }: Pick<StoredRecord, 'manifest' | 'events'>,
  statement: string,
): ForkOf['draft'] {
  const turn = events.find((event) => isTurn(event) && event.id === statement);
  if (manifest.setup.rules.turn !== 'draft' || turn === undefined || !isTurn(turn)) return undefined;
  const { round, step } = findStatementPlace(statement);
  const own = events
    .filter(isEventOfType('bid'))
    .find((event) => event.round === round && event.step === step && event.by === turn.by);
  return own?.bid == null ? undefined : { by: turn.by, bid: own.bid }; // a Sheriff opens the debate without a bid
}

/**
 * Lists the events of a match before the turn of a statement, without the thought behind the statement. If the
 * statement was drafted, its bid loses its mark, because the draft is asked for again.
 */
export function listEventsBefore(events: readonly GameEvent[], statement: string): readonly GameEvent[] {
  const place = events.findIndex((event) => isTurn(event) && event.id === statement);
  const turn = events[place];
  if (turn === undefined || !isTurn(turn)) return events;
  const { round, step } = findStatementPlace(statement);
  return events.slice(0, place).flatMap((event): GameEvent[] => {
    if (event.round !== round || !('step' in event) || event.step !== step || event.by !== turn.by) return [event];
    if (event.type === 'thought' && statementActions.includes(event.action)) return [];
    if (event.type !== 'bid') return [event];
    const { mark, ...bid } = event;
    void mark;
    return [bid];
  });
}

/**
 * Throws a RecordError if, before the forked statement, a fork and its original match have different events. Later
 * differences would then not be an effect of the statement alone.
 *
 * @example checkSamePast('forks/a.2.3.keep.1', fork.events, origin.events, '2.3')
 */
export function checkSamePast(
  folder: string,
  fork: readonly GameEvent[],
  origin: readonly GameEvent[],
  statement: string,
): void {
  const [own, before] = [listEventsBefore(fork, statement), listEventsBefore(origin, statement)];
  const place = before.findIndex((event, index) => !isDeepStrictEqual(event, own[index]));
  const surplus = own.length === before.length ? -1 : before.length;
  const line = place >= 0 ? place : surplus;
  if (line >= 0)
    throw new RecordError(
      `${path.join(folder, recordFiles.events)}, line ${line + 1}: this fork differs from its origin before statement ${statement}, so it shows no effect of it. Expected ${JSON.stringify(before[line])}, found ${JSON.stringify(own[line])}. Remove the folder and run the command again.`,
    );
}
