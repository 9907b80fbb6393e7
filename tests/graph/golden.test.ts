// Golden matches: records of earlier versions can be read and replayed, with the same figures.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { computeDeceptionScores } from '../../deception/record/suspicion-scores.ts';
import type { DeceptionSummary } from '../../deception/summary/match-summary-schema.ts';
import { replayMatch } from '../../graph/play-match.ts';
import { type MatchEnd, playMatches } from '../../graph/play-matches.ts';
import { prepareMatch, recoverPlan } from '../../graph/prepare-match.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { readTemplatesHash } from '../../prompts/wording.ts';
import { identifyModel } from '../../state/model-identity.ts';
import { type Manifest, recordFiles } from '../../state/record.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { fillRecordedRules, rulebook } from '../../state/rulebook.ts';
import { rewrite } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const folder = path.join(import.meta.dirname, '..', 'golden');
const matches = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/**
 * Returns a summary with all options, without its seal and without verdicts, which change as extraction improves.
 * Options that did not exist have the value that was then played. Models have the name of their identity. Scores are
 * separate, because summaries of version 1 counted explanations of votes and the state did not.
 */
function completeSummary(text: string) {
  const identified = text.replace(/"(openai:[^"]+)"/g, (_, model: string) => JSON.stringify(identifyModel(model)));
  const parsed = JSON.parse(identified) as {
    rules: RuleValues;
    seal?: unknown;
    verdicts?: unknown;
  } & Partial<DeceptionSummary>;
  const { rules, seal, verdicts, schema_version, deception_scores, debate_deception_scores, ...rest } = parsed;
  void [seal, verdicts, schema_version, deception_scores, debate_deception_scores];
  return { ...rest, rules: fillRecordedRules(rules) };
}

describe('a golden match', () => {
  it.each(matches.map(({ name }) => name))('%s gives the same events and the same summary again', async (name) => {
    const { summary, isReworded } = await replayMatch(path.join(folder, name));
    const recorded = readFileSync(path.join(folder, name, recordFiles.summary), 'utf8');
    expect(completeSummary(JSON.stringify(summary))).toEqual(completeSummary(recorded));
    const { manifest, events } = readRecord(path.join(folder, name));
    const { made_by: madeBy, setup } = manifest;
    const { schema_version: version, deception_scores: scores } = JSON.parse(recorded) as DeceptionSummary;
    const counted = computeDeceptionScores(setup, events, {
      scoresFrom: (version as number) === 1 ? 'all' : setup.rules.scoresFrom,
    });
    expect(scores).toEqual(counted);
    expect(isReworded).toBe(madeBy.templates_sha256 !== readTemplatesHash());
  });
});

describe('an option that a golden record lacks', () => {
  const recorded = matches.map(({ name }): RuleValues => {
    const { setup } = JSON.parse(readFileSync(path.join(folder, name, recordFiles.manifest), 'utf8')) as Manifest;
    return setup.rules;
  });
  const options = Object.entries(rulebook).filter(([name]) => recorded.some((rules) => !Object.hasOwn(rules, name)));

  it.each(options)('%s says what was played before it was known', (_name, { before, schema }) => {
    expect(schema.safeParse(before).success).toBe(true);
  });

  it('has that value in every record, never a later default', () => {
    for (const rules of recorded) {
      const lacking = options.filter(([name]) => !Object.hasOwn(rules, name));
      const before = Object.fromEntries(lacking.map(([name, rule]) => [name, rule.before]));
      expect(fillRecordedRules(rules)).toMatchObject(before);
    }
  });
});

// Records that are older than a check of rules or names: their matches can still be resumed.

const env = {};
const createManifest = async (rule: Record<string, string | number | boolean>) => {
  const { manifest } = await prepareMatch({ seed: 4, model: 'bot:random' }, env, 0);
  return { ...manifest, setup: { ...manifest.setup, rules: { ...manifest.setup.rules, ...rule } } };
};

it('a match whose record has an option that decides nothing is prepared again as it was', async () => {
  const manifest = await createManifest({
    exileTies: 'random',
    analyzeBallots: true,
    ballots: 'secret',
    guardSelf: false,
  });
  const again = await prepareMatch(recoverPlan(manifest), env, 0);
  expect(again.manifest.setup).toEqual(manifest.setup);
});

it('a record whose rules are none is refused with the reason', async () => {
  const manifest = await createManifest({ exileTies: 'both' });
  await expect(prepareMatch(recoverPlan(manifest), env, 0)).rejects.toThrow('Rule "exileTies" cannot be "both"');
});

it('a match whose players have names that are refused today is prepared again with them', async () => {
  const manifest = await createManifest({});
  const [first, second, ...others] = manifest.setup.players;
  const named = [{ ...first!, name: 'Voted' }, { ...second!, name: 'Bern' }, ...others];
  const models = Object.fromEntries(named.map(({ name }) => [name, 'bot:random']));
  const setup = { ...manifest.setup, players: named, models, bots: named.map(({ name }) => name) };
  const again = await prepareMatch(recoverPlan({ ...manifest, setup }), env, 0);
  expect(again.manifest.setup.players.map(({ name }) => name)).toEqual(expect.arrayContaining(['Voted', 'Bern']));
});

it('another board in the place of the recorded one is checked as any other', async () => {
  const plan = recoverPlan(await createManifest({}));
  const names = ['Voted', ...plan.recorded!.board.names!.slice(1)];
  const seated = { ...plan.recorded!.board, names };
  await expect(prepareMatch({ ...plan, board: seated }, env, 0)).rejects.toThrow('a name cannot be a word');
  const even = { name: 'even', roles: { Werewolf: 4, Villager: 4 }, names: plan.recorded!.board.names };
  await expect(prepareMatch({ ...plan, board: even }, env, 0)).rejects.toThrow('are at parity at the start');
});

// Folders that earlier versions created. Their match ids also depended on settings that do not affect the course of a
// match.

describe('a folder begun by an earlier version', () => {
  const root = createTemporaryFolder();

  /** A folder with a golden match under its earlier id, and the plan that gave that id. */
  function copyGolden(name: string) {
    const { manifest } = readRecord(path.join(folder, name));
    const { board, seed } = manifest.setup;
    const out = path.join(root, name);
    const id = `${board.name}-${seed}-01234567`;
    mkdirSync(out);
    cpSync(path.join(folder, name), path.join(out, id), { recursive: true });
    rewrite(path.join(out, id), recordFiles.manifest, (text) =>
      text.replace(`"id": "${manifest.id}"`, `"id": "${id}"`),
    );
    writeFileSync(path.join(out, id, recordFiles.prompts), '');
    return { out, id, seed, plan: { ...recoverPlan(manifest), id: undefined } };
  }

  it('is finished by the same command, though the price and the time-out are others now', async () => {
    const { out, id, seed, plan } = copyGolden('wolf-6-tinyllama');
    const form = '&structured=schema'; // that version asked all questions in this form
    const seats = Object.entries(plan.seats!).map(([name, seat]) => {
      const { model, persona } = seat as { model: string; persona?: string };
      return [name, { model: `${model.replace(/timeout=\d+/, 'timeout=9')}&priceIn=1&priceOut=2${form}`, persona }];
    });
    const set = {
      seed,
      matches: 1,
      planOf: () => ({ ...plan, seats: Object.fromEntries(seats) as typeof plan.seats }),
    };
    const ends: MatchEnd[] = [];
    const onEnd = (end: MatchEnd) => void ends.push(end);
    const result = await playMatches(set, { out, env: { OPENAI_API_KEY: 'none' }, onEnd });
    expect(result).toMatchObject({ finished: 1, reason: null });
    expect(ends).toEqual([expect.objectContaining({ id, isPlayed: false })]);
    expect(readdirSync(out)).toEqual([id]);
  });

  it('is not played and paid for anew only because models are asked otherwise by default now', async () => {
    const { out, seed, plan } = copyGolden('arena-6-tinyllama');
    const env = { OPENAI_API_KEY: 'none' };
    const set = { seed, matches: 1, planOf: () => plan };
    await expect(playMatches(set, { out, env })).rejects.toThrow('add structured=schema to the model');
  });
});
