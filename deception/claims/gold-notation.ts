// Notation in which people write the claims of a statement in a spreadsheet: "own_role Seer; check Kai werewolves;
// accusation Kai".
import { everybody } from '../../state/player-names.ts';
import { Cause } from '../../state/events.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { PublicSetup } from '../../state/view.ts';
import { ClaimType, type Claim, type Utterance } from './claim.ts';
import { acceptQuotedClaims, type QuotedClaim } from './extract-by-judge.ts';

/** Notation of each type of claim, for human labelers. */
export const goldNotation = [
  'none',
  'own_role ROLE or SIDE',
  'role PLAYER ROLE',
  'accusation PLAYER',
  'defence PLAYER',
  'check PLAYER SIDE or ROLE (by PLAYER)',
  'act PLAYER VERB (by PLAYER)',
  'vote PLAYER for PLAYER',
  'departure PLAYER (night, exile or last_act)',
  'speech PLAYER ROLE, or speech PLAYER accuses PLAYER',
  'promise PLAYER',
  'add: not, hedged, presupposed, round N',
].join(' | ');

/** Separates the claims in a cell. */
const between = /[;\n]+/;

/**
 * Parses the claims that a person wrote for a statement. Null for an empty cell, which means that the statement was not
 * labeled. Throws a UsageError that quotes the unreadable part.
 *
 * @example parseGoldClaims('own_role Seer; accusation Kai', statement, table)?.length // 2
 */
export function parseGoldClaims(cell: string, statement: Utterance, table: PublicSetup): Claim[] | null {
  const written = cell.split(between).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  if (written.length === 0) return null;
  if (written.every((part) => /^none$/i.test(part))) return [];
  const stated = written.map((part) => parseOne(part, statement, table));
  for (const [place, one] of stated.entries()) {
    const { claims } = acceptQuotedClaims({ ...statement, text: anyWords }, [{ ...one, quote: anyWords }], table);
    const isOwnBallot = one.type === 'vote' || one.type === 'promise';
    if (claims.length === 0 && !isOwnBallot) throw createFault(written[place] ?? '', 'a part of the claim is missing');
  }
  const read = stated.map((one) => ({ ...one, quote: anyWords }));
  return acceptQuotedClaims({ ...statement, text: anyWords }, read, table).claims;
}

/**
 * Text that every hand-labeled claim has as its words. Human labelers do not copy the words of a claim, so the claim
 * covers the whole statement.
 */
const anyWords = 'labeled by hand';

const createFault = (part: string, why: string) =>
  new UsageError(`"${part}" cannot be read as a claim: ${why}. Write: ${goldNotation}.`);

function parseOne(part: string, { by }: Utterance, { board, players }: PublicSetup): QuotedClaim {
  const [first = '', ...rest] = part
    .replaceAll(/[,:()]/g, ' ')
    .trim()
    .split(/\s+/);
  const type = ClaimType.options.find((name) => name === first.toLowerCase());
  if (!type) throw createFault(part, `"${first}" is no type of claim`);
  const roles = Object.keys(board.roles);
  const known: string[] = [];
  const found = { names: [] as string[], doer: null as string | null, role: null as string | null };
  const marks = new Set<string>();
  const [verbs, causes]: [string[], Cause[]] = [[], []];
  let [team, round]: [Claim['team'], number | null] = [null, null];
  for (const [place, word] of rest.entries()) {
    const lower = word.toLowerCase();
    const name = [...players, everybody].find((one) => one.toLowerCase() === lower);
    const role = roles.find((one) => one.toLowerCase() === lower);
    const cause = Cause.options.find((one) => one === lower);
    const before = rest[place - 1]?.toLowerCase();
    if (name !== undefined && before === 'by') found.doer = name;
    else if (name !== undefined) found.names.push(name);
    else if (role !== undefined) found.role = role;
    else if (/^(?:werewolves|wolves|wolf|ww)$/.test(lower)) team = 'werewolves';
    else if (/^(?:villagers|village|town)$/.test(lower)) team = 'villagers';
    else if (type === 'departure' && cause !== undefined) causes.push(cause);
    else if (['not', 'hedged', 'presupposed'].includes(lower)) marks.add(lower);
    else if (/^\d+$/.test(lower) && before === 'round') round = Number(lower);
    else if (['by', 'for', 'on', 'round', 'accuses', 'or'].includes(lower)) known.push(lower);
    else if (type === 'act' && /^[a-z_]+$/.test(lower)) verbs.push(lower);
    else throw createFault(part, `"${word}" is no player, role, side or other word of a claim here`);
  }
  return {
    ...{ quote: anyWords, type, role: found.role, team, verbs, cause: causes[0] ?? null, round },
    ...findPlayers(type, found, by, part),
    polarity: !marks.has('not'),
    ...{ hedged: marks.has('hedged'), presupposed: marks.has('presupposed') },
  };
}

function findPlayers(
  type: ClaimType,
  { names: [first, second], doer }: { names: string[]; doer: string | null },
  by: string,
  part: string,
): Pick<QuotedClaim, 'subject' | 'object'> {
  if (type === 'own_role') return { subject: by, object: null };
  if (first === undefined) throw createFault(part, 'it names no player');
  if (['check', 'act', 'promise'].includes(type)) return { subject: doer ?? by, object: first };
  if (type === 'vote')
    return second === undefined ? { subject: doer ?? by, object: first } : { subject: first, object: second };
  return { subject: first, object: type === 'speech' ? (second ?? null) : null };
}
