// Keeps keys and tokens out of everything that is written or shown.

/** Shapes of keys that are recognised without being known. */
const keyLike = /\b(sk-[\w-]{8,}|AIza[\w-]{20,}|ya29\.[\w.-]{10,})|(?<=\bBearer\s)[\w.~+/=-]{8,}/g;

/** Values shorter than this are no secrets: "none" is what local servers are given. */
const shortest = 8;

/** A function that replaces `secrets` and whatever looks like a key by "[redacted]". */
export function redactor(secrets: Iterable<string>): (text: string) => string {
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= shortest)
    .sort((one, other) => other.length - one.length); // a longer one may begin with a shorter
  return (text) =>
    known.reduce((safe, secret) => safe.replaceAll(secret, '[redacted]'), text).replace(keyLike, '[redacted]');
}
