// The address of a model's server, where it says more than the provider's name.
import type { PlayerModel } from './model.ts';

/** Whether a model is asked at the server of its provider. */
export const isAtHome = ({ spec, server }: Pick<PlayerModel, 'spec' | 'server'>): boolean =>
  server === undefined || server.address === null || spec.startsWith(`${server.name}:`);

/** The server's address, unless it is the provider's own; undefined for a model given as an object too. */
export const findForeignAddress = (model: Pick<PlayerModel, 'spec' | 'server'>): string | undefined =>
  isAtHome(model) ? undefined : model.server!.address!;
