// `npm run report` on the matches of a tournament: wins by entrant, beside the report.
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Leaderboard } from '../../deception/ratings/leaderboard-schema.ts';
import type { TournamentPlan } from '../../deception/tournament-plan/tournament-plan.ts';
import { listTournamentMatches } from '../../deception/tournament-plan/tournament-schedule.ts';
import { playMatch } from '../../graph/play-match.ts';
import {
  describeReportedTournament,
  explainUnrated,
  type ReportedTournament,
} from '../../scripts/report/leaderboard-files.ts';
import { createBoard } from '../table.ts';
import { listFolderNames } from '../record-folder.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { run } from './process.ts';

const root = createTemporaryFolder();
const at = (...parts: string[]) => path.join(root, ...parts);
const board = createBoard(1, 1, 0, 4);
const rule = { debateTurns: 1, maxRounds: 2, analysis: 'off', syntheticVotes: false };

/** A plan with two entrants that use the same model. */
const plan: TournamentPlan = {
  ...{
    name: 'tea',
    format: 'head-to-head',
    design: 'all',
    selfPlay: false,
    seed: 1,
    deals: 10,
    rules: ['arena'],
    rule,
  },
  ...{ entrants: { calm: { model: 'bot:random' }, loud: { model: 'bot:random' } }, boards: [board] },
};
for (const { seed, folder, block, deal, pairing, condition, seats } of listTournamentMatches(plan)) {
  const entrants = Object.fromEntries(seats.map(({ player, entrant }) => [player, entrant]));
  await playMatch({
    ...{ board, rules: 'arena', rule, seed, model: 'bot:random' },
    ...{ id: `${deal}-${pairing}`, out: at('tea', folder) },
    tournament: { name: 'tea', block, deal, pairing, condition, entrants },
  });
}

const quick = ['--resamples', '60', '--no-tables', '--no-baselines'];
const read = (folder: string) =>
  Leaderboard.parse(JSON.parse(readFileSync(path.join(folder, 'leaderboard.json'), 'utf8')));

describe('report over a tournament', () => {
  it('rates its entrants, though both are the same model, and says who scores what', async () => {
    const { code, stdout, stderr } = await run('report', [at('tea'), ...quick]);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const files = ['report.json', 'report.md', 'figures.csv', 'leaderboard.json', 'leaderboard.md', 'leaderboard.csv'];
    for (const name of files) expect(existsSync(at('tea', 'report', name))).toBe(true);
    const { name, matches, ratings, expenses } = read(at('tea', 'report'));
    expect({ name, matches }).toEqual({ name: 'tea', matches: 20 });
    expect(ratings[0]!.entrants.map(({ entrant }) => entrant).sort()).toEqual(['calm', 'loud']);
    expect(ratings[0]!.refused).toEqual([expect.stringContaining('calm and loud are as Werewolves')]);
    // The two entrants are the same bot, so too few deals are informative, and neither has a rank.
    expect(ratings[0]!.differences).toMatchObject([{ reason: 'too few', informative: expect.any(Number) }]);
    expect(ratings[0]!.entrants.map(({ ranks }) => ranks)).toEqual([null, null]);
    expect(expenses.every(({ calls, is_bot: isBot }) => calls > 0 && isBot)).toBe(true);
    expect(stdout).toMatch(/^– +(calm|loud)/m);
    expect(readFileSync(path.join(at('tea'), 'report/report.md'), 'utf8')).toContain('](leaderboard.md)');
    const drawn = readFileSync(at('tea', 'report/pictures/ratings.csv'), 'utf8').trim().split('\n');
    expect(drawn).toEqual([
      'entrant,condition,value,low,high,chance,reason,covers,comparable',
      ...ratings[0]!.entrants.map(
        ({ entrant, score: { value, low, high } }) => `${entrant},,${value},${low},${high},,,,`,
      ),
    ]);
    const html = readFileSync(at('tea', 'report/report.html'), 'utf8');
    expect(html).toContain('Scores of the tournament');
    expect(html).toContain('<a href="leaderboard.html">');
    for (const { entrant, matches: rated } of ratings[0]!.entrants)
      expect(html).toContain(`>${entrant}, rated: ${rated} matches; 5 of them</h3>`);
    expect(html).toMatch(
      /<li>(?:nobody|the village|the Werewolves) won; Werewolves (?:calm, village loud|loud, village calm)/,
    );
    expect(readFileSync(at('tea', 'report/leaderboard.html'), 'utf8')).toContain('<h1>Leaderboard of tea</h1>');
  });

  it('says which entrants its figures by model put together', () => {
    const tell = (entrants: TournamentPlan['entrants']) => {
      const reported = { record: { plan: { ...plan, entrants } } } as unknown as ReportedTournament;
      return describeReportedTournament(reported, { ratings: [], matches: 20 } as unknown as Leaderboard).notes;
    };
    expect(tell(plan.entrants)).toEqual([
      'The entrants calm and loud play with the same model, bot:random: figures here are by model and combine them. The leaderboard separates entrants.',
    ]);
    expect(tell({ calm: { model: 'openai:a' }, loud: { model: 'openai:b' } })).toEqual([]);
  });

  it('gives the same from what is kept, and whatever the threads', async () => {
    const before = readFileSync(at('tea', 'report', 'leaderboard.json'), 'utf8');
    await run('report', [at('tea'), ...quick, '--no-cache']);
    expect(readFileSync(at('tea', 'report', 'leaderboard.json'), 'utf8')).toBe(before);
  });

  it('leaves it out where only some matches are of the tournament, unless models are to be rated', async () => {
    await playMatch({
      board,
      rules: 'arena',
      rule,
      seed: 99,
      model: 'bot:random',
      out: at('some', 'other'),
    });
    const [pairing] = listFolderNames(at('tea')).sort(); // one of its folders of matches
    cpSync(at('tea', pairing!), at('some', pairing!), { recursive: true });
    const mixed = await run('report', [at('some'), ...quick, '--out', at('mixed')]);
    expect(mixed.code).toBe(0);
    expect(mixed.stderr).toContain(
      'There is no leaderboard: only some matches belong to a tournament (tea). Report the',
    );
    expect(readdirSync(at('mixed'))).not.toContain('leaderboard.md');
    const pooled = await run('report', [at('some'), ...quick, '--out', at('mixed'), '--pooled']);
    expect(pooled).toMatchObject({ code: 2, stderr: expect.stringContaining('--pooled needs a leaderboard') });
  });

  it('says which tournaments the matches are of, where there are several', () => {
    expect(explainUnrated(new Set(['tea', 'bots']))).toContain('the matches belong to 2 tournaments (bots, tea)');
    expect(explainUnrated(new Set(['a', 'b', 'c', 'd', 'e']))).toContain('5 tournaments (a, b, c, d, …)');
    expect([new Set(['tea']), new Set([null]), new Set<string>()].map(explainUnrated)).toEqual([null, null, null]);
  });
});
