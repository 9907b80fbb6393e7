// Ground truth: converts a claim to a proposition, and decides from roles and events whether a proposition is true.
import type { GameEvent } from '../../state/events.ts';
import { everybody } from '../../state/player-names.ts';
import { getRole } from '../../state/roles/index.ts';
import type { PublicSetup } from '../../state/view.ts';
import {
  conjoin,
  disjoin,
  didAct,
  didCheck,
  didLeave,
  didVote,
  evaluateEventProposition,
  type EventProposition,
  hasRole,
  isOnTeam,
  negate,
  type Proposition,
  selectRolesFor,
} from '../knowledge/propositions.ts';
import { type RoleTable, selectAllRoles, selectRoleNamed } from '../knowledge/role-table.ts';
import type { Claim } from './claim.ts';
import { createLexicon } from './lexicon.ts';

export interface GroundTruth {
  table: RoleTable;
  /** Player → role. */
  roles: Readonly<Record<string, string>>;
  /** All events so far, secret ones included. */
  events: readonly GameEvent[];
}

/** Returns whether the proposition is true. Throws like `Knowledge.evaluate` for a player who is not at the table. */
export function isTrueInRecord(proposition: Proposition, facts: GroundTruth): boolean {
  switch (proposition.is) {
    case 'identity': {
      const { table: cast, roles } = facts;
      return (selectRolesFor(proposition.what, cast) & selectRoleNamed(cast, roles[proposition.player] ?? '')) !== 0;
    }
    case 'happening':
      return hasOccurred(proposition.what, facts);
    case 'not':
      return !isTrueInRecord(proposition.of, facts);
    case 'all':
      return proposition.of.every((part) => isTrueInRecord(part, facts));
    case 'any':
      return proposition.of.some((part) => isTrueInRecord(part, facts));
  }
}

/** Whether the event happened. Evaluated from the point of view of its actor, who cannot have missed it. */
const hasOccurred = (what: EventProposition, { table: cast, events }: GroundTruth) =>
  evaluateEventProposition(what, {
    table: cast,
    me: 'by' in what ? what.by : '',
    own: selectAllRoles(cast),
    events,
  }) === 'true';

// Conversion of claims to propositions, which are decided by the record or by a player's knowledge.

/** Converts a claim to a proposition. Null for promises and reports of speech, which are not facts of the match. */
export function createProposition(claim: Claim, table: PublicSetup): Proposition | null {
  const what = createAssertion(claim, table);
  return what === null ? null : claim.polarity ? what : negate(what);
}

function createAssertion(claim: Claim, table: PublicSetup): Proposition | null {
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
          ? isOnTeam(subject, claim.team)
          : null;
    case 'check':
      return object === null
        ? null
        : didCheck({ by: subject, about: object, ...getCheckFinding(claim, table), ...round });
    case 'act':
      return object === null
        ? null
        : disjoin(...claim.verbs.map((verb) => didAct({ by: subject, verb, target: object, ...round })));
    case 'vote': {
      if (object === null) return null;
      if (subject === everybody) return createUnanimousVote(claim, object, table);
      const vote = { by: subject, target: object, ...round };
      // A claim to have voted may mean any vote. The denial of a vote means the vote for exile only.
      const others = claim.polarity ? (['pseudo_ballot', 'badge_ballot'] as const) : [];
      return disjoin(didVote(vote), ...others.map((ballot) => didVote({ ...vote, ballot })));
    }
    case 'departure':
      return didLeave({ player: subject, ...round, ...(cause === null ? {} : { cause }) });
    case 'speech':
    case 'promise':
      return null;
  }
}

/**
 * Creates the proposition that in one vote for exile somebody voted for the player and nobody voted for anybody else.
 */
function createUnanimousVote({ when, round: now }: Claim, target: string, { players }: PublicSetup): Proposition {
  const rounds = when === null ? Array.from({ length: now }, (_, index) => index + 1) : [when];
  const others = players.filter((name) => name !== target);
  const wasUnanimous = (round: number) =>
    conjoin(
      disjoin(...others.map((by) => didVote({ by, target, round }))),
      ...others.flatMap((by) =>
        others.filter((name) => name !== by).map((name) => negate(didVote({ by, target: name, round }))),
      ),
    );
  return disjoin(...rounds.map(wasUnanimous));
}

/** Returns the finding of a check. Where checks reveal only the side, a role without powers means its side. */
function getCheckFinding({ role, team }: Claim, table: PublicSetup) {
  if (role === null) return team === null ? {} : { team };
  const { special, team: side } = getRole(role);
  return createLexicon(table).checksTellTeam && !special ? { team: side } : { role };
}
