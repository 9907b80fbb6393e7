// A claim as a proposition, which both the record and a player's knowledge can answer.
import { roleNamed } from '../../state/roles/index.ts';
import type { PublicSetup } from '../../state/view.ts';
import { any, didAct, didCheck, hasRole, isOn, left, not, voted, type Proposition } from '../knowledge/proposition.ts';
import type { Claim } from './claim.ts';
import { wordsOf } from './table-words.ts';

/** Null for what is no fact of the match: a promise, or what was said in it. */
export function propositionOf(claim: Claim, table: PublicSetup): Proposition | null {
  const what = asserted(claim, table);
  return what === null ? null : claim.polarity ? what : not(what);
}

function asserted(claim: Claim, table: PublicSetup): Proposition | null {
  const { type, subject, object, when, cause } = claim;
  const round = when === null ? {} : { round: when };
  switch (type) {
    case 'own_role':
    case 'role':
    case 'accusation':
    case 'defence':
      return claim.role !== null
        ? hasRole(subject, claim.role)
        : claim.team !== null
          ? isOn(subject, claim.team)
          : null;
    case 'check':
      return object === null ? null : didCheck({ by: subject, about: object, ...found(claim, table), ...round });
    case 'act':
      return object === null
        ? null
        : any(...claim.verbs.map((verb) => didAct({ by: subject, verb, target: object, ...round })));
    case 'vote': {
      if (object === null) return null;
      const vote = { by: subject, target: object, ...round };
      // Whoever says to have voted may mean any of the votes that there are; who denies it means that for exile.
      const others = claim.polarity ? (['pseudo_ballot', 'badge_ballot'] as const) : [];
      return any(voted(vote), ...others.map((ballot) => voted({ ...vote, ballot })));
    }
    case 'departure':
      return left({ player: subject, ...round, ...(cause === null ? {} : { cause }) });
    case 'speech':
    case 'promise':
      return null;
  }
}

/** Where a check tells the side alone, a role without powers means the side. */
function found({ role, team }: Claim, table: PublicSetup) {
  if (role === null) return team === null ? {} : { team };
  const { special, team: side } = roleNamed(role);
  return wordsOf(table).checksTellTeam && !special ? { team: side } : { role };
}
