// Pools from real records: no entry contains what its seat could not know at the time, or anything of an unfinished
// match.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sealEntry, type PoolEntry } from '../../deception/experience/pool-entry.ts';
import { type Decision, gatherDecisions, listEntries } from '../../graph/pool/gather-entries.ts';
import { readEmbedderName } from '../../graph/experience/embedder.ts';
import {
  poolFiles,
  readPool,
  readVectors,
  vectorFiles,
  writePool,
  writeVectors,
} from '../../graph/experience/pool-folder.ts';
import { listReflectionItems } from '../../graph/pool/reflect.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import { createPool } from '../../deception/experience/pool-entry.ts';
import { getSeatLetter } from '../../deception/experience/seat-letters.ts';
import { describeSituation, findMoment } from '../../deception/experience/situation.ts';
import { isEventOfType } from '../../state/events.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { canaries } from '../canaries.ts';
import type { Question } from '../question.ts';
import { rewriteLine } from '../record-folder.ts';
import { ScriptedModel } from '../scripted-model.ts';
import { createBoard, play } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { itLong } from '../it-long.ts';

const out = createTemporaryFolder();

const listCanaries = (text: string) => text.match(/Canary\d+End/g) ?? [];

describe('entries of a match', () => {
  const { script } = canaries();
  const model = new ScriptedModel(script);
  const plan = { board: createBoard(2, 1, 1, 4), rule: { analysis: 'off', debateTurns: 3, maxRounds: 3 } };
  let decisions: Decision[];
  let entries: PoolEntry[];
  let folder: string;
  let names: readonly string[];
  beforeAll(async () => {
    const played = await play({ ...plan, seed: 2, model, out });
    folder = played.folder!;
    names = played.setup.players.map(({ name }) => name);
    decisions = await gatherDecisions(folder);
    entries = listEntries(readRecord(folder), decisions, 'result').map(sealEntry);
  });

  it('are its debate statements, ballots and night acts, each once', () => {
    const kinds = Map.groupBy(entries, ({ moment }) => moment.kind);
    expect([...kinds.keys()].sort()).toEqual(['ballot', 'debate', 'night']);
    expect(entries).toHaveLength(decisions.length);
    expect(kinds.get('debate')).toHaveLength(3 * new Set(entries.map(({ moment }) => moment.round)).size);
  });

  it('have situations of what stood in the prompt of that decision, and own words', () => {
    const key = (player: string, round: number, action: string) => JSON.stringify([player, round, action]);
    const prompts = Map.groupBy(
      model.asked.filter(({ attempt }) => attempt === 1),
      ({ player, round, action }) => key(player, round, action),
    );
    const places = new Map<string, number>();
    const shown = decisions.map(({ view, action }): Question => {
      const of = key(view.me, view.round, action);
      places.set(of, (places.get(of) ?? -1) + 1);
      return prompts.get(of)![places.get(of)!]!;
    });
    let heard = 0;
    for (const [index, { situation, done }] of entries.entries()) {
      const words = shown[index]!.messages.map(({ content }) => content).join(' ');
      const told = listCanaries(situation);
      heard += told.length;
      expect(told.filter((canary) => !words.includes(canary))).toEqual([]);
      const own = Object.values(decisions[index]!.answer).join(' ');
      expect(listCanaries(done).filter((canary) => !own.includes(canary))).toEqual([]);
    }
    expect(heard).toBeGreaterThan(20);
  });

  itLong.each(['plus-8-bots', 'plus-12-sheriff-bots'])(
    'tell all checks, the last ballots, proposals and pseudo-votes and who left, however long %s is',
    async (name) => {
      const played = await gatherDecisions(path.join(import.meta.dirname, '..', 'golden', name));
      const longest = Math.max(...played.map(({ view: { events: seen } }) => seen.length));
      expect(longest).toBeGreaterThan(50);
      for (const { view, action } of played.filter((_, index) => index % 2 === 1)) {
        const { events: seen, players } = view;
        const situation = describeSituation(view, findMoment(action)!);
        const say = (player: string) => `[${getSeatLetter(players.indexOf(player))}]`;
        const chosen = (['ballot', 'proposal', 'pseudo_ballot'] as const).flatMap((type) => {
          const last = seen.filter(isEventOfType(type)).at(-1);
          return last && (type === 'ballot' || last.round === view.round)
            ? [`${say(last.target)} by`, say(last.by)]
            : [];
        });
        const facts = [
          ...seen.filter(isEventOfType('learned')).map(({ about }) => `You learned: ${say(about)} is`),
          ...seen.filter(isEventOfType('death')).map(({ player }) => `${say(player)} left (`),
          ...chosen,
        ];
        expect(facts.filter((fact) => !situation.includes(fact))).toEqual([]);
        const votes = /Votes of day (\d+): ([^.]*)\./.exec(situation)?.slice(1);
        const ballots = seen.filter(isEventOfType('ballot'));
        const last = ballots.filter(({ round }) => round === ballots.at(-1)!.round);
        const told = votes?.[1]!.split('; ').map((part) => part.split(' by ')[1]!.split(' ').length) ?? [];
        expect(told.reduce((total, one) => total + one, 0)).toBe(new Set(last.map(({ by }) => by)).size);
      }
    },
  );

  it('are looked back on in the words of the match, each with its day or night', () => {
    const { setup } = readRecord(folder).manifest;
    const own = setup.models[decisions[0]!.view.me]!;
    const items = listReflectionItems(readRecord(folder), decisions, own);
    const asked = items.flatMap(({ prompt, decisions: some }) =>
      [...some].map(([id, decision]) => {
        const told = prompt.user.split('\n').find((line) => line.startsWith(`- ${id}, `));
        return { told, decision };
      }),
    );
    expect(asked).toHaveLength(decisions.filter(({ view }) => setup.models[view.me] === own).length);
    for (const { told, decision } of asked) {
      const { view, action, answer } = decision;
      const { vote, target, proposal } = answer as Record<string, string | undefined>;
      expect(told).toContain(`${view.phase} ${view.round}`);
      if (action === 'debate') expect(told).toContain('you said: ');
      else expect(told).toContain(String(vote ?? proposal ?? target ?? 'nobody'));
    }
    expect(new Set(asked.map(({ decision }) => decision.view.phase))).toEqual(new Set(['night', 'day']));
  });

  it('hold no name and no private word of their own', () => {
    const texts = entries.map(({ situation, done, reflection }) => `${situation} ${done} ${reflection}`).join('\n');
    for (const name of names) expect(texts).not.toMatch(new RegExp(`\\b${name}\\b`));
    const thoughts = decisions.map(({ answer }) => String(answer['reasoning']));
    expect(thoughts.filter((thought) => texts.includes(thought))).toEqual([]);
  });

  it('are read again as they were written, and refused where one was edited', () => {
    const folder = path.join(out, 'pool');
    const pool = createPool('result', entries);
    writePool(folder, pool);
    writePool(folder, pool); // building again changes nothing
    expect(readPool(folder)).toEqual(pool);
    expect(() => writePool(folder, createPool('result', entries.slice(1)))).toThrow(/contains another pool/);
    rewriteLine(folder, poolFiles.entries, 2, (line) => line.replace('"situation":"You', '"situation":"Thou'));
    expect(() => readPool(folder)).toThrow(/line 2 does not match its hash/);
    expect(() => readPool(path.join(out, 'none'))).toThrow(/is not a pool: it contains no pool\.json\. Build one/);
  });

  it('are refused in a pool of an earlier or later version, with what to do', () => {
    const folder = path.join(out, 'versions');
    writePool(folder, createPool('result', entries));
    const file = path.join(folder, poolFiles.record);
    const record = JSON.parse(readFileSync(file, 'utf8')) as object;
    expect(record).toMatchObject({ pool_version: 2, wolfgraph: expect.stringMatching(/^\d+\.\d+\.\d+/) as unknown });
    for (const [version, words] of [
      [
        1,
        /is a pool of version 1, but this program needs version 2\. Build it anew from its matches[^]*npm run pool -- build/,
      ],
      [
        3,
        /is a pool of version 3, but this program needs version 2\. Use the version of Wolfgraph that made it, or a later one\./,
      ],
    ] as const) {
      writeFileSync(file, JSON.stringify({ ...record, pool_version: version }));
      expect(() => readPool(folder)).toThrow(words);
    }
  });

  it('are found by embedding only where they were embedded, by the embedder that is here, and nothing was edited', async () => {
    const folder = path.join(out, 'embedded');
    const twice = [
      ...entries,
      ...entries.map(({ sha256, ...entry }) => sealEntry({ ...entry, deal: `not ${sha256}` })),
    ];
    const pool = createPool('result', twice);
    writePool(folder, pool);
    const begin = (more: object = {}) =>
      prepareMatch(
        {
          ...plan,
          seed: 99,
          experience: { pool: folder, from: 'any', k: 1, retriever: 'embedding', ...more },
        },
        {},
        0,
      );
    await expect(begin()).rejects.toThrow(
      /has no embeddings, but retriever: embedding needs them\. Run npm run pool -- embed/,
    );
    await expect(begin({ grow: 2 })).rejects.toThrow(/A growing pool can only be searched by bm25/);
    const vectors = {
      embedder: readEmbedderName(),
      dimensions: 2,
      numbers: new Int16Array(2 * twice.length).fill(7),
    };
    writeVectors(folder, pool, { ...vectors, embedder: 'another 1.0' });
    await expect(begin()).rejects.toThrow(/was embedded by another 1\.0, but the embedder here is all-MiniLM-L6-v2/);
    writeVectors(folder, pool, vectors);
    expect(readVectors(folder, pool)).toEqual(vectors);
    expect(readPool(folder)).toEqual(pool); // the pool itself is unchanged
    const { manifest } = await begin();
    expect(manifest.setup.experience!.retriever).toBe(`pairs by cosine of ${readEmbedderName()}`);
    expect(() => readVectors(folder, createPool('result', entries.slice(1)))).toThrow(/belongs to another pool/);
    writeFileSync(path.join(folder, vectorFiles.numbers), Buffer.alloc(4 * twice.length));
    expect(() => readVectors(folder, pool)).toThrow(/does not match its hash: it was edited or damaged/);
  });
});
