// What the viewer is given of a match: complete for who knows everything, and for each player exactly what prompts tell.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildTables } from '../../deception/tables/match-tables.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { playMatch } from '../../graph/play-match.ts';
import { renderHistory } from '../../prompts/history.ts';
import { mostBytes, renderMatchDocument } from '../../report/viewer/viewer-document.ts';
import { buildViewedMatch, type ViewedMatch } from '../../report/viewer/viewed-match.ts';
import { buildViewerScript } from '../../scripts/view/viewer-script.ts';
import { readViewedMatch } from '../../scripts/view/read-match.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { createInitialState } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import type { Game } from '../../state/game.ts';
import { createPublicView, createView } from '../../state/view.ts';
import { matchOf, said } from '../deception/match-builder.ts';

const golden = path.join(import.meta.dirname, '..', 'golden');
const records = readdirSync(golden, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => [name, readRecord(path.join(golden, name))] as const);

/** Lines of a history, without its headings, what the viewer shows apart (thoughts, summaries) and first words. */
const listLines = (history: string) =>
  history
    .split('\n')
    .filter((line) => /^- (?!You thought|Your summary|You are the only one|The other )/.test(line))
    .map((line) => line.slice(2));

describe.each(records)('of %s', (_name, record) => {
  const { setup } = record.manifest;
  const match = buildViewedMatch(record, { claims: buildTables(record).claims });
  const { board, rules, seed, players } = setup;
  const initial = createInitialState({ board, rules, seed, players });
  const game = (events: readonly GameEvent[]) => ({ ...initial, gameLogs: events }) as unknown as Game;
  const bare = (told: string) => told.replace(/\s+/g, ' ');

  it('every player is told what the own prompts tell, and an onlooker what everybody is', () => {
    for (const { name } of players) {
      const view = { ...createView(game(record.events), name), rules: { ...rules, memory: 'full' } } as ReturnType<
        typeof createView
      >;
      const told = match.steps
        .filter(({ type }) => type !== 'round_started')
        .flatMap(({ tellings, toldToAll }) => tellings[name] ?? toldToAll ?? []);
      expect(told.map(bare)).toEqual(listLines(renderHistory(view)).map(bare));
    }
    const view = {
      ...createPublicView(game(record.events), 'onlooker'),
      rules: { ...rules, memory: 'full' },
    } as ReturnType<typeof createView>;
    const told = match.steps.filter(({ type }) => type !== 'round_started').flatMap(({ toldToAll }) => toldToAll ?? []);
    expect(told.map(bare)).toEqual(listLines(renderHistory(view)).map(bare));
  });

  it('what is private names who knew it', () => {
    for (const step of match.steps) {
      for (const { player, by } of [...(step.thoughts ?? []), ...(step.bids ?? [])])
        expect([[player], []]).toContainEqual(by);
      for (const { player, by } of step.heard ?? []) expect([[player], []]).toContainEqual(by);
    }
  });

  it('every claim stands with its words, and every analysis with its statement', () => {
    const { claims } = buildTables(record);
    expect(match.steps.flatMap((step) => step.claims ?? [])).toHaveLength(claims.length);
    for (const { text = '', claims: own = [] } of match.steps)
      for (const { words, from, to } of own) expect(text.slice(from, to)).toBe(words);
    const assessments = record.events.filter(({ type }) => type === 'assessment');
    expect(match.steps.flatMap((step) => step.heard ?? [])).toHaveLength(assessments.length);
  });
});

describe('the file of a match', () => {
  it('keeps whatever was said as data that nothing in it can leave', async () => {
    const hostile = '</script><script>alert(1)</script><!-- \u2028 \u202e {{x}} <img src=x onerror=alert(1)>';
    const match = buildViewedMatch(matchOf([said('1.1', 'Dan', { text: hostile })]));
    const html = renderMatchDocument(match, await buildViewerScript());
    expect(html.match(/<\/script/g)).toHaveLength(2);
    const data = /<script type="application\/json" id="match">(.*)<\/script>/.exec(html)![1]!;
    expect((JSON.parse(data) as ViewedMatch).steps[0]!.text).toBe(hostile);
    expect(html).not.toContain('<img');
    expect(html).toMatch(/script-src 'sha256-[^']+'; style-src 'sha256-/);
  });

  it('takes less than a megabyte, and says what had no room', async () => {
    const words = 'word '.repeat(80).trim();
    const { steps, ...match } = buildViewedMatch(matchOf([said('1.1', 'Dan', { text: words })]));
    const players = Array.from({ length: 16 }, (_, seat) => ({ ...match.players[0]!, name: `Player${seat}` }));
    const heard = players.map(({ name }) => ({
      ...{ by: [name], player: name, isSelf: false, deceptive: true, type: 'none' },
      reasoning: words,
    }));
    const many = Array.from({ length: 160 }, (_, place) => ({
      ...{ ...steps[0]!, id: `1.${place}`, heard },
      toldToAll: `Dan said: "${words}"`,
      prompt: [{ role: 'user', content: words.repeat(60) }],
    }));
    const html = renderMatchDocument({ ...match, players, steps: many }, await buildViewerScript());
    expect(Buffer.byteLength(html)).toBeLessThan(1_000_000);
    expect(html).toContain('Prompts have no room in this file');
    expect(mostBytes).toBeLessThan(1_000_000);
  });
});

it('a match has its prompts beside statements and ballots, as their players saw them', async () => {
  const { folder } = await playMatch({ out: createTemporaryFolder(), seed: 3 });
  const spoken = readViewedMatch(folder!).steps.filter(({ type }) => type === 'statement' || type === 'ballot');
  expect(spoken.length).toBeGreaterThan(10);
  for (const { actor, prompt, round } of spoken) {
    const asked = prompt!.map(({ content }) => content).join('\n');
    expect(asked).toContain(actor);
    expect(asked).not.toContain(`Day ${round + 1}:`);
  }
});
