// The data of one match that a browser gets, made from the same Views as prompts. Each part says who may see it.
import { createSeatFinder, listSeats, type MatchRecord } from '../../deception/record/match-record.ts';
import { addAssessments } from '../../deception/record/suspicion-scores.ts';
import { describeBots } from '../../deception/summary/match-summary.ts';
import { describeSeenEvent } from '../../prompts/history.ts';
import { createInitialState, createInitialSuspicion } from '../../state/deal.ts';
import { eventDescriptions } from '../../state/event-descriptions.ts';
import { type Cause, type GameEvent, isEventOfType, isVisibleTo } from '../../state/events.ts';
import type { DeceptionScores, Game } from '../../state/game.ts';
import { nameAsTyped } from '../../state/model-identity.ts';
import { describeRules } from '../../state/rulebook.ts';
import { teams } from '../../state/teams.ts';
import { createPublicView, createView, type View } from '../../state/view.ts';
import { describeEnding, describeEvent, describeForkOf } from '../game-text.ts';
import { type AskedQuestion, createQuestionFinder } from './asked-questions.ts';
import { createReadingFinder, type MatchReading, type ViewedReading } from './viewed-readings.ts';

/**
 * A viewer. `all` knows everything; `public` knows what everybody was told; a player's name stands for what that player
 * knew.
 */
export type Viewer = 'all' | 'public' | (string & {});

/** A part that only some viewers may see. Without `by`, everybody may see it. */
interface Restricted {
  /** Names of the players who may see the part. If empty, only viewers who know everything may. */
  by?: readonly string[];
}

export interface ViewedPlayer {
  name: string;
  role: string;
  /** Name of the side to which checks and announcements assign the player. */
  team: string;
  model: string;
  isBot: boolean;
  /** Players who know the role from the start. */
  knownTo: readonly string[];
}

/** One moment of the match. */
export interface ViewedStep {
  /** Id of the moment in links: the statement's id, else `e` and the event's index. */
  id: string;
  round: number;
  phase: 'night' | 'day' | 'end';
  type: GameEvent['type'];
  /** Player who acted. `target`: player on whom this player acted. */
  actor?: string;
  target?: string;
  /** Words of a statement. */
  text?: string;
  /** The event in words for an all-knowing viewer. */
  told: string;
  /**
   * The event in words for an onlooker, and for all players without an entry in `tellings`; null if it is not public.
   */
  toldToAll: string | null;
  /** Maps a player to the event in the words of that player's prompts, if they differ from `toldToAll`. */
  tellings: Readonly<Record<string, string>>;
  /** How a player left. */
  cause?: Cause;
  /** Player who left. `badge`: player who got the badge; null if nobody holds it any more. */
  leaves?: string;
  badge?: string | null;
  /** A role or side that the event reveals. Without `to`, it is revealed to everybody. */
  shows?: { player: string; role: string; to?: readonly string[] };
  /** Thoughts. `action`: the question during which the player had the thought, as in records. */
  thoughts?: readonly (Restricted & { player: string; reasoning: string; action: string })[];
  bids?: readonly (Restricted & { player: string; bid: number | null })[];
  /** Drafts of the bidders who did not get the turn, under the rule `turn=draft`. No player sees them. */
  drafts?: readonly { player: string; text: string }[];
  /** Readings of the statement by each of the match's sources. */
  readings?: Readonly<Record<string, ViewedReading>>;
  heard?: readonly (Restricted & ViewedAssessment)[];
  votes?: readonly { player: string; target: string }[];
  /** Questions whose answers the moment shows, and questions asked at the same time. */
  asked?: readonly AskedQuestion[];
  /** Prompts as the players saw them, if they are part of the page. */
  prompts?: readonly ViewedPrompt[];
  /** Suspicion after the moment (0 to 1) by observer and target, only where it changed. */
  suspicion?: DeceptionScores;
  beliefs?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Prompt of one question. The prompt of a later attempt contains the earlier answer and its error. */
export interface ViewedPrompt {
  player: string;
  action: string;
  attempt: number;
  messages: readonly { role: string; content: string }[];
  /** Set if the prompt's hash differs from the hash recorded with the answer. */
  isForged?: true;
}

interface ViewedAssessment {
  player: string;
  isSelf: boolean;
  deceptive: boolean;
  type: string;
  suspicion?: number | undefined;
  werewolf?: number | undefined;
  reasoning: string;
}

export interface ViewedMatch {
  id: string;
  board: string;
  rules: string;
  /** Seed of the match; null if it is hidden. */
  seed: number | null;
  /** Whether the match was played to its end. */
  isOver: boolean;
  ending: string;
  /** Notes to read first, such as that bots played, or what an imported record lacks. */
  notes: readonly string[];
  players: readonly ViewedPlayer[];
  steps: readonly ViewedStep[];
  /** Extractors of claims: `rules` and judges. The first one's verdicts are shown by default. */
  sources: readonly string[];
  /** Whether prompts were stored. */
  hasPrompts: boolean;
  /** Statement at which a fork leaves its original match; absent for other matches. */
  forkPoint?: string;
}

/** A prompt in `prompts.ndjson.gz`. `isSealed`: whether its hash equals the hash recorded with the answer. */
export interface KeptPrompt extends Omit<ViewedPrompt, 'isForged'> {
  round: number;
  step: number;
  isSealed: boolean;
}

/**
 * Builds the match for a page, without prompts. `readings`: the readings of the match's statements, the default
 * extractor's first; empty if the record cannot be measured. `hasPrompts`: whether prompts were stored. `promptsFault`:
 * how they are damaged; null if they are not.
 *
 * @example buildViewedMatch(record, { readings: [{ source: 'rules', tables: buildTables(record) }] }).steps[0]!.told
 */
export function buildViewedMatch(
  record: MatchRecord,
  {
    readings = [],
    hasPrompts = false,
    promptsFault = null,
  }: { readings?: readonly MatchReading[]; hasPrompts?: boolean; promptsFault?: string | null } = {},
): ViewedMatch {
  const { manifest, events } = record;
  const { setup } = manifest;
  const ended = events.find(isEventOfType('ended'));
  const bots = describeBots(setup);
  const notes = [
    ...(bots === null ? [] : [bots]),
    ...(manifest.fork_of === undefined ? [] : [describeForkOf(manifest.fork_of)]),
    ...(manifest.imported
      ? [
          `Imported from ${manifest.imported.format}: another program asked the models, so this record has no prompts and no analyses.`,
        ]
      : promptsFault !== null
        ? [promptsFault]
        : !hasPrompts
          ? ['There are no prompts yet: they are written when the match ends.']
          : []),
  ];
  return {
    ...{ id: manifest.id, board: setup.board.name, rules: describeRules(setup.rules, setup.board), seed: setup.seed },
    ...{ isOver: ended !== undefined, ending: ended ? describeEnding(ended) : 'Not over yet.' },
    notes,
    players: listPlayers(record),
    steps: listSteps(record, readings),
    ...{ sources: readings.map(({ source }) => source), hasPrompts },
    ...(manifest.fork_of !== undefined && { forkPoint: manifest.fork_of.statement }),
  };
}

/**
 * Lists the prompts of a moment as its players saw them. For later attempts, lists only what they add.
 *
 * @example listPrompts(match.steps[4]!, prompts)[0]!.messages
 */
export function listPrompts({ asked = [] }: ViewedStep, kept: readonly KeptPrompt[]): ViewedPrompt[] {
  return asked.flatMap(({ round, step, action, player }) => {
    const attempts = kept
      .filter((one) => one.round === round && one.step === step && one.action === action && one.player === player)
      .sort((one, other) => one.attempt - other.attempt);
    return attempts.map(({ attempt, messages, isSealed }, place): ViewedPrompt => {
      const before = attempts[place - 1]?.messages ?? [];
      const isLonger = before.every(({ content }, at) => messages[at]?.content === content);
      const own = isLonger ? messages.slice(before.length) : messages;
      return { player, action, attempt, messages: own, ...(isSealed ? {} : { isForged: true }) };
    });
  });
}

function listPlayers({ manifest, events }: MatchRecord): ViewedPlayer[] {
  const acquainted = events.filter(isEventOfType('acquainted'));
  const seats = listSeats(manifest);
  const nameModel = nameAsTyped(seats.map(({ model }) => model));
  return seats.map(({ name, role, side, model, isBot }) => ({
    ...{ name, role, team: teams[side].label, model: nameModel(model), isBot },
    knownTo: [...new Set([name, ...acquainted.flatMap(({ players }) => (players.includes(name) ? players : []))])],
  }));
}

/** Lists the moments in order, each with its details. */
function listSteps({ manifest, events, answers }: MatchRecord, readings: readonly MatchReading[]): ViewedStep[] {
  const { setup } = manifest;
  const names = setup.players.map(({ name }) => name);
  const findSeat = createSeatFinder(manifest);
  const who = (name: string) => `${name} (${findSeat(name).role})`;
  const tell = createTeller(manifest.setup);
  const findReadings = createReadingFinder(readings, events, who);
  const findQuestions = createQuestionFinder(answers);
  const steps: Draft[] = [];
  const before: Attachments = { thoughts: [], bids: [], asked: [] };
  let scores = createInitialSuspicion(names);
  for (const [place, event] of events.entries()) {
    const asked = findQuestions(event);
    if (!eventDescriptions[event.type].isMoment) {
      const after = steps.at(-1);
      if (event.type === 'bid') before.asked.push(...asked);
      if (event.type === 'thought' || event.type === 'bid') addBefore(before, event);
      else if (event.type === 'assessment' && steps.length > 0) {
        scores = addAssessments(scores, [event], setup.rules);
        const step = steps.findLast(({ id }) => id === event.statement) ?? after!;
        addHeard(step, event);
        addAsked(step, asked);
        if (event.by !== event.about) addSuspicion(after!, event, scores);
      } else if (after) {
        const about = event.type === 'missing' ? steps.findLast(({ id }) => id === event.statements[0]) : undefined;
        addAsked(about ?? after, asked);
        if (event.type === 'draft') after.drafts = [...(after.drafts ?? []), { player: event.by, text: event.text }];
        else if (event.type === 'beliefs') after.beliefs = { ...after.beliefs, [event.by]: event.p_werewolf };
        else if (event.type === 'synthetic_vote')
          after.votes = [...(after.votes ?? []), { player: event.by, target: event.target }];
      }
      continue;
    }
    const heading = `${event.phase === 'night' ? 'Night' : 'Day'} ${event.round}`;
    const isHeading = event.type === 'round_started';
    const parts = isHeading ? { toldToAll: heading, tellings: {} } : tell(event);
    const told = isHeading ? heading : (describeEvent(event, who) ?? describeSmall(event, parts.tellings, who));
    if (told === null) continue;
    const last = steps.at(-1);
    if (event.type === 'round_started' && last && before.thoughts.length > 0) {
      last.thoughts = [...(last.thoughts ?? []), ...before.thoughts.splice(0)]; // thoughts of a night in which somebody passed
    }
    const step: Draft = {
      id: 'id' in event ? event.id : `e${place + 1}`,
      ...{ round: event.round, phase: event.type === 'ended' ? 'end' : event.phase, type: event.type, told },
      ...parts,
      ...describeParts(event),
      ...takeBefore(before, event),
    };
    const own = findReadings(step.id);
    if (own) step.readings = own;
    addAsked(step, [...asked, ...(isTurn(event) ? before.asked.splice(0) : [])]);
    steps.push(step);
  }
  return steps;
}

const isTurn = ({ type }: GameEvent) => type === 'statement' || type === 'silence';

function addAsked(step: Draft, asked: readonly AskedQuestion[]): void {
  if (asked.length > 0) step.asked = [...(step.asked ?? []), ...asked];
}

function addSuspicion(step: Draft, { by, about }: { by: string; about: string }, scores: DeceptionScores): void {
  const own = { ...step.suspicion?.[by], [about]: scores[by]![about]! };
  step.suspicion = { ...step.suspicion, [by]: own };
}

type Draft = { -readonly [Key in keyof ViewedStep]: ViewedStep[Key] };

/** Describes an event that only its player knows of, in one line. */
function describeSmall(
  event: GameEvent,
  tellings: Readonly<Record<string, string>>,
  who: (name: string) => string,
): string | null {
  if (event.type === 'candidacy') return `${who(event.by)} does not stand for Sheriff.`;
  const [own] = Object.entries(tellings);
  return own === undefined || !('by' in event) ? null : `${own[0]}: ${own[1]}`;
}

interface Attachments {
  thoughts: NonNullable<ViewedStep['thoughts']>[number][];
  bids: NonNullable<ViewedStep['bids']>[number][];
  /** Questions that asked players for a bid. */
  asked: AskedQuestion[];
}

const listKnowers = ({ audience }: GameEvent): Restricted =>
  audience === 'everyone' ? {} : { by: audience === 'moderator' ? [] : audience };

function addBefore(before: Attachments, event: Extract<GameEvent, { type: 'thought' | 'bid' }>): void {
  if (event.type === 'bid') before.bids.push({ ...listKnowers(event), player: event.by, bid: event.bid });
  else if (event.reasoning !== '')
    before.thoughts.push({ ...listKnowers(event), player: event.by, action: event.action, reasoning: event.reasoning });
}

/**
 * Returns the thoughts and bids before an event. Before a statement, these are the thoughts and bids of all players,
 * because all of them bid for the turn; before other events, only those of the acting player.
 */
function takeBefore(before: Attachments, event: GameEvent): Pick<ViewedStep, 'thoughts' | 'bids'> {
  const actor = 'by' in event ? event.by : undefined;
  const isOwn = ({ player }: { player: string }) =>
    event.type === 'statement' || event.type === 'silence' || player === actor;
  const [thoughts, bids] = [before.thoughts.filter(isOwn), before.bids.filter(isOwn)];
  before.thoughts = before.thoughts.filter((thought) => !isOwn(thought));
  before.bids = before.bids.filter((bid) => !isOwn(bid));
  return { ...(thoughts.length > 0 && { thoughts }), ...(bids.length > 0 && { bids }) };
}

function addHeard(step: Draft, event: Extract<GameEvent, { type: 'assessment' }>): void {
  const { by, about, deceptive, deception_type: type, suspicion, p_werewolf: werewolf, reasoning } = event;
  step.heard = [
    ...(step.heard ?? []),
    { ...listKnowers(event), ...{ player: by, isSelf: by === about, deceptive, type, suspicion, werewolf, reasoning } },
  ];
}

/** Lists the parts of an event that the page draws in addition to the event's words. */
function describeParts(event: GameEvent): Partial<ViewedStep> {
  const actor = 'by' in event ? event.by : 'player' in event ? event.player : undefined;
  const target = 'target' in event ? event.target : 'about' in event ? event.about : undefined;
  const text = event.type === 'statement' ? event.text : event.type === 'ballot' ? event.explanation : undefined;
  return {
    ...(actor !== undefined && { actor }),
    ...(target !== undefined && { target }),
    ...(text !== undefined && { text }),
    ...(event.type === 'death' && { leaves: event.player, cause: event.cause }),
    ...(event.type === 'elected' && { badge: event.player }),
    ...(event.type === 'badge' && { badge: event.to }),
    ...describeShown(event),
  };
}

function describeShown(event: GameEvent): Pick<ViewedStep, 'shows'> {
  if (event.type === 'learned') {
    const found = event.role ?? (event.team && teams[event.team].label);
    return found === undefined ? {} : { shows: { player: event.about, role: found, to: [event.by] } };
  }
  if (event.type !== 'death' && event.type !== 'exile_survived') return {};
  const { player, role } = event;
  const team = 'team' in event ? event.team : undefined;
  if (role !== undefined) return { shows: { player, role } };
  return team === undefined ? {} : { shows: { player, role: teams[team].label } };
}

/** Creates a function that words an event as prompts would: for an onlooker, and for players whose wording differs. */
function createTeller(
  setup: MatchRecord['manifest']['setup'],
): (event: GameEvent) => Pick<ViewedStep, 'toldToAll' | 'tellings'> {
  const { board, rules, seed, players, variant } = setup;
  const initial = createInitialState({ board, rules, seed, players, ...(variant && { variant }) });
  const game = { gameLogs: [], ...initial } as unknown as Game; // only identities are read from it
  const onlooker = createPublicView(game, 'onlooker');
  const views = players.map(({ name }): [string, View] => [name, createView(game, name)]);
  return (event) => {
    const toldToAll = event.audience === 'everyone' ? describeSeenEvent(event, onlooker) : null;
    const tellings = views.flatMap(([name, view]) => {
      const told = isVisibleTo(event, name) ? describeSeenEvent(event, view) : null;
      return told === null || told === toldToAll ? [] : [[name, told]];
    });
    return { toldToAll, tellings: Object.fromEntries(tellings) as Record<string, string> };
  };
}
