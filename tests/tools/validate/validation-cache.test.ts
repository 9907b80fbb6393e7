// An interrupted validation resumes with the cells that are missing.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CellCache } from '../../../tools/validate/validation-cache.ts';
import { quickSize } from '../../../tools/validate/validate-cell.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';

const folder = path.join(createTemporaryFolder(), 'cells');
const [cell, other] = quickSize.cells as [(typeof quickSize.cells)[0], (typeof quickSize.cells)[0]];
const findings = { pools: [], samples: [], comparisons: [], parts: [] };

describe('the cells of a validation', () => {
  const kept = new CellCache(folder, quickSize);

  it('are found again when they are done, and no others', () => {
    expect(kept.read(cell)).toBeNull();
    kept.write(cell, findings);
    expect(new CellCache(folder, quickSize).read(cell)).toEqual(findings);
    expect(kept.read(other)).toBeNull();
  });

  it('are done again for another size, for other rates, and where the file is damaged', () => {
    expect(new CellCache(folder, { ...quickSize, seed: 2 }).read(cell)).toBeNull();
    expect(kept.read({ ...cell, deals: cell.deals + 1 })).toBeNull();
    const file = kept.getFile(cell);
    writeFileSync(file, readFileSync(file, 'utf8').slice(0, -9));
    expect(kept.read(cell)).toBeNull();
  });
});
