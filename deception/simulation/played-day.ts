// A day played by the rules alone, from the election to the exile.
import { resolveExile, tiedToday, voters } from '../../state/ballots.ts';
import { besides, isPkDue, onward, type DayStep } from '../../state/course.ts';
import { bidders, nextSpeaker, pkSpeakers } from '../../state/debate.ts';
import * as deeds from '../../state/deeds.ts';
import {
  campaigners,
  electable,
  electionOutcome,
  electors,
  isElectionDue,
  noSheriff,
  unopposed,
} from '../../state/election.ts';
import type { Occasion } from '../../state/event.ts';
import type { Game } from '../../state/game.ts';
import { sheriffOf } from '../../state/sheriff.ts';
import { livingOthers } from '../../state/view.ts';
import { happen, words, type PlayedMatch } from './played-match.ts';

/** All that is done this day, up to who is exiled. */
export function playDay(match: PlayedMatch): void {
  const { game } = match;
  if (isElectionDue(game)) declare(match);
  for (;;) {
    const step = onward(game);
    steps[step](match);
    if (step === 'exile' && !isPkDue(game)) return;
  }
}

const others = ({ alivePlayers }: Game, me: string) => livingOthers({ alive: alivePlayers, me });

/** All say at once whether they stand for Sheriff. */
function declare(match: PlayedMatch) {
  const { game, choose } = match;
  const declared = game.alivePlayers.map((by) => deeds.stood(game, by, choose('candidacy', by, [true, false])));
  happen(match, [...declared, ...noSheriff(game, declared)]);
}

const steps: Readonly<Record<DayStep, (match: PlayedMatch) => void>> = {
  campaign: (match) => speak(match, campaigners(match.game)[0]!, 'campaign'),
  elect,
  speaking_order: (match) => {
    const { game, choose } = match;
    const sheriff = sheriffOf(game)!;
    happen(match, [deeds.ordered(game, sheriff, choose('speaking_order', sheriff, ['up', 'down']))]);
  },
  bid: askBids,
  debate: (match) => {
    speak(match, nextSpeaker(match.game));
    match.game.bids = {};
    for (const question of besides(match.game)) privately[question](match);
  },
  pk_debate: (match) => speak(match, pkSpeakers(match.game)[0]!, 'pk'),
  pseudo_vote: (match) => {
    const { game, choose } = match;
    const cast = game.alivePlayers.map((by) =>
      deeds.pseudoBallot(game, by, choose('pseudo_vote', by, others(game, by))),
    );
    happen(match, cast);
    const sheriff = sheriffOf(game)!;
    speak(match, sheriff, 'recommendation', { recommends: choose('recommend', sheriff, others(game, sheriff)) });
  },
  vote: (match) => {
    const { game, choose } = match;
    const tied = tiedToday(game);
    const explained = game.setup.rules.ballots === 'public' ? { explanation: words } : {};
    const cast = voters(game).map((by) => ({
      ...deeds.balloted(game, by, choose('vote', by, tied ?? others(game, by))),
      ...explained,
    }));
    happen(match, cast);
    game.votes = cast.map(({ by, target }) => ({ by, target }));
  },
  exile: (match) => {
    const outcome = resolveExile(match.game);
    happen(match, [outcome]);
    if (outcome.type === 'tie') match.game.votes = [];
  },
};

function speak(match: PlayedMatch, by: string, occasion?: Occasion, more: { recommends?: string } = {}) {
  happen(match, [{ ...deeds.turnOf(match.game, by, occasion), type: 'statement', text: words, ...more }]);
  match.game.step++;
}

function elect(match: PlayedMatch) {
  const { game, choose } = match;
  const only = unopposed(game);
  if (only) return happen(match, [only]);
  const standing = electable(game);
  const cast = electors(game).map((by) =>
    deeds.badgeBallot(
      game,
      by,
      choose(
        'elect',
        by,
        standing.filter((name) => name !== by),
      ),
    ),
  );
  const outcome = electionOutcome(game, cast);
  happen(match, outcome ? [...cast, outcome] : cast);
}

const upTo = (top: number) => Array.from({ length: top + 1 }, (_, bid) => bid);
const scales = { 4: upTo(4), 10: upTo(10) };
const hundredths = upTo(100).map((percent) => percent / 100);

function askBids(match: PlayedMatch) {
  const { game, choose } = match;
  const scale = scales[game.setup.rules.bidScale];
  const bids = bidders(game).map((by) => deeds.bidding(game, by, choose('bid', by, scale)));
  happen(match, bids);
  game.bids = Object.fromEntries(bids.map(({ by, bid }) => [by, bid]));
}

/** What is asked after a statement of the debate and no other player learns. */
const privately: Readonly<Record<ReturnType<typeof besides>[number], (match: PlayedMatch) => void>> = {
  bid: askBids,
  synthetic_vote: (match) => {
    const { game, choose } = match;
    happen(
      match,
      game.alivePlayers.map((by) => deeds.syntheticBallot(game, by, choose('synthetic_vote', by, others(game, by)))),
    );
  },
  beliefs: (match) => {
    const { game, choose } = match;
    const beliefsOf = (by: string) =>
      Object.fromEntries(others(game, by).map((name) => [name, choose('beliefs', by, hundredths)]));
    happen(
      match,
      game.alivePlayers.map((by) => deeds.believed(game, by, beliefsOf(by))),
    );
  },
};
