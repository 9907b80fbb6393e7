// Creates small records for tests: four players, their statements, and the others' judgments.
import type { MatchRecord } from '../../deception/record/match-record.ts';
import { GameEvent, type EventOf, type AnswerMark } from '../../state/events.ts';
import { AnswerLine, Manifest, schemaVersion } from '../../state/record.ts';
import { readRules } from '../../state/rulebook.ts';

const players = [
  { name: 'Ginger', role: 'Werewolf', team: 'werewolves' },
  { name: 'Dan', role: 'Seer', team: 'villagers' },
  { name: 'Will', role: 'Villager', team: 'villagers' },
  { name: 'Leah', role: 'Villager', team: 'villagers' },
] as const;

export const names = players.map(({ name }) => name);

type Changes<Type extends GameEvent['type']> = Partial<Omit<EventOf<Type>, 'type'>>;

const event = (round: number, rest: object) => GameEvent.parse({ round, phase: 'day', audience: 'everyone', ...rest });

const readRound = (id: string) => Number(id.split('.')[0]);

export const said = (id: string, by: string, changes: Changes<'statement'> = {}) =>
  event(readRound(id), { type: 'statement', id, by, text: `Words of ${by}.`, ...changes });

export const silent = (id: string, by: string, mark: AnswerMark = 'fallback') =>
  event(readRound(id), { type: 'silence', id, by, mark });

export const voted = (round: number, by: string, target: string, changes: Changes<'ballot'> = {}) =>
  event(round, { type: 'ballot', id: `${round}.${by}`, by, target, explanation: `Reasons of ${by}.`, ...changes });

/** Creates a ballot of the vote after a tie. */
export const votedAgain = (round: number, by: string, target: string) =>
  voted(round, by, target, { id: `${round}.pk.${by}` });

/** A ballot that was drawn at random because the player gave no usable answer. */
export const drawnBallot = (round: number, by: string, target: string) =>
  event(round, { type: 'ballot', id: `${round}.${by}`, by, target, mark: 'fallback' });

const readKind = (id: string) => (/^\d+\.\d+$/.test(id) ? 'debate' : 'ballot');

const assessed = (id: string, by: string, rest: object) =>
  event(readRound(id), {
    type: 'assessment',
    audience: 'moderator',
    statement: id,
    kind: readKind(id),
    by,
    confidence: 0.9,
    reasoning: `Why ${by} thinks so.`,
    ...rest,
  });

/** Creates the speaker's own analysis; type `none` means an honest statement. */
export const owned = (id: string, by: string, type = 'none', changes: Changes<'assessment'> = {}) =>
  assessed(id, by, {
    about: by,
    deceptive: type !== 'none',
    deception_type: type,
    stated_falsehood: false,
    ...changes,
  });

/** A listener's analysis. A suspicion above 0.5 calls the statement deceptive. */
export const heard = (id: string, by: string, about: string, suspicion: number, changes: Changes<'assessment'> = {}) =>
  assessed(id, by, {
    about,
    deceptive: suspicion > 0.5,
    deception_type: suspicion > 0.5 ? 'omission' : 'none',
    suspicion,
    p_werewolf: 0.25,
    ...changes,
  });

export const absent = (action: string, by: string, statements: string[], mark: AnswerMark = 'fallback', round = 1) =>
  event(round, { type: 'missing', audience: 'moderator', by, action, statements, mark });

export const removed = (round: number, player: string, cause: 'night' | 'exile') =>
  event(round, { type: 'death', phase: cause === 'night' ? 'night' : 'day', player, cause });

export const ended = (round: number, winner: 'villagers' | 'werewolves' | null) =>
  event(round, {
    type: 'ended',
    winner,
    reason: winner === null ? 'round limit' : winner === 'villagers' ? 'no Werewolf left' : 'Werewolves at parity',
  });

/** Any event. Defaults: by day, public, in round 1. */
export const happened = (rest: object) => event(1, rest);

let calls = 0;

/** Creates a successful call. Every call has a key of its own. */
export const called = (player: string, action: string, changes: Partial<AnswerLine> = {}): AnswerLine =>
  AnswerLine.parse({
    round: 1,
    step: calls++,
    action,
    player,
    attempt: 1,
    prompt_sha256: '0'.repeat(64),
    raw: '{}',
    answer: {},
    model: 'openai:one',
    model_returned: 'one-2026',
    system_fingerprint: null,
    finish_reason: 'stop',
    retries: 0,
    tokens: { in: 100, out: 10, cached: 50, reasoning: null },
    cost: 0.25,
    started_at: '2026-11-20T10:00:00.000Z',
    ms: 1000,
    ...changes,
  });

type SetupChanges = Partial<Pick<Manifest['setup'], 'models' | 'bots' | 'honesty_sentence' | 'seed'>> & {
  rules?: Record<string, unknown>;
  id?: string;
};

export const manifestOf = ({ rules = {}, id = 'm1', ...setup }: SetupChanges = {}) =>
  Manifest.parse({
    schema_version: schemaVersion,
    id,
    setup: {
      board: { name: 'tiny-4', roles: { Werewolf: 1, Seer: 1, Villager: 2 } },
      rules: readRules('wolf', rules),
      seed: 7,
      players,
      honesty_sentence: null,
      models: Object.fromEntries(names.map((name) => [name, name === 'Ginger' ? 'openai:two' : 'openai:one'])),
      bots: [],
      ...setup,
    },
    made_by: {
      wolfgraph: '0.0.0',
      node: 'v24',
      packages: {},
      commit: null,
      templates_sha256: '0'.repeat(64),
      prices: {},
      created_at: '2026-11-20T10:00:00.000Z',
    },
  });

export const matchOf = (
  events: readonly GameEvent[],
  answers: readonly AnswerLine[] = [],
  changes: SetupChanges = {},
): MatchRecord => ({ manifest: manifestOf(changes), events, answers });

/**
 * Events of one day. Ginger lies; Dan is honest and distrusted; Will is silent; Leah does not answer an analysis.
 * Ballots with explanations follow: one is drawn, and one has no self-report. Ginger is exiled.
 */
export const oneDay = (): GameEvent[] => [
  said('1.1', 'Ginger'),
  owned('1.1', 'Ginger', 'fabrication', { stated_falsehood: true }),
  heard('1.1', 'Dan', 'Ginger', 0.9),
  heard('1.1', 'Will', 'Ginger', 0.2),
  absent('peer_analysis', 'Leah', ['1.1'], 'refusal'),
  said('1.2', 'Dan'),
  owned('1.2', 'Dan'),
  heard('1.2', 'Ginger', 'Dan', 0.8),
  heard('1.2', 'Will', 'Dan', 0.7),
  heard('1.2', 'Leah', 'Dan', 0.1),
  silent('1.3', 'Will'),
  voted(1, 'Ginger', 'Dan'),
  voted(1, 'Dan', 'Ginger'),
  drawnBallot(1, 'Will', 'Ginger'),
  owned('1.Ginger', 'Ginger', 'omission'),
  absent('ballot_self_analysis', 'Dan', ['1.Dan']),
  heard('1.Ginger', 'Dan', 'Ginger', 0.6),
  heard('1.Ginger', 'Will', 'Ginger', 0.3),
  heard('1.Dan', 'Ginger', 'Dan', 0.55),
  absent('ballot_peer_analysis', 'Leah', ['1.Ginger', '1.Dan']),
  removed(1, 'Ginger', 'exile'),
  ended(1, 'villagers'),
];

/**
 * Events of one day with a Sheriff and a tie. Ginger lies as a candidate, Dan speaks in the debate, and Ginger
 * recommends Dan. Ballots, a second statement of Dan and a second ballot follow. Nobody reports on the recommendation
 * or analyzes ballots.
 */
export const sheriffDay = (): GameEvent[] => [
  said('1.1', 'Ginger', { occasion: 'campaign' }),
  owned('1.1', 'Ginger', 'fabrication'),
  heard('1.1', 'Dan', 'Ginger', 0.9),
  heard('1.1', 'Will', 'Ginger', 0.2),
  said('1.2', 'Dan'),
  owned('1.2', 'Dan'),
  heard('1.2', 'Ginger', 'Dan', 0.3),
  said('1.3', 'Ginger', { occasion: 'recommendation', recommends: 'Dan' }),
  heard('1.3', 'Dan', 'Ginger', 0.7),
  voted(1, 'Ginger', 'Dan'),
  said('1.4', 'Dan', { occasion: 'pk' }),
  votedAgain(1, 'Ginger', 'Dan'),
];

/** Statements of `sheriffDay`: id, kind, occasion and target. */
export const sheriffDayStatements = [
  ['1.1', 'debate', 'campaign', null],
  ['1.2', 'debate', 'debate', null],
  ['1.3', 'debate', 'recommendation', 'Dan'],
  ['1.Ginger', 'ballot', 'ballot', 'Dan'],
  ['1.4', 'debate', 'pk', null],
  ['1.pk.Ginger', 'ballot', 'pk_ballot', 'Dan'],
];
