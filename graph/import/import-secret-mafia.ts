// Imports traces of SecretMafia through the replay of timelines. The traces do not name the phase of an answer. The
// phase follows from the order of the game: the Werewolves choose, the Doctor protects, the Detective checks, all speak
// in turn, and all vote.
import path from 'node:path';
import { RecordError } from '../../models/record/ndjson.ts';
import { getPower, getRole } from '../../state/roles/index.ts';
import type { GameFormat, GameSource } from './game-format.ts';
import {
  createImportedMatch,
  createImportedSetup,
  resolveRoundRobinRules,
  type RecordedCall,
} from './imported-match.ts';
import type { Discrepancy } from './recorded-game-replay.ts';
import { isSecretMafia, readTrace, splitTraces, type TracedAnswer, type TracedGame } from './secret-mafia-format.ts';
import { replayTimeline } from './timeline-replay.ts';
import type { TimelineRound } from './timeline-rounds.ts';

/** Format of traces of TextArena's SecretMafia. */
export const secretMafia: GameFormat = {
  name: 'secret-mafia',
  title: "traces of TextArena's SecretMafia (a record per player)",
  aliases: ['textarena'],
  endings: ['.jsonl', '.json'],
  isRecognized: ({ text }) => isSecretMafia(text),
  split: splitTraces,
  read: (source, now) => {
    const game = readTrace(source);
    return { id: `SecretMafia ${game.id}`, match: createMatch(game, source, now) };
  },
};

/** Verbs of this project's powers, in the order in which the game uses them at night. */
const nightVerbs = ['eliminate', 'protect', 'unmask'] as const;

type Verb = (typeof nightVerbs)[number];

/** An answer with the phase in which it was given. */
interface PlacedAnswer extends TracedAnswer {
  round: number;
  action: Verb | 'debate' | 'vote';
  /** Number of the player whom the answer names; null if it names none. */
  target: number | null;
}

/** An answer that counts. A statement names nobody, so its target is the speaker. */
interface CountedAnswer {
  seat: number;
  text: string;
  target: number;
}

const nameSeat = (seat: number) => `Player ${seat}`;

function createMatch(game: TracedGame, { file, sha256 }: GameSource, now: number) {
  const { placed, rounds, survivors } = placeAnswers(game);
  const [where, one] = file.split(', game ') as [string, string?];
  const name = path.basename(where).replace(/\.[^.]+$/, '');
  const setup = createSetup(game, placed);
  const replay = replayTimeline({ rounds, survivors }, setup, game.winner);
  return createImportedMatch({
    format: secretMafia.name,
    source: one === undefined ? name : `${name}-${one}`,
    files: { [path.basename(where)]: sha256 },
    setup,
    models: Object.fromEntries(game.players.map(({ model }, seat) => [nameSeat(seat), model])),
    replay: { ...replay, differences: addIllegalMoves(replay.differences, placed) },
    calls: createCalls(placed),
    now,
  });
}

function createSetup({ players }: TracedGame, placed: readonly PlacedAnswer[]) {
  const protections = placed.filter(({ action, isIllegal }) => action === 'protect' && !isIllegal);
  const perDay = Map.groupBy(
    placed.filter(({ action }) => action === 'debate'),
    ({ round, seat }) => `${round} ${seat}`,
  );
  const passes = [...perDay.values()].map(({ length }) => length);
  return createImportedSetup(
    secretMafia.name,
    players.map(({ role }, seat) => ({ name: nameSeat(seat), role })),
    (board) =>
      resolveRoundRobinRules(board, passes, {
        reveal: 'none',
        ...(board.roles[getPower('unmask').role.name] ? { checkTells: 'team' } : {}),
        ...(board.roles[getPower('protect').role.name]
          ? { protectSelf: protections.some(({ seat, target }) => seat === target), protectRepeat: true }
          : {}),
      }),
  );
}

/**
 * Adds illegal moves to the list of differences. Each move is listed under the round in which the player was asked
 * again.
 */
function addIllegalMoves(differences: readonly Discrepancy[], placed: readonly PlacedAnswer[]): Discrepancy[] {
  const illegal = placed
    .filter(({ isIllegal }) => isIllegal)
    .map(({ round, action, seat }): Discrepancy => ({
      ...{ round, phase: action === 'vote' || action === 'debate' ? 'day' : 'night', kind: 'act' },
      text: `Left out: an illegal move by ${nameSeat(seat)} (${action}), who was asked again.`,
    }));
  const getPlace = ({ round, phase }: Discrepancy) => 2 * round + (phase === 'day' ? 1 : 0);
  return [...illegal, ...differences].sort((one, other) => getPlace(one) - getPlace(other));
}

/** Lists the answers as calls. Traces contain only the part of each prompt that was new to the player. */
function createCalls(placed: readonly PlacedAnswer[]): RecordedCall[] {
  const said = new Map<number, number>();
  return placed.map(({ round, action, seat, text, time, isIllegal }) => {
    const step = action === 'debate' || action === 'vote' ? (said.get(round) ?? 0) : 0;
    if (action === 'debate') said.set(round, step + 1);
    return {
      ...{ round, step, action, player: nameSeat(seat), prompt: null, raw: text },
      ...{ error: isIllegal ? 'The moderator rejected this move.' : null, tokens: null, cost: null, started_at: time },
    };
  });
}

/**
 * Reads the target in the way the game does. If the whole answer is a number, the target is that number; otherwise it
 * is the last number in brackets on the first line with such a number.
 */
function readTarget(text: string): number | null {
  const [, number] = /^\s*(?:player\s*)?(\d{1,2})\s*$/i.exec(text) ?? /.*\[(?:player\s*)?(\d+)\]/i.exec(text) ?? [];
  return number === undefined ? null : Number(number);
}

/**
 * Assigns each answer to its phase, and collects the rounds. Throws a RecordError if the answers do not fit the game's
 * order.
 */
function placeAnswers(game: TracedGame) {
  const table = new Table(game);
  const rounds: TimelineRound[] = [];
  while (table.isGoingOn()) {
    const acts = nightVerbs.map((verb) => ({ verb, counted: table.takeActs(verb) }));
    const [chosen, protections] = acts.map(({ counted }) => counted);
    const removed = table.endNight(chosen, protections);
    const presentFromDay = table.listAlive();
    const said = table.isGoingOn() ? table.takeStatements() : [];
    const cast = table.isGoingOn() ? table.takeTurns('vote', table.getAlive()) : [];
    const exiled = cast.length === 0 ? null : table.endDay(cast);
    const round = table.round;
    rounds.push({
      acts: acts.flatMap(({ verb, counted }) =>
        counted.map(({ seat, target }) => ({
          ...{ by: nameSeat(seat), night: round - 1, verb, target: nameSeat(target) },
          ...{ isDatedLater: false, reasoning: '', place: 0 },
        })),
      ),
      said: said.map(({ seat, text }) => ({
        ...{ by: nameSeat(seat), day: round, message: text, reasoning: '', place: 0 },
      })),
      cast: cast.map(({ seat, target }) => ({
        ...{ by: nameSeat(seat), day: round, target: nameSeat(target), reasoning: '', place: 0 },
      })),
      announced: {
        picked: nameOrNull(findLeader(chosen, removed)),
        removed: nameOrNull(removed),
        exiled: nameOrNull(exiled),
      },
      presentFromDay: new Set(presentFromDay),
      presentAfterDay: new Set(table.listAlive()),
    });
    table.round += 1;
  }
  return { placed: table.placed, rounds, survivors: table.listAlive() };
}

const nameOrNull = (seat: number | null) => (seat === null ? null : nameSeat(seat));

/** Returns the seats with the most votes, in the order of the votes. */
function listLeadingSeats(votes: readonly CountedAnswer[]): number[] {
  const counts = [...Map.groupBy(votes, ({ target }) => target)].map(([seat, { length }]) => [seat, length] as const);
  const most = Math.max(0, ...counts.map(([, count]) => count));
  return counts.filter(([, count]) => count === most).map(([seat]) => seat);
}

/**
 * Returns the player whom the Werewolves chose: the removed player, or else the only leader of the vote. Null if a
 * random draw with unknown result broke a tie.
 */
function findLeader(votes: readonly CountedAnswer[] = [], removed: number | null): number | null {
  const [leader, ...tied] = listLeadingSeats(votes);
  return removed ?? (tied.length === 0 ? (leader ?? null) : null);
}

/** The state of the table while answers are assigned to phases. */
class Table {
  round = 1;
  readonly game: TracedGame;
  readonly placed: PlacedAnswer[] = [];
  #next = 0;
  #alive: readonly number[];

  constructor(game: TracedGame) {
    this.game = game;
    this.#alive = game.players.map((_, seat) => seat);
  }

  isGoingOn = () => this.#next < this.game.answers.length;
  getAlive = () => this.#alive;
  listAlive = () => this.#alive.map(nameSeat);

  /** Takes the next answer of every living player who has the power. */
  takeActs(verb: Verb): CountedAnswer[] {
    const { name } = getPower(verb).role;
    return this.takeTurns(
      verb,
      this.#alive.filter((seat) => this.game.players[seat]?.role === name),
    );
  }

  takeStatements(): CountedAnswer[] {
    return Array.from({ length: this.game.passes }, () => this.takeTurns('debate', this.#alive)).flat();
  }

  /**
   * Takes answers, in the recorded order, until each of these seats has given one that counts. Illegal moves do not
   * count. Returns the answers that count.
   */
  takeTurns(action: PlacedAnswer['action'], seats: readonly number[]): CountedAnswer[] {
    const waiting = new Set(seats);
    const counted: CountedAnswer[] = [];
    while (waiting.size > 0) {
      const answer = this.game.answers[this.#next];
      if (answer === undefined)
        throw this.#refuse(`ends before ${[...waiting].map(nameSeat).join(', ')} answered`, action);
      if (!waiting.has(answer.seat))
        throw this.#refuse(`has an answer by ${nameSeat(answer.seat)} out of turn, at ${answer.time}`, action);
      const target = action === 'debate' ? null : readTarget(answer.text);
      const isIllegal = answer.isIllegal && action !== 'debate';
      const placed = { ...answer, round: this.round, action, target, isIllegal };
      this.#next += 1;
      this.placed.push(placed);
      if (isIllegal) continue;
      const named = action === 'debate' ? answer.seat : target;
      if (named === null || !this.#alive.includes(named))
        throw this.#refuse(
          `has an answer by ${nameSeat(answer.seat)}, at ${answer.time}, that names no living player`,
          action,
        );
      waiting.delete(answer.seat);
      counted.push({ seat: answer.seat, text: answer.text, target: named });
    }
    return counted;
  }

  /** Ends the night. Returns the player who was removed; null if nobody was. */
  endNight(chosen: readonly CountedAnswer[] = [], protections: readonly CountedAnswer[] = []): number | null {
    const shielded = new Set(protections.map(({ target }) => target));
    const open = listLeadingSeats(chosen).filter((seat) => !shielded.has(seat));
    // The removal that ends the game may not be announced, because nobody is asked anything after it.
    const removed = this.isGoingOn() ? this.#findFirst(this.game.killed, open) : (open[0] ?? null);
    return this.#remove(removed);
  }

  /** Ends the day. Returns the player who was voted out; null if nobody was. */
  endDay(cast: readonly CountedAnswer[]): number | null {
    const leaders = listLeadingSeats(cast);
    const isLast = !this.isGoingOn();
    const losers = leaders.filter((seat) => this.#getTeam(seat) !== this.game.winner);
    const exiled = isLast ? (losers[0] ?? leaders[0] ?? null) : this.#findFirst(this.game.exiled, leaders);
    return this.#remove(exiled);
  }

  #getTeam(seat: number) {
    const { role } = this.game.players[seat] ?? {};
    return role === undefined ? null : getRole(role).team;
  }

  /** Returns the living player among some seats who was announced first; null if none was announced. */
  #findFirst(announced: readonly number[], seats: readonly number[]): number | null {
    return announced.find((seat) => seats.includes(seat) && this.#alive.includes(seat)) ?? null;
  }

  #remove(seat: number | null): number | null {
    this.#alive = this.#alive.filter((other) => other !== seat);
    return seat;
  }

  #refuse(what: string, action: PlacedAnswer['action']): RecordError {
    return new RecordError(
      `${this.game.file} ${what} (${action}, round ${this.round}): its answers do not follow the order of the game.`,
    );
  }
}
