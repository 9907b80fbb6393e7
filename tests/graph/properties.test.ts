// Whole matches on random boards under random rules, between models that answer anything.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { replayMatch } from '../../graph/play-match.ts';
import type { GameEvent } from '../../state/event.ts';
import type { AnswerLine } from '../../state/record.ts';
import { anyBoard, anyRules, anySeed } from '../random-plans.ts';
import { rulesBroken, scoresFrom } from '../referee.ts';
import { ScriptedModel } from '../scripted-model.ts';
import { play } from '../table.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { injected, unrulyAnswer } from '../unruly-answers.ts';

const out = temporaryFolder();
let matches = 0;

/** A match on any board under any rules, recorded in a folder of its own. */
async function playAny(
  unruly: number,
  { board, rule, seed }: { board: Parameters<typeof play>[0]['board']; rule: object; seed: number },
) {
  const model = new ScriptedModel((question) => unrulyAnswer(question, seed, unruly));
  const match = await play({ out, id: `m${matches++}`, board, rule: rule as Record<string, string>, seed, model });
  return { ...match, model };
}

const anyPlan = fc.record({ board: anyBoard, rule: anyRules, seed: anySeed });

/** The action that an event came of, where its answer could be replaced. */
function actionOf(event: GameEvent): string | undefined {
  const actions: Partial<Record<GameEvent['type'], string>> = {
    proposal: 'eliminate',
    bid: 'bid',
    silence: 'debate',
    ballot: 'vote',
    summary: 'summarize',
    synthetic_vote: 'synthetic_vote',
  };
  return event.type === 'acted' ? event.verb : event.type === 'missing' ? event.action : actions[event.type];
}

/** Every answer that could not be had, as the record of calls tells it and as the events do. */
function marksOf(lines: readonly AnswerLine[], events: readonly GameEvent[]) {
  /** Where one decides, or is left, nobody proposes and the pick itself is marked. */
  const isByOne = (night: number) => !events.some(({ type, round }) => type === 'proposal' && round === night);
  const inLines = lines.flatMap(({ round, action, player, mark }) =>
    mark ? [[round, action, action === 'eliminate' && isByOne(round) ? '' : player, mark].join(' ')] : [],
  );
  const inEvents = events.flatMap((event) => {
    if (!('mark' in event) || event.mark === undefined) return [];
    if (event.type === 'pick')
      return isByOne(event.round) ? [[event.round, 'eliminate', '', event.mark].join(' ')] : [];
    return [[event.round, actionOf(event), event.by, event.mark].join(' ')];
  });
  return { inLines: inLines.sort(), inEvents: inEvents.sort() };
}

describe('any match, whatever the models answer,', () => {
  it('goes by the rules to its end, marks every replacement, and is replayed from its answers', async () => {
    const goesWell = fc.asyncProperty(anyPlan, fc.constantFrom(1, 4, 9, 10), async (plan, unruly) => {
      const { setup, events, lines, summary, folder } = await playAny(unruly, plan);
      expect(rulesBroken(setup, events)).toEqual([]);
      const { inLines, inEvents } = marksOf(lines, events);
      expect(inEvents).toEqual(inLines);
      for (const [observer, targets] of Object.entries(scoresFrom(setup, events)))
        for (const [target, { score, round }] of Object.entries(targets)) {
          const told = summary.deception_scores[observer]![target]!;
          expect(told.score).toBeCloseTo(score, 12);
          expect(told.round).toBe(round);
          expect(told.score >= 0 && told.score <= 1).toBe(true);
        }
      const replayed = await replayMatch(folder!);
      expect(replayed.events).toEqual(events);
      expect(replayed.summary).toEqual(JSON.parse(readFileSync(path.join(folder!, 'deception_summary.json'), 'utf8')));
    });
    await fc.assert(goesWell, { numRuns: 20 });
  }, 60_000);

  it('lets no answer pass for words of the moderator', async () => {
    const staysQuoted = fc.asyncProperty(anyPlan, async (plan) => {
      const { model } = await playAny(9, plan);
      for (const { attempt, messages } of model.asked) {
        const lines = messages.slice(0, 2).flatMap(({ content }) => content.split(/[\n\r\u2028\u2029]/));
        const forged = lines.filter((line) => line.includes(injected) && !/^[^"]*: "[^"]*"$/.test(line));
        expect(forged).toEqual([]);
        expect(attempt).toBeLessThanOrEqual(3);
      }
    });
    await fc.assert(staysQuoted, { numRuns: 10 });
  }, 60_000);
});
