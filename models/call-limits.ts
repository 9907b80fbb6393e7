// How far calls to models may go: one value, made by the options of a command and passed down to where models are asked.

/** `Cap`: `number | null` where null says that there is none. */
export interface CallLimits<Cap = number> {
  /** USD; no call begins once so much is spent, what is recorded included. Models whose price is not known are refused then. */
  maxCost?: Cap | undefined;
  /** The share of a model's questions that may be without a readable answer; 0.25 by default, 1: all of them. */
  maxFallbacks?: number | undefined;
  /** Seconds that a provider may ask to wait; 120 by default where it is down, and six hours where a rate limit asks. */
  maxWait?: number | undefined;
  /** Calls under way at the same time at one server, those of other matches in this process included; 32 by default. */
  concurrency?: number | undefined;
}

/** The names of all limits. */
export const limitNames = {
  maxCost: true,
  maxFallbacks: true,
  maxWait: true,
  concurrency: true,
} as const satisfies Record<keyof CallLimits, true>;

/**
 * The limits among other settings, without those that are not given.
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

/** The other settings. */
export const dropLimits = <Settings extends CallLimits<unknown>>(
  settings: Settings,
): Omit<Settings, keyof CallLimits> => {
  const { maxCost, maxFallbacks, maxWait, concurrency, ...others } = settings;
  void [maxCost, maxFallbacks, maxWait, concurrency];
  return others;
};
