// Composes the longest possible prompts of a first day from real events. These prompts must stay within the bound.
import * as analysis from '../../prompts/analysis.ts';
import { debate, draft } from '../../prompts/debate.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { isAskedIn } from '../../prompts/shapes.ts';
import { summarize, sumUp } from '../../prompts/summarize.ts';
import { syntheticVote, vote } from '../../prompts/voting.ts';
import { createDealEvents, createInitialState } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import type { Game, Setup } from '../../state/game.ts';
import { draw } from '../../state/random.ts';
import { type HeldPower, powers } from '../../state/roles/index.ts';
import { getTurnsPerDay } from '../../state/steps/debate.ts';
import { createView } from '../../state/view.ts';

/**
 * Length of a private thought or reason, in words. Models write 30 to 60 words. They may write up to `maxPrivateWords`;
 * a match's prompts are then shortened. A window too small for even this length would hide much of the match from the
 * player.
 */
const usualThought = 50;

const ordinary =
  'I believe that somebody at this table knows considerably more about what happened last night than we were told so far'.split(
    ' ',
  );

/** Creates this many ordinary English words, of 5 to 6 characters with the following space. */
const words = (count: number) =>
  Array.from({ length: count }, (_, index) => ordinary[index % ordinary.length]).join(' ');

/**
 * Renders the prompts for `me` at the end of the longest first day: nobody has left, and everybody has spoken for as
 * long as the rules allow. A tie with PK would add to it, but few days have one.
 */
export function renderFullRound(setup: Setup, me: string): AnyPrompt[] {
  const { rules, players } = setup;
  const others = players.map(({ name }) => name).filter((name) => name !== me);
  const { before, after } = officeOf(setup, me);
  const spoken = [
    ...createDealEvents(setup),
    ...nightOf(setup, me),
    ...before,
    ...debateOf(setup, me, others),
    ...after,
  ];
  const debated = createView(gameOf(setup, spoken), me);
  const own: GameEvent = { ...at('day', [me]), type: 'summary', by: me, text: words(usualThought), before: 'vote' };
  const summed = [...spoken, ...(rules.voteSummary ? [own] : [])];
  const ballots = [...summed, ...ballotOf(setup, me)];
  const voted = createView(gameOf(setup, ballots), me);
  const over = createView(
    gameOf(setup, [...ballots, { ...at('day', 'everyone'), type: 'no_exile', reason: 'no majority' }]),
    me,
  );
  const options = draw(setup.seed, 'options', me);
  const statement = (by: string) => ({ id: `1.${by}`, by, text: words(rules.maxWords) });
  const said = (by: string) => ({ ...statement(by), id: '1.1' });
  const isSelf = rules.analysis === 'both' || rules.analysis === 'self';
  const isPeer = rules.analysis === 'both' || rules.analysis === 'peer';
  const isBallot = rules.ballots === 'public' && rules.analyzeBallots;
  return [
    ...(isAskedIn(debated, 'debate') ? [debate.put(debated, options)] : []),
    ...(isAskedIn(debated, 'draft') ? [draft.put(debated, options)] : []),
    vote.put(createView(gameOf(setup, summed), me), options),
    ...(rules.syntheticVotes ? [syntheticVote.put(debated, options)] : []),
    ...(isSelf ? [analysis.selfAnalysis.put(debated, options, said(me))] : []),
    ...(isPeer ? [analysis.peerAnalysis.put(debated, options, said(others[0]!))] : []),
    ...(isSelf && isBallot ? [analysis.ballotSelfAnalysis.put(voted, options, statement(me))] : []),
    ...(isPeer && isBallot ? [analysis.ballotPeerAnalysis.put(voted, options, others.map(statement))] : []),
    ...(rules.beliefs === 'each-round' ? [analysis.beliefs.put(voted, options)] : []),
    ...(rules.voteSummary ? [sumUp.put(debated, options)] : []),
    summarize.put(over, options),
  ];
}

/** Creates a game in which all scores have changed, so that prompts show all scores. */
function gameOf(setup: Setup, gameLogs: readonly GameEvent[]): Game {
  const names = setup.players.map(({ name }) => name);
  const scores = Object.fromEntries(names.map((name) => [name, { score: 1, round: 1 }]));
  return {
    ...(createInitialState(setup) as Game),
    deceptionScores: Object.fromEntries(names.map((name) => [name, scores])),
    roundNum: 1,
    phase: 'day',
    step: getTurnsPerDay(setup.rules, names.length),
    gameLogs: [...gameLogs],
  };
}

const at = (phase: Game['phase'], audience: GameEvent['audience']) => ({ round: 1, phase, audience });

const thought = (phase: Game['phase'], by: string, action: string): GameEvent => ({
  ...at(phase, [by]),
  type: 'thought',
  by,
  action,
  step: 0,
  reasoning: words(usualThought),
});

/** Lists the events of the player's own power. Empty if the player has no power. */
function nightOf({ players, rules }: Setup, me: string): GameEvent[] {
  const { role } = players.find(({ name }) => name === me)!;
  const target = players.find(({ name }) => name !== me)!.name;
  const pack = players.filter((player) => player.role === role).map(({ name }) => name);
  const own = at('night', [me]);
  const alone = ({ verb, aim }: HeldPower): GameEvent[] => [
    thought('night', me, verb),
    { ...own, type: 'acted', by: me, verb, target },
    ...(aim === 'learn' ? [{ ...own, type: 'learned' as const, by: me, about: target, role }] : []),
  ];
  const together = ({ verb }: HeldPower): GameEvent[] => [
    ...[1, 2].flatMap((ballot): GameEvent[] => [
      thought('night', me, verb),
      ...pack.map((by): GameEvent => ({
        ...own,
        type: 'proposal',
        by,
        verb,
        target,
        reason: words(usualThought),
        ballot,
      })),
    ]),
    { ...own, type: 'pick', verb, target },
  ];
  const isTogether = ({ actor }: HeldPower) => actor === 'team' && rules.pack === 'vote' && pack.length > 1;
  const held = powers.filter((power) => power.role.name === role);
  return [
    ...held.flatMap((power) => (isTogether(power) ? together(power) : alone(power))),
    { ...at('night', 'everyone'), type: 'quiet_night' },
  ];
}

/**
 * Lists the events of the office if there is a Sheriff: everybody stands and speaks, everybody votes twice, and the
 * Sheriff sums up.
 */
function officeOf({ rules, players }: Setup, me: string): Record<'before' | 'after', GameEvent[]> {
  if (!rules.sheriff) return { before: [], after: [] };
  const day = at('day', 'everyone');
  const said = { ...day, type: 'statement' as const, text: words(rules.maxWords) };
  const names = players.map(({ name }) => name);
  const isForAll = rules.sheriffCandidates === 'all';
  return {
    before: [
      ...(isForAll ? ['elect'] : ['candidacy', 'campaign', 'elect']).map((action) => thought('day', me, action)),
      ...names.map((by): GameEvent => ({ ...day, type: 'candidacy', by, stands: true })),
      ...(isForAll ? [] : names).map((by): GameEvent => ({
        ...said,
        id: `1.${by}.campaign`,
        by,
        occasion: 'campaign',
      })),
      ...names.map((by): GameEvent => ({ ...day, type: 'badge_ballot', by, target: me, ballot: 1 })),
      { ...day, type: 'elected', player: me, how: 'vote' },
    ],
    after: [
      ...['pseudo_vote', 'recommend'].map((action) => thought('day', me, action)),
      ...names.map((by): GameEvent => ({ ...day, type: 'pseudo_ballot', by, target: me })),
      { ...said, id: '1.recommendation', by: me, occasion: 'recommendation', recommends: names[0]! },
    ],
  };
}

/**
 * Lists the events of the debate. The player gets every second turn, including the first, and has a thought at each bid
 * and each statement.
 */
function debateOf({ rules, players }: Setup, me: string, others: readonly string[]): GameEvent[] {
  const isBidFor = rules.debateOrder === 'bidding';
  const table = [me, ...others];
  const speakerOf = (turn: number) =>
    isBidFor ? (turn % 2 === 0 ? me : others[turn % others.length]!) : table[turn % table.length]!;
  return Array.from({ length: getTurnsPerDay(rules, players.length) }, (_, turn): GameEvent[] => {
    const by = speakerOf(turn);
    const asked = rules.turn === 'draft' ? ['draft'] : ['bid', 'debate'];
    const actions = by !== me ? [] : isBidFor ? asked : ['debate'];
    return [
      ...actions.map((action) => thought('day', me, action)),
      { ...at('day', 'everyone'), type: 'statement', id: `1.${turn + 1}`, by, text: words(rules.maxWords) },
      ...(rules.thoughts === 'all' && rules.analysis !== 'off' ? [thought('day', me, 'peer_analysis')] : []),
    ];
  }).flat();
}

const ballotOf = ({ rules, players }: Setup, me: string): GameEvent[] => [
  thought('day', me, 'vote'),
  ...players
    .filter(({ name }) => rules.ballots === 'public' || name === me)
    .map(({ name: by }): GameEvent => ({
      ...at('day', 'everyone'),
      type: 'ballot',
      id: `1.${by}`,
      by,
      target: me,
      ...(rules.ballots === 'public' && rules.ballotReasons ? { explanation: words(rules.maxWords) } : {}),
    })),
];
