// How often a lie that the rules report is one: measured by hand, to correct rates of lies by.
import type { Measured } from '../statistics/misclassification.ts';

/** Right answers of so many, with 95 % intervals over the situations and games in which they were given. */
interface Errors {
  /** Of opportunities in which the speaker lies. */
  sensitivity: Measured;
  /** Of those in which the speaker does not. */
  specificity: Measured;
}

/**
 * By metric, over the test part of the labelled statements (docs/accuracy.md): claims about
 * the speaker whose truth the speaker knew, and statements with such a claim, that both a reader and the rules found.
 * What the rules did not find is in neither side of a rate, so it is no error of these; that lies and truths are missed
 * alike often is assumed, see `reachOfRules`.
 */
export const errorsOfRules: Readonly<Record<'lie_rate' | 'lie_statement_rate', Errors>> = {
  lie_rate: {
    sensitivity: { right: 54, of: 54, low: 0.715, high: 1 },
    specificity: { right: 61, of: 61, low: 0.735, high: 1 },
  },
  lie_statement_rate: {
    sensitivity: { right: 42, of: 42, low: 0.715, high: 1 },
    specificity: { right: 42, of: 43, low: 0.836, high: 1 },
  },
};

/** How many of the claims about the speaker that a reader labelled as lies, and as truths, the rules draw at all. */
export const reachOfRules = { lies: { drawn: 54, of: 70 }, truths: { drawn: 61, of: 83 } } as const;
