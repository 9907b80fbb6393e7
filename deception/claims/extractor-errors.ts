// Measured accuracy of an extractor, written by `npm run validate -- --claims`. Reports use it to correct lie rates.
import { z } from 'zod';

const count = z.number().int().min(0);
const share = z.number().min(0).max(1);

/** Share of correct labels: `right` out of `of`, with its 95% interval, clustered by moment. */
const MeasuredAccuracy = z
  .strictObject({ right: count, of: count, low: share, high: share })
  .refine(({ right, of }) => right <= of, { message: '`right` must not be more than `of`' });

const Accuracies = z.strictObject({ precision: MeasuredAccuracy.nullable(), recall: MeasuredAccuracy.nullable() });

const Rates = z.strictObject({ sensitivity: MeasuredAccuracy, specificity: MeasuredAccuracy });

/** Error rates by metric. `lie_turn_rate` is optional, because earlier versions did not write it. */
const LieRates = z.strictObject({ lie_rate: Rates, lie_statement_rate: Rates, lie_turn_rate: Rates.optional() });

const Reached = z.strictObject({ drawn: count, of: count });

/** A file of measured errors. */
export const ExtractorErrors = z.strictObject({
  schema_version: z.literal(1).describe('1; raised when older readers could not read newer files'),
  extractor: z
    .string()
    .describe('extractor of the claims: `rules`, or the model string of a judge and how it was asked'),
  corpora: z.array(z.string()).min(1).describe('labeled corpora on which it was measured'),
  split: z.enum(['development', 'test', 'both']).describe('part of the corpora'),
  statements: count.describe('number of labeled statements'),
  moments: count.describe('number of moments of matches at which they were made; intervals are clustered by moment'),
  claims: Accuracies.describe(
    '`precision` and `recall` of claims that are not only presupposed, each with `right`, `of`, `low`, `high`; null if there is nothing to count',
  ),
  lies: Accuracies.optional().describe('the same for statements whose gravest claim is a lie'),
  types: z.record(z.string(), Accuracies).describe('like `claims`, by type of claim'),
  writers: z
    .record(z.string(), Accuracies.extend({ lie_rates: LieRates.optional() }))
    .optional()
    .describe(
      'like `claims` and `lie_rates`, by writer: the model that wrote the statements, or the style in which it wrote. A model’s rates are corrected only by the errors of the writer with the same name',
    ),
  lie_rates: LieRates.describe(
    'by metric: `sensitivity`, the share of lies that the extractor called lies, and `specificity`, the share of other statements or claims that it did not call lies. For `lie_rate` and `lie_statement_rate`, among opportunities to lie that both labels and extractor contain; for `lie_turn_rate`, among all debate statements',
  ),
  reach: z
    .strictObject({ lies: Reached, truths: Reached })
    .describe(
      'labeled `lies` and `truths` about the speaker: their number (`of`), and how many of them the extractor found (`drawn`)',
    ),
});
export type ExtractorErrors = z.infer<typeof ExtractorErrors>;
