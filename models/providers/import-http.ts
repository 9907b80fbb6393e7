// Imports the HTTP client of providers, together with its package.
import { getMachine } from '../machine/machine.ts';

/**
 * Imports `http.ts` and then waits for a turn of the event loop, because this package and the provider's own take too
 * long to load in one turn.
 *
 * @example const { fetchOverHttp } = await importHttp();
 */
export async function importHttp(): Promise<typeof import('./http.ts')> {
  const http = await import('./http.ts');
  await getMachine().clock.takeTurn();
  return http;
}
