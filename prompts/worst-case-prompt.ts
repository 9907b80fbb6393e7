// An upper bound of the length of a first day's prompts. A match begins only if the model's context window can hold
// them.
import { hasBallotReasons } from '../state/rules/common-rules.ts';
import { createDealEvents, createInitialState } from '../state/deal.ts';
import type { Game, Setup } from '../state/game.ts';
import { draw } from '../state/random.ts';
import { powers } from '../state/roles/index.ts';
import { getTurnsPerDay } from '../state/steps/debate.ts';
import { createView, type View } from '../state/view.ts';
import * as analysis from './analysis.ts';
import { debate, draft } from './debate.ts';
import type { AnyPrompt } from './prompt.ts';
import { isAskedIn } from './shapes.ts';
import { summarize, sumUp } from './summarize.ts';
import { syntheticVote, vote } from './voting.ts';

/**
 * Assumed length of a thought or a reason, in words. Models write 30 to 60 words. They may write up to
 * `maxPrivateWords`; prompts are then shortened during the match. A window without room for thoughts of even 50 words
 * would hide much of the match from the player.
 */
const usualThought = 50;

/** An English word of average length with its space. */
const word = 'wordy ';

/**
 * Composes every question at the end of the first day for a player with this role, after the longest possible day:
 * nobody has left, and everybody has spoken for as long as the rules allow. The history consists of filler lines, each
 * as long as the longest of its kind. No first day has a longer prompt, except one with a tie that a PK breaks.
 *
 * @example composeLongestFirstDay(setup, { role: 'Seer' }).find(({ action }) => action === 'vote')!.user.length
 */
export function composeLongestFirstDay(
  setup: Setup,
  { role, persona }: Pick<Setup['players'][number], 'role' | 'persona'>,
): AnyPrompt[] {
  const { rules, players } = setup;
  const alike = players.filter((player) => player.role === role && player.persona === persona);
  const me = sortBySize(alike.map(({ name }) => name))[0]!; // the player with the shortest name, since its prompts list all longer names
  const names = players.map(({ name }) => name);
  const scores = Object.fromEntries(names.map((name) => [name, { score: 1, round: 1 }])); // so that all are shown
  const game = {
    ...(createInitialState(setup) as Game),
    ...{ gameLogs: createDealEvents(setup), deceptionScores: { [me]: scores }, roundNum: 1, phase: 'day' as const },
  };
  const { experience } = setup;
  const remembered = experience?.seats.includes(me) ? listLongestMemories(experience.k) : [];
  const seen: View = { ...createView(game, me), remembered };
  const options = draw(setup.seed, 'options', me);
  const statement = (by: string) => ({ id: '1.1', by, text: word.repeat(rules.maxWords) });
  const others = names.filter((name) => name !== me);
  const questions: Readonly<Record<string, () => AnyPrompt>> = {
    debate: () => debate.put(seen, options),
    draft: () => draft.put(seen, options),
    vote: () => vote.put(seen, options),
    synthetic_vote: () => syntheticVote.put(seen, options),
    self_analysis: () => analysis.selfAnalysis.put(seen, options, statement(me)),
    peer_analysis: () => analysis.peerAnalysis.put(seen, options, statement(others[0]!)),
    ballot_self_analysis: () => analysis.ballotSelfAnalysis.put(seen, options, statement(me)),
    ballot_peer_analysis: () => analysis.ballotPeerAnalysis.put(seen, options, others.map(statement)),
    beliefs: () => analysis.beliefs.put(seen, options),
    sum_up: () => sumUp.put(seen, options),
    summarize: () => summarize.put(seen, options),
  };
  const history = boundHistory(setup, role);
  return Object.entries(questions)
    .filter(([action]) => isAskedIn(seen, action))
    .map(([, put]) => put())
    .map((prompt) => ({ ...prompt, user: `${prompt.user}\n${history}` }));
}

/** Greatest length of an experience in words: its situation, the decision, and a reflection. */
const memoryWords = 400;

const listLongestMemories = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), text: word.repeat(memoryWords) }));

/**
 * Renders filler lines in place of what a player has seen and thought by the end of the first day. The lines are as
 * many as can occur, and as long as the rules and the assumed lengths allow.
 */
function boundHistory({ rules, players }: Setup, role: string): string {
  const longest = sortBySize(players.map(({ name }) => name)).at(-1)!;
  const lines = (count: number, frame: string, words: number) => `- ${frame}: "${word.repeat(words)}"\n`.repeat(count);
  const count = players.length;
  const turns = getTurnsPerDay(rules, count);
  const held = powers.filter((power) => power.role.name === role);
  const proposals = held.some(({ actor }) => actor === 'team') && rules.pack === 'vote' ? 2 : 0;
  const pack = players.filter((player) => player.role === role).length;
  const office = rules.sheriff ? 1 : 0;
  const speeches = rules.sheriffCandidates === 'all' ? 0 : count; // speeches of candidates
  const ownTurns = rules.debateOrder === 'bidding' ? turns + 1 : rules.debatePasses; // bids, and the statements that won them
  const analyses = rules.thoughts === 'all' && rules.analysis !== 'off' ? turns + 2 : 0; // analyses of statements and of a ballot
  return [
    lines(turns + office * (speeches + 1), `${longest} said as a candidate`, rules.maxWords),
    lines(
      rules.ballots === 'public' ? count : 1,
      `${longest} voted for ${longest}`,
      hasBallotReasons(rules) ? rules.maxWords : 0,
    ),
    lines(
      rules.thoughts === 'none' ? 0 : ownTurns + 1 + 6 * office + held.length + proposals + analyses,
      'You thought (speaking order)',
      usualThought,
    ),
    lines(rules.voteSummary ? 1 : 0, 'Your summary of the debate', usualThought),
    lines(proposals * pack, `${longest} proposed to the other Werewolves to eliminate ${longest}`, usualThought),
    lines(3 * held.length + office * (3 * count + 2), `${longest} voted for ${longest} in the pseudo-vote.`, 0),
    lines(3, `Nobody was exiled: nobody was named by more than half. ${longest}`, 0),
  ].join('');
}

const sortBySize = (names: readonly string[]) =>
  names.toSorted((one, other) => encoder.encode(one).length - encoder.encode(other).length);

const encoder = new TextEncoder();
