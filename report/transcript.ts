// A finished or interrupted match as a text to read: statements and acts, with the thoughts behind them and the
// analyses of each statement.
import { createSeatFinder, listSeats, type MatchRecord, type Seat } from '../deception/record/match-record.ts';
import { listStatements, type Statement } from '../deception/record/statements.ts';
import { describeBots } from '../deception/summary/match-summary.ts';
import type { ClaimRow } from '../deception/tables/claim-rows.ts';
import { type EventOf, type GameEvent, isEventOfType } from '../state/events.ts';
import type { RuleValues } from '../state/rules/rule.ts';
import { createBallotWeigher, findBadgeHolder } from '../state/sheriff.ts';
import { countVotes } from '../state/steps/voting.ts';
import { formatDecimal, quoteSpeech, sanitizeText } from './format.ts';
import {
  describeClaim,
  describeEnding,
  describeEvent,
  describeForkOf,
  formatBriefAnswerMark,
  formatAnswerMark,
  listReactions,
} from './game-text.ts';

type Source = Pick<MatchRecord, 'manifest' | 'events'>;

/** The parts of a match to show; all by default. */
export interface TranscriptOptions {
  /** Claims with their verdicts, shown under each statement. */
  claims?: readonly ClaimRow[];
  /** Extractor of the claims, which is named at the end. Null or absent if there are no claims. */
  source?: string | null;
  /** Whether to show only statements with a lie; needs `claims`. */
  liesAlone?: boolean;
  /** Player to whom the transcript is limited: acts by this player and acts on this player. */
  player?: string | undefined;
  round?: number | undefined;
  /** Decorates a claim by its verdict, e.g. with a terminal color. */
  paint?: (verdict: ClaimRow['verdict'], text: string) => string;
}

interface TranscriptContext {
  events: readonly GameEvent[];
  rules: RuleValues;
  statements: ReadonlyMap<string, Statement>;
  /** Formats a name with its role. */
  who: (name: string) => string;
  /** Maps the id of a statement to the lines on its claims. */
  claims: ReadonlyMap<string, string[]>;
}

/**
 * Renders the match round by round with everything private, or the part that `options` select. The reasoning of bids
 * and analyses is left out.
 *
 * @example
 * await writeFile('transcript.txt', renderTranscript({ manifest, events }));
 */
export function renderTranscript({ manifest, events }: Source, options: TranscriptOptions = {}): string {
  const { claims = [], source = null, liesAlone = false, player, round, paint = (_verdict, text) => text } = options;
  const lies = new Set(claims.filter(({ verdict }) => verdict === 'lie').map(({ statement: id }) => id));
  const findSeat = createSeatFinder(manifest);
  const context: TranscriptContext = {
    events,
    rules: manifest.setup.rules,
    statements: new Map(listStatements(events).map((statement) => [statement.id, statement])),
    who: (name) => `${name} (${findSeat(name).role})`,
    claims: new Map(
      [...Map.groupBy(claims, ({ statement: id }) => id)].map(([id, own]) => [
        id,
        own.map((claim) =>
          paint(claim.verdict, `claim ${quoteSpeech(claim.words)}: ${claim.verdict} (${describeClaim(claim)})`),
        ),
      ]),
    ),
  };
  const entries = attachThoughts(events).filter(
    ({ event }) =>
      event.round > 0 &&
      (round === undefined || event.round === round) &&
      (player === undefined || isAbout(event, player)) &&
      (!liesAlone || ('id' in event && lies.has(event.id))),
  );
  const parts = Map.groupBy(
    entries,
    ({ event: { round, phase } }) => `${phase === 'night' ? 'Night' : 'Day'} ${round}`,
  );
  const body = [...parts].flatMap(([heading, entriesOfPart]) => [
    '',
    heading,
    '-'.repeat(heading.length),
    ...entriesOfPart.flatMap((entry) => renderEntry(entry, context)),
  ]);
  const rest = [
    '',
    ...(liesAlone && entries.length === 0 ? ['No statement with a lie.'] : []),
    ...(source === null ? [] : [`Verdicts by ${sanitizeText(source)}.`]),
    'The reasoning of bids and analyses is in events.ndjson.',
    '',
  ];
  return [...renderHeader({ manifest, events }), ...body, ...rest].join('\n');
}

/** Returns whether the player acted in the event or was its target. */
const isAbout = (event: GameEvent, player: string) =>
  [
    'by' in event ? event.by : null,
    'player' in event ? event.player : null,
    'target' in event ? event.target : null,
  ].includes(player);

function renderHeader({ manifest, events }: Source): string[] {
  const { setup, id } = manifest;
  const notice = describeBots(setup);
  const seats = listSeats(manifest);
  const measureWidth = (of: (seat: Seat) => string) => Math.max(...seats.map((seat) => of(seat).length));
  const [nameWidth, roleWidth] = [measureWidth(({ name }) => name), measureWidth(({ role }) => role)];
  const ended = events.find(isEventOfType('ended'));
  return [
    `Match ${sanitizeText(id)}: board ${sanitizeText(setup.board.name)}, seed ${setup.seed}`,
    ...describeImport(manifest),
    ...(manifest.fork_of === undefined ? [] : [describeForkOf(manifest.fork_of)]),
    ended ? describeEnding(ended) : 'The match was not played to its end.',
    ...(notice === null ? [] : [notice]),
    `What the rules say about lying: ${setup.honesty_sentence === null ? 'nothing' : quoteSpeech(setup.honesty_sentence)}`,
    `Coaching: ${setup.rules.coaching}`,
    '',
    'Players',
    '-------',
    ...seats.map(
      ({ name, role, model }) => `${name.padEnd(nameWidth)}  ${role.padEnd(roleWidth)}  ${sanitizeText(model)}`,
    ),
  ];
}

const describeImport = ({ imported }: MatchRecord['manifest']) =>
  imported
    ? [
        `Imported (${sanitizeText(imported.format)}, ${sanitizeText(imported.source)}): another program played it, and its seed is not known.`,
      ]
    : [];

interface TranscriptEntry {
  event: GameEvent;
  /** Thoughts of the players who act in the event. */
  thoughts: readonly EventOf<'thought'>[];
}

/** Attaches each thought to the act that follows it in the record. */
function attachThoughts(events: readonly GameEvent[]): TranscriptEntry[] {
  const pending = new Map<string, EventOf<'thought'>>();
  const take = (belongs: (thought: EventOf<'thought'>) => boolean) => {
    const taken = [...pending.values()].filter(belongs);
    for (const { by } of taken) pending.delete(by);
    return taken;
  };
  return events.flatMap((event): TranscriptEntry[] => {
    if (event.type === 'thought') {
      pending.set(event.by, event);
      return [];
    }
    if (event.type === 'pick') return [{ event, thoughts: take(({ action }) => action === event.verb) }];
    return [{ event, thoughts: 'by' in event ? take(({ by }) => by === event.by) : [] }];
  });
}

type LineMaker<Type extends GameEvent['type']> = (event: EventOf<Type>, context: TranscriptContext) => string[];

function renderEvent(event: GameEvent, context: TranscriptContext): string[] {
  const make = eventLines[event.type] as LineMaker<typeof event.type> | undefined;
  if (make) return make(event, context);
  const text = describeEvent(event, context.who);
  return text === null ? [] : [text];
}

/** Renders the main line of an event, with its notes indented below. */
const renderEntry = ({ event, thoughts }: TranscriptEntry, context: TranscriptContext): string[] => {
  const [main, ...notes] = renderEvent(event, context);
  if (main === undefined) return [];
  const thought = thoughts.map(({ by, reasoning }) => `${by} thinks: ${quoteSpeech(reasoning)}`);
  return [main, ...[...thought, ...notes].map((note) => `    ${note}`)];
};

/**
 * Lines for types of events whose sentence alone is not enough: they add notes, or a blank line before public events.
 */
const eventLines: { [Type in GameEvent['type']]?: LineMaker<Type> } = {
  death: (event, { who, events, rules }) => {
    if (event.cause !== 'exile') return [describeEvent(event, who)!];
    const { votes, all } = countExileVotes(event, events, rules);
    return [`\n${who(event.player)} is exiled with ${votes} of ${all} votes.`];
  },
  statement: (event, context) => [
    `\n${event.id} ${describeEvent(event, context.who)}${event.cut ? ' [cut]' : ''}`,
    ...(context.claims.get(event.id) ?? []),
    ...renderBids(event.id, context),
    ...renderDrafts(event.id, context),
    ...listReactions(context.statements.get(event.id), context.events),
    ...renderStrawVotes(event.id, context),
  ],
  silence: (event, context) => [
    `\n${event.id} ${describeEvent(event, context.who)}`,
    ...renderBids(event.id, context),
    ...renderDrafts(event.id, context),
    ...renderStrawVotes(event.id, context),
  ],
  ballot: (event, { who, statements, events, claims }) => [
    `\n${describeEvent(event, who)}`,
    ...(claims.get(event.id) ?? []),
    ...listReactions(statements.get(event.id), events),
  ],
  exile_survived: ({ player }, { who }) => [
    `\n${who(player)} is voted to be exiled, shows the role and stays, without a vote.`,
  ],
  no_exile: (event, { who }) => [`\n${describeEvent(event, who)}`],
  summary: ({ by, text, before, mark }, { who }) => [
    text === ''
      ? `${who(by)} sums nothing up.${formatAnswerMark(mark)}`
      : `${who(by)} sums up${before === undefined ? '' : ' the debate'}: ${quoteSpeech(text)}`,
  ],
  beliefs: ({ by, p_werewolf }) => [
    `    ${by} believes (p_werewolf): ${Object.entries(p_werewolf)
      .map(([name, p]) => `${name} ${formatDecimal(p)}`)
      .join(', ')}`,
  ],
  missing: ({ by, action, statements, mark }) =>
    statements.length > 0 ? [] : [`    ${by}: ${action.replaceAll('_', ' ')} missing${formatBriefAnswerMark(mark)}`],
  ended: (event) => [`\n${describeEnding(event)}`],
};

/**
 * Counts the votes for the exiled player, and all votes of that ballot. After a tie, the second ballot is counted. The
 * Sheriff's extra weight is included.
 */
function countExileVotes(exiled: EventOf<'death'>, events: readonly GameEvent[], rules: RuleValues) {
  const before = events.slice(0, events.indexOf(exiled));
  const tie = before.findLastIndex((event) => event.type === 'tie' && event.round === exiled.round);
  const ballots = before
    .slice(tie + 1)
    .filter(isEventOfType('ballot'))
    .filter(({ round }) => round === exiled.round);
  const counts = countVotes(ballots, createBallotWeigher(rules, findBadgeHolder(before)));
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return { votes: counts.find(([target]) => target === exiled.player)?.[1] ?? 0, all };
}

/** Renders the bids that led to a turn. */
function renderBids(id: string, { events }: TranscriptContext): string[] {
  const bids = events.filter(isEventOfType('bid')).filter(({ round, step }) => `${round}.${step + 1}` === id);
  const said = bids.map(({ by, bid, mark }) => `${by} ${bid ?? 'none'}${formatBriefAnswerMark(mark)}`);
  return said.length === 0 ? [] : [`bids: ${said.join(', ')}`];
}

/** Renders the drafts of the bidders who did not get the turn. Only the rule `turn=draft` records drafts. */
const renderDrafts = (id: string, { events }: TranscriptContext): string[] =>
  events
    .filter(isEventOfType('draft'))
    .filter((draft) => draft.id === id)
    .map(({ by, text, cut }) => `${by} would have said: ${quoteSpeech(text)}${cut ? ' [cut]' : ''}`);

/** Renders the synthetic votes after a turn. */
function renderStrawVotes(id: string, { events }: TranscriptContext): string[] {
  const votes = events.filter(isEventOfType('synthetic_vote')).filter(({ round, step }) => `${round}.${step}` === id);
  const said = votes.map(({ by, target, mark }) => `${by} for ${target}${formatBriefAnswerMark(mark)}`);
  return said.length === 0 ? [] : [`synthetic votes: ${said.join(', ')}`];
}
