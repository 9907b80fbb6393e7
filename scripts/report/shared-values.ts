// Keeps equal values only once. Thousands of matches have the same conditions, and copies would take hundreds of
// megabytes.

/**
 * Returns the first of all equal values that were given. Values are JSON, and must not be changed afterwards.
 *
 * @example
 * const shared = new SharedValues();
 * shared.share(['a']) === shared.share(['a']); // true
 */
export class SharedValues {
  readonly #known = new Map<string, unknown>();

  share<Value>(value: Value): Value {
    const key = typeof value === 'string' ? value : JSON.stringify([value]);
    const known = this.#known.get(key) as Value | undefined;
    if (known !== undefined) return known;
    this.#known.set(key, value);
    return value;
  }
}
