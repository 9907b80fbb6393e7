// Records the places that tests reach. This module is preloaded into every process that tests start:
// `globalThis.reach(id)` writes each number once.
import { appendFileSync } from 'node:fs';

const file = process.env['MUTANT_REACHED'];
const seen = new Set();
if (file)
  globalThis.reach = (id) => {
    if (seen.has(id)) return;
    seen.add(id);
    appendFileSync(file, `${id}\n`);
  };
