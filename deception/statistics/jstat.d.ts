// Types of the functions of jstat that this program uses. The package has no types of its own.
declare module 'jstat' {
  const jstat: {
    beta: {
      /** Quantile of the beta distribution, accurate to 3e-8 for shapes from 0.1 to 20,000. */
      inv(p: number, alpha: number, beta: number): number;
    };
    normal: {
      inv(p: number, mean: number, sd: number): number;
      cdf(x: number, mean: number, sd: number): number;
    };
    chisquare: {
      inv(p: number, freedom: number): number;
    };
    centralF: {
      cdf(f: number, freedom1: number, freedom2: number): number;
    };
    studentt: {
      /** Probability of a value below `t`, accurate to 1e-7. */
      cdf(t: number, freedom: number): number;
      /** Quantile, accurate to 1e-7. */
      inv(p: number, freedom: number): number;
    };
    binomial: {
      /** Probability of at most `successes`, rounded to ten decimals. */
      cdf(successes: number, trials: number, probability: number): number;
    };
  };
  export default jstat;
}
