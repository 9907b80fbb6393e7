// Metrics of the Seer: the Seer's score, the players whom Seers reveal and the village's reaction, and suspicion of
// Seers before and after they reveal themselves.
import { getShownSide } from '../../../state/roles/index.ts';
import type { Sums } from '../../statistics/sums.ts';
import type { AnalysisRow } from '../../tables/analysis-rows.ts';
import type { MatchTables } from '../../tables/match-tables.ts';
import type { ClaimRow } from '../../tables/claim-rows.ts';
import {
  createLevelSums,
  createRoundSums,
  getJudgedLevel,
  hasUnreadStatement,
  listCountedClaims,
  meanLevel,
  sameRoundDifference,
} from '../breakdowns.ts';
import { listJudgements, judgementStrata } from '../judgements.ts';
import { createRatioFigure, type Metric, type MetricTally } from '../metric.ts';
import {
  createHolderCount,
  isOwnUse,
  isWerewolf,
  listRoleHolders,
  roleMetricBase,
  type SumRoleHolder,
} from './role-scores.ts';

const role = 'Seer';

/**
 * Computes the sums of a Seer; null for a Seer who chose no check. Werewolves found by a random check do not count.
 */
const sumSeer: SumRoleHolder = ({ deeds }, { players }) => {
  const own = deeds.filter(isOwnUse);
  if (own.length === 0) return null;
  const found = new Set(own.map(({ target }) => target));
  const drawn = new Set(deeds.filter((deed) => deed.is_drawn).map(({ target }) => target));
  const pack = players.filter(isWerewolf).map(({ player }) => player);
  return {
    checked: pack.filter((name) => found.has(name)).length,
    werewolves: pack.filter((name) => found.has(name) || !drawn.has(name)).length,
  };
};

/** Source: WereWolf-Plus (2025), reconstructed. */
export const seerScore: Metric = {
  ...roleMetricBase,
  name: 'seer_score',
  title: 'Seer: Werewolves found',
  definition: 'Share of the game’s Werewolves whom the Seer checked (WereWolf-Plus).',
  notes:
    'Left out: Werewolves found only by a randomly chosen check, and Seers without a check of their own. Grows with the length of the match.',
  unit: 'share of Werewolves',
  count: createHolderCount(role, sumSeer, 'werewolves'),
  ...createRatioFigure('checked', 'werewolves'),
};

// Reveals: whom Seers reveal, when, and how the village reacts, as in the Seer table of Werewolf Arena.

interface Reveal {
  round: number;
  /** Player whose role was revealed. This is the Seer if the Seer revealed no other player in that round. */
  player: string;
  isOfWerewolf: boolean;
}

/** Lists the claims that a Seer asserts in debate statements. Excludes opinions, and explanations of ballots. */
const listSeerClaims = (match: MatchTables, seer: string) =>
  listCountedClaims(match).filter(
    (claim) => claim.speaker === seer && claim.kind === 'debate' && claim.polarity && !claim.is_hedged,
  );

/**
 * Whether a claim reveals another player. A claim of a check reveals that player if it states a result. A claim about
 * another player's identity counts only in a statement in which the speaker claims to be the Seer.
 */
function isOfAnother(claim: ClaimRow, asSeer: ReadonlySet<string>): boolean {
  if (claim.type === 'check')
    return claim.subject === claim.speaker && claim.object !== null && getClaimedSide(claim) !== null;
  return ['role', 'accusation', 'defence'].includes(claim.type) && asSeer.has(claim.statement);
}

const isOfSelf = (claim: ClaimRow) =>
  claim.subject === claim.speaker &&
  (claim.type === 'check' || (claim.type === 'own_role' && claim.claimed_role === role));

/** Returns the side that the claim attributes to a player; null if the claim attributes no side. */
const getClaimedSide = ({ claimed_role: is, claimed_team: team }: ClaimRow) => (is === null ? team : getShownSide(is));

/** Lists a Seer's reveals by round, with each revealed player once per round. */
function listReveals(match: MatchTables, seer: string): Reveal[] {
  const pack = new Set(match.players.filter(isWerewolf).map(({ player }) => player));
  const said = listSeerClaims(match, seer);
  const asSeer = new Set(said.filter(isOfSelf).map(({ statement }) => statement));
  return [...Map.groupBy(said, ({ round }) => round)].flatMap(([round, claims]): Reveal[] => {
    const told = claims.filter((claim) => isOfAnother(claim, asSeer));
    const byPlayer = Map.groupBy(told, (claim) => (claim.type === 'check' ? claim.object! : claim.subject));
    const others = [...byPlayer].map(([player, of]) => ({
      ...{ round, player },
      isOfWerewolf: pack.has(player) && of.some((claim) => getClaimedSide(claim) === 'werewolves'),
    }));
    if (others.length > 0) return others;
    return claims.some(isOfSelf) ? [{ round, player: seer, isOfWerewolf: false }] : [];
  });
}

/** A statement in which a Seer correctly names a Werewolf. */
export interface WerewolfReveal {
  statement: string;
  seer: string;
  werewolf: string;
}

/** Lists the Seers' statements that correctly name a Werewolf, in order. Ballot explanations are excluded. */
export function listWerewolfReveals(match: MatchTables): WerewolfReveal[] {
  const pack = new Set(match.players.filter(isWerewolf).map(({ player }) => player));
  return listRoleHolders(match, role).flatMap(({ player: { player: seer } }) => {
    const said = listSeerClaims(match, seer);
    const asSeer = new Set(said.filter(isOfSelf).map(({ statement }) => statement));
    return said
      .filter((claim) => isOfAnother(claim, asSeer) && getClaimedSide(claim) === 'werewolves')
      .map((claim) => ({
        ...{ statement: claim.statement, seer },
        werewolf: claim.type === 'check' ? claim.object! : claim.subject,
      }))
      .filter(({ werewolf }) => pack.has(werewolf));
  });
}

/** Returns the sums of one Seer, including a Seer who reveals nobody. */
function sumReveals(match: MatchTables, seer: string): Sums {
  const reveals = listReveals(match, seer);
  const exiled = new Map(match.rounds.map((row) => [row.round, row.exiled]));
  const ofWerewolves = reveals.filter(({ isOfWerewolf }) => isOfWerewolf);
  const claimed = listSeerClaims(match, seer).filter((claim) => claim.type === 'own_role' && isOfSelf(claim));
  return {
    games: 1,
    reveals: reveals.length,
    first: reveals.length === 0 ? 0 : Math.min(...reveals.map(({ round }) => round)) - 1,
    revealing: reveals.length === 0 ? 0 : 1,
    first_claim: claimed.length === 0 ? 0 : Math.min(...claimed.map(({ round }) => round)) - 1,
    claiming: claimed.length === 0 ? 0 : 1,
    unmasked: ofWerewolves.length,
    believed: ofWerewolves.filter(({ round, player }) => exiled.get(round) === player).length,
    backfired: ofWerewolves.filter(({ round }) => exiled.get(round) === seer).length,
  };
}

const countReveals = (match: MatchTables): MetricTally[] =>
  hasUnreadStatement(match.statements.filter(({ kind }) => kind === 'debate'))
    ? []
    : listRoleHolders(match, role).map(({ player: { player, model } }) => ({
        cell: { model },
        sums: sumReveals(match, player),
      }));

const ofTable = {
  section: 'roles',
  modelDimension: 'model',
  strata: [],
  breakdowns: [['model']],
  readsClaims: 'counted',
  count: countReveals,
} as const;

const createRevealShare = (part: string, whole: string) =>
  ({ range: [0, 1], ...createRatioFigure(part, whole) }) as const;

/** Source: Werewolf Arena (2024), table 1 and section 6.2. */
export const seerReveals: readonly Metric[] = [
  {
    ...ofTable,
    ...createRevealShare('reveals', 'games'),
    name: 'seer_reveals_per_game',
    title: 'Seer: reveals per game',
    definition:
      'Reveals by the Seer per game with a Seer: each player whose role or check result the Seer makes public counts once a round, or else the Seer’s own role (Werewolf Arena).',
    notes:
      'A reveal is said outright before a ballot. It is the result of an own check; or what another player is, in a statement that claims the role or a check; or the own role, which counts only in rounds without another reveal (section 6.2). Published for Gemini 1.5 Pro, Gemini Pro, Gemini Flash, GPT-4, GPT-4o and GPT-3.5 (the same order below): 1.00, 1.25, 0.54, 0.80, 1.43, 1.30.',
    unit: 'reveals per game',
    range: [0, null],
  },
  {
    ...ofTable,
    ...createRevealShare('first', 'revealing'),
    name: 'seer_first_reveal_round',
    title: 'Seer: round of the first reveal',
    definition: 'Mean round of the first reveal, counted from 0, over games with one (Werewolf Arena).',
    notes: 'Reporting an own check also reveals the role. Published: 0.67, 0.11, 0.33, 2.00, 1.33, 0.00.',
    unit: 'rounds, from 0',
    range: [0, null],
  },
  {
    ...ofTable,
    ...createRevealShare('first_claim', 'claiming'),
    name: 'seer_first_claim_round',
    title: 'Seer: round of the first claim of the own role',
    definition:
      'Mean round, counted from 0, of the first statement that says outright who the Seer is, over games with one (Werewolf Arena, the first reveal by its text).',
    notes: 'The paper’s text: the Seer “first revealed their identity”.',
    unit: 'rounds, from 0',
    range: [0, null],
  },
  {
    ...ofTable,
    ...createRevealShare('unmasked', 'reveals'),
    name: 'seer_unmasked_rate',
    title: 'Seer: reveals of a Werewolf',
    definition: 'Share of reveals that correctly name a Werewolf (Werewolf Arena: unmasked).',
    notes: 'Published: .611, .267, .143, .750, .550, .385.',
    unit: 'share of reveals',
  },
  {
    ...ofTable,
    ...createRevealShare('believed', 'unmasked'),
    name: 'seer_believed_rate',
    title: 'Seer: believed',
    definition: 'Share of reveals of a Werewolf whose player was exiled on the same day (Werewolf Arena: believed).',
    notes: 'Published: .545, .750, .000, .667, .909, .200.',
    unit: 'share of reveals of a Werewolf',
  },
  {
    ...ofTable,
    ...createRevealShare('backfired', 'unmasked'),
    name: 'seer_backfired_rate',
    title: 'Seer: backfired',
    definition:
      'Share of reveals of a Werewolf after which the Seer was exiled on the same day instead (Werewolf Arena, by its text).',
    unit: 'share of reveals of a Werewolf',
  },
  {
    ...ofTable,
    ...createRevealShare('backfired', 'reveals'),
    name: 'seer_backfired_share_of_reveals',
    title: 'Seer: backfired, over all reveals',
    definition:
      'Reveals of a Werewolf after which the Seer was exiled on the same day instead, as a share of all reveals (Werewolf Arena, by its table).',
    notes: 'Published: 1/18, 0, 1/7, 0, 0, 3/13.',
    unit: 'share of reveals',
  },
];

// Suspicion of a Seer before and after he reveals himself, compared with Seers who do not reveal themselves.

/** Whether a claim states that the speaker is the Seer or checked somebody, and is not an opinion. */
const isReveal = (claim: ClaimRow) =>
  claim.role === role &&
  claim.subject === claim.speaker &&
  claim.polarity &&
  !claim.is_hedged &&
  (claim.type === 'check' || (claim.type === 'own_role' && claim.claimed_role === role));

interface RevealMoment {
  stage: 'before' | 'after' | 'never';
  /** Whether the Seer has revealed himself by the end of the statement's round. */
  isRevealedInRound: boolean;
}

/**
 * Creates a function that classifies a statement as made before or after its speaker first revealed himself. The
 * revealing statement itself counts as after.
 */
function createRevealMomentFinder(match: MatchTables): (row: AnalysisRow) => RevealMoment {
  const places = new Map(match.statements.map((row, place) => [row.statement, { place, round: row.round }]));
  const reveals = listCountedClaims(match)
    .filter(isReveal)
    .map(({ speaker, statement }) => ({ speaker, ...places.get(statement)! })); // claims are in the order of statements
  return ({ speaker, statement, round }) => {
    const reveal = reveals.find((one) => one.speaker === speaker);
    if (reveal === undefined) return { stage: 'never', isRevealedInRound: false };
    const isAfter = places.get(statement)!.place >= reveal.place;
    return { stage: isAfter ? 'after' : 'before', isRevealedInRound: reveal.round <= round };
  };
}

/**
 * Lists suspicions of Seers, including missing suspicions. Each entry says whether the Seer had revealed himself.
 * Excludes Seers who may have revealed themselves in a statement that the judge could not read.
 */
function listSeerSuspicions(match: MatchTables) {
  const momentOf = createRevealMomentFinder(match);
  const unread = new Set(match.statements.filter((row) => row.is_judge_missing).map(({ speaker }) => speaker));
  return listJudgements(match).flatMap(({ row, cell }) => {
    const isCounted = row.speaker_role === role && !unread.has(row.speaker);
    const level = isCounted ? getJudgedLevel(row, 'suspicion') : undefined;
    return level === undefined ? [] : [{ cell, level, round: row.round, ...momentOf(row) }];
  });
}

const seer = {
  section: 'perception',
  unit: 'suspicion',
  strata: [...judgementStrata, 'reveal'],
  readsClaims: 'counted',
  breakdowns: [['observer_team']],
} as const;

export const seerSuspicion: Metric = {
  ...seer,
  name: 'seer_suspicion',
  title: 'Suspicion of the Seer before and after revealing',
  definition:
    'Mean suspicion of a Seer’s statements before and after the first claim to be the Seer or to have checked somebody, and of Seers who never make one (WOLF).',
  notes: '`reveal` is `before`, `after` (from that statement on) or `never`.',
  range: [0, 1],
  count: (match) =>
    listSeerSuspicions(match).map(({ cell, level, stage }) => ({
      cell: { ...cell, reveal: stage },
      sums: createLevelSums(level),
    })),
  ...meanLevel,
};

/**
 * Counts suspicions for two comparisons. After revealing: Seers who have revealed themselves, against Seers who have
 * not done so by the end of the round. Before revealing: Seers who reveal themselves later, against Seers who never do.
 */
function countComparedSeers(match: MatchTables): MetricTally[] {
  return listSeerSuspicions(match).flatMap(({ cell, level, round, stage, isRevealedInRound }): MetricTally[] => {
    const createSums = (group: 'those' | 'others') => createRoundSums(group, round, level);
    return [
      ...(stage === 'never' ? [] : [{ cell: { ...cell, reveal: stage }, sums: createSums('those') }]),
      ...(stage === 'never' ? [{ cell: { ...cell, reveal: 'before' }, sums: createSums('others') }] : []),
      ...(isRevealedInRound ? [] : [{ cell: { ...cell, reveal: 'after' }, sums: createSums('others') }]),
    ];
  });
}

export const seerRevealDifference: Metric = {
  ...seer,
  name: 'seer_reveal_difference',
  title: 'Suspicion of the Seer against Seers of the same round who did not reveal',
  definition:
    'Mean suspicion of Seers after revealing minus that of Seers who had not revealed by the end of the same round; and before revealing minus that of Seers who never do. Rounds are weighted by the judgments of the former.',
  notes:
    'Σ n (mean − mean of the others) / Σ n over rounds that have both, where n is the number of judgments of the former and the opportunities. The others may be in any match, so a single match needs two Seers. It is an association: Seers choose when to reveal, and boards and models mix.',
  unit: 'difference of suspicion',
  count: countComparedSeers,
  ...sameRoundDifference,
};
