// Experiences found by a real embedding model from its package: vectors are the same in a thread and in bulk, they are
// cached by text, and matches replay without the model.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { vectorScale } from '../../deception/experience/retrieve.ts';
import { computeVectors, countMissing, openEmbedder } from '../../graph/experience/embedder.ts';
import { readVectors, readPool } from '../../graph/experience/pool-folder.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { readAnswers } from '../record-folder.ts';
import { run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();
const cache = createTemporaryFolder();
const env = { XDG_CACHE_HOME: cache };
const texts = [
  'I am the Seer and I checked David. He is a Werewolf.',
  'David accuses everybody and votes late.',
  'The night was quiet and nobody left.',
];

describe('an embedding', () => {
  it('is a unit vector, the same in bulk, in a thread, and kept by the text', async () => {
    const folder = path.join(cache, 'texts');
    const { dimensions, numbers, embedder } = await computeVectors([...texts, texts[0]!], { cache: folder });
    const rows = [0, 1, 2, 3].map((at) => [...numbers.subarray(at * dimensions, (at + 1) * dimensions)]);
    expect([dimensions, openEmbedder().name]).toEqual([384, embedder]);
    expect(rows[3]).toEqual(rows[0]);
    for (const [at, text] of texts.entries()) expect([...(await openEmbedder().embed(text))]).toEqual(rows[at]);
    const length = Math.sqrt(rows[0]!.reduce((sum, value) => sum + (value / vectorScale) ** 2, 0));
    expect(length).toBeCloseTo(1, 3);
    expect([countMissing(texts, folder), countMissing(['another'], folder)]).toEqual([0, 1]);
    expect(await computeVectors(texts, { cache: folder })).toMatchObject({ dimensions: 384 });
  });

  it('finds what means the same', async () => {
    const [wanted, ...others] = await Promise.all(
      ['Our Seer says that David is a wolf.', ...texts].map((text) => openEmbedder().embed(text)),
    );
    const products = others.map((other) => other.reduce((sum, value, at) => sum + value * wanted![at]!, 0));
    expect(products.indexOf(Math.max(...products))).toBe(0);
  });
});

describe('a match with experiences that were found so', () => {
  it('is the same every time, and replays without pool and model', async () => {
    const [past, pool] = [path.join(out, 'past'), path.join(out, 'pool')];
    await run('match', ['--seed', '1', '--matches', '4', '--rule', 'maxRounds=2', '--out', past, '--quiet'], { env });
    await run('pool', ['build', past, '--out', pool], { env });
    const hash = readPool(pool).sha256;
    expect((await run('pool', ['embed', pool, '--dry-run'], { env })).stdout).toMatch(
      /situations to embed with all-MiniLM/,
    );
    await run('pool', ['embed', pool], { env });
    expect((await run('pool', ['embed', pool], { env })).stdout).toMatch(/was already embedded/);
    expect(readPool(pool).sha256).toBe(hash);
    expect(readVectors(pool, readPool(pool))!.numbers.length).toBe(384 * readPool(pool).entries.length);
    const file = path.join(out, 'study.json');
    const play = async (id: string, retriever: string) => {
      const match = {
        seed: 900,
        rule: { maxRounds: 2 },
        id,
        out: path.join(out, 'runs'),
        experience: { pool, retriever, k: 1 },
      };
      writeFileSync(file, JSON.stringify(match));
      expect(await run('match', [file, '--quiet'], { env })).toMatchObject({ code: 0 });
      const folder = path.join(out, 'runs', id);
      return { folder, remembered: readAnswers(folder).flatMap(({ remembered }) => remembered ?? []) };
    };
    const [one, other, byWords] = [
      await play('one', 'embedding'),
      await play('other', 'embedding'),
      await play('words', 'bm25'),
    ];
    expect(one.remembered.length).toBeGreaterThan(5);
    expect(other.remembered).toEqual(one.remembered);
    expect(byWords.remembered).not.toEqual(one.remembered);
    expect(readRecord(one.folder).manifest.setup.experience!.retriever).toContain(
      'pairs by cosine of all-MiniLM-L6-v2',
    );
    rmSync(pool, { recursive: true });
    expect((await run('verify', [one.folder], { env })).stdout).toContain('replayed 1 of 1');
  });
});
