// The referee by day: bids, statements, questions about statements, ballots and the exile.
import { isDebateSummary, isEventOfType, type EventOf, type GameEvent } from '../state/events.ts';
import { isInOrder } from './referee-night.ts';
import { checkElection, checkLead } from './referee-office.ts';
import { findHolderAfter, isSame, isTurn, findMostNamed, without, type Span, type Turn } from './referee-span.ts';

export function checkDay(span: Span) {
  const { events, must, setup, round, living } = span;
  const turns = events.filter(isTurn);
  const sheriff = findHolderAfter(span.sheriff, events.filter(isEventOfType('elected')));
  must(isInOrder(events.map(getPlaceInDay)), 'everything in a day has its time', round);
  checkElection(span);
  checkLead(span, sheriff);
  for (const [index, turn] of turns.entries()) {
    must(turn.id === `${round}.${index + 1}`, 'statements are numbered', turn);
    must(turn.type !== 'silence' || turn.mark !== undefined, 'silence is marked', turn);
    if (turn.type === 'statement')
      must(countWords(turn.text) <= 2 * setup.rules.maxWords, 'long statements are cut', round);
    checkAnalyses(span, turn, turn.type === 'statement');
  }
  if (setup.rules.debateOrder === 'bidding') checkBidding(span, turns, sheriff);
  else checkOrder(span, turns, sheriff);
  checkSyntheticVotes(span, turns);
  for (const ballot of events.filter(isEventOfType('ballot')))
    checkAnalyses(span, ballot, ballot.explanation !== undefined && setup.rules.analyzeBallots);
  checkBeliefs(span);
  checkBallots(span, sheriff);
  checkDebateSummaries(span);
  const summaries = events.filter(isEventOfType('summary')).filter(({ before }) => before === undefined).map(({ by }) => by); // prettier-ignore
  const isLast = events.some(isEventOfType('ended'));
  must(
    isSame(summaries, isLast ? [] : without(living, events)),
    'the living sum up a round that another follows',
    round,
  );
}

/**
 * Checks that under `voteSummary` voters sum up the debate just before each vote, including a vote between tied
 * players.
 */
function checkDebateSummaries({ events, must, setup, round }: Span) {
  const split = (of: GameEvent[]) => {
    const tie = events.findIndex(({ type }) => type === 'tie');
    return Map.groupBy(of, (event) => tie >= 0 && events.indexOf(event) > tie);
  };
  const summaries = split(events.filter(isDebateSummary));
  const ballots = split(events.filter(isEventOfType('ballot')));
  for (const isAfterTie of [false, true]) {
    const [summed, voted] = [summaries, ballots].map((of) => (of.get(isAfterTie) ?? []) as { by: string }[]);
    const by = (some: readonly { by: string }[]) => some.map((event) => event.by);
    must(isSame(by(summed!), setup.rules.voteSummary ? by(voted!) : []), 'voters sum up the debate where asked', round);
  }
}

/** Place of an event within a day; undefined if it may happen at any time. */
function getPlaceInDay(event: GameEvent): number | undefined {
  if (isTurn(event)) return event.occasion ? { campaign: 1, recommendation: 7, pk: 10 }[event.occasion] : 5;
  if (isDebateSummary(event)) return undefined; // stands before each ballot
  if (event.type === 'ballot') return event.id.includes('pk') ? 11 : 8;
  if (event.type === 'badge_ballot') return event.ballot === 1 ? 2 : 2.5;
  if (event.type === 'death') return event.cause === 'last_act' ? 13 : 12;
  const places: Partial<Record<GameEvent['type'], number>> = {
    candidacy: 0,
    no_sheriff: 1,
    elected: 3,
    speaking_order: 4,
    bid: 5,
    pseudo_ballot: 6,
    tie: 9,
    no_exile: 12,
    exile_survived: 12,
    last_act: 13,
    passed: 13,
    badge: 13,
    summary: 14,
    ended: 15,
  };
  return places[event.type];
}

const isInDebate = ({ occasion }: Turn) => occasion === undefined;

function checkBidding({ events, must, living, setup, round }: Span, turns: readonly Turn[], sheriff: string | null) {
  const debate = turns.filter(isInDebate);
  const allBids = events.filter(isEventOfType('bid'));
  must(debate.length === setup.rules.debateTurns, 'a debate has its turns', round);
  for (const turn of debate) {
    const step = turns.indexOf(turn);
    const bids = allBids.filter((bid) => bid.step === step);
    const isOpened = sheriff !== null && turn === debate[0];
    if (isOpened) must(turn.by === sheriff, 'the Sheriff opens the debate', turn);
    const eligible = isOpened
      ? []
      : living.filter((name) => setup.rules.bidders === 'all' || name !== turns[step - 1]?.by);
    const highest = Math.max(...bids.map(({ bid }) => bid ?? -1));
    const first = bids.filter(({ bid }) => bid === highest || highest === -1).map(({ by }) => by);
    must(
      isSame(
        bids.map(({ by }) => by),
        eligible,
      ),
      'all bid who may',
      { round, step },
    );
    must(isOpened || first.includes(turn.by), 'the highest bid speaks', turn);
  }
  must(
    allBids.every(({ step }) => turns[step] && isInDebate(turns[step])),
    'bids are for turns of the debate',
    round,
  );
  must(
    allBids.every(({ bid }) => bid === null || bid <= setup.rules.bidScale),
    'bids keep to the scale',
    allBids,
  );
  must(
    allBids.every(({ bid, mark }) => (bid === null) === (mark !== undefined)),
    'a bid that could not be read is marked',
    allBids,
  );
}

/** Checks that the speaking order goes around the table from a living player (the Sheriff, if there is one). */
function checkOrder({ events, must, living, setup, round }: Span, turns: readonly Turn[], sheriff: string | null) {
  const { debatePasses, debateLead } = setup.rules;
  const speakers = turns.filter(isInDebate).map(({ by }) => by);
  const isDown = events.find(isEventOfType('speaking_order'))?.direction === 'down';
  const around = isDown ? living.toReversed() : living;
  const seats = setup.players.map(({ name }) => name);
  const due = seats.map((_, index) => seats[(round - 1 + index) % seats.length]!).find((name) => living.includes(name));
  const first = sheriff ?? (debateLead === 'rotation' ? due! : speakers[0]!);
  const from = around.indexOf(first);
  const once = [...around.slice(from), ...around.slice(0, from)];
  const expected = Array.from({ length: debatePasses }, () => once).flat();
  must(speakers.join() === expected.join(), 'everybody speaks in order', { round, speakers, expected });
  must(!events.some(isEventOfType('bid')), 'nobody bids where all speak in order', round);
}

/** Counts words without the mark of a cut. */
const countWords = (text: string) => text.replace(/ …$/, '').split(' ').length;

function checkSyntheticVotes({ events, must, living, voteless, setup, round }: Span, turns: readonly Turn[]) {
  const votes = events.filter(isEventOfType('synthetic_vote'));
  const debate = turns.filter(isInDebate);
  for (const [index, turn] of turns.entries()) {
    const isAsked = setup.rules.syntheticVotes && isInDebate(turn) && turn !== debate.at(-1);
    const by = votes.filter((vote) => vote.step === index + 1).map((vote) => vote.by);
    const voters = living.filter((name) => !voteless.includes(name));
    must(isSame(by, isAsked ? voters : []), 'all vote for show after every statement but the last', { round, index });
  }
}

/**
 * Checks who analyzes a statement: each player who must be asked gives an analysis or is recorded as missing one, and
 * nobody else is asked.
 */
function checkAnalyses({ events, must, living, setup }: Span, of: { id: string; by: string }, isAnalysed: boolean) {
  const { analysis } = setup.rules;
  const readable = events.filter(isEventOfType('assessment')).filter(({ statement }) => statement === of.id);
  const missing = events.filter(isEventOfType('missing')).filter(({ statements }) => statements.includes(of.id));
  const given = [...readable, ...missing].map(({ by }) => by);
  const wanted = living.filter(
    (name) => isAnalysed && (analysis === 'both' || analysis === (name === of.by ? 'self' : 'peer')),
  );
  must(isSame(given, wanted), 'a statement is analysed by those whom the rules name', { of, given, wanted });
  for (const one of readable) {
    const isOwn = one.by === of.by;
    must(one.about === of.by, 'an analysis is of the speaker', one);
    must((one.stated_falsehood === undefined) !== isOwn, 'only speakers say whether they lied', one);
    must((one.suspicion === undefined && one.p_werewolf === undefined) === isOwn, 'only listeners suspect', one);
  }
}

function checkBeliefs({ events, must, living, setup, round }: Span) {
  const given = events.filter(isEventOfType('beliefs'));
  const missing = events.filter(isEventOfType('missing')).filter(({ action }) => action === 'beliefs');
  const by = [...given, ...missing].map((event) => event.by);
  if (setup.rules.beliefs === 'off') must(by.length === 0, 'beliefs are not asked where they are off', round);
  if (setup.rules.beliefs === 'each-round') must(isSame(by, living), 'all tell their beliefs once a round', round);
  for (const { by: believer, p_werewolf } of given) {
    const others = living.filter((name) => name !== believer);
    must(isSame(Object.keys(p_werewolf), others), 'beliefs are about all other living players', p_werewolf);
  }
}

/** Checks the ballot, the second ballot between tied players if the rules have one, and the exile. */
function checkBallots(span: Span, sheriff: string | null) {
  const { events, must, living, voteless, setup, round } = span;
  const entitled = living.filter((name) => !voteless.includes(name));
  const [tie, ...more] = events.filter(isEventOfType('tie'));
  const ballots = events.filter(isEventOfType('ballot'));
  const isSecond = ({ id }: EventOf<'ballot'>) => id === `${round}.pk.${id.split('.').at(-1)}`;
  const first = ballots.filter((ballot) => !isSecond(ballot));
  const second = ballots.filter(isSecond);
  const halves = (by: string) => (by === sheriff ? 2 * setup.rules.sheriffWeight : 2);
  const { top } = findMostNamed(first, halves);
  const isPk =
    setup.rules.exile === 'plurality' &&
    setup.rules.exileTies === 'pk' &&
    top.length > 1 &&
    entitled.some((name) => !top.includes(name));
  const tied = tie?.players ?? [];
  must(isPk === (tie !== undefined) && more.length === 0, 'a tie is decided by a PK where that is the rule', {
    round,
    top,
  });
  must(!isPk || tied.join() === living.filter((name) => top.includes(name)).join(), 'the tied are named', tie);
  const again = events.filter(isTurn).filter(({ occasion }) => occasion === 'pk');
  must(again.map(({ by }) => by).join() === tied.join(), 'the tied speak once more, in seat order', again);
  checkVoters(span, first, entitled, living);
  const others = isPk ? entitled.filter((name) => !tied.includes(name)) : [];
  checkVoters(span, second, others, tied);
  checkOutcome(span, isPk ? second : first, halves);
}

/** Whether a player is an Idiot who has not yet survived an exile. */
const isIdiotIn = ({ players }: Span['setup'], player: string, voteless: readonly string[]) =>
  players.find(({ name }) => name === player)!.role === 'Idiot' && !voteless.includes(player);

function checkVoters(
  { must, setup, round }: Span,
  ballots: readonly EventOf<'ballot'>[],
  voters: readonly string[],
  open: readonly string[],
) {
  const by = ballots.map((ballot) => ballot.by);
  must(isSame(by, voters), 'everybody who has a vote votes once, or all but the tied', { round, by, voters });
  for (const ballot of ballots) {
    must(ballot.by !== ballot.target, 'nobody votes for himself', ballot);
    must(open.includes(ballot.target), 'votes are for the living, or for the tied', ballot);
    const isExplained = ballot.explanation !== undefined;
    must(countWords(ballot.explanation ?? '') <= 2 * setup.rules.maxWords, 'long explanations are cut', round);
    must(
      isExplained === (setup.rules.ballots === 'public' && setup.rules.ballotReasons && ballot.mark === undefined),
      'public ballots are explained',
      ballot,
    );
  }
}

function checkOutcome(
  { events, must, living, voteless, setup, round }: Span,
  ballots: readonly EventOf<'ballot'>[],
  halves: (by: string) => number,
) {
  const { exile, exileTies } = setup.rules;
  const { top, most } = findMostNamed(ballots, halves);
  const all = living.filter((name) => !voteless.includes(name)).reduce((sum, name) => sum + halves(name), 0);
  const isDecided = exile === 'majority' ? 2 * most > all : top.length === 1 || exileTies === 'random';
  const deaths = events.filter(isEventOfType('death')).filter(({ cause }) => cause !== 'last_act');
  const refused = events.filter(isEventOfType('no_exile'));
  const survived = events.filter(isEventOfType('exile_survived'));
  must(
    deaths.length + survived.length === (isDecided ? 1 : 0) && refused.length === (isDecided ? 0 : 1),
    'the ballots decide',
    round,
  );
  for (const { reason } of refused)
    must(reason === (exile === 'majority' ? 'no majority' : 'tie'), 'why nobody goes is said', reason);
  for (const death of deaths)
    must(
      top.includes(death.player) && death.cause === 'exile' && !isIdiotIn(setup, death.player, voteless),
      'the most named is exiled',
      death,
    );
  for (const { player, role } of survived)
    must(
      top.includes(player) && role === 'Idiot' && isIdiotIn(setup, player, voteless),
      'an Idiot survives the first exile',
      player,
    );
}
