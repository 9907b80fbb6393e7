// What was made before and is used again; only so much of it is kept.

/**
 * `make`, called once for each key as long as that is among the `most` keys that were used last. What it makes must
 * follow from the key alone, and nobody may change it.
 */
export function memoize<Input, Output>(
  most: number,
  keyOf: (input: Input) => string,
  make: (input: Input) => Output,
): (input: Input) => Output {
  const kept = new Map<string, Output>();
  return (input) => {
    const key = keyOf(input);
    const output = kept.get(key) ?? make(input);
    kept.delete(key); // the latest stands last
    kept.set(key, output);
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return output;
  };
}
