// Records of games that were imported: they are read, never played.
import type { Manifest } from '../../state/record.ts';
import { RecordError } from './record-error.ts';

/** Throws RecordError for a record whose game another program played: its answers were never asked for here. */
export function expectPlayed({ id, imported }: Pick<Manifest, 'id' | 'imported'>): void {
  if (!imported) return;
  throw new RecordError(
    `Match ${id} was imported (${imported.format}, ${imported.source}): another program played it and asked the models in its own words, so it can be neither played on nor replayed. npm run show and npm run report read it.`,
  );
}
