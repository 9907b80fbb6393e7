// Every option of a match: the common ones and those of all roles.
import { commonRules } from './common-rules.ts';
import { roles } from './roles/index.ts';
import type { Rule } from './rule.ts';

/** Every option by name. */
export const rulebook: Readonly<Record<string, Rule>> = Object.fromEntries([
  ...Object.entries(commonRules as unknown as Record<string, Rule>), // each option is typed more narrowly than a register can be
  ...[...roles.values()].flatMap((role) => Object.entries(role.rules)),
]);
