// The history pool of `memory=retrieval`: it selects which utterances of earlier rounds a player's prompts repeat word
// for word. The query is made of the player's own summaries, so nothing enters the prompt that is not in the player's
// own View.
import MiniSearch from 'minisearch';
import { isEventOfType } from './events.ts';
import type { SeenEvent, View } from './view.ts';

/**
 * Returns whether an event is a public utterance: a statement or an explained ballot. Only utterances are in the pool.
 */
const isUtterance = (event: SeenEvent): boolean =>
  isEventOfType('statement')(event) || (isEventOfType('ballot')(event) && event.explanation !== undefined);

const readWords = (event: SeenEvent): string =>
  isEventOfType('statement')(event) ? event.text : isEventOfType('ballot')(event) ? (event.explanation ?? '') : '';

/** Cached results by View. Callers ask about the events of a View one by one, and a View never changes. */
const found = new WeakMap<object, ReadonlySet<SeenEvent>>();

/**
 * Returns the utterances of earlier rounds that the player still sees word for word under `memory=retrieval`:
 * `historyK` of them. They are ranked by BM25 against all of the player's own summaries so far (ties: later first).
 * Under `historyRetriever=questions` they are ranked against fixed questions, and under `latest` they are simply the
 * latest. Empty under other rules, and if the player has no summary yet.
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

/** Lists the player's summaries of earlier rounds. They do not change during a day, so that prompts can be cached. */
const listOwnSummaries = (events: readonly SeenEvent[], now: number): string[] =>
  events
    .filter(isEventOfType('summary'))
    .filter(({ round }) => round < now)
    .map(({ text }) => text);

/**
 * Questions that players of ELLM ask themselves before every decision, reworded for this project. ELLM's later
 * questions differ by role.
 */
const fixedQuestions: readonly string[] = [
  'What is my role, and what is my aim in this game?',
  'Which roles may the other players have, by what was said?',
  'Who claimed to be the Seer, and can that be trusted?',
  'Who is most likely a Werewolf, and whom should I suspect?',
  'What follows if I reveal my role now?',
];
