// Measured accuracy of an extractor, written by `npm run validate -- --claims`. Reports use it to correct lie rates.
import { z } from 'zod';

const count = z.number().int().min(0);
const share = z.number().min(0).max(1);

/** Number `right` out of `of`, with the 95% interval over moments. */
const MeasuredAccuracy = z
  .strictObject({ right: count, of: count, low: share, high: share })
  .refine(({ right, of }) => right <= of, { message: '`right` must not be more than `of`' });

const Accuracies = z.strictObject({ precision: MeasuredAccuracy.nullable(), recall: MeasuredAccuracy.nullable() });

const Rates = z.strictObject({ sensitivity: MeasuredAccuracy, specificity: MeasuredAccuracy });

/** Earlier versions wrote no `lie_turn_rate`. */
const LieRates = z.strictObject({ lie_rate: Rates, lie_statement_rate: Rates, lie_turn_rate: Rates.optional() });

const Reached = z.strictObject({ drawn: count, of: count });

/** A file of measured errors. */
export const ExtractorErrors = z.strictObject({
  schema_version: z.literal(1).describe('1; raised when older readers could not read newer files'),
  extractor: z.string().describe('who drew the claims: `rules`, or the model string of a judge, with how it was asked'),
  corpora: z.array(z.string()).min(1).describe('the labelled corpora it was measured on'),
  split: z.enum(['development', 'test', 'both']).describe('which part of them'),
  statements: count.describe('labelled statements'),
  moments: count.describe('moments of matches at which they were said: what intervals are over'),
  claims: Accuracies.describe(
    '`precision` and `recall` of claims that are not only presupposed, each with `right`, `of`, `low`, `high`; null with nothing to count',
  ),
  lies: Accuracies.optional().describe('the same of statements whose gravest claim is a lie'),
  types: z.record(z.string(), Accuracies).describe('the same by type of claim'),
  writers: z
    .record(z.string(), Accuracies.extend({ lie_rates: LieRates.optional() }))
    .optional()
    .describe(
      'the same as `claims`, and as `lie_rates`, by writer: the model, or the manner, of who made the statements. Rates of a model are corrected by those of the writer with its name alone',
    ),
  lie_rates: LieRates.describe(
    'by metric `sensitivity`, how many lies the extractor called one, and `specificity`, how many others it did not: of `lie_rate` and `lie_statement_rate` among the opportunities to lie that both the labels and the extractor have, of `lie_turn_rate` among all debate statements',
  ),
  reach: z
    .strictObject({ lies: Reached, truths: Reached })
    .describe('of how many labelled `lies` and `truths` about the speaker (`of`) it `drawn` how many at all'),
});
export type ExtractorErrors = z.infer<typeof ExtractorErrors>;
