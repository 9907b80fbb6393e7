// Schema of `leaderboard.json`. Every field is defined in docs/reference/ratings.md.
import { z } from 'zod';
import { aboutAnswerTables, AnswerTable } from '../metrics/answer-table-schema.ts';
import { incomparableReasons } from '../metrics/comparability.ts';
import { Team } from '../../state/teams.ts';

/** Version of the format. Increase it when a change makes new leaderboards unreadable to older readers. */
export const leaderboardVersion = 1;

const text = z.string();
const count = z.number().int().min(0);
const figure = z.number().nullable();
const ranks = z.tuple([z.number().int(), z.number().int()]).nullable();

/** A figure with its interval. Without an interval, all three values are null. */
const Estimate = z.strictObject({ value: figure, low: figure, high: figure, reason: text.nullable() });

export const RatedEntrant = z.strictObject({
  entrant: text.describe('its name in the plan; without a plan, the model'),
  group: count.describe('entrants with the same number can be compared with each other'),
  ranks: ranks.describe(
    'best and worst rank by `score` that the tests leave possible (Holm at .05); null if nothing was tested',
  ),
  deals: count.describe('number of deals and of matches that it played'),
  matches: count.describe('number of deals and of matches that it played'),
  score: Estimate.describe(
    'expected score against the others of its group, 0 to 1: overall (half as Werewolves, half as the village), as Werewolves, as the village; each with `value`, `low`, `high`, and the `reason` where there is none',
  ),
  werewolves: Estimate.describe(
    'expected score against the others of its group, 0 to 1: overall (half as Werewolves, half as the village), as Werewolves, as the village; each with `value`, `low`, `high`, and the `reason` where there is none',
  ),
  villagers: Estimate.describe(
    'expected score against the others of its group, 0 to 1: overall (half as Werewolves, half as the village), as Werewolves, as the village; each with `value`, `low`, `high`, and the `reason` where there is none',
  ),
  strength: Estimate.describe(
    'log-odds above the mean of its group: overall (θ), as Werewolves (α), as the village (δ); multiplied by 400 / ln 10 they are Elo points',
  ),
  strength_as_werewolves: Estimate.describe(
    'log-odds above the mean of its group: overall (θ), as Werewolves (α), as the village (δ); multiplied by 400 / ln 10 they are Elo points',
  ),
  strength_as_village: Estimate.describe(
    'log-odds above the mean of its group: overall (θ), as Werewolves (α), as the village (δ); multiplied by 400 / ln 10 they are Elo points',
  ),
});
export type RatedEntrant = z.infer<typeof RatedEntrant>;

const difference = {
  ...{ difference: figure, low: figure, high: figure, reason: text.nullable() },
  p: figure,
  p_adjusted: figure,
};

const informative = count.nullable();

export const Rating = z.strictObject({
  condition: text.nullable().describe('name of the condition; null if there is only one, or for all conditions pooled'),
  interval: z
    .enum(['fixed', 'any time'])
    .describe(
      '`fixed`: 95 % intervals of a sample of fixed size; `any time`: confidence sequences for a tournament that may stop early; scores are then means over deals',
    ),
  matches: count.describe('matches and deals that are rated'),
  deals: count.describe('matches and deals that are rated'),
  unfinished: count.describe(
    'number of matches left out: all from the first block that is not finished in every condition, and those that are not in the plan',
  ),
  entrants: z.array(RatedEntrant).describe('[one each](#an-entrant), best first'),
  differences: z
    .array(z.strictObject({ pair: z.tuple([text, text]), ...difference, informative, evidence: figure }))
    .describe(
      'for each `pair`, how much more the first scores, with an interval; `informative`: number of deals (blocks in cyclic designs) in which the two score differently; `p` from exchanging the two within these deals, and `p_adjusted` by Holm’s procedure; `reason`: `too few` if so few deals could not reach .05; `evidence` (W) if intervals hold at any time',
    ),
  roles: z
    .array(
      z.strictObject({
        role: text,
        team: Team,
        entrant: text,
        deals: count,
        ranks,
        score: Estimate,
        strength: Estimate,
      }),
    )
    .describe(
      'by role, if tables mix entrants: expected score with the entrant in all seats of the role, at a table that is otherwise the mean of all entrants',
    ),
  role_differences: z
    .array(z.strictObject({ role: text, pair: z.tuple([text, text]), ...difference, informative }))
    .describe(
      'for each `pair` and role, how much more the side scores with the first, with the fields of `differences`; `p_adjusted` by Holm’s procedure over all pairs of all roles',
    ),
  pairings: z
    .array(
      z.strictObject({
        ...{ board: text, werewolves: text, villagers: text, matches: count },
        ...{ found: z.number(), fitted: z.number(), p_adjusted: figure },
      }),
    )
    .describe(
      'the Werewolves’ score in each pairing, as `found` and as `fitted` by the strengths; `p_adjusted` by Holm’s procedure over all pairings, of the hypothesis that both are equal',
    ),
  advantage: Estimate.describe('the Werewolves’ expected score over all pairings of different entrants'),
  lack_of_fit: z
    .strictObject({ statistic: z.number(), freedom: count, p: z.number() })
    .nullable()
    .describe('test whether pairings score differently from what the strengths predict; null if that cannot be tested'),
  refused: z.array(text).describe('what these matches cannot show, in words'),
});
export type Rating = z.infer<typeof Rating>;

const LackingTable = z.strictObject({
  ...{ pairing: text, condition: text.nullable(), board: text },
  ...{ matches: count, missing: count, first_deal: count },
});
export type LackingTable = z.infer<typeof LackingTable>;

const PlannedMatches = z.strictObject({
  ...{ matches: count, found: count, missing: count, others: count },
  decided_deals: count.nullable(),
  lacking: z.array(LackingTable),
});
export type PlannedMatches = z.infer<typeof PlannedMatches>;

const Trait = z.strictObject({
  ...{ metric: text, title: text, question: text, of: z.record(text, text), unit: text },
  best: z.enum(['high', 'low']).nullable(),
  is_identified: z.boolean(),
  chance: figure,
  rows: z.array(
    z.strictObject({
      ...{ entrant: text, ranks, value: figure, low: figure, high: figure, reason: text.nullable() },
      ...{ deals: count, opportunities: figure },
    }),
  ),
});

const Expense = z.strictObject({
  ...{ entrant: text, is_bot: z.boolean(), matches: count, calls: count, questions: count },
  ...{ fallbacks: count, missing: count, refusals: count },
  ...{ tokens_in: figure, tokens_out: figure, cost: figure, calls_with_unknown_cost: count },
  ...{ cost_per_match: figure, seconds_per_call: figure },
  is_efficient: z.boolean().nullable(),
});
export type Expense = z.infer<typeof Expense>;

export const Leaderboard = z.strictObject({
  leaderboard_version: z
    .literal(leaderboardVersion)
    .describe('1; raised when older versions could not read newer files'),
  name: text.nullable().describe('name of the tournament; null if the matches belong to none'),
  matches: count.describe('number of matches that were read'),
  answers: z.array(AnswerTable).default([]).describe(aboutAnswerTables),
  planned: PlannedMatches.nullable().describe(
    'number of the plan’s `matches` in the reported folders, of those `found` and of those `missing`, and where these are missing, by pairing, condition and board (`lacking`); `decided_deals`: number of deals after which the stopping rule ended the tournament (matches left unplayed are not missing); `others`: number of matches that were read but are not in the plan. Null if no plan is known',
  ),
  ratings: z.array(Rating).describe('[one for each condition](#a-rating)'),
  promised: z
    .strictObject({ half_width: z.number(), reached: figure })
    .nullable()
    .default(null)
    .describe(
      'half-width of 95% intervals for the difference of two scores: `half_width`, promised by the plan’s dry run, and `reached`, the mean over pairs and conditions; null without a plan, with a stopping rule, or before all matches are over',
    ),
  pooled: Rating.nullable().describe('one rating over all conditions, with `--pooled`; else null'),
  conditions: z
    .array(z.strictObject({ a: text, b: text, entrant: text, deals: count, ...difference }))
    .describe(
      'how much more each `entrant` scores under condition `a` than under `b`, deal by deal; p by Holm’s procedure',
    ),
  traits: z
    .array(z.strictObject({ condition: text.nullable(), boards: z.array(Trait) }))
    .describe(
      'leaderboards of deception and detection by condition: a `metric` of [metrics.md](metrics.md) in the cell `of`, whether `high` or `low` is `best`, whether these matches identify it for the entrant alone, apart from its opponents (`is_identified`; if not, nobody is ranked), the value by `chance`, and each entrant’s figure with its interval and possible `ranks`',
    ),
  refused_traits: z
    .array(z.strictObject({ title: text, metric: text, reason: z.enum(incomparableReasons) }))
    .describe('figures that cannot compare entrants, and why'),
  expenses: z
    .array(Expense)
    .describe(
      'by entrant: calls and their outcomes, known tokens and USD, seconds per call; `is_efficient`: no other entrant scores more for the same or less money, or the same for less; null if cost or score is unknown',
    ),
  resamples: count.describe('resamples behind each interval, and their seed'),
  seed: z.number().int().describe('resamples behind each interval, and their seed'),
});
export type Leaderboard = z.infer<typeof Leaderboard>;
