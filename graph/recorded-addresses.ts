// Checks the addresses of recorded models that were not called at their provider's own address. Addresses are never
// taken from a record. The user must give the address again; otherwise another server would be called.
import type { Environment } from '../models/model.ts';
import { findModelReach } from '../models/providers/index.ts';
import { findModelAddress, getModelLabel, identifyModel, normalizeAddress } from '../state/model-identity.ts';
import type { Team } from '../state/teams.ts';
import { quoteForShell } from '../state/text.ts';
import { UsageError } from '../state/usage-error.ts';

/** A player's name in the deal, and the model string to open for this player. */
export interface SeatedString {
  name: string;
  team: Team;
  model: string;
}

/**
 * Throws a UsageError if a record says that a model was called at another address than its provider's, and neither its
 * model string nor the environment gives an address now. `recorded`: addresses by identity of the model. The message
 * prints the options to use.
 * @example checkRecordedAddresses(seats, { 'openai:qwen': 'http://127.0.0.1:8080/v1' }, process.env);
 */
export function checkRecordedAddresses(
  seats: readonly SeatedString[],
  recorded: Readonly<Record<string, string>>,
  env: Environment,
): void {
  const lost = seats.filter(({ model }) => {
    const before = recorded[identifyModel(model)];
    if (before === undefined || findModelAddress(model) !== undefined) return false;
    const reach = findModelReach(model, env);
    if (reach === null || !reach.isHome || reach.addressFrom !== null) return false;
    return normalizeAddress(reach.address) !== normalizeAddress(before);
  });
  const [first] = lost;
  if (!first) return;
  const identity = identifyModel(first.model);
  const key = findModelReach(first.model, env)?.key;
  throw new UsageError(
    [
      `${getModelLabel(identity)} was called at ${recorded[identity]}, according to the record. Addresses and the variables of keys are never taken from a record.`,
      `If that server is yours, type its address: ${listOptions(seats, lost, recorded)} (with &apiKeyEnv=NAME unless ${key ? `${key} is its key's variable` : 'it takes no key'}).`,
      'Or give the model with its address in a models file: --models FILE.',
    ].join(' '),
  );
}

/**
 * Lists the fewest options that give each of these players the model with its recorded address and change no other
 * player.
 */
function listOptions(
  seats: readonly SeatedString[],
  lost: readonly SeatedString[],
  recorded: Readonly<Record<string, string>>,
): string {
  const addAddress = (model: string) =>
    quoteForShell(`${model}${model.includes('?') ? '&' : '?'}baseUrl=${recorded[identifyModel(model)]}`);
  const isOneModel = (some: readonly SeatedString[]) =>
    some.every((seat) => lost.includes(seat) && seat.model === some[0]!.model);
  if (isOneModel(seats)) return `--model ${addAddress(seats[0]!.model)}`;
  return [...Map.groupBy(seats, ({ team }) => team)]
    .flatMap(([team, own]) =>
      isOneModel(own)
        ? [`--${team} ${addAddress(own[0]!.model)}`]
        : own
            .filter((seat) => lost.includes(seat))
            .map(({ name, model }) => `--seat ${quoteForShell(name)}=${addAddress(model)}`),
    )
    .join(' ');
}
