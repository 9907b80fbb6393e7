// Variants of a deal: the same match with other words or other seats, from its plan to its tables.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { buildMatchRow } from '../../deception/tables/match-tables.ts';
import { replayMatch } from '../../graph/play-match.ts';
import { type MatchPlan, prepareMatch, recoverPlan } from '../../graph/prepare-match.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { renamedWords, replaceGameWords } from '../../prompts/renaming.ts';
import { listDealtPlayers, mapToDealtNames, seatRotated, Variant } from '../../state/variants.ts';
import { everyRole, play } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { itLong } from '../it-long.ts';

const root = createTemporaryFolder();
const short = { rule: { maxRounds: 1, debateTurns: 2, beliefs: 'each-round' }, seed: 4, model: 'bot:classic' };
const tables: Readonly<Record<string, MatchPlan>> = {
  'classic-8': { board: 'classic-8' },
  'every-role': { board: everyRole, rule: { ...short.rule, debateTurns: 1, sheriff: true } },
};
const boards = Object.keys(tables);

async function playAnew(board: string, variant?: Variant) {
  const played = await play({ ...short, ...tables[board], variant, out: path.join(root, variant ?? 'plain') });
  return { ...played, folder: played.folder! };
}

const played = new Map<string, ReturnType<typeof playAnew>>();

/** Plays a match in a variant, once for all tests. */
function playVariant(board: string, variant?: Variant) {
  const key = `${board} ${variant}`;
  const match = played.get(key) ?? playAnew(board, variant);
  played.set(key, match);
  return match;
}

const prepareVariant = async (plan: MatchPlan) => (await prepareMatch({ ...short, ...plan }, {}, 0)).manifest.setup;

const readPrompts = (folder: string) =>
  gunzipSync(readFileSync(path.join(folder, 'prompts.ndjson.gz')))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { messages: { content: string }[] })
    .flatMap(({ messages }) => messages.map(({ content }) => content));

/** Returns `itLong` for all boards but the one with every role. */
const selectIt = (board: string) => (board === 'every-role' ? it : itLong);

describe.each(boards)('on %s', (board) => {
  selectIt(board).each(Variant.options)('the variant %s is a match of its own, of the same deal', async (variant) => {
    const [plain, varied] = [await playVariant(board), await playVariant(board, variant)];
    expect(varied.id).not.toBe(plain.id);
    expect(varied.manifest.setup.variant).toBe(variant);
    expect(plain.manifest.setup).not.toHaveProperty('variant');
    const [one, other] = [plain, varied].map(({ folder }) => buildMatchRow(readRecord(folder), 'rules'));
    expect(other!.deal).toBe(one!.deal);
    expect([one!.variant, other!.variant]).toEqual(['plain', variant]);
  });

  selectIt(board).each(Variant.options)(
    '%s is replayed, gone on with, and found again from its manifest',
    async (variant) => {
      const { folder, events, manifest } = await playVariant(board, variant);
      expect((await replayMatch(folder)).events).toEqual(events);
      expect((await prepareMatch(recoverPlan(manifest), {}, 0)).manifest.setup).toEqual(manifest.setup);
      const answers = path.join(folder, 'answers.ndjson');
      const all = readFileSync(answers, 'utf8').trim().split('\n');
      writeFileSync(answers, `${all.slice(0, all.length / 2).join('\n')}\n`);
      rmSync(path.join(folder, 'deception_summary.json'));
      const again = await playAnew(board, variant);
      expect(again.events).toEqual(events);
      expect(again.live.length).toBeGreaterThan(0);
      expect(again.live.length).toBeLessThan(all.length);
    },
  );
});

describe('the renamed game', () => {
  const isInUsualWords = async (board: string) => {
    const [plain, renamed] = [await playVariant(board), await playVariant(board, 'renamed')];
    expect(renamed.events).toEqual(plain.events);
    const listAnswers = ({ lines }: typeof plain) => lines.map(({ answer }) => answer);
    expect(listAnswers(renamed)).toEqual(listAnswers(plain));
    expect(renamed.lines.map(({ raw }) => replaceGameWords(raw))).toEqual(plain.lines.map(({ raw }) => raw));
    const hashes = new Set(plain.lines.map((line) => line.prompt_sha256));
    expect(renamed.lines.filter((line) => hashes.has(line.prompt_sha256))).toEqual([]); // hash of the prompt as sent
  };
  for (const board of boards)
    selectIt(board)(`on ${board} is recorded in the usual words: bots play the same match`, () =>
      isInUsualWords(board),
    );

  it('shows no usual word to anybody', async () => {
    const { folder } = await playVariant('every-role', 'renamed');
    const usual = new RegExp(`(?<!\\p{L})(?:${Object.keys(renamedWords).join('|')})(?!\\p{L})`, 'iu');
    const prompts = readPrompts(folder);
    expect(prompts.length).toBeGreaterThan(100);
    expect(prompts.filter((content) => usual.test(content))).toEqual([]);
    expect(prompts.some((content) => content.includes('This is Saboteur'))).toBe(true);
  });

  it('has no player who is called by one of its words', async () => {
    const names = ['Dan', 'Leah', 'Zoe', 'Bert', 'Ann', 'Captain'];
    const board = { name: 'six', roles: { Werewolf: 1, Seer: 1, Villager: 4 }, names };
    await expect(prepareVariant({ board, variant: 'renamed' })).rejects.toThrow(/nobody can be called "Captain"/);
    expect((await prepareVariant({ board })).players).toHaveLength(6);
  });
});

describe('the rotated deal', () => {
  it('gives everybody of the deal another name and another seat, and keeps the neighbours', async () => {
    const [plain, rotated] = [await prepareVariant({}), await prepareVariant({ variant: 'rotated' })];
    const names = mapToDealtNames(rotated);
    expect([...names.keys()].sort()).toEqual([...names.values()].sort());
    for (const [called, dealt] of names) expect(called).not.toBe(dealt);
    const shift = rotated.players.findIndex(({ name }) => names.get(name) === plain.players[0]!.name);
    expect(shift).toBeGreaterThan(0);
    const moved = [...rotated.players.slice(shift), ...rotated.players.slice(0, shift)];
    expect(moved.map(({ role }) => role)).toEqual(plain.players.map(({ role }) => role));
    expect(listDealtPlayers(rotated)).toEqual(plain.players);
  });

  it('lets the model and the character of a seat go with its role', async () => {
    const { name, role } = (await prepareVariant({})).players[0]!;
    const seats = { [name]: { model: 'bot:random', persona: 'Speaks little.' } };
    const setup = await prepareVariant({ seats, variant: 'rotated' });
    const [called] = [...mapToDealtNames(setup)].find(([, dealt]) => dealt === name)!;
    expect(setup.players.find((player) => player.name === called)).toMatchObject({ role, persona: 'Speaks little.' });
    expect(Object.entries(setup.models).filter(([, model]) => model === 'bot:random')).toEqual([
      [called, 'bot:random'],
    ]);
  });

  it('is undone whatever the table', () => {
    fc.assert(
      fc.property(fc.integer({ min: 6, max: 16 }), fc.integer(), (size, seed) => {
        const players = Array.from({ length: size }, (_, place) => ({ name: `name${place}`, role: `role${place}` }));
        const rotated = { players: seatRotated(players, seed), seed, variant: 'rotated' as const };
        expect(listDealtPlayers(rotated)).toEqual(players);
        const names = mapToDealtNames(rotated);
        for (const { name, role } of rotated.players) expect(role.slice(4)).toBe(names.get(name)!.slice(4));
      }),
    );
  });
});
