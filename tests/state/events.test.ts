// Audiences: in every match, an event has the audience that is declared for its type.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { playToEnd, playRandomMatches, disableAnalyses } from '../../deception/play/random-matches.ts';
import { boards } from '../../state/boards.ts';
import { deal } from '../../state/deal.ts';
import { type AudienceKind, eventDescriptions } from '../../state/event-descriptions.ts';
import { type Audience, type GameEvent, isVisibleTo } from '../../state/events.ts';
import type { Setup } from '../../state/game.ts';
import { getRole, getShownSide } from '../../state/roles/index.ts';
import { resolveBoardRules } from '../../state/rulebook.ts';
import { anyPlan } from '../random-plans.ts';
import { goldenNames, readGoldenRecord } from '../golden-records.ts';

interface Played {
  setup: Setup;
  events: readonly GameEvent[];
}

/** Returns the player named in a field of an event. */
function nameIn(event: GameEvent, field: 'by' | 'player'): string[] {
  const name = (event as Partial<Record<typeof field, string>>)[field];
  if (name === undefined) throw new Error(`No field "${field}" in ${JSON.stringify(event)}.`);
  return [name];
}

const expected: { [Kind in AudienceKind]: (event: GameEvent, setup: Setup) => Audience } = {
  everyone: () => 'everyone',
  moderator: () => 'moderator',
  actor: (event) => nameIn(event, 'by'),
  subject: (event) => nameIn(event, 'player'),
  team: (_event, { players }) =>
    players.filter(({ role }) => getShownSide(role) === 'werewolves').map(({ name }) => name),
  ballots: (event, { rules }) => (rules.ballots === 'public' ? 'everyone' : nameIn(event, 'by')),
  // If several players hold the power, the event does not say which of them used it.
  rescuer: ({ audience }, { players }) => {
    const holders = players.filter(({ role }) => getRole(role).powers.some((power) => 'brief' in power));
    return holders.map(({ name }) => [name]).find(([name]) => audience[0] === name) ?? [];
  },
};

/** Lists events whose audience differs from the declared one. */
const listStrays = ({ setup, events }: Played) =>
  events.filter((event) => {
    const declared = expected[eventDescriptions[event.type].audience](event, setup);
    return JSON.stringify(event.audience) !== JSON.stringify(declared);
  });

const randomlyPlayed = fc
  .sample(anyPlan, { seed: 11, numRuns: 120 })
  .flatMap(({ board, rule, seed }): Played[] => [
    ...playRandomMatches({ board, rules: resolveBoardRules(board, 'wolf', rule) }, 1, seed),
  ]);

/** Plays a match in which nobody stands for Sheriff, which rarely happens by chance. */
function playWithoutSheriff(): Played {
  const board = boards['plus-8']!;
  const setup = deal({ board, rules: disableAnalyses(resolveBoardRules(board, 'plus')), seed: 1 });
  return { setup, events: playToEnd(setup, (action, _by, choices) => choices.at(action === 'candidacy' ? -1 : 0)!) };
}
const simulated = [...randomlyPlayed, playWithoutSheriff()];

const recorded = goldenNames.map((name): [string, Played] => {
  const { manifest, events } = readGoldenRecord(name);
  return [name, { setup: manifest.setup, events }];
});

describe('the audience of every event is the declared one', () => {
  it('in matches on any board under any rules', () => {
    expect(simulated.flatMap(listStrays)).toEqual([]);
  });

  it.each(recorded)('in the golden match %s', (_name, match) => {
    expect(listStrays(match)).toEqual([]);
  });

  it('and every type of event came up', () => {
    const seen = new Set(
      [...simulated, ...recorded.map(([, match]) => match)].flatMap(({ events }) => events.map(({ type }) => type)),
    );
    expect(Object.keys(eventDescriptions).filter((type) => !seen.has(type as GameEvent['type']))).toEqual([]);
  });

  it('and would be missed if it were another', () => {
    const [match] = randomlyPlayed;
    const leak = match!.events.map((event): GameEvent => ({ ...event, audience: 'everyone' }));
    const hidden = match!.events.filter(({ audience }) => audience !== 'everyone');
    expect(listStrays({ ...match!, events: leak })).toHaveLength(hidden.length);
  });
});

it.each<[GameEvent['audience'], string[]]>([
  ['everyone', ['Ada', 'Ben']],
  ['moderator', []],
  [['Ada'], ['Ada']],
  [[], []],
])('an event with the audience %j is visible to %j', (audience, players) => {
  const event: GameEvent = { round: 1, phase: 'night', audience, type: 'round_started' };
  expect(['Ada', 'Ben'].filter((player) => isVisibleTo(event, player))).toEqual(players);
});
