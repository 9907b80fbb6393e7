// The referee for the Sheriff's office: the election, the order of speaking, the pseudo-vote and the recommendation.
import { isEventOfType, type EventOf } from '../state/events.ts';
import { isSame, isTurn, findMostNamed, type Span } from './referee-span.ts';

export function checkElection(span: Span) {
  const { events, must, setup, living, round } = span;
  const declared = events.filter(isEventOfType('candidacy'));
  const campaign = events.filter(isTurn).filter(({ occasion }) => occasion === 'campaign');
  const ballots = events.filter(isEventOfType('badge_ballot'));
  const elected = events.filter(isEventOfType('elected'));
  const isHeld = setup.rules.sheriff && round === 1;
  const stands = declared.filter((event) => event.stands).map(({ by }) => by);
  must(isSame(listAuthors(declared), isHeld ? living : []), 'all say once whether they stand for Sheriff', round);
  const speakers = setup.rules.sheriffCandidates === 'all' ? [] : stands;
  must(isSame(listAuthors(campaign), speakers), 'every candidate speaks once', campaign);
  must(
    events.filter(isEventOfType('no_sheriff')).length === (isHeld && stands.length === 0 ? 1 : 0),
    'that nobody stands is said',
    round,
  );
  must(elected.length === (stands.length > 0 ? 1 : 0), 'one is elected where any stand', elected);
  checkBadgeBallots(span, stands, ballots, elected[0]);
}

const listAuthors = (events: readonly { by: string }[]) => events.map((event) => event.by);

function checkBadgeBallots(
  { must, living }: Span,
  stands: readonly string[],
  ballots: readonly EventOf<'badge_ballot'>[],
  elected: EventOf<'elected'> | undefined,
) {
  if (stands.length <= 1) {
    must(ballots.length === 0, 'nobody votes where there is no choice', ballots);
    must(elected?.player === stands[0], 'the only candidate is elected', elected);
    must(elected === undefined || elected.how === 'unopposed', 'how the Sheriff was elected is said', elected);
    return;
  }
  const others = living.filter((name) => !stands.includes(name));
  const electors = others.length > 0 ? others : living;
  const first = ballots.filter(({ ballot }) => ballot === 1);
  const second = ballots.filter(({ ballot }) => ballot === 2);
  const tied = findMostNamed(first).top;
  const isTied = tied.length > 1;
  must(isSame(listAuthors(first), electors), 'those who do not stand vote, or all where all stand', first);
  must(isSame(listAuthors(second), isTied ? electors : []), 'a tie is voted on again, once', second);
  must(ballots.length === first.length + second.length, 'there are two votes for Sheriff at most', ballots);
  for (const ballot of ballots) {
    const open = ballot.ballot === 1 ? stands : tied;
    must(open.includes(ballot.target) && ballot.target !== ballot.by, 'votes for Sheriff are for who stands', ballot);
  }
  const { top } = findMostNamed(isTied ? second : first);
  must(top.includes(elected?.player ?? ''), 'the most named is elected', elected);
  must(elected?.how === (top.length > 1 ? 'draw' : 'vote'), 'how the Sheriff was elected is said', elected);
}

/**
 * Checks the speaking order, the pseudo-vote and the recommendation of a day. `sheriff`: the Sheriff of this day; null
 * if there is none.
 */
export function checkLead({ events, must, setup, living, voteless, round }: Span, sheriff: string | null) {
  const orders = events.filter(isEventOfType('speaking_order'));
  const isLed = sheriff !== null && setup.rules.debateOrder === 'round-robin';
  must(isSame(listAuthors(orders), isLed ? [sheriff] : []), 'the Sheriff decides the order of speaking', {
    round,
    orders,
  });
  const pseudo = events.filter(isEventOfType('pseudo_ballot'));
  const voters = living.filter((name) => !voteless.includes(name));
  must(isSame(listAuthors(pseudo), sheriff === null ? [] : voters), 'a Sheriff has a pseudo-vote of all', {
    round,
    pseudo,
  });
  for (const ballot of pseudo)
    must(living.includes(ballot.target) && ballot.by !== ballot.target, 'a pseudo-vote is for another', ballot);
  const words = events.filter(isTurn).filter(({ occasion }) => occasion === 'recommendation');
  must(isSame(listAuthors(words), sheriff === null ? [] : [sheriff]), 'a Sheriff sums up once', words);
  for (const turn of events.filter(isEventOfType('statement'))) {
    const isNamed = turn.recommends !== undefined;
    must(isNamed === (turn.occasion === 'recommendation'), 'who sums up recommends, and nobody else', turn);
    must(!isNamed || (living.includes(turn.recommends!) && turn.recommends !== turn.by), 'one of the others', turn);
  }
}
