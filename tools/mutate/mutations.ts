// Small mistakes that would change a match or its measurements, each with the tests that must notice it.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A mistake: `from`, which occurs in exactly one file of the product, becomes `to`. */
export interface Mutation {
  /** Description of the mistake. */
  what: string;
  from: string;
  to: string;
  /** Paths of the test suites, or the first part of the paths. */
  suites: readonly string[];
}

const knowledge = ['tests/deception/knowledge/'];
const claims = ['tests/deception/claims/'];
const statistics = ['tests/deception/statistics/'];
const ratings = ['tests/deception/ratings/'];
const tournaments = ['tests/deception/tournament/'];

export const mutations: readonly Mutation[] = [
  // Mistakes in the game.
  {
    what: 'parity takes one Werewolf more',
    from: 'pack >= others',
    to: 'pack > others',
    suites: ['tests/state/win-conditions'],
  },
  {
    what: 'half of the votes exile',
    from: 'first && first[1] * 2 > all',
    to: 'first && first[1] * 2 >= all',
    suites: ['tests/state/voting'],
  },
  {
    what: 'who was named in the last statement counts once in a tie of bids',
    from: '.pick([...tied, ...named])',
    to: '.pick([...tied])',
    suites: ['tests/state/debate'],
  },
  {
    what: 'a cure helps where a shield clashes with it',
    from: 'holds || (isCured && !isClash)',
    to: 'holds || isCured',
    suites: ['tests/state/night'],
  },
  {
    what: 'a private event is seen by everybody',
    from: "audience === 'everyone' || (audience !== 'moderator' && audience.includes(player))",
    to: "audience !== 'moderator'",
    suites: ['tests/state/view'],
  },
  {
    what: 'the sentence on equal bids says nothing of double chances',
    from: "? 'Equal bids are decided by lot, with double chances for those named in the last statement.'",
    to: "? 'If several bid equally high, one of them is drawn by lot, with equal chances.'",
    suites: ['tests/prompts/compose'],
  },
  // Mistakes in knowledge and claims.
  {
    what: 'whoever has left did what the pack did later',
    from: '!isGoneBefore(what.by, event.round, witness)',
    to: 'true',
    suites: ['tests/deception/knowledge/event-propositions', ...claims],
  },
  {
    what: 'nobody dies by poison',
    from: "return fate !== 'poison' || !night.notPoisoned.includes(seat)",
    to: "return fate !== 'poison'",
    suites: knowledge,
  },
  {
    what: 'what powers do is resolved without the attack',
    from: 'resolveNight(this.#createNight(intents, nightfall))',
    to: 'resolveNight(this.#createNight(intents.filter(({ verb }) => verb !== this.#attack?.verb), nightfall))',
    suites: knowledge,
  },
  {
    what: 'no attack fails of which nobody knows the target',
    from: 'unnamed === undefined ? [] : explain(unnamed, false)',
    to: '[]',
    suites: knowledge,
  },
  {
    what: 'a condition behind a claim is overheard',
    from: '(?:if(?! (?:',
    to: '(?:if (?! (?:',
    suites: claims,
  },
  { what: 'idioms with "if" are conditions', from: "'you ask me|you (?:must", to: "'you (?:must", suites: claims },
  {
    what: 'a belief is insincere later',
    from: 'insincerityMargin = 0.2',
    to: 'insincerityMargin = 0.3',
    suites: claims,
  },
  {
    what: 'a belief is insincere sooner',
    from: 'insincerityMargin = 0.2',
    to: 'insincerityMargin = 0.1',
    suites: claims,
  },
  {
    what: 'a lie that was forgotten is one',
    from: "known === 'false' && !isForgotten",
    to: "known === 'false'",
    suites: claims,
  },
  // Mistakes in measurements.
  {
    what: 'new suspicion weighs less',
    from: 'MOVING_AVERAGE_WEIGHT = 0.7',
    to: 'MOVING_AVERAGE_WEIGHT = 0.5',
    suites: ['tests/graph/memory'],
  },
  { what: 'rare events make short intervals', from: 'LEAST_SHARE = 0.2', to: 'LEAST_SHARE = 0.05', suites: statistics },
  {
    what: 'an exchange of labels takes from one arm and gives the other nothing',
    from: 'totals[other[k]!]! += whole[k]! - totals[k]!',
    to: 'totals[other[k]!]! += 0',
    suites: ['tests/deception/statistics/paired-test'],
  },
  {
    what: 'shares that add up to 1 are tested twice',
    from: 'other !== null && other < one ? other : one',
    to: 'one',
    suites: ['tests/deception/comparison'],
  },
  {
    what: 'small p-values that many tests make large again are not refined',
    from: 'row.tier === tier && least[place] && isOpen(place) ?',
    to: '!row.tier === tier && least[place] && isOpen(place) ?',
    suites: ['tests/deception/comparison'],
  },
  {
    what: 'an interval that covers too little is marked with more deals than it was sampled with',
    from: 'one.of === of && one.deals >= from',
    to: 'one.of === of && one.deals <= from',
    suites: ['tests/tools/validate/validation'],
  },
  {
    what: 'arms that are alike keep their order in a validation',
    from: "arms === 'alike' ? random.shuffle(deal) : deal",
    to: 'deal',
    suites: ['tests/tools/validate/validation'],
  },
  {
    what: 'half of the resamples may be undefined',
    from: 'deviations.length < (1 - MOST_UNDEFINED) * estimates.length',
    to: 'deviations.length < 0.5 * estimates.length',
    suites: statistics,
  },
  {
    what: 'a tournament decides on deals after one that is not over',
    from: 'const end = scores.indexOf(null);',
    to: 'const end: number = -1;',
    suites: ratings,
  },
  {
    what: 'ratings are fitted without their penalty',
    from: '(matches * probabilities[3 * c + outcome]! * leverage) / 2',
    to: '0 * leverage',
    suites: ratings,
  },
  {
    what: 'ratings say what no match tells',
    from: 'return isSpanned(row, basis) ? keep(row) : null;',
    to: 'return keep(row);',
    suites: ratings,
  },
  {
    what: 'five matches have an interval',
    from: 'MIN_CLUSTERS = 10',
    to: 'MIN_CLUSTERS = 5',
    suites: statistics,
  },
  { what: 'slopes are taken of more sums', from: 'MAX_SLOPES = 10', to: 'MAX_SLOPES = 20', suites: statistics },
  {
    what: 'shares have no scale of their own',
    from: 'range === undefined ? identity : createArcsineScale(range, rows)',
    to: 'identity',
    suites: statistics,
  },
  {
    what: 'Werewolves count as living villagers',
    from: "villagers_alive: present.filter(({ side }) => side === 'villagers').length",
    to: 'villagers_alive: present.length',
    suites: ['tests/deception/tables/'],
  },
  {
    what: 'a sample without fallbacks has more of them',
    from: 'MOST_FALLBACKS = 0.02',
    to: 'MOST_FALLBACKS = 0.05',
    suites: ['tests/deception/summary/report.test'],
  },
  // Mistakes in models and records.
  {
    what: 'gpt-4o costs more',
    from: "'gpt-4o': { in: 2.5, out: 10,",
    to: "'gpt-4o': { in: 2.5, out: 11,",
    suites: ['tests/models/providers'],
  },
  {
    what: 'tokens are cut sooner',
    from: 'mostTokens = 1e9',
    to: 'mostTokens = 1e8',
    suites: ['tests/models/parse-answer'],
  },
  {
    what: 'messages weigh less',
    from: 'aroundMessage = 8',
    to: 'aroundMessage = 4',
    suites: ['tests/models/context-trimming'],
  },
  {
    what: 'calls that failed together come back together',
    from: '(0.75 + clock.jitter() / 2)',
    to: '1',
    suites: ['tests/models/retry'],
  },
  {
    what: 'a question is put once more',
    from: 'maxAttempts = 3',
    to: 'maxAttempts = 4',
    suites: ['tests/graph/faults.test'],
  },
  {
    what: 'a match is given up later',
    from: 'maxFailures = 3',
    to: 'maxFailures = 4',
    suites: ['tests/graph/play-matches'],
  },
  {
    what: 'negative durations are not mended',
    from: "line['ms'] < 0",
    to: 'false',
    suites: ['tests/state/record-migrations'],
  },
  {
    what: 'durations are taken from the time of day',
    from: 'ms: Math.floor((answeredAt ?? clock.elapsed()) - start)',
    to: 'ms: Math.floor(clock.now() - startedAt)',
    suites: ['tests/graph/record'],
  },
  {
    what: 'a manifest is migrated from the version after its own',
    from: 'from >= Number(',
    to: 'from > Number(',
    suites: ['tests/state/record-migrations'],
  },
  // Mistakes in tournaments.
  {
    what: 'mixed tables do not rotate',
    from: 'order[(seat + shift) % order.length]',
    to: 'order[seat % order.length]',
    suites: tournaments,
  },
  {
    what: 'a cyclic design pairs each entrant with the same one on every deal',
    from: '1 + (index % (names.length - 1))',
    to: '1',
    suites: tournaments,
  },
  {
    what: 'a tournament decides on finished blocks behind one that is not over',
    from: 'while (this.#isFinished(this.#blocks[this.#finishedBlocks]))',
    to: 'while (this.#finishedBlocks < this.#blocks.length)',
    suites: tournaments,
  },
  {
    what: 'a half-width takes the normal quantile in place of Student’s t',
    from: 'jstat.studentt.inv(0.975, deals - 1)',
    to: 'jstat.normal.inv(0.975, 0, 1)',
    suites: ['tests/deception/statistics/sample-size'],
  },
];

const root = path.join(import.meta.dirname, '../..');
const sources = globSync('{state,prompts,deception,models,nodes,graph,report,tools/validate}/**/*.ts', { cwd: root });

/** A mutation with the file where it is made, and its words with the line breaks of that file. */
export interface MutationPlace extends Mutation {
  file: string;
}

/**
 * Finds the file of each mutation. Throws a RangeError that names every mutation whose words occur in no file or in
 * several.
 */
export function findPlaces(wanted: readonly Mutation[]): MutationPlace[] {
  const texts = sources.map((file) => ({ file, text: readFileSync(path.join(root, file), 'utf8') }));
  const found = wanted.map((mutation) => {
    const words = new RegExp(mutation.from.split(/\s+/).map(escapePattern).join('\\s+'), 'g');
    const places = texts.flatMap(({ file, text }) =>
      [...text.matchAll(words)].map(([from]) => ({ ...mutation, file, from })),
    );
    return { mutation, places };
  });
  const faults = found.filter(({ places }) => places.length !== 1);
  if (faults.length === 0) return found.flatMap(({ places }) => places);
  const lines = faults.map(({ mutation: { what, from }, places }) => {
    const where = places.length === 0 ? 'no file' : places.map(({ file }) => file).join(', ');
    return `  "${what}": ${JSON.stringify(from)} stands in ${where}`;
  });
  throw new RangeError(
    ['The words of a place must stand once in the product. Mend tools/mutate/mutations.ts:', ...lines].join('\n'),
  );
}

const escapePattern = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
