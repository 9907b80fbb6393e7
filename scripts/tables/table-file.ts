// What can be done with a table's file while it is being written.
import type { Row } from '../../deception/tables/columns.ts';

/** It is held open by nobody between calls. */
export interface TableFile {
  add(rows: readonly Row[]): void;
  /** Writes what is left, and the file is whole. */
  close(): void;
}
