// Where a speaker could have lied: the claims that the lie rate is a share of.
import type { JudgedClaim } from './claims-of.ts';

/** About oneself, plainly said, and known to the speaker to be true or false. */
export const isOpportunity = ({ type, subject, by, hedged, verdict }: JudgedClaim) =>
  ['own_role', 'check', 'act', 'vote'].includes(type) &&
  subject === by &&
  !hedged &&
  (verdict === 'lie' || verdict === 'true');
