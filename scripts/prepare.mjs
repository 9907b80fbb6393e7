// Runs before any TypeScript is loaded: an old Node is told in words instead of a syntax error, `.env` is read, and
// what is compiled is kept for the next start.
import module from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(
    `Wolfgraph needs Node 22.19 or newer, this is ${process.versions.node}. ` +
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
