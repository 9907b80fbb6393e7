// Ratings: planted strengths, quantities that a schedule does not identify, ranks, roles, and lack of fit.
import { describe, expect, it } from '@jest/globals';
import { computeDealScores, listPairScores } from '../../../deception/ratings/deal-scores.ts';
import { rateEntrants, type Ratings } from '../../../deception/ratings/rate-entrants.ts';
import type { RatedMatch } from '../../../deception/ratings/rating-model.ts';
import { createResampling } from '../../../deception/statistics/bootstrap.ts';
import { draw } from '../../../state/random.ts';
import { createMatch, drawWinner, type PlantedField, playRoundRobin } from './simulated-field.ts';
import { itLong } from '../../it-long.ts';

const rate = (matches: readonly RatedMatch[], resamples = 199) =>
  rateEntrants(matches, { resampling: createResampling(1000, resamples, 1) });
const find = ({ entrants }: Ratings, name: string) => entrants.find(({ entrant }) => entrant === name)!;

const four: PlantedField = { ann: [0.8, 0.4], bob: [0.2, 0.3], cas: [-0.3, 0.1], dan: [-0.7, -0.8] };
const equal: PlantedField = { ann: [0, 0], bob: [0, 0], cas: [0, 0] };

describe('ratings of a round robin', () => {
  const matches = playRoundRobin(four, 150, { beta: 0.8 });
  const ratings = rate(matches);

  it('find planted strengths again, overall and by side', () => {
    const found = Object.keys(four).map((name) => {
      const { strengthAsWerewolves: attack, strengthAsVillage: defence, strength } = find(ratings, name);
      return [attack.value, defence.value, strength.value];
    });
    const planted = Object.values(four).map(([attack, defence]) => [attack, defence, (attack + defence) / 2]);
    expect(found).toEqual(planted.map((one) => one.map((value) => expect.closeTo(value, 0))));
    const errors = found.flatMap((one, k) => one.map((value, i) => Math.abs(value! - planted[k]![i]!)));
    expect(Math.max(...errors)).toBeLessThan(0.3); // standard errors are .1
  });

  it('say what each scores against the others: about its share of wins, with an interval about it', () => {
    for (const { entrant, score, werewolves, villagers } of ratings.entrants) {
      const deals = [...computeDealScores(matches).values()].map((deal) => deal.get(entrant)!.both!);
      const share = deals.reduce((sum, one) => sum + one, 0) / deals.length;
      expect(score.value).toBeCloseTo(share, 1);
      expect(score.value).toBeCloseTo((werewolves.value! + villagers.value!) / 2, 9);
      expect([score.low! < score.value!, score.value! < score.high!]).toEqual([true, true]);
    }
    const all = ratings.entrants.reduce((sum, { score }) => sum + score.value!, 0);
    expect(all / 4).toBeCloseTo(0.5, 9); // scores add up to half per entrant
    expect(ratings.advantage.value).toBeGreaterThan(0.6);
  });

  it('leave open the ranks of those who are not told apart', () => {
    expect(find(ratings, 'ann').ranks).toEqual([1, 1]);
    expect(find(ratings, 'dan').ranks).toEqual([4, 4]);
    const alike = rate(playRoundRobin(equal, 30));
    expect(alike.entrants.map(({ ranks }) => ranks)).toEqual([1, 2, 3].map(() => [1, 3]));
  });

  it('do not depend on the order of matches', () => {
    const some = matches.slice(0, 240);
    expect(rate(draw(1, 'order').shuffle(some))).toEqual(rate(some));
  });

  it('hold the table of pairings against what strengths say of it', () => {
    expect(ratings.pairings).toHaveLength(12);
    const { matches: played, found, fitted } = ratings.pairings[0]!;
    expect([played, Math.abs(found - fitted) < 0.15]).toEqual([150, true]);
    expect(ratings.lackOfFit!.freedom).toBe(5); // K² − K − (2K − 1)
    expect(ratings.lackOfFit!.p).toBeGreaterThan(0.05);
  });

  it('find that rock, paper and scissors have no strengths, and which pairings they miss', () => {
    const beats: Record<string, string> = { rock: 'scissors', scissors: 'paper', paper: 'rock' };
    const chance = draw(1, 'rock');
    const games = playRoundRobin({ rock: [0, 0], paper: [0, 0], scissors: [0, 0] }, 60).map((match) => {
      const [pack, village] = [match.seats[0]!.entrant, match.seats.at(-1)!.entrant];
      const isLucky = chance.fraction() < 0.2;
      return {
        ...match,
        winner: (beats[pack] === village) === isLucky ? ('villagers' as const) : ('werewolves' as const),
      };
    });
    const found = rate(games);
    expect(found.lackOfFit!.p).toBeLessThan(0.02);
    expect(found.pairings.filter(({ adjusted }) => adjusted! < 0.05)).toHaveLength(6);
    expect(found.entrants.every(({ ranks }) => ranks![0] === 1)).toBe(true);
  });

  it('know matches that nobody wins', () => {
    const tied = playRoundRobin(four, 120, { beta: 0.5, nobody: 0, seed: 2 });
    expect(tied.filter(({ winner }) => winner === null).length / tied.length).toBeGreaterThan(0.25);
    const found = rate(tied);
    expect(find(found, 'ann').strength.value).toBeCloseTo(0.6, 0);
    expect(find(found, 'dan').strength.value).toBeCloseTo(-0.75, 0);
    expect(found.entrants.reduce((sum, { score }) => sum + score.value!, 0)).toBeCloseTo(2, 9);
  });

  it('of several boards give each its own share of wins', () => {
    const even = playRoundRobin(four, 40, { beta: -1.5 });
    const uneven = playRoundRobin(four, 40, { beta: 1.5, seed: 2 }).map((match) => ({
      ...{ ...match, deal: `other ${match.deal}`, context: 'plus-9' },
    }));
    const found = rate([...even, ...uneven]);
    expect(found.advantage.value).toBeCloseTo(0.5, 1);
    expect(found.deals).toBe(80);
    expect(find(found, 'ann').strength.value).toBeCloseTo(0.6, 0);
  });
});

describe('few or one-sided matches', () => {
  it('give no rating under ten deals, only what each pairing scored', () => {
    const few = rate(playRoundRobin(equal, 9));
    expect(few.entrants.map(({ score, strength }) => [score.value, score.reason, strength.reason])).toEqual(
      [1, 2, 3].map(() => [null, 'too few', 'too few']),
    );
    expect(few.pairings[0]!.matches).toBe(9);
  });

  it('give exact bounds of a share, and no log-odds, where one wins everything', () => {
    const swept = playRoundRobin({ ann: [0, 0], bob: [0, 0] }, 20).map((match) => ({
      ...match,
      winner: match.seats[0]!.entrant === 'ann' ? ('werewolves' as const) : ('villagers' as const),
    }));
    const { score, strength, ranks } = find(rate(swept), 'ann');
    expect(score).toMatchObject({ low: expect.closeTo(0.832, 3), high: 1 }); // Clopper & Pearson, 20 of 20
    expect(score.value).toBeGreaterThan(0.95);
    expect(strength).toMatchObject({ value: null, reason: 'one-sided' });
    expect(ranks).toEqual([1, 1]); // of 2^20 swaps two are as extreme
  });
});

describe('where the Werewolves win nearly every match', () => {
  /** Numbers of deals in which ann wins both matches, bob wins both, and the Werewolves win both. */
  const sweep = (ann: number, bob: number, deals: number) =>
    Array.from({ length: deals }, (_, deal) => {
      const winner = deal < ann ? 'ann' : deal < ann + bob ? 'bob' : null;
      return [
        createMatch(deal, ['ann'], ['bob'], winner === 'bob' ? 'villagers' : 'werewolves'),
        createMatch(deal, ['bob'], ['ann'], winner === 'ann' ? 'villagers' : 'werewolves'),
      ];
    }).flat();

  it('nobody is better who won three of twenty deals, the others being split', () => {
    const found = rate(sweep(3, 0, 20));
    const [{ difference, informative, adjusted, isTestable }] = found.differences as [
      (typeof found.differences)[number],
    ];
    expect(difference.value).toBeCloseTo(0.15, 9);
    expect([difference.low, difference.high]).toEqual([expect.closeTo(-0.035, 3), expect.closeTo(0.36, 3)]); // Tango
    expect([difference.p, adjusted, informative, isTestable]).toEqual([0.25, 0.25, 3, false]);
    expect(found.entrants.map(({ ranks }) => ranks)).toEqual([null, null]);
  });

  it.each([
    [10, 0, 10],
    [9, 0, 10],
    [9, 1, 10],
    [17, 1, 20],
  ])('no bound of a difference exceeds 1: %d deals won, %d lost, of %d', (won, lost, deals) => {
    const { difference } = rate(sweep(won, lost, deals)).differences[0]!;
    expect(difference.value).toBeCloseTo((won - lost) / deals, 9);
    expect(difference.low).toBeGreaterThan(0);
    expect(difference.high).toBeLessThanOrEqual(1);
    expect(difference.high).toBeGreaterThanOrEqual(difference.value!);
  });

  it('five such deals are too few for two, and six tell', () => {
    const [five, six] = [5, 6].map((count) => rate(sweep(count, 0, 20)));
    expect(five!.differences[0]).toMatchObject({ isTestable: false, difference: { p: 0.0625 } });
    expect(five!.differences[0]!.difference.low).toBeLessThanOrEqual(0);
    expect(six!.differences[0]).toMatchObject({ isTestable: true, difference: { p: 0.03125 } });
    expect(six!.differences[0]!.difference.low).toBeGreaterThan(0);
    expect(six!.entrants.map(({ ranks }) => ranks)).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('no bound of a difference lies outside of −1 and 1, nor one of a score outside of 0 and 1', () => {
    const chance = draw(4, 'extreme');
    for (let repetition = 0; repetition < 20; repetition++) {
      const names = ['ann', 'bob', 'cas'].slice(0, 2 + chance.integer(2));
      const matches = Array.from({ length: 12 }, (_, deal) =>
        names.flatMap((pack) =>
          names
            .filter((village) => village !== pack && (names.length === 2 || chance.fraction() < 0.8))
            .map((village) =>
              createMatch(deal, [pack], [village], chance.fraction() < 0.95 ? 'werewolves' : 'villagers'),
            ),
        ),
      ).flat();
      const { differences, entrants } = rate(matches, 59);
      for (const { difference } of differences) {
        expect(difference.low ?? 0).toBeGreaterThanOrEqual(-1);
        expect(difference.high ?? 0).toBeLessThanOrEqual(1);
      }
      for (const { score } of entrants)
        expect([score.low ?? 0, score.high ?? 1].every((one) => one >= 0 && one <= 1)).toBe(true);
    }
  });

  it('the share of a side that won 58 of 60 is that share, with the exact bounds of so many', () => {
    const [first, second] = [new Set(['3 bob', '11 cas']), new Set<string>()];
    const matches = Array.from({ length: 30 }, (_, deal) =>
      ['ann', 'bob', 'cas'].flatMap((pack) =>
        ['ann', 'bob', 'cas'].flatMap((village) => {
          if (pack === village) return [];
          const isLost =
            pack === 'ann' ? first.has(`${deal} ${village}`) : second.has(`${deal} ${village}`) || deal % 7 === 0;
          return [createMatch(deal, [pack], [village], isLost ? 'villagers' : 'werewolves')];
        }),
      ),
    ).flat();
    const { werewolves } = find(rate(matches), 'ann');
    expect(werewolves.value).toBeCloseTo(58 / 60, 9);
    expect([werewolves.low, werewolves.high]).toEqual([expect.closeTo(0.885, 2), expect.closeTo(0.996, 2)]);
  });

  it('what is exchanged is a block, where opponents differ from deal to deal', () => {
    // In every deal each entrant meets one other. Only blocks of two deals are balanced, and within a block all
    // entrants have the same score.
    const names = ['ann', 'bob', 'cas'];
    const matches = Array.from({ length: 24 }, (_, deal) =>
      names.map((pack, place) => {
        const village = names[(place + 1 + (deal % 2)) % 3]!;
        return {
          ...createMatch(deal, [pack], [village], deal % 2 === 0 ? 'werewolves' : 'villagers'),
          unit: `block ${Math.floor(deal / 2)}`,
        };
      }),
    ).flat();
    expect(rate(matches).differences.map(({ informative }) => informative)).toEqual([0, 0, 0]);
  });
});

describe('what a schedule cannot tell', () => {
  it('is the sides of two entrants without matches against themselves', () => {
    const pair = { ann: four['ann']!, dan: four['dan']! };
    const without = rate(playRoundRobin(pair, 40));
    expect(find(without, 'ann').strength.value).not.toBeNull();
    expect(find(without, 'ann').strengthAsWerewolves.reason).toBe('not identified');
    expect(find(without, 'ann').werewolves.reason).toBe('not identified');
    expect(without.refused).toEqual([
      expect.stringContaining('ann and dan are as Werewolves and as the village, apart'),
    ]);
    const withSelfPlay = rate(playRoundRobin(pair, 40, { selfPlay: true }));
    expect(find(withSelfPlay, 'ann').strengthAsWerewolves.value).not.toBeNull();
    expect(withSelfPlay.refused).toEqual([]);
  });

  it('is who is stronger of two groups that never met, and of entrants that only met themselves', () => {
    const [left, right] = [playRoundRobin(equal, 20), playRoundRobin({ xia: [0, 0], yan: [0, 0], zoe: [0, 0] }, 20)];
    const apart = rate([...left, ...right]);
    expect(apart.entrants.map(({ group }) => group)).toEqual([0, 0, 0, 1, 1, 1]);
    expect(apart.refused).toEqual([expect.stringContaining('ann, bob and cas; xia, yan and zoe')]);
    expect(apart.differences).toHaveLength(6);
    const alone = rate(playRoundRobin(equal, 20, { selfPlay: true }).filter(isSelfPlay));
    expect(alone.entrants.every(({ score }) => score.reason === 'not identified')).toBe(true);
  });

  const isSelfPlay = ({ seats }: RatedMatch) => seats.every(({ entrant }) => entrant === seats[0]!.entrant);

  it('is one who only ever played one side', () => {
    const oneSide = playRoundRobin(equal, 20).filter(({ seats }) => seats[0]!.entrant !== 'cas');
    const { entrants, refused } = rate(oneSide);
    expect(entrants.find(({ entrant }) => entrant === 'cas')!.strength.reason).toBe('not identified');
    expect(refused.join(' ')).toContain('cas');
  });
});

describe('tables that mix entrants', () => {
  const field: PlantedField = { ann: [1.5, 1.5], bob: [0, 0], cas: [0, 0], dan: [-1.5, -1.5] };
  const names = Object.keys(field);
  const chance = draw(5, 'mixed');
  /** Mixed tables: every entrant plays every seat once, moving by one seat within each deal. */
  const mixed = Array.from({ length: 60 }, (_, deal) =>
    names.map((_, turn) => {
      const seats = [0, 1, 2, 3, 4, 5, 6, 7].map((seat) => names[(seat + turn) % 4]!);
      const sides = { werewolves: chance.shuffle(seats).slice(0, 2), villagers: chance.shuffle(seats).slice(2) };
      return createMatch(deal, sides.werewolves, sides.villagers, drawWinner(field, sides, { chance }));
    }),
  ).flat();

  itLong('are rated by the mean of a side, and by role', () => {
    const ratings = rate(mixed, 99);
    expect(find(ratings, 'ann').strength.value!).toBeGreaterThan(0.5);
    expect(find(ratings, 'ann').score.value!).toBeLessThan(0.75); // at tables that the others share
    expect(find(ratings, 'ann').ranks![0]).toBe(1);
    expect(ratings.pairings).toEqual([]); // no side belongs to one entrant
    const roles = new Set(ratings.roles.map(({ role }) => role));
    expect(roles).toEqual(new Set(['Werewolf', 'Seer', 'Villager']));
    const asVillager = ratings.roles.filter(({ role }) => role === 'Villager');
    expect(asVillager.find(({ entrant }) => entrant === 'ann')!.strength.value!).toBeGreaterThan(
      asVillager.find(({ entrant }) => entrant === 'dan')!.strength.value!,
    );
  });

  it('of which each seats all equally often tell who scores more, and neither sides nor roles', () => {
    const chance = draw(2, 'turns');
    const turns = Array.from({ length: 60 }, (_, deal) => {
      const order = chance.shuffle(names);
      return names.map((_, turn) => {
        const seats = [0, 1, 2, 3, 4, 5, 6, 7].map((seat) => order[(seat + turn) % 4]!);
        const sides = { werewolves: seats.slice(0, 2), villagers: seats.slice(2) };
        return createMatch(deal, sides.werewolves, sides.villagers, drawWinner(field, sides, { chance }));
      });
    }).flat();
    const ratings = rate(turns);
    const { score, ranks, werewolves, strength } = find(ratings, 'ann');
    const own = [...computeDealScores(turns).values()].map((deal) => deal.get('ann')!.both!);
    expect(score.value).toBeCloseTo(own.reduce((sum, one) => sum + one, 0) / 60, 9);
    expect([score.low! > 0.5, ranks![0], find(ratings, 'dan').ranks![1]]).toEqual([true, 1, 4]);
    expect([werewolves.reason, strength.reason, ratings.roles]).toEqual(['not identified', 'not identified', []]);
    expect(ratings.refused).toEqual([
      expect.stringContaining('every table seats all of them equally often'),
      expect.stringContaining('This needs the format by-role'),
    ]);
  });

  it('of one entrant in one role among others of a baseline tell of that role alone', () => {
    const skill: Record<string, number> = { ann: 3, bob: 0, cas: -3 };
    const byRole = Array.from({ length: 60 }, (_, deal) =>
      Object.keys(skill).map((seer) => {
        const isWon = chance.fraction() < 1 / (1 + Math.exp(-skill[seer]! / 3));
        return createMatch(deal, ['base', 'base'], [seer, 'base', 'base'], isWon ? 'villagers' : 'werewolves');
      }),
    ).flat();
    const ratings = rate(byRole);
    expect(ratings.entrants.every(({ strength }) => strength.reason === 'not identified')).toBe(true);
    expect(ratings.roles.map(({ role, entrant }) => [role, entrant])).toEqual(
      ['ann', 'bob', 'cas'].map((entrant) => ['Seer', entrant]),
    );
    const [ann, , cas] = ratings.roles;
    const won = byRole.filter(({ seats, winner }) => seats[2]!.entrant === 'ann' && winner === 'villagers').length;
    expect(ann!.score.value).toBeCloseTo(won / 60, 1);
    expect([ann!.ranks![0], cas!.ranks![1]]).toEqual([1, 3]);
    const { roleDifferences: differences } = ratings;
    expect(differences.map(({ role, pair }) => [role, ...pair])).toEqual([
      ['Seer', 'ann', 'bob'],
      ['Seer', 'ann', 'cas'],
      ['Seer', 'bob', 'cas'],
    ]);
    const [, wide] = differences;
    expect(wide!.difference.value).toBeCloseTo(ann!.score.value! - cas!.score.value!, 6);
    expect(wide!.difference.low).toBeGreaterThan(0);
    expect(wide!.adjusted).toBeLessThan(0.05);
  });
});

describe('an unbalanced schedule of equals', () => {});

describe('scores of deals', () => {
  const deal = [
    createMatch(1, ['ann'], ['bob', 'bob'], 'werewolves'),
    createMatch(1, ['bob'], ['ann', 'ann'], null),
    createMatch(1, ['ann'], ['ann', 'ann'], 'villagers'),
  ];

  it('are the mean of both sides, a match that nobody won counting half, without matches against oneself', () => {
    expect(computeDealScores(deal).get('d1')!.get('ann')).toEqual({ werewolves: 1, villagers: 0.5, both: 0.75 });
  });

  it('are compared deal by deal, up to the first that is not over', () => {
    const [pair] = listPairScores([deal, null, deal.slice(0, 1)], [['ann', 'bob']]);
    expect(pair).toEqual({ pair: ['ann', 'bob'], differences: [0.5, null] });
  });
});
