// Reads a published game of Kaggle's Game Arena: one JSON file with its players and a timeline of events.
import { z } from 'zod';
import { RecordError } from '../../models/record/ndjson.ts';
import { getPower, roles } from '../../state/roles/index.ts';
import { Team } from '../../state/teams.ts';
import type { GameSource } from './game-format.ts';

const night = z.number().int().min(0);
const day = z.number().int().min(1, 'days are numbered from 1');
const text = z.string().nullish();
const name = z.string().min(1);

/** Fields of a choice. The target is missing or null if the player chose nobody. */
const choice = { player: name, target: z.string().nullish(), reasoning: text };

/** Announcements of the moderator that do not follow from other entries. */
const Announced = z.object({
  /** The player whom the Werewolves chose. */
  elected_target_player_id: text,
  /** The player who was removed in a night. */
  eliminated_player_id: text,
  /** The player who was exiled. */
  elected_player_id: text,
  winner_team: text,
});

const entryTypes = ['night_action', 'announcement', 'chat', 'vote'] as const;

const Entry = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('night_action'), day: night, action: z.string(), ...choice }),
    z.object({
      type: z.literal('announcement'),
      day: night,
      phase: text,
      description: text,
      data: Announced.nullish(),
    }),
    z.object({ type: z.literal('chat'), day, player: name, message: z.string(), reasoning: text }),
    z.object({ type: z.literal('vote'), day, ...choice }),
  ],
  { error: `an entry of the timeline has one of these types: ${entryTypes.join(', ')}` },
);
export type TimelineEntry = z.infer<typeof Entry>;

const Published = z.object({
  id: name,
  players: z.array(z.object({ id: name, model: name, role: z.string() })).min(1),
  winner: z.string(),
  timeline: z.array(Entry).min(1),
});

/** A published game whose names, roles and actions have been validated. */
export interface PublishedGame extends Omit<z.infer<typeof Published>, 'winner'> {
  winner: Team;
  file: string;
  /** SHA-256 of the file. */
  sha256: string;
}

/**
 * Reads a game. Throws a RecordError that names the file, the place and what was expected there if it is damaged or was
 * not played to its end.
 *
 * @example parsePublishedGame(readGameSource('games/74000001.json')).winner // 'villagers'
 */
export function parsePublishedGame({
  file,
  sha256,
  value,
}: Pick<GameSource, 'file' | 'sha256' | 'value'>): PublishedGame {
  const read = Published.safeParse(value);
  if (!read.success)
    throw new RecordError(`${file} is not a published game of Kaggle's Game Arena:\n${z.prettifyError(read.error)}`);
  const [winner, fault] = [Team.safeParse(read.data.winner.toLowerCase()), findFault(read.data)];
  if (!winner.success)
    throw new RecordError(
      `${file} has the winner ${JSON.stringify(read.data.winner)}, not one of ${Team.options.join(', ')}: only games that were played to their end are imported.`,
    );
  if (fault !== undefined) throw new RecordError(`${file}, ${fault}`);
  return { ...read.data, winner: winner.data, file, sha256 };
}

/** Maps actions of a night to the project's verbs; null if the player chose nobody. */
const verbs: Readonly<Record<string, string | null>> = {
  Inspect: 'unmask',
  Heal: 'protect',
  Eliminate: 'eliminate',
  Vote: 'eliminate',
  NoOp: null,
};

/** Returns the project's verb for an action of a night; null if the player chose nobody. */
export const findVerb = (action: string) => verbs[action] ?? null;

/** Returns the first invalid place of a game, with the reason; undefined if there is none. */
function findFault({ players, winner, timeline }: z.infer<typeof Published>): string | undefined {
  const names = players.map(({ id }) => id);
  for (const [seat, { id, role }] of players.entries()) {
    if (names.indexOf(id) !== seat) return `players[${seat}].id: two players have the name "${id}".`;
    if (!roles.has(role))
      return `players[${seat}].role: unknown role ${JSON.stringify(role)}. Known roles: ${[...roles.keys()].join(', ')}.`;
  }
  for (const [index, entry] of timeline.entries()) {
    for (const [field, named] of listNamed(entry)) {
      if (named && !names.includes(named))
        return `timeline[${index}].${field}: ${JSON.stringify(named)} is not at the table. At the table: ${names.join(', ')}.`;
    }
    if (entry.type === 'night_action') {
      const { action, player } = entry;
      if (!Object.hasOwn(verbs, action))
        return `timeline[${index}].action: unknown action "${action}". Known actions: ${Object.keys(verbs).join(', ')}.`;
      const [verb, role] = [findVerb(action), players.find(({ id }) => id === player)!.role];
      const holder = verb === null ? role : getPower(verb).role.name;
      if (role !== holder)
        return `timeline[${index}].action: "${action}" is an action of the ${holder}, and ${player} is a ${role}.`;
    }
    const announced = entry.type === 'announcement' ? entry.data?.winner_team : null;
    if (announced && announced.toLowerCase() !== winner.toLowerCase())
      return `timeline[${index}].data.winner_team: "${announced}" is not the winner of the game, "${winner}".`;
  }
  return undefined;
}

const announcedNames = ['elected_target_player_id', 'eliminated_player_id', 'elected_player_id'] as const;

/** Lists the fields of an entry that name a player, with their values. */
const listNamed = (entry: TimelineEntry): [field: string, name: string | null | undefined][] =>
  entry.type === 'announcement'
    ? announcedNames.map((field) => [`data.${field}`, entry.data?.[field]])
    : [['player', entry.player], ...('target' in entry ? [['target', entry.target] as [string, string]] : [])];
