// Builds sessions in the form of Werewolf Arena and DSGBench, one round at a time.
import type { ArenaLog, ArenaSession } from '../../../graph/import/arena-format.ts';

type Round = ArenaSession['rounds'][number];

export const names = ['Ginger', 'Scott', 'Harold', 'Jacob', 'Paul', 'Leah', 'Isaac', 'Dan'];
const roles = ['Villager', 'Villager', 'Villager', 'Villager', 'Werewolf', 'Werewolf', 'Doctor', 'Seer'];

/** Ginger, Scott, Harold and Jacob are Villagers, Paul and Leah Werewolves, Isaac the Doctor and Dan the Seer. */
export const players: ArenaSession['players'] = Object.fromEntries(
  names.map((name, seat) => [name, { role: roles[seat]!, model: seat === 4 || seat === 5 ? 'wolf-model' : 'model' }]),
);

export const log = (result: ArenaLog['result'] = null, prompt = ''): ArenaLog => ({ prompt, result });

interface Told {
  /** Players who are left after the round. */
  left: readonly string[];
  /** Target of each night act. */
  night?: Partial<Record<'eliminated' | 'protected' | 'unmasked', string>>;
  exiled?: string;
  said?: [by: string, text: string][];
  /** Voter → target: one entry after each statement, or one for the whole day. The last entry counts. */
  votes?: Record<string, string>[];
  bids?: Record<string, number>[];
  summaries?: Record<string, string>;
}

export function round({ left, night = {}, exiled, said = [], votes = [], bids = [], summaries = {} }: Told): Round {
  return {
    players: [...left],
    eliminated: night.eliminated,
    protected: night.protected,
    unmasked: night.unmasked,
    exiled,
    debate: said,
    votes,
    bids,
    log: {
      bid: bids.map((given) => Object.entries(given).map(([by, bid]) => [by, log({ reasoning: '', bid })])),
      debate: said.map(([by, say]) => [by, log({ reasoning: `${by} plans.`, say })]),
      votes: votes.map((cast) =>
        Object.entries(cast).map(([player, target]) => ({ player, voted_for: target, log: log({ vote: target }) })),
      ),
      summaries: Object.entries(summaries).map(([by, summary]) => [by, log({ summary })]),
    },
  };
}

export const session = (...rounds: Round[]): ArenaSession => ({ players, rounds });

/** Lists all players except these. */
export const without = (...gone: string[]) => names.filter((name) => !gone.includes(name));

/** Creates the votes of all `voters` for `target`, who votes for the first of them. */
export const allFor = (target: string, voters: readonly string[]): Record<string, string> =>
  Object.fromEntries(voters.map((by) => [by, by === target ? voters.find((other) => other !== by)! : target]));
