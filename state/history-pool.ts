// The history pool of `memory=retrieval`: which utterances of earlier rounds stand word for word in a player's prompts. The
// query is what the player itself has summed up of the dialogue, so nothing enters that is not in its own View.
import MiniSearch from 'minisearch';
import { isEventOfType } from './events.ts';
import type { SeenEvent, View } from './view.ts';

/** What was said in public and is kept in the pool: statements, and ballots that were explained. */
const isUtterance = (event: SeenEvent): boolean =>
  isEventOfType('statement')(event) || (isEventOfType('ballot')(event) && event.explanation !== undefined);

const readWords = (event: SeenEvent): string =>
  isEventOfType('statement')(event) ? event.text : isEventOfType('ballot')(event) ? (event.explanation ?? '') : '';

/** A View is never changed, and is asked about each of its events. */
const found = new WeakMap<object, ReadonlySet<SeenEvent>>();

/**
 * The utterances of earlier rounds that the player still sees word for word under `memory=retrieval`: `historyK` of them, by
 * BM25 of their words against all own summaries so far (ties: the later first), under `historyRetriever=questions` against
 * fixed questions, or under `latest` the last. Empty under other rules, and where the player has summed up nothing.
 *
 * @example listRecalledUtterances(createView(game, 'Ginger')).size // 5
 */
export function listRecalledUtterances(view: Pick<View, 'events' | 'rules' | 'round'>): ReadonlySet<SeenEvent> {
  if (view.rules.memory !== 'retrieval') return none;
  const known = found.get(view);
  if (known) return known;
  const chosen = new Set(chooseUtterances(view));
  found.set(view, chosen);
  return chosen;
}

const none: ReadonlySet<SeenEvent> = new Set();

function chooseUtterances({ events, rules, round: now }: Pick<View, 'events' | 'rules' | 'round'>): SeenEvent[] {
  const pool = events.filter((event) => event.round < now && isUtterance(event));
  if (rules.historyRetriever === 'latest') return pool.slice(-rules.historyK);
  const query = rules.historyRetriever === 'questions' ? fixedQuestions : listOwnSummaries(events, now);
  const index = new MiniSearch<{ id: number; words: string }>({ fields: ['words'] });
  index.addAll(pool.map((event, id) => ({ id, words: readWords(event) })));
  return index
    .search(query.join('\n'))
    .map(({ id, score }) => ({ id: id as number, score }))
    .sort((one, other) => other.score - one.score || other.id - one.id)
    .slice(0, rules.historyK)
    .map(({ id }) => pool[id]!);
}

/** Of earlier rounds: the same all day long, for the sake of prompt caches. */
const listOwnSummaries = (events: readonly SeenEvent[], now: number): string[] =>
  events
    .filter(isEventOfType('summary'))
    .filter(({ round }) => round < now)
    .map(({ text }) => text);

/** What players of ELLM ask themselves before every decision, in words of our own; its later questions differ by role. */
const fixedQuestions: readonly string[] = [
  'What is my role, and what is my aim in this game?',
  'Which roles may the other players have, by what was said?',
  'Who claimed to be the Seer, and can that be trusted?',
  'Who is most likely a Werewolf, and whom should I suspect?',
  'What follows if I reveal my role now?',
];
