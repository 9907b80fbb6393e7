// Effects of a set's own design: planted effects of measuring, of wording, and of seat and name are found, and no
// effects are found where none are planted.
import { describe, expect, it } from '@jest/globals';
import {
  compareMeasuringRules,
  compareDealVariants,
  createDesignMatch,
  selectDesignMetrics,
} from '../../deception/comparison/design-effects.ts';
import { metrics } from '../../deception/metrics/index.ts';
import { createSeatedMatch, type SeatedMatch, testBiases } from '../../deception/summary/seat-bias.ts';
import { buildTables } from '../../deception/tables/match-tables.ts';
import type { MatchPlan } from '../../graph/prepare-match.ts';
import { BotModel, type BotPolicy } from '../../models/bots/bot-model.ts';
import { drawLegalAnswer } from '../../models/bots/random.ts';
import { draw } from '../../state/random.ts';
import { play } from '../table.ts';

const options = { resamples: 200, seed: 1 };
const rule = { debateTurns: 2, maxRounds: 1 };
const short = { debateTurns: 1, maxRounds: 1, analysis: 'off', ballots: 'secret' };

async function playSeeds(count: number, plan: MatchPlan, from = 1) {
  const records = [];
  for (let seed = from; seed < from + count; seed++) {
    const { manifest, events, lines } = await play({ ...plan, seed });
    records.push({ manifest, events, answers: lines });
  }
  return records;
}

/** Creates a bot that answers at random, except that `change` replaces some answers. */
const createBot = (change: (...question: Parameters<BotPolicy>) => object) =>
  new BotModel('bot:planted', (prompt, random) => ({
    answer: { ...drawLegalAnswer(prompt.schema, random), ...change(prompt, random) },
  }));

const own = selectDesignMetrics(metrics);
const listDesigns = async (plans: readonly MatchPlan[]) => {
  const records = await Promise.all(plans.map((plan) => playSeeds(12, plan)));
  return records.flat().map((record) => createDesignMatch(buildTables(record), own));
};

describe('what measuring changed', () => {
  const model = createBot(({ view, schema }) =>
    'statement' in (schema['properties'] as object)
      ? {
          statement:
            view.rules.analysis === 'off' ? 'Let us wait.' : 'Let us wait and hear what all the others say first.',
        }
      : {},
  );

  it('is found where players speak otherwise once they are asked, and not elsewhere', async () => {
    const designs = await listDesigns(['both', 'off'].map((analysis) => ({ model, rule: { ...rule, analysis } })));
    const [found, ...more] = compareMeasuringRules(designs, own, options);
    expect(more).toEqual([]);
    expect(found).toMatchObject({ deals: 12, b: 'analysis=off, analyzeBallots=false' });
    const words = found!.differences.find(({ metric }) => metric === 'words_per_turn')!;
    expect(words).toMatchObject({ a: 11, b: 3, difference: 8, deals: 12 });
    const others = found!.differences.filter(({ metric, p }) => metric !== 'words_per_turn' && p !== null);
    expect(others.filter(({ p_adjusted: p }) => p! <= 0.05)).toEqual([]);
    expect(found!.differences.map(({ metric }) => metric)).toContain('no_winner_rate');
    expect(found!.not_compared).toContain('perceived_flag_rate');
    expect(found!.differences.map(({ metric }) => metric)).not.toContain('perceived_flag_rate');
  });

  it('is nothing where all were measured alike, and leaves out what differs in more', async () => {
    const arms: MatchPlan[] = [
      { model: 'bot:random', rule: { ...short, analysis: 'off' } },
      { model: 'bot:random', rule: { ...short, syntheticVotes: true, honesty: 'forbidden' } },
    ];
    const designs = await listDesigns(arms);
    expect(compareMeasuringRules(designs.slice(0, 12), own, options)).toEqual([]);
    expect(compareMeasuringRules(designs, own, options)).toEqual([]);
  });
});

describe('the spread between variants', () => {
  it('is of the deals that all played, and an effect of words stands out', async () => {
    const model = createBot(({ view, schema }) =>
      'statement' in (schema['properties'] as object)
        ? { statement: view.variant === 'renamed' ? 'Hm.' : 'Let us wait and hear.' }
        : {},
    );
    const plan = { model, rule: short };
    const designs = await listDesigns([plan, { ...plan, variant: 'renamed' }, { ...plan, variant: 'rotated' }]);
    const found = compareDealVariants(designs.slice(0, -1), own, options)!;
    expect(found).toMatchObject({ names: ['plain', 'renamed', 'rotated'], deals: 11 });
    const words = found.figures.find(({ metric }) => metric === 'words_per_turn')!;
    expect(words).toMatchObject({ values: [5, 1, 5], spread: 4 });
    expect(words.p).toBeLessThan(0.05);
    const wins = found.figures.find(({ metric, p }) => metric === 'no_winner_rate' && p !== null)!;
    expect(wins.p).toBeGreaterThan(0.05);
    expect(compareDealVariants(designs.slice(0, 12), own, options)).toBeNull();
  });
});

describe('the omnibus test', () => {
  const voteFor = (choose: (choices: readonly string[]) => string) =>
    createBot(({ choices, action }) => (action === 'vote' ? { vote: choose(choices) } : {}));
  const testPlan = async (model: MatchPlan['model']) => {
    const records = await playSeeds(24, { model, rule: short });
    const seated = records.map((record) => createSeatedMatch(buildTables(record), record.manifest.setup)!);
    return testBiases(seated, options);
  };
  const significant = (rows: Awaited<ReturnType<typeof testPlan>>) =>
    rows.filter(({ p_adjusted: p }) => p !== null && p <= 0.05).map(({ factor, outcome }) => `${factor}, ${outcome}`);

  it('finds votes for whoever sits first', async () => {
    const rows = await testPlan(voteFor((choices) => choices[0]!)); // choices stand in the order of seats
    expect(significant(rows)).toContain('seat, votes');
    expect(significant(rows)).not.toContain('name, votes');
    expect(rows.find(({ factor, outcome }) => factor === 'seat' && outcome === 'votes')!.most!.label).toMatch(/^[12]$/);
  });

  it('finds votes by name', async () => {
    const rows = await testPlan(voteFor((choices) => [...choices].sort()[0]!));
    expect(significant(rows)).toContain('name, votes');
    expect(significant(rows)).not.toContain('seat, votes');
  });

  it('finds nothing in votes by chance', async () => {
    const rows = await testPlan('bot:random');
    expect(significant(rows)).toEqual([]);
    expect(rows).toHaveLength(6);
  });

  const names = ['Ann', 'Bert', 'Carl', 'Dan', 'Eve', 'Fay'];
  const roles = ['Werewolf', 'Werewolf', 'Seer', 'Villager', 'Villager', 'Villager'];

  /** Draws each deal twice with different seats. Votes depend on the player and role of the deal, never on a label. */
  function drawSeated(number: number): SeatedMatch[] {
    const random = draw(number, 'seated');
    return Array.from({ length: 12 }, (_, deal) => {
      const dealt = random
        .shuffle(roles)
        .map((role) => ({ role, level: random.fraction() + (role === 'Werewolf' ? 1 : 0) }));
      return ['plain', 'rotated'].map((arm): SeatedMatch => {
        const [called, seats] = [random.shuffle(names), random.shuffle([...names.keys()])];
        return {
          ...{ deal: `${number} ${deal}`, arm, werewolvesWon: random.integer(2) },
          players: dealt.map(({ role, level }, place) => ({
            ...{ dealt: String(place), role, isWerewolf: role === 'Werewolf' },
            labels: {
              seat: String(seats[place]! + 1),
              name: called[place]!,
              'speaking position': random.integer(5) === 0 ? null : String(random.integer(6)),
            },
            votes: level + random.fraction() / 4,
            firstVotes: level + random.fraction() / 4,
          })),
        };
      });
    }).flat();
  }

  it('keeps its level where votes go by who it is and deals are played twice', () => {
    const runs = 120;
    const found = Array.from({ length: runs }, (_, number) =>
      testBiases(drawSeated(number), { resamples: 99, seed: number }),
    );
    for (const at of found[0]!.keys()) {
      const hits = found.filter((rows) => (rows[at]!.p ?? 1) <= 0.05).length;
      expect(hits / runs).toBeLessThan(0.11); // 5 % and three standard errors
    }
  });

  it('is not made with fewer than ten deals', () => {
    const few = testBiases(drawSeated(1).slice(0, 18), options);
    expect(few.every(({ p, most }) => p === null && most === null)).toBe(true);
  });
});
