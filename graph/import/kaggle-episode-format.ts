// Reads a native episode of Kaggle's Game Arena, as its environment writes it (`env.toJSON()`). The events are in
// info.MODERATOR_OBSERVATION, as JSON within JSON. The models' prompts and answers are in the actions of the steps.
import { z } from 'zod';
import { RecordError } from '../../models/record/ndjson.ts';
import { parseJson } from '../../state/text.ts';
import type { GameSource } from './game-format.ts';
import { parsePublishedGame, type PublishedGame } from './timeline-format.ts';

const text = z.string().nullish();
const amount = z.number().min(0).nullish();

const Entry = z.object({
  event_name: z.string(),
  day: z.number().int().min(0),
  phase: text,
  description: text,
  data: z.record(z.string(), z.unknown()).nullish(),
  created_at: text,
});
type Entry = z.infer<typeof Entry> & { data_type: string };

const Observation = z.object({ data_type: z.string(), json_str: z.string() });

const Action = z.object({
  action_type: z.string(),
  kwargs: z.object({
    day: z.number().int().min(0),
    phase: text,
    actor_id: z.string(),
    error: z.unknown(),
    raw_prompt: text,
    raw_completion: text,
    prompt_tokens: amount,
    completion_tokens: amount,
    cost: amount,
    target_id: text,
    message: text,
    reasoning: text,
  }),
});

const Episode = z.object({
  id: z.string().nullish(),
  steps: z.array(z.array(z.object({ action: z.unknown() }))),
  info: z.object({
    MODERATOR_OBSERVATION: z.array(z.array(Observation)),
    GAME_END: z.object({
      winner_team: z.string(),
      survivors_until_last_round_and_role: z.record(z.string(), z.string()).nullish(),
      all_players: z
        .array(
          z.object({
            id: z.string().min(1),
            agent: z.object({
              role: z.string(),
              display_name: text,
              agent_id: text,
              llms: z.array(z.object({ model_name: z.string() })).nullish(),
            }),
          }),
        )
        .min(1),
    }),
  }),
});

/** One question to a model, with its prompt and answer as the episode has them. */
export interface EpisodeCall {
  player: string;
  day: number;
  isByNight: boolean;
  kind: 'act' | 'statement' | 'ballot';
  /** Action of the night in the names of published games, e.g. `Inspect`. */
  action: string;
  prompt: string | null;
  raw: string | null;
  error: string | null;
  tokens: { in: number; out: number } | null;
  /** USD. */
  cost: number | null;
  /** ISO 8601 in UTC; null if unknown. */
  at: string | null;
}

/**
 * Reads an episode as a published game, with its calls in the order of the steps. Throws a RecordError that names the
 * file, the place and what was expected there.
 *
 * @example readEpisode(readGameSource('episode.json')).game.winner // 'villagers'
 */
export function readEpisode(source: GameSource): { game: PublishedGame; calls: EpisodeCall[] } {
  const read = Episode.safeParse(source.value);
  if (!read.success)
    throw new RecordError(
      `${source.file} is not an episode of Kaggle's Game Arena that was played to its end:\n${z.prettifyError(read.error)}`,
    );
  const { id, info, steps } = read.data;
  const end = info.GAME_END;
  const entries = info.MODERATOR_OBSERVATION.flatMap((batch, step) =>
    batch.map((one, place) => readEntry(one, `${source.file}, info.MODERATOR_OBSERVATION[${step}][${place}]`)),
  );
  const survivors = Object.entries(end.survivors_until_last_round_and_role ?? {});
  const value = {
    id: id ?? source.sha256.slice(0, 12),
    players: end.all_players.map(({ id: name, agent }) => ({
      id: name,
      model: agent.llms?.[0]?.model_name ?? agent.display_name ?? agent.agent_id ?? 'unknown',
      role: agent.role,
    })),
    winner: end.winner_team,
    timeline: [
      ...entries.flatMap(convertEntry),
      ...(survivors.length === 0
        ? []
        : [
            {
              ...{ type: 'announcement', day: Math.max(...entries.map(({ day }) => day)), phase: 'Game Over' },
              description: `Survivors: {${survivors.map(([name, role]) => `'${name}': '${role}'`).join(', ')}}`,
              data: { winner_team: end.winner_team },
            },
          ]),
    ],
  };
  return {
    game: parsePublishedGame({ ...source, value }),
    calls: readCalls(steps, info.MODERATOR_OBSERVATION, source),
  };
}

function readEntry({ data_type, json_str }: z.infer<typeof Observation>, place: string): Entry {
  const entry = Entry.safeParse(parseJson(json_str));
  if (!entry.success) throw new RecordError(`${place}.json_str is damaged:\n${z.prettifyError(entry.error)}`);
  return { ...entry.data, data_type };
}

/**
 * Type of an entry → corresponding action of a published game. Entries of the other types only repeat these entries, or
 * ask players for them.
 */
const acts: Readonly<Record<string, string>> = {
  SeerInspectActionDataEntry: 'Inspect',
  DoctorHealActionDataEntry: 'Heal',
  WerewolfNightVoteDataEntry: 'Vote',
};

const announcements: ReadonlySet<string> = new Set([
  'WerewolfNightEliminationElectedDataEntry',
  'WerewolfNightEliminationDataEntry',
  'DayExileElectedDataEntry',
]);

const readText = (data: Entry['data'], key: string): string | null => {
  const value = data?.[key];
  return typeof value === 'string' ? value : null;
};

/** Converts an entry to entries of a published game; none if it adds nothing. */
function convertEntry({ data_type: type, day, phase, description, data }: Entry): object[] {
  const [player, reasoning] = [readText(data, 'actor_id'), readText(data, 'reasoning')];
  const target = readText(data, 'target_id');
  const action = acts[type];
  if (action !== undefined && player !== null)
    return [{ type: 'night_action', day, player, action: target === null ? 'NoOp' : action, target, reasoning }];
  if (type === 'ChatDataEntry' && player !== null)
    return [{ type: 'chat', day, player, message: readText(data, 'message') ?? '', reasoning }];
  if (type === 'DayExileVoteDataEntry' && player !== null) return [{ type: 'vote', day, player, target, reasoning }];
  return announcements.has(type) ? [{ type: 'announcement', day, phase, description, data }] : [];
}

type Steps = z.infer<typeof Episode>['steps'];
type Observations = z.infer<typeof Episode>['info']['MODERATOR_OBSERVATION'];

const otherKinds = { night: 'act', day: 'ballot' } as const;

function readCalls(steps: Steps, observed: Observations, { file }: GameSource): EpisodeCall[] {
  return steps.flatMap((seats, step) =>
    seats.flatMap(({ action }, seat): EpisodeCall[] => {
      if (typeof action !== 'object' || action === null || Object.keys(action).length === 0) return [];
      const read = Action.safeParse(action);
      if (!read.success)
        throw new RecordError(`${file}, steps[${step}][${seat}].action is damaged:\n${z.prettifyError(read.error)}`);
      const { action_type: type, kwargs } = read.data;
      const isByNight = kwargs.phase === 'Night';
      const { prompt_tokens: tokensIn, completion_tokens: tokensOut } = kwargs;
      return [
        {
          ...{ player: kwargs.actor_id, day: kwargs.day, isByNight },
          kind: type === 'ChatAction' ? 'statement' : otherKinds[isByNight ? 'night' : 'day'],
          action: type.replace(/Action$/, ''),
          prompt: kwargs.raw_prompt ?? null,
          raw: kwargs.raw_completion ?? null,
          error: typeof kwargs.error === 'string' ? kwargs.error : null,
          tokens:
            typeof tokensIn === 'number' && typeof tokensOut === 'number' ? { in: tokensIn, out: tokensOut } : null,
          cost: kwargs.cost ?? null,
          at: findTime(observed[step]),
        },
      ];
    }),
  );
}

/** Returns when a step was observed; null if unknown. */
function findTime(batch: Observations[number] | undefined): string | null {
  const [first] = batch ?? [];
  const created =
    first === undefined ? undefined : (parseJson(first.json_str) as { created_at?: unknown } | undefined)?.created_at;
  const time = typeof created === 'string' ? new Date(created.replace(' ', 'T')) : null;
  return time === null || Number.isNaN(time.getTime()) ? null : time.toISOString();
}
