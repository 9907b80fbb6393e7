// A record that cannot be used: damaged, of another version, of another match, or in use.

export class RecordError extends Error {
  override name = 'RecordError';
}
