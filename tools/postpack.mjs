// Restores the project's package.json after `npm pack`; see `prepack.mjs`.
import { renameSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
renameSync(path.join(root, 'package.json.kept'), path.join(root, 'package.json'));
