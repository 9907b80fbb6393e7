// As strip-types.mjs, but for one place of one file, which is read as `npm run mutate` says: no file is changed for it.
import { createHash } from 'node:crypto';
import { stripTypeScriptTypes } from 'node:module';

const { file, from, to } = JSON.parse(process.env.MUTANT ?? '{}');

export default {
  process: (source, path) => ({ code: stripTypeScriptTypes(path === file ? source.replace(from, () => to) : source) }),
  // Jest keeps what was transformed: the mutant apart from the file as it is.
  getCacheKey: (source, path) =>
    createHash('sha256')
      .update(JSON.stringify([source, path, process.version, path === file ? [from, to] : []]))
      .digest('hex'),
};
