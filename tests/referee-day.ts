// The referee by day: bids, statements, what is asked about them, ballots and the exile.
import { isType, type GameEvent } from '../state/event.ts';
import { isRevealed, isSame, mostNamed, type Span } from './referee-span.ts';

type Turn = Extract<GameEvent, { type: 'statement' | 'silence' }>;

export function checkDay(span: Span) {
  const { events, must, setup, round, living } = span;
  const turns = events.filter((event): event is Turn => event.type === 'statement' || event.type === 'silence');
  must(turns.length === setup.rules.debateTurns, 'a debate has its turns', round);
  for (const [step, turn] of turns.entries()) checkTurn(span, step, turn, turns[step - 1]);
  checkSyntheticVotes(span);
  for (const turn of turns) checkAnalyses(span, turn, turn.type === 'statement');
  for (const ballot of events.filter(isType('ballot')))
    checkAnalyses(span, ballot, ballot.explanation !== undefined && setup.rules.analyzeBallots);
  checkBeliefs(span);
  checkExile(span);
  const summaries = events.filter(isType('summary')).map(({ by }) => by);
  const isLast = events.some(isType('ended'));
  const left = living.filter((name) => !events.some((event) => event.type === 'death' && event.player === name));
  must(isSame(summaries, isLast ? [] : left), 'the living sum up a round that another follows', round);
}

function checkTurn({ events, must, living, setup, round }: Span, step: number, turn: Turn, before: Turn | undefined) {
  const bids = events.filter(isType('bid')).filter((bid) => bid.step === step);
  const eligible = living.filter((name) => name !== before?.by);
  const highest = Math.max(...bids.map(({ bid }) => bid ?? -1));
  const first = bids.filter(({ bid }) => bid === highest || highest === -1).map(({ by }) => by);
  must(
    isSame(
      bids.map(({ by }) => by),
      eligible,
    ),
    'all bid but the last speaker',
    { round, step },
  );
  must(
    bids.every(({ bid }) => bid === null || bid <= setup.rules.bidScale),
    'bids keep to the scale',
    bids,
  );
  must(
    bids.every(({ bid, mark }) => (bid === null) === (mark !== undefined)),
    'a bid that could not be read is marked',
    bids,
  );
  must(first.includes(turn.by), 'the highest bid speaks', turn);
  must(turn.id === `${round}.${step + 1}`, 'statements are numbered', turn);
  if (turn.type === 'statement') must(wordsIn(turn.text) <= 2 * setup.rules.maxWords, 'long statements are cut', round);
  must(turn.type !== 'silence' || turn.mark !== undefined, 'silence is marked', turn);
}

/** Words of a text, the mark of a cut not counted. */
const wordsIn = (text: string) => text.replace(/ …$/, '').split(' ').length;

function checkSyntheticVotes({ events, must, living, setup, round }: Span) {
  const votes = events.filter(isType('synthetic_vote'));
  for (let step = 1; step <= setup.rules.debateTurns; step++) {
    const isAsked = setup.rules.syntheticVotes && step < setup.rules.debateTurns;
    const by = votes.filter((vote) => vote.step === step).map((vote) => vote.by);
    must(isSame(by, isAsked ? living : []), 'all vote for show after every statement but the last', { round, step });
  }
}

/** Exactly those whom the rules ask give an analysis, or are noted as missing. */
function checkAnalyses({ events, must, living, setup }: Span, of: { id: string; by: string }, isAnalysed: boolean) {
  const { analysis } = setup.rules;
  const readable = events.filter(isType('assessment')).filter(({ statement }) => statement === of.id);
  const missing = events.filter(isType('missing')).filter(({ statements }) => statements.includes(of.id));
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
  const given = events.filter(isType('beliefs'));
  const missing = events.filter(isType('missing')).filter(({ action }) => action === 'beliefs');
  const by = [...given, ...missing].map((event) => event.by);
  if (setup.rules.beliefs === 'off') must(by.length === 0, 'beliefs are not asked where they are off', round);
  if (setup.rules.beliefs === 'each-round') must(isSame(by, living), 'all tell their beliefs once a round', round);
  for (const { by: believer, p_werewolf } of given) {
    const others = living.filter((name) => name !== believer);
    must(isSame(Object.keys(p_werewolf), others), 'beliefs are about all other living players', p_werewolf);
  }
}

function checkExile({ events, must, living, setup, round }: Span) {
  const { exile, exileTies, ballots: kind } = setup.rules;
  const ballots = events.filter(isType('ballot'));
  const deaths = events.filter(isType('death'));
  const refused = events.filter(isType('no_exile'));
  const top = mostNamed(ballots.map(({ target }) => target));
  const count = ballots.filter(({ target }) => target === top[0]).length;
  const isDecided = exile === 'majority' ? count > living.length / 2 : top.length === 1 || exileTies === 'random';
  must(
    isSame(
      ballots.map(({ by }) => by),
      living,
    ),
    'every living player votes once',
    round,
  );
  for (const ballot of ballots) {
    must(ballot.by !== ballot.target, 'nobody votes for himself', ballot);
    const isExplained = ballot.explanation !== undefined;
    must(wordsIn(ballot.explanation ?? '') <= 2 * setup.rules.maxWords, 'long explanations are cut', round);
    must(isExplained === (kind === 'public' && ballot.mark === undefined), 'public ballots are explained', ballot);
  }
  must(deaths.length === (isDecided ? 1 : 0) && refused.length === (isDecided ? 0 : 1), 'the ballots decide', round);
  for (const { reason } of refused)
    must(reason === (exile === 'majority' ? 'no majority' : 'tie'), 'why nobody goes is said', reason);
  for (const death of deaths) {
    must(top.includes(death.player) && death.cause === 'exile', 'the most named is exiled', death);
    must(isRevealed(death, setup), 'an exile tells what the rules say', death);
  }
}
