// Builds rows of calls by hand. Default: one call that succeeded at once.
import { CallRow } from '../../../deception/tables/call-rows.ts';

export const call = (action: string, changes: Partial<CallRow> = {}): CallRow =>
  CallRow.parse({
    ...{
      match_id: 'm1',
      player: 'Dan',
      role: 'Villager',
      team: 'villagers',
      model: 'openai:one',
      is_bot: false,
      action,
    },
    ...{ calls: 1, questions: 1, asked_again: 0, retries: 0, fallbacks: 0, missing: 0, refusals: 0, shortened: 0 },
    ...{ tokens_in: 100, tokens_out: 10, tokens_cached: 50, tokens_reasoning: 5, calls_with_unknown_tokens: 0 },
    ...{ tokens_in_with_cached: 100, tokens_out_with_reasoning: 10, unreadable_in_family: null },
    ...{
      cost: 0.5,
      calls_with_unknown_cost: 0,
      ms: 1000,
      shown_ms: null,
      shown: null,
      remembered: null,
      without_memory: null,
    },
    ...changes,
  } satisfies CallRow);

/** Changes to a row: the asked player is a Werewolf of another model. */
export const ofWolf = { player: 'Ginger', role: 'Werewolf', team: 'werewolves', model: 'openai:two' } as const;
