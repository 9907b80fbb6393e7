// Golden matches: records of earlier versions still read, play and add up as they did.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { replayMatch } from '../../graph/play-match.ts';
import { prepareMatch, recoverPlan } from '../../graph/prepare-match.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { templatesHash } from '../../prompts/prompt.ts';
import { type Manifest, recordFiles } from '../../state/record.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { fillRecordedRules, rulebook } from '../../state/rules/rules.ts';

const folder = path.join(import.meta.dirname, '..', 'golden');
const matches = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** A summary without its seal, with all options: those that came later have the value that was played before. */
function completeSummary({ rules, seal, ...rest }: { rules: RuleValues; seal?: unknown }) {
  void seal;
  return { ...rest, rules: fillRecordedRules(rules) };
}

describe('a golden match', () => {
  it.each(matches.map(({ name }) => name))('%s gives the same events and the same summary again', async (name) => {
    const { summary, isReworded } = await replayMatch(path.join(folder, name));
    const read = (text: string) => completeSummary(JSON.parse(text) as { rules: RuleValues });
    const recorded = readFileSync(path.join(folder, name, recordFiles.summary), 'utf8');
    expect(read(JSON.stringify(summary))).toEqual(read(recorded));
    const { made_by: madeBy } = readRecord(path.join(folder, name)).manifest;
    expect(isReworded).toBe(madeBy.templates_sha256 !== templatesHash);
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

// Records of before a combination of rules or a name was refused: their matches are gone on with as they were.

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
