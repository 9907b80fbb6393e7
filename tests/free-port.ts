// A port of this machine that nobody listens on, for servers that must be told one.
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
