// Groups the timeline of a published game into this project's rounds. Each round is a night and the following day.
import { RecordError } from '../../models/record/ndjson.ts';
import { findVerb, type PublishedGame, type TimelineEntry } from './timeline-format.ts';

/** An act, statement or ballot. */
interface Deed {
  by: string;
  /** Private reasoning; empty if none is recorded. */
  reasoning: string;
  /** Position in the timeline. */
  place: number;
}

export interface TimelineAct extends Deed {
  /** Number of the night in the game, from 0. */
  night: number;
  verb: string;
  target: string;
  /** Whether the timeline lists the act under the following night. */
  isDatedLater: boolean;
}

interface TimelineStatement extends Deed {
  day: number;
  message: string;
}

interface TimelineBallot extends Deed {
  day: number;
  target: string;
}

export interface TimelineRound {
  acts: readonly TimelineAct[];
  said: readonly TimelineStatement[];
  /** Ballots in the order in which they were cast. */
  cast: readonly TimelineBallot[];
  /**
   * The player whom the Werewolves chose, the player removed in the night, and the player exiled. Each is null if it
   * was not announced.
   */
  announced: Readonly<Record<'picked' | 'removed' | 'exiled', string | null>>;
  /** Players who act on this day or later, or were left at the end. */
  presentFromDay: ReadonlySet<string>;
  /** Players who act after this day, or were left at the end. */
  presentAfterDay: ReadonlySet<string>;
}

export interface Timeline {
  rounds: readonly TimelineRound[];
  /** Players left at the end; null if not announced. */
  survivors: readonly string[] | null;
}

/**
 * Returns the rounds of a game. The game numbers its nights from 0, so that its night 0 and its day 1 form round 1.
 * Throws a RecordError for missing rounds, and for a player who acts twice.
 *
 * @example gatherRounds(game).rounds[0].announced.picked // 'Dan'
 */
export function gatherRounds(game: PublishedGame): Timeline {
  const entries = game.timeline.map((entry, place): Placed => ({ ...entry, place }));
  const said = listStatements(entries);
  const cast = listBallots(entries);
  const announced = listAnnounced(entries);
  const survivors = findSurvivors(game, entries);
  const isThereFrom = (name: string, from: number) =>
    survivors?.includes(name) === true || [...said, ...cast].some(({ by, day }) => by === name && day >= from);
  const lastDay = Math.max(0, ...[...said, ...cast].map(({ day }) => day));
  const acts = dateActs(listActs(entries), { picked: announced.picked, lastDay, isThereFrom });
  checkOnce(game, 'acts twice in night', acts, ({ night }) => night);
  checkOnce(game, 'votes twice on day', cast, ({ day }) => day);
  const createRound = (round: number): TimelineRound => {
    const [night, from] = [
      round - 1,
      (first: number) =>
        ({ day }: { day: number }) =>
          day >= first,
    ];
    const after = [...[...said, ...cast].filter(from(round + 1)), ...acts.filter((act) => act.night >= round)];
    const presentAfterDay = new Set([...after.map(({ by }) => by), ...(survivors ?? [])]);
    const onDay = [...said, ...cast].filter(({ day }) => day === round).map(({ by }) => by);
    return {
      acts: acts.filter((act) => act.night === night),
      said: said.filter(({ day }) => day === round),
      cast: cast.filter(({ day }) => day === round),
      announced: {
        picked: announced.picked.get(night) ?? null,
        removed: announced.removed.get(night) ?? null,
        exiled: announced.exiled.get(round) ?? null,
      },
      presentAfterDay,
      presentFromDay: new Set([...presentAfterDay, ...onDay]),
    };
  };
  const nights = [...acts.map(({ night }) => night), ...announced.picked.keys(), ...announced.removed.keys()];
  const days = [...said.map(({ day }) => day), ...cast.map(({ day }) => day), ...announced.exiled.keys()];
  const known = new Set([...nights.map((night) => night + 1), ...days]);
  for (let round = 1; round <= Math.max(1, ...known); round += 1) {
    if (!known.has(round))
      throw new RecordError(`${game.file} has no entry for night ${round - 1} and day ${round} in its timeline.`);
  }
  return { survivors, rounds: [...known].sort((one, other) => one - other).map(createRound) };
}

type Placed = TimelineEntry & { place: number };

const listStatements = (entries: readonly Placed[]) =>
  entries.flatMap((entry): TimelineStatement[] => {
    if (entry.type !== 'chat') return [];
    const { player: by, day, message, reasoning, place } = entry;
    return [{ by, day, message, reasoning: reasoning ?? '', place }];
  });

const listBallots = (entries: readonly Placed[]) =>
  entries.flatMap((entry): TimelineBallot[] => {
    if (entry.type !== 'vote' || !entry.target) return [];
    const { player: by, day, target, reasoning, place } = entry;
    return [{ by, day, target, reasoning: reasoning ?? '', place }];
  });

const listActs = (entries: readonly Placed[]) =>
  entries.flatMap((entry): TimelineAct[] => {
    if (entry.type !== 'night_action' || !entry.target) return [];
    const { player: by, day: night, action, target, reasoning, place } = entry;
    const verb = findVerb(action);
    return verb === null ? [] : [{ by, night, verb, target, reasoning: reasoning ?? '', place, isDatedLater: false }];
  });

/** Collects the announcements: by night, whom the Werewolves chose and who was removed; by day, who was exiled. */
function listAnnounced(entries: readonly Placed[]) {
  const announcements = entries.filter((entry) => entry.type === 'announcement');
  const collect = (key: 'elected_target_player_id' | 'eliminated_player_id' | 'elected_player_id') =>
    announcements.flatMap(({ day, phase, data }) => {
      const player = data?.[key];
      return player ? [{ day, player, isByDay: phase === 'Day' }] : [];
    });
  const byNight = (key: Parameters<typeof collect>[0]) =>
    new Map(collect(key).map(({ day, player, isByDay }) => [isByDay ? day - 1 : day, player]));
  return {
    picked: byNight('elected_target_player_id'),
    removed: byNight('eliminated_player_id'),
    exiled: new Map(collect('elected_player_id').map(({ day, player }) => [day, player])),
  };
}

/**
 * Assigns acts to their nights. The last act of a night may be recorded under the next night, because the game has
 * moved on by then. This is assumed if the player did nothing in the earlier night and one of three conditions is met:
 * the next night never took place, the player acts in it a second time, or the target had left by then.
 */
function dateActs(acts: readonly TimelineAct[], { picked, lastDay, isThereFrom }: Dates): TimelineAct[] {
  const isDatedLater = ({ by, night, target, place }: TimelineAct) => {
    const before = picked.get(night - 1);
    if (before === undefined || acts.some((other) => other.by === by && other.night === night - 1)) return false;
    const neverWas = !picked.has(night) && lastDay <= night;
    const isFirstOfTwo = acts.some((other) => other.by === by && other.night === night && other.place > place);
    return neverWas || isFirstOfTwo || (target === before && !isThereFrom(target, night));
  };
  return acts.map((act) => (isDatedLater(act) ? { ...act, night: act.night - 1, isDatedLater: true } : act));
}

interface Dates {
  /** The player whom the Werewolves chose, by night. */
  picked: ReadonlyMap<number, string>;
  lastDay: number;
  /** Returns whether a player acts on this day or later, or is left at the end. */
  isThereFrom: (name: string, day: number) => boolean;
}

/** Throws a RecordError if a player does the same thing twice in one night or on one day. */
function checkOnce<Done extends Deed>(
  { file }: PublishedGame,
  what: string,
  done: readonly Done[],
  getTime: (deed: Done) => number,
) {
  for (const deed of done) {
    const other = done.find((one) => one.by === deed.by && getTime(one) === getTime(deed))!;
    if (other !== deed)
      throw new RecordError(
        `${file}, timeline[${deed.place}]: ${deed.by} ${what} ${getTime(deed)}; the other entry is timeline[${other.place}].`,
      );
  }
}

/**
 * Returns the players who were left, from the moderator's final words: "Survivors: {'Dan': 'Villager'}". Null if there
 * are no such words.
 */
function findSurvivors({ players }: PublishedGame, entries: readonly Placed[]): string[] | null {
  const said = entries.flatMap((entry) =>
    entry.type === 'announcement' ? [/^Survivors: \{(.*)\}$/m.exec(entry.description ?? '')?.[1]] : [],
  );
  const last = said.findLast((list) => list !== undefined);
  return last === undefined ? null : players.map(({ id }) => id).filter((name) => last.includes(`'${name}':`));
}
