// Finds a free port of this machine, for servers that need to be given one.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, 'localhost');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
