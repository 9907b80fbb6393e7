// Runs before any TypeScript is loaded: an old Node is told in words instead of a syntax error, `.env` is read, and
// what is compiled is kept for the next start.
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
// 23, 24.0 and 24.1 have no import.meta.main: commands would end without a word.
if (major < 22 || major === 23 || (major === 22 && minor < 19) || (major === 24 && minor < 2)) {
  process.stderr.write(
    `Wolfgraph needs Node 22 from 22.19 on, or Node 24.2 or newer. This is ${process.versions.node}. ` +
      'Install one; in a clone npm ci brings it along, and npm run starts scripts with it.\n',
  );
  process.exit(1);
}

// Keys may stand in a file of their own; what the environment says goes first.
try {
  process.loadEnvFile();
} catch (error) {
  if (error.code !== 'ENOENT') throw error;
}

module.enableCompileCache();
