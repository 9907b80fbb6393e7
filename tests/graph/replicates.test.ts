// Replicates: a deal played several times with the same seats; only the bots' draws and the providers' seeds differ.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { listModelPairs } from '../../deception/design/schedule.ts';
import { listTournamentMatches } from '../../deception/tournament-plan/tournament-schedule.ts';
import { hashTournament } from '../../deception/tournament-plan/tournament-record.ts';
import { getMatchKey, TournamentScores } from '../../deception/tournament/tournament-stopping.ts';
import { estimateMatches } from '../../graph/estimate.ts';
import { countMatches, listMatchPlaces, type MatchSet } from '../../graph/match-set.ts';
import { playMatch } from '../../graph/play-match.ts';
import { type MatchEnd, playMatches } from '../../graph/play-matches.ts';
import { type MatchPlan, prepareMatch, recoverPlan } from '../../graph/prepare-match.ts';
import { planTournamentMatch } from '../../graph/tournament/tournament-set.ts';
import { readManifest, readRecord } from '../../models/record/recorder.ts';
import { recordFiles } from '../../state/record.ts';
import { createTournamentPlan } from '../deception/tournament-plan/plans.ts';
import { openOpenaiServer } from '../openai-server.ts';
import { readQuestion } from '../question.ts';
import { createLegalAnswer } from '../scripted-model.ts';
import { createBoard } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { itLong } from '../it-long.ts';

const root = createTemporaryFolder();
const short: MatchPlan = { board: createBoard(2, 1, 1, 2), rules: 'arena', rule: { debateTurns: 1, maxRounds: 1 } };
const env = { OPENAI_API_KEY: 'none' };

const asked: unknown[] = [];
const server = await openOpenaiServer(({ body }) => {
  asked.push(body.seed);
  return { text: JSON.stringify(createLegalAnswer(readQuestion(body.messages))) };
});

async function playSet(name: string, set: Pick<MatchSet, 'replicates' | 'arms'> & { matches: number }) {
  const ends: MatchEnd[] = [];
  const out = path.join(root, name);
  const planOf = (seed: number) => ({ ...short, seed });
  const result = await playMatches({ seed: 1, planOf, ...set }, { out, env, onEnd: (end) => void ends.push(end) });
  return { result, ends, out };
}

const prepare = async (plan: MatchPlan) => (await prepareMatch(plan, env, 0)).manifest;

describe('replicates', () => {
  afterAll(() => server.close());

  it('are numbered from 2 on, so that the first is the match that it is without them', async () => {
    const alone = await prepare({ ...short, seed: 7 });
    const first = await prepare({ ...short, seed: 7, replicate: 1 });
    const second = await prepare({ ...short, seed: 7, replicate: 2 });
    expect(first).toEqual(alone);
    expect(Object.keys(alone.setup)).not.toContain('replicate');
    expect(second.setup).toEqual({ ...alone.setup, replicate: 2 });
    expect(second.id).not.toBe(alone.id);
    await expect(prepare({ ...short, replicate: 0 })).rejects.toThrow('The replicate must be a whole number from 1 up, not 0.'); // prettier-ignore
  });

  it('share deal, names, prompts of the first night and draws of the game, and differ in what bots draw', async () => {
    const { ends, out } = await playSet('bots', { matches: 2, replicates: 2 });
    expect(ends).toHaveLength(4);
    const records = readdirSync(out).map((name) => readRecord(path.join(out, name)));
    for (const own of Map.groupBy(records, ({ manifest }) => manifest.setup.seed).values()) {
      const [one, other] = own as [(typeof own)[0], (typeof own)[0]];
      expect(one.manifest.setup.players).toEqual(other.manifest.setup.players);
      expect(one.events.slice(0, 7)).toEqual(other.events.slice(0, 7)); // roles, seats and names
      expect(one.answers[0]!.prompt_sha256).toBe(other.answers[0]!.prompt_sha256);
      const spoken = own.map(({ answers }) => answers.map(({ raw }) => raw).join('\n'));
      expect(spoken[0]).not.toBe(spoken[1]);
    }
  });

  it('add to the seed that a provider is sent, and not to the model’s identity', async () => {
    const model = `openai:tiny?seed=5&baseUrl=${server.baseUrl}`;
    for (const replicate of [1, 3]) {
      asked.length = 0;
      const { folder } = await playMatch({ ...short, model, replicate, out: path.join(root, 'seeds'), env });
      expect(new Set(asked)).toEqual(new Set([4 + replicate]));
      const { setup } = readManifest(path.join(folder!, recordFiles.manifest));
      expect(new Set(Object.values(setup.models))).toEqual(new Set(['openai:tiny?seed=5']));
    }
    asked.length = 0;
    await playMatch({ ...short, model: `openai:tiny?baseUrl=${server.baseUrl}`, replicate: 2, out: null, env });
    expect(new Set(asked)).toEqual(new Set([undefined]));
  });

  it('are played deal by deal in every arm, and go on where they were stopped, or with more of them', async () => {
    const arms = listModelPairs(['bot:classic', 'bot:random']);
    const set = { seed: 1, matches: 2, arms, replicates: 2, planOf: () => short };
    expect(countMatches(set)).toBe(16);
    expect(listMatchPlaces(set).map(({ seed, replicate }) => [seed, replicate])).toEqual(
      [1, 2].flatMap((seed) => [undefined, 2].flatMap((replicate) => arms.map(() => [seed, replicate]))),
    );
    const once = await playSet('more', { matches: 2 });
    const again = await playSet('more', { matches: 2, replicates: 3 });
    const isPlayed = again.ends.map((end) => 'isPlayed' in end && end.isPlayed);
    expect(again.result.finished + once.result.finished).toBeGreaterThanOrEqual(6);
    expect(isPlayed.filter(Boolean)).toHaveLength(4);
    expect(readdirSync(again.out)).toHaveLength(6);
  });

  itLong('cost as much as so many matches', async () => {
    const set = { seed: 1, matches: 3, planOf: () => ({ ...short, model: `openai:tiny?baseUrl=${server.baseUrl}` }) };
    const once = await estimateMatches(set, { env, concurrency: 4 });
    const often = await estimateMatches({ ...set, replicates: 4 }, { env, concurrency: 4 });
    expect([once.matches, often.matches]).toEqual([3, 12]);
    expect(Math.abs(often.calls - 4 * once.calls)).toBeLessThan(4); // the numbers of calls are rounded
  });

  it('go on from their manifest alone', async () => {
    const manifest = await prepare({ ...short, seed: 7, replicate: 2 });
    expect((await prepare(recoverPlan(manifest))).setup).toEqual(manifest.setup);
  });

  const two = { one: { model: 'bot:classic' }, two: { model: 'bot:random' } };
  const plan = createTournamentPlan({ entrants: two, format: 'head-to-head', deals: 12, replicates: 3 });

  it('are matches of a tournament, each with a key of its own; without them plan and keys stay what they were', async () => {
    const matches = listTournamentMatches(plan);
    expect(matches).toHaveLength(12 * 2 * 3);
    expect(new Set(matches.map(getMatchKey)).size).toBe(matches.length);
    const { replicates, ...single } = plan;
    expect(replicates).toBe(3);
    const alone = listTournamentMatches(single);
    expect(alone.map(getMatchKey)).toEqual(matches.filter(({ replicate }) => replicate === undefined).map(getMatchKey));
    expect(hashTournament(single)).not.toBe(hashTournament(plan));
    const { setup } = await prepare(planTournamentMatch(plan, matches.at(-1)!));
    expect(setup).toMatchObject({ replicate: 3, seed: 12 });
  });

  it('end a tournament by deals whose replicates are all in, each deal counting once', () => {
    const stop = { decide: true as const, alpha: 0.05 };
    const winner = (match: (typeof scheduled)[0]) => match.seats.find(({ entrant }) => entrant === 'one')!.team;
    const scheduled = listTournamentMatches({ ...plan, stop });
    const whole = new TournamentScores({ ...plan, stop }, scheduled);
    for (const match of scheduled) whole.record(match, winner(match));
    expect(whole.evaluate()).toMatchObject({ decidedDeals: 8, pairs: [{ difference: 1, deals: 12 }] });
    const part = new TournamentScores({ ...plan, stop }, scheduled);
    const last = scheduled.findLast(({ deal }) => deal === 8)!;
    for (const match of scheduled) if (match !== last) part.record(match, winner(match));
    expect(part.evaluate()).toMatchObject({ decidedDeals: null, pairs: [{ deals: 7 }] });
  });
});
