// A finished or interrupted match to read: speech, and beside it what was thought, meant and suspected.
import { seatFinder, seatsOf, type MatchRecord, type Seat } from '../deception/match-record.ts';
import { statementsOf, type Statement } from '../deception/statements.ts';
import { botNotice } from '../deception/summary.ts';
import { tally } from '../state/ballots.ts';
import { isType, type EventOf, type GameEvent } from '../state/event.ts';
import type { RuleValues } from '../state/rule.ts';
import { badgeHolder, weightUnder } from '../state/sheriff.ts';
import { briefly, drawn, marked } from './marks.ts';
import { decimal } from './numbers.ts';
import { isOffice, occasionText, officeText, type Office } from './office-text.ts';
import { endingText } from './outcome.ts';
import { plain, speech } from './plain-text.ts';
import { reactionLines } from './reactions.ts';
import { identityText } from './story.ts';

type Source = Pick<MatchRecord, 'manifest' | 'events'>;

interface Reader {
  events: readonly GameEvent[];
  rules: RuleValues;
  statements: ReadonlyMap<string, Statement>;
  /** A name with its role. */
  who: (name: string) => string;
}

/** The whole match, round by round, with everything that was private. Reasoning of bids and of analyses is left out. */
export function transcript({ manifest, events }: Source): string {
  const seatOf = seatFinder(manifest);
  const reader: Reader = {
    events,
    rules: manifest.setup.rules,
    statements: new Map(statementsOf(events).map((statement) => [statement.id, statement])),
    who: (name) => `${name} (${seatOf(name).role})`,
  };
  const told = withThoughts(events).filter(({ event }) => event.round > 0);
  const parts = Map.groupBy(told, ({ event: { round, phase } }) => `${phase === 'night' ? 'Night' : 'Day'} ${round}`);
  const body = [...parts].flatMap(([heading, moments]) => [
    '',
    heading,
    '-'.repeat(heading.length),
    ...moments.flatMap((moment) => linesOf(moment, reader)),
  ]);
  const rest = ['', 'The reasoning of bids and analyses stands in events.ndjson.', ''];
  return [...header({ manifest, events }), ...body, ...rest].join('\n');
}

function header({ manifest, events }: Source): string[] {
  const { setup, id } = manifest;
  const notice = botNotice(setup);
  const seats = seatsOf(manifest);
  const width = (of: (seat: Seat) => string) => Math.max(...seats.map((seat) => of(seat).length));
  const [nameWidth, roleWidth] = [width(({ name }) => name), width(({ role }) => role)];
  const ended = events.find(isType('ended'));
  return [
    `Match ${plain(id)}: board ${plain(setup.board.name)}, seed ${setup.seed}`,
    ...importNotice(manifest),
    ended ? endingText(ended) : 'The match was not played to its end.',
    ...(notice === null ? [] : [notice]),
    `What the rules say about lying: ${setup.honesty_sentence === null ? 'nothing' : speech(setup.honesty_sentence)}`,
    `Coaching: ${setup.rules.coaching}`,
    '',
    'Players',
    '-------',
    ...seats.map(({ name, role, model }) => `${name.padEnd(nameWidth)}  ${role.padEnd(roleWidth)}  ${plain(model)}`),
  ];
}

const importNotice = ({ imported }: MatchRecord['manifest']) =>
  imported
    ? [
        `Imported (${plain(imported.format)}, ${plain(imported.source)}): another program played it, and its seed is not known.`,
      ]
    : [];

interface Moment {
  event: GameEvent;
  /** What whoever acts here thought of it. */
  thoughts: readonly EventOf<'thought'>[];
}

/** Thoughts stand in the record before the act they belong to; here beside it. */
function withThoughts(events: readonly GameEvent[]): Moment[] {
  const pending = new Map<string, EventOf<'thought'>>();
  const take = (belongs: (thought: EventOf<'thought'>) => boolean) => {
    const taken = [...pending.values()].filter(belongs);
    for (const { by } of taken) pending.delete(by);
    return taken;
  };
  return events.flatMap((event): Moment[] => {
    if (event.type === 'thought') {
      pending.set(event.by, event);
      return [];
    }
    if (event.type === 'pick') return [{ event, thoughts: take(({ action }) => action === event.verb) }];
    return [{ event, thoughts: 'by' in event ? take(({ by }) => by === event.by) : [] }];
  });
}

type Teller<Type extends GameEvent['type']> = (event: EventOf<Type>, reader: Reader) => string[];

function told(event: GameEvent, reader: Reader): string[] {
  if (!isOffice(event)) return (tellers[event.type] as Teller<typeof event.type>)(event, reader);
  const line = officeText(event, reader.who);
  return line === null ? [] : [line];
}

/** Main lines stand at the margin, what belongs to them is indented. */
const linesOf = ({ event, thoughts }: Moment, reader: Reader): string[] => {
  const [main, ...notes] = told(event, reader);
  if (main === undefined) return [];
  const thought = thoughts.map(({ by, reasoning }) => `${by} thinks: ${speech(reasoning)}`);
  return [main, ...[...thought, ...notes].map((note) => `    ${note}`)];
};

const nothing = () => [];

const tellers: { [Type in Exclude<GameEvent['type'], Office>]: Teller<Type> } = {
  dealt: nothing, // stands in the header
  acquainted: nothing, // stands in the header
  round_started: nothing, // stands in the headings
  thought: nothing, // stands beside the act
  proposal: ({ by, target, reason, mark }, { who }) => [
    `${who(by)} proposes to remove ${who(target)}${reason === '' ? '.' : `: ${speech(reason)}`}${drawn(mark)}`,
  ],
  pick: ({ target, mark }, { who }) => [`The pick of the night is ${who(target)}.${drawn(mark)}`],
  acted: ({ by, verb, target, mark }, { who }) => [`${who(by)} chooses to ${verb} ${who(target)}.${drawn(mark)}`],
  passed: ({ by, verb, mark }, { who }) => [`${who(by)} chooses to ${verb} nobody.${marked(mark)}`],
  attacked: ({ player }, { who }) => [`Attacked is ${who(player)}.`],
  learned: ({ by, about, ...what }, { who }) => [`${who(by)} learns ${about}'s ${identityText(what)}.`],
  death: (event, { who, events, rules }) => {
    const { player, cause } = event;
    if (cause === 'night') return [`${who(player)} was removed in the night.`];
    if (cause === 'last_act') return [`${who(player)} leaves the game.`];
    const { votes, all } = exileCount(event, events, rules);
    return [`\n${who(player)} is exiled with ${votes} of ${all} votes.`];
  },
  quiet_night: () => ['Nobody was removed in the night.'],
  bid: nothing, // stands beside the statement
  statement: ({ id, by, text, cut, ...occasion }, reader) => [
    `\n${id} ${reader.who(by)}${occasionText(occasion)}: ${speech(text)}${cut ? ' [cut]' : ''}`,
    ...bidLines(id, reader),
    ...reactionLines(reader.statements.get(id), reader.events),
    ...straws(id, reader),
  ],
  silence: ({ id, by, mark }, reader) => [
    `\n${id} ${reader.who(by)} has the turn and says nothing.${marked(mark)}`,
    ...bidLines(id, reader),
    ...straws(id, reader),
  ],
  ballot: ({ id, by, target, explanation, mark }, { who, statements, events }) => [
    `\n${who(by)} votes for ${who(target)}${explanation === undefined ? '.' : `: ${speech(explanation)}`}${drawn(mark)}`,
    ...reactionLines(statements.get(id), events),
  ],
  exile_survived: ({ player }, { who }) => [
    `\n${who(player)} is voted to be exiled, shows the role and stays, without a vote.`,
  ],
  no_exile: ({ reason }) => [
    `\nNobody is exiled: ${reason === 'tie' ? 'the vote is tied' : 'nobody was named by more than half'}.`,
  ],
  summary: ({ by, text, mark }, { who }) => [
    text === '' ? `${who(by)} sums nothing up.${marked(mark)}` : `${who(by)} sums up: ${speech(text)}`,
  ],
  synthetic_vote: nothing, // stands beside the statement
  assessment: nothing, // stands beside the statement
  beliefs: ({ by, p_werewolf }) => [
    `    ${by} believes (p_werewolf): ${Object.entries(p_werewolf)
      .map(([name, p]) => `${name} ${decimal(p)}`)
      .join(', ')}`,
  ],
  missing: ({ by, action, statements, mark }) =>
    statements.length > 0 ? [] : [`    ${by}: ${action.replaceAll('_', ' ')} missing${briefly(mark)}`],
  ended: (event) => [`\n${endingText(event)}`],
};

/** The votes that led to an exile, and all of that ballot: after a tie it is the second, and the Sheriff's weigh more. */
function exileCount(exiled: EventOf<'death'>, events: readonly GameEvent[], rules: RuleValues) {
  const before = events.slice(0, events.indexOf(exiled));
  const tie = before.findLastIndex((event) => event.type === 'tie' && event.round === exiled.round);
  const ballots = before
    .slice(tie + 1)
    .filter(isType('ballot'))
    .filter(({ round }) => round === exiled.round);
  const counts = tally(ballots, weightUnder(rules, badgeHolder(before)));
  const all = counts.reduce((sum, [, count]) => sum + count, 0);
  return { votes: counts.find(([target]) => target === exiled.player)?.[1] ?? 0, all };
}

/** The bids that led to a turn. */
function bidLines(id: string, { events }: Reader): string[] {
  const bids = events.filter(isType('bid')).filter(({ round, step }) => `${round}.${step + 1}` === id);
  const said = bids.map(({ by, bid, mark }) => `${by} ${bid ?? 'none'}${briefly(mark)}`);
  return said.length === 0 ? [] : [`bids: ${said.join(', ')}`];
}

/** The synthetic votes after a turn. */
function straws(id: string, { events }: Reader): string[] {
  const votes = events.filter(isType('synthetic_vote')).filter(({ round, step }) => `${round}.${step}` === id);
  const said = votes.map(({ by, target, mark }) => `${by} for ${target}${briefly(mark)}`);
  return said.length === 0 ? [] : [`synthetic votes: ${said.join(', ')}`];
}
