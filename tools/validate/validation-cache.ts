// Caches the findings of each cell, so that a validation that was stopped resumes with the remaining cells.
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import path from 'node:path';
import { getDisk } from '../../models/machine/machine.ts';
import type { CellFindings, GridCell, ValidationSize } from './validate-cell.ts';
import { hashText } from '../../state/hash-text.ts';

const root = path.join(import.meta.dirname, '../..');

/**
 * Source files that findings depend on: matches, tables, metrics and statistics. Changed wording of a page needs no new
 * findings.
 */
const sources = '{state,prompts,deception,models,nodes,graph,tools/validate}/**/*.{ts,js}';

/**
 * Findings of cells, one file per cell. A file is valid only for the code, the size and the Node version that made it.
 */
export class CellCache {
  readonly #folder: string;
  readonly #effort: ValidationSize;
  readonly #code = hashSources();

  constructor(folder: string, effort: ValidationSize) {
    this.#folder = folder;
    this.#effort = effort;
  }

  getFile({ name }: GridCell): string {
    return path.join(this.#folder, `${name.replaceAll(/\W+/g, '-')}.json`);
  }

  /**
   * Reads the findings of a cell. Null if there are none, or if they were made by other code, another size or another
   * Node version.
   */
  read(cell: GridCell): CellFindings | null {
    try {
      const { key, findings } = JSON.parse(getDisk().readText(this.getFile(cell))) as {
        key: string;
        findings: CellFindings;
      };
      return key === this.#createKey(cell) ? findings : null;
    } catch {
      return null;
    }
  }

  write(cell: GridCell, findings: CellFindings): void {
    getDisk().makeFolder(this.#folder);
    getDisk().write(this.getFile(cell), `${JSON.stringify({ key: this.#createKey(cell), findings })}\n`);
  }

  #createKey(cell: GridCell): string {
    const size = { ...this.#effort, cells: [] };
    return hashText(JSON.stringify([this.#code, process.version, size, cell]));
  }
}

function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(sources, { cwd: root }).sort())
    hash.update(`${file.replaceAll('\\', '/')}\n`).update(getDisk().read(path.join(root, file)));
  return hash.digest('hex');
}
