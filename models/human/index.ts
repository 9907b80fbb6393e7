// The provider of people: `human`, or `human:alice` for a person with a name in records and reports.
import { z } from 'zod';
import { isModelName } from '../../state/model-identity.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createOptionsSchema, NumericOption } from '../model-options.ts';
import type { PlayerModel, Provider } from '../model.ts';
import { PersonModel, unnamedPerson } from './person-model.ts';

/** `seconds`: time for each answer. Default: no limit. */
const PersonOptions = createOptionsSchema({
  seconds: NumericOption.pipe(z.number().int().min(5).max(86_400)).optional(),
});
type PersonOptions = z.infer<typeof PersonOptions>;

/** Longest delay of a timer in milliseconds. The time limit for servers does not apply to people. */
const longestTimer = 2 ** 31 - 1;

export const human: Provider<PersonOptions> = {
  name: 'human',
  usualModel: unnamedPerson,
  about: {
    NAME: 'a person, asked on this terminal, or on a page of its own with --serve; NAME is a pseudonym in records and reports, and may be left out (human). Option seconds, 5 to 86400: time for each answer',
  },
  options: PersonOptions,
  locate: () => null,
  open: (spec, { seconds = null }): Promise<PlayerModel> => {
    if (!isModelName(spec.model))
      throw new UsageError(
        `"${spec.text}" has an unusable name: a person's name must have only letters, digits, ".", "_" and "-", at most 60, e.g. human:alice.`,
      );
    return Promise.resolve({
      spec: spec.text,
      chat: new PersonModel(spec.text, seconds),
      isBot: false,
      isPerson: true,
      price: { in: 0, out: 0 },
      timeoutMs: longestTimer,
      secrets: [],
    });
  },
};
