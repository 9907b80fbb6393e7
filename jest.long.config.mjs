// Configures `npm run test:long`: the suites of tests/long/, and the tests of other suites that `itLong` declares.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import base from './jest.config.mjs';

process.env['LONG_TESTS'] = '1'; // for tests/setup.mjs, in processes that inherit it

const declaring = globSync('tests/**/*.test.ts', { cwd: import.meta.dirname, exclude: ['tests/long/**'] })
  .filter((file) => readFileSync(path.join(import.meta.dirname, file), 'utf8').includes('itLong'))
  .map((file) => file.replaceAll('\\', '/'));

export default {
  ...base,
  roots: ['<rootDir>/tests'],
  testMatch: ['tests/long/**/*.test.ts', ...declaring].map((file) => `<rootDir>/${file}`),
  testPathIgnorePatterns: ['/node_modules/'],
};
