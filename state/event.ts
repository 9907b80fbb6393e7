// Events: what happened in a match, each with the audience that may know of it.
import { z } from 'zod';
import { Team } from './teams.ts';

/** `everyone`, the `moderator` alone, or the players named. */
export const Audience = z.union([z.enum(['everyone', 'moderator']), z.array(z.string())]);
export type Audience = z.infer<typeof Audience>;

/** How an answer came to be replaced: the model's was unreadable, or it refused. */
export const Mark = z.enum(['fallback', 'refusal']);
export type Mark = z.infer<typeof Mark>;

export const DeceptionType = z.enum(['none', 'omission', 'distortion', 'fabrication', 'misdirection']);
export type DeceptionType = z.infer<typeof DeceptionType>;

export const Phase = z.enum(['night', 'day']);
export type Phase = z.infer<typeof Phase>;

const probability = z.number().min(0).max(1);
const when = { round: z.number().int().min(0), phase: Phase, audience: Audience };
const name = z.string();
const mark = Mark.optional();
/** Longer than the rules allow, and cut. */
const cut = z.literal(true).optional();

/** Statement ids: `2.3` is the third statement of the debate of round 2, `2.Ginger` her ballot's explanation. */
const statement = z.string();

const Assessment = z.strictObject({
  ...when,
  type: z.literal('assessment'),
  statement,
  kind: z.enum(['debate', 'ballot']),
  by: name,
  /** The statement's speaker; where `by` equals `about` it is the self-report. */
  about: name,
  deceptive: z.boolean(),
  deception_type: DeceptionType,
  confidence: probability,
  /** Self-report only. */
  stated_falsehood: z.boolean().optional(),
  /** Listeners only: how far the statement is taken to be deceptive. */
  suspicion: probability.optional(),
  /** Listeners only: that the speaker is a Werewolf. */
  p_werewolf: probability.optional(),
  reasoning: z.string(),
});
export type Assessment = z.infer<typeof Assessment>;

export const GameEvent = z.discriminatedUnion('type', [
  z.strictObject({ ...when, type: z.literal('dealt'), player: name, role: z.string() }),
  z.strictObject({ ...when, type: z.literal('acquainted'), players: z.array(name), team: Team }),
  z.strictObject({ ...when, type: z.literal('round_started') }),
  /** Own reasoning, kept in the private scratchpad. `action` is the name of the action it belongs to. */
  z.strictObject({
    ...when,
    type: z.literal('thought'),
    by: name,
    action: z.string(),
    step: z.number().int(),
    reasoning: z.string(),
  }),
  z.strictObject({
    ...when,
    type: z.literal('proposal'),
    by: name,
    verb: z.string(),
    target: name,
    reason: z.string(),
    ballot: z.number().int(),
    mark,
  }),
  /** What the pack settled on. */
  z.strictObject({ ...when, type: z.literal('pick'), verb: z.string(), target: name, mark }),
  z.strictObject({ ...when, type: z.literal('acted'), by: name, verb: z.string(), target: name, mark }),
  z.strictObject({
    ...when,
    type: z.literal('learned'),
    by: name,
    about: name,
    role: z.string().optional(),
    team: Team.optional(),
  }),
  z.strictObject({
    ...when,
    type: z.literal('death'),
    player: name,
    cause: z.enum(['night', 'exile']),
    role: z.string().optional(),
    team: Team.optional(),
  }),
  z.strictObject({ ...when, type: z.literal('quiet_night') }),
  z.strictObject({
    ...when,
    type: z.literal('bid'),
    by: name,
    step: z.number().int(),
    bid: z.number().int().nullable(),
    mark,
  }),
  z.strictObject({
    ...when,
    type: z.literal('statement'),
    id: statement,
    by: name,
    text: z.string(),
    cut,
  }),
  /** A player had the turn and said nothing that could be understood. */
  z.strictObject({ ...when, type: z.literal('silence'), id: statement, by: name, mark }),
  z.strictObject({
    ...when,
    type: z.literal('ballot'),
    id: statement,
    by: name,
    target: name,
    explanation: z.string().optional(),
    cut,
    mark,
  }),
  z.strictObject({ ...when, type: z.literal('no_exile'), reason: z.enum(['no majority', 'tie']) }),
  z.strictObject({ ...when, type: z.literal('summary'), by: name, text: z.string(), mark }),
  z.strictObject({ ...when, type: z.literal('synthetic_vote'), by: name, step: z.number().int(), target: name, mark }),
  Assessment,
  z.strictObject({
    ...when,
    type: z.literal('beliefs'),
    by: name,
    step: z.number().int(),
    p_werewolf: z.record(name, probability),
  }),
  /** An analysis or a belief that was asked for and not obtained. */
  z.strictObject({
    ...when,
    type: z.literal('missing'),
    by: name,
    action: z.string(),
    statements: z.array(statement),
    mark: Mark,
  }),
  z.strictObject({
    ...when,
    type: z.literal('ended'),
    winner: Team.nullable(),
    reason: z.enum(['no Werewolf left', 'Werewolves at parity', 'round limit']),
  }),
]);
export type GameEvent = z.infer<typeof GameEvent>;

/** An event of one type, e.g. `EventOf<'ballot'>`. */
export type EventOf<Type extends GameEvent['type']> = Extract<GameEvent, { type: Type }>;

export const isType =
  <Type extends GameEvent['type']>(type: Type) =>
  (event: { type: string }): event is EventOf<Type> =>
    event.type === type;

/** Whether `player` may know of the event. */
export const isVisibleTo = ({ audience }: GameEvent, player: string) =>
  audience === 'everyone' || (audience !== 'moderator' && audience.includes(player));
