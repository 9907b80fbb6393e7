// Limits on the calls to models, in one object that is made from a command's options and passed to the code that calls
// models.

/** Limits on calls. `Cap` is `number | null` if null means "no cap". */
export interface CallLimits<Cap = number> {
  /**
   * Maximum cost in USD, including recorded calls. No call begins once it is reached. If it is set, models without a
   * known price are rejected.
   */
  maxCost?: Cap | undefined;
  /** Largest share of a model's questions that may stay without a readable answer. Default: 0.25; 1 means all. */
  maxFallbacks?: number | undefined;
  /** Longest wait that a provider may ask for, in seconds. Default: 120 if it is down, six hours for a rate limit. */
  maxWait?: number | undefined;
  /** Calls running at the same time at one server, including calls of other matches in this process. Default: 32. */
  concurrency?: number | undefined;
}

/** Limits of a command that plays matches. They always include the number of concurrent calls. */
export interface PlayLimits extends CallLimits {
  concurrency: number;
}

/** Names of all limits. */
export const limitNames = {
  maxCost: true,
  maxFallbacks: true,
  maxWait: true,
  concurrency: true,
} as const satisfies Record<keyof CallLimits, true>;

/**
 * Selects the limits that are given among other settings.
 *
 * @example selectLimits({ out: 'runs', maxCost: 5, maxWait: undefined }) // { maxCost: 5 }
 */
export const selectLimits = <Cap>(settings: CallLimits<Cap>): CallLimits<Cap> =>
  Object.fromEntries(
    Object.keys(limitNames).flatMap((name) => {
      const value = settings[name as keyof CallLimits];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** Returns the settings without the limits. */
export const dropLimits = <Settings extends CallLimits<unknown>>(
  settings: Settings,
): Omit<Settings, keyof CallLimits> => {
  const { maxCost, maxFallbacks, maxWait, concurrency, ...others } = settings;
  void [maxCost, maxFallbacks, maxWait, concurrency];
  return others;
};
