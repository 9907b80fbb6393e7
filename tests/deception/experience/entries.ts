// Creates entries of pools for tests.
import { type EntryDraft, type PoolEntry, sealEntry } from '../../../deception/experience/pool-entry.ts';

/** Creates an entry about a Villager's ballot in a match that the village won. `changes`: other fields. */
export const createEntry = ({
  moment,
  ...changes
}: Partial<Omit<EntryDraft, 'moment'>> & { moment?: Partial<EntryDraft['moment']> } = {}): PoolEntry =>
  sealEntry({
    match: 'classic-8-1-00000000',
    deal: 'classic-8-1-0123456789ab',
    seat: 'A',
    role: 'Villager',
    board: 'classic-8',
    rules: 'preset wolf',
    model: 'bot:classic',
    entrant: null,
    tournament: null,
    moment: { kind: 'ballot', round: 1, phase: 'day', step: 6, action: 'vote', ...moment },
    situation: 'You are [A], Villager. Day 1, 7 of 8 living, before the vote.',
    done: 'voted for [B]',
    reflection: 'Your side won. Do the same again.',
    reflected_by: 'rules',
    reward: 1,
    ...changes,
  });
