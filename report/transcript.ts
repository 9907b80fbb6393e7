// A finished or interrupted match to read: speech, and beside it what was thought, meant and suspected.
import { createSeatFinder, listSeats, type MatchRecord, type Seat } from '../deception/match-record.ts';
import { listStatements, type Statement } from '../deception/statements.ts';
import { describeBots } from '../deception/summary/match-summary.ts';
import { type EventOf, type GameEvent, isType } from '../state/events.ts';
import type { RuleValues } from '../state/rules/rule.ts';
import { createBallotWeigher, findBadgeHolder } from '../state/sheriff.ts';
import { tally } from '../state/steps/voting.ts';
import { formatDecimal, quoteSpeech, sanitizeText } from './format.ts';
import {
  describeEnding,
  describeOffice,
  formatBriefMark,
  formatDrawnMark,
  formatMark,
  formatOccasion,
  isOffice,
  listReactions,
  type OfficeType,
} from './game-text.ts';
import { formatIdentity } from './story.ts';

type Source = Pick<MatchRecord, 'manifest' | 'events'>;

interface Reader {
  events: readonly GameEvent[];
  rules: RuleValues;
  statements: ReadonlyMap<string, Statement>;
  /** A name with its role. */
  who: (name: string) => string;
}

/** The whole match, round by round, with everything that was private. Reasoning of bids and of analyses is left out. */
export function renderTranscript({ manifest, events }: Source): string {
  const seatOf = createSeatFinder(manifest);
  const reader: Reader = {
    events,
    rules: manifest.setup.rules,
    statements: new Map(listStatements(events).map((statement) => [statement.id, statement])),
    who: (name) => `${name} (${seatOf(name).role})`,
  };
  const told = attachThoughts(events).filter(({ event }) => event.round > 0);
  const parts = Map.groupBy(told, ({ event: { round, phase } }) => `${phase === 'night' ? 'Night' : 'Day'} ${round}`);
  const body = [...parts].flatMap(([heading, moments]) => [
    '',
    heading,
    '-'.repeat(heading.length),
    ...moments.flatMap((moment) => renderEntry(moment, reader)),
  ]);
  const rest = ['', 'The reasoning of bids and analyses stands in events.ndjson.', ''];
  return [...renderHeader({ manifest, events }), ...body, ...rest].join('\n');
}

function renderHeader({ manifest, events }: Source): string[] {
  const { setup, id } = manifest;
  const notice = describeBots(setup);
  const seats = listSeats(manifest);
  const measureWidth = (of: (seat: Seat) => string) => Math.max(...seats.map((seat) => of(seat).length));
  const [nameWidth, roleWidth] = [measureWidth(({ name }) => name), measureWidth(({ role }) => role)];
  const ended = events.find(isType('ended'));
  return [
    `Match ${sanitizeText(id)}: board ${sanitizeText(setup.board.name)}, seed ${setup.seed}`,
    ...describeImport(manifest),
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
  /** What whoever acts here thought of it. */
  thoughts: readonly EventOf<'thought'>[];
}

/** Thoughts stand in the record before the act they belong to; here beside it. */
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

type Teller<Type extends GameEvent['type']> = (event: EventOf<Type>, reader: Reader) => string[];

function renderEvent(event: GameEvent, reader: Reader): string[] {
  if (!isOffice(event)) return (tellers[event.type] as Teller<typeof event.type>)(event, reader);
  const line = describeOffice(event, reader.who);
  return line === null ? [] : [line];
}

/** Main lines stand at the margin, what belongs to them is indented. */
const renderEntry = ({ event, thoughts }: TranscriptEntry, reader: Reader): string[] => {
  const [main, ...notes] = renderEvent(event, reader);
  if (main === undefined) return [];
  const thought = thoughts.map(({ by, reasoning }) => `${by} thinks: ${quoteSpeech(reasoning)}`);
  return [main, ...[...thought, ...notes].map((note) => `    ${note}`)];
};

const renderNothing = () => [];

const tellers: { [Type in Exclude<GameEvent['type'], OfficeType>]: Teller<Type> } = {
  dealt: renderNothing, // stands in the header
  acquainted: renderNothing, // stands in the header
  round_started: renderNothing, // stands in the headings
  thought: renderNothing, // stands beside the act
  proposal: ({ by, target, reason, mark }, { who }) => [
    `${who(by)} proposes to remove ${who(target)}${reason === '' ? '.' : `: ${quoteSpeech(reason)}`}${formatDrawnMark(mark)}`,
  ],
  pick: ({ target, mark }, { who }) => [`The pick of the night is ${who(target)}.${formatDrawnMark(mark)}`],
  acted: ({ by, verb, target, mark }, { who }) => [
    `${who(by)} chooses to ${verb} ${who(target)}.${formatDrawnMark(mark)}`,
  ],
  passed: ({ by, verb, mark }, { who }) => [`${who(by)} chooses to ${verb} nobody.${formatMark(mark)}`],
  attacked: ({ player }, { who }) => [`Attacked is ${who(player)}.`],
  learned: ({ by, about, ...what }, { who }) => [`${who(by)} learns ${about}'s ${formatIdentity(what)}.`],
  death: (event, { who, events, rules }) => {
    const { player, cause } = event;
    if (cause === 'night') return [`${who(player)} was removed in the night.`];
    if (cause === 'last_act') return [`${who(player)} leaves the game.`];
    const { votes, all } = countExileVotes(event, events, rules);
    return [`\n${who(player)} is exiled with ${votes} of ${all} votes.`];
  },
  quiet_night: () => ['Nobody was removed in the night.'],
  bid: renderNothing, // stands beside the statement
  statement: ({ id, by, text, cut, ...occasion }, reader) => [
    `\n${id} ${reader.who(by)}${formatOccasion(occasion)}: ${quoteSpeech(text)}${cut ? ' [cut]' : ''}`,
    ...renderBids(id, reader),
    ...listReactions(reader.statements.get(id), reader.events),
    ...renderStrawVotes(id, reader),
  ],
  silence: ({ id, by, mark }, reader) => [
    `\n${id} ${reader.who(by)} has the turn and says nothing.${formatMark(mark)}`,
    ...renderBids(id, reader),
    ...renderStrawVotes(id, reader),
  ],
  ballot: ({ id, by, target, explanation, mark }, { who, statements, events }) => [
    `\n${who(by)} votes for ${who(target)}${explanation === undefined ? '.' : `: ${quoteSpeech(explanation)}`}${formatDrawnMark(mark)}`,
    ...listReactions(statements.get(id), events),
  ],
  exile_survived: ({ player }, { who }) => [
    `\n${who(player)} is voted to be exiled, shows the role and stays, without a vote.`,
  ],
  no_exile: ({ reason }) => [
    `\nNobody is exiled: ${reason === 'tie' ? 'the vote is tied' : 'nobody was named by more than half'}.`,
  ],
  summary: ({ by, text, mark }, { who }) => [
    text === '' ? `${who(by)} sums nothing up.${formatMark(mark)}` : `${who(by)} sums up: ${quoteSpeech(text)}`,
  ],
  synthetic_vote: renderNothing, // stands beside the statement
  assessment: renderNothing, // stands beside the statement
  beliefs: ({ by, p_werewolf }) => [
    `    ${by} believes (p_werewolf): ${Object.entries(p_werewolf)
      .map(([name, p]) => `${name} ${formatDecimal(p)}`)
      .join(', ')}`,
  ],
  missing: ({ by, action, statements, mark }) =>
    statements.length > 0 ? [] : [`    ${by}: ${action.replaceAll('_', ' ')} missing${formatBriefMark(mark)}`],
  ended: (event) => [`\n${describeEnding(event)}`],
};

/** The votes that led to an exile, and all of that ballot: after a tie it is the second, and the Sheriff's weigh more. */
function countExileVotes(exiled: EventOf<'death'>, events: readonly GameEvent[], rules: RuleValues) {
  const before = events.slice(0, events.indexOf(exiled));
  const tie = before.findLastIndex((event) => event.type === 'tie' && event.round === exiled.round);
  const ballots = before
    .slice(tie + 1)
    .filter(isType('ballot'))
    .filter(({ round }) => round === exiled.round);
  const counts = tally(ballots, createBallotWeigher(rules, findBadgeHolder(before)));
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return { votes: counts.find(([target]) => target === exiled.player)?.[1] ?? 0, all };
}

/** The bids that led to a turn. */
function renderBids(id: string, { events }: Reader): string[] {
  const bids = events.filter(isType('bid')).filter(({ round, step }) => `${round}.${step + 1}` === id);
  const said = bids.map(({ by, bid, mark }) => `${by} ${bid ?? 'none'}${formatBriefMark(mark)}`);
  return said.length === 0 ? [] : [`bids: ${said.join(', ')}`];
}

/** The synthetic votes after a turn. */
function renderStrawVotes(id: string, { events }: Reader): string[] {
  const votes = events.filter(isType('synthetic_vote')).filter(({ round, step }) => `${round}.${step}` === id);
  const said = votes.map(({ by, target, mark }) => `${by} for ${target}${formatBriefMark(mark)}`);
  return said.length === 0 ? [] : [`synthetic votes: ${said.join(', ')}`];
}
