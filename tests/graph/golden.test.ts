// Golden matches: records of earlier versions still read, play and add up as they did.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { replayMatch } from '../../graph/play-match.ts';
import { prepareMatch, recoverPlan } from '../../graph/prepare-match.ts';
import { recordFiles } from '../../state/record.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { rulebook } from '../../state/rules/rules.ts';

const folder = path.join(import.meta.dirname, '..', 'golden');
const matches = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());

/** A summary without the options that have their default, so that a new option leaves the golden summaries as they are. */
function withoutDefaults({ rules, ...rest }: { rules: RuleValues }) {
  const isOwn = ([name, value]: [string, unknown]) => value !== rulebook[name]?.default;
  return { ...rest, rules: Object.fromEntries(Object.entries(rules).filter(isOwn)) };
}

describe('a golden match', () => {
  // The wording of prompts is pinned by the snapshots, so it may have changed since.
  it.each(matches.map(({ name }) => name))('%s gives the same events and the same summary again', async (name) => {
    const { summary } = await replayMatch(path.join(folder, name), { allowChangedPrompts: true });
    const read = (text: string) => withoutDefaults(JSON.parse(text) as { rules: RuleValues });
    const recorded = readFileSync(path.join(folder, name, recordFiles.summary), 'utf8');
    expect(read(JSON.stringify(summary))).toEqual(read(recorded));
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
