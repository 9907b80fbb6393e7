// Questions about whom to exile: the ballot that counts, and the pseudo-vote and synthetic vote that do not.
import { hasBallotReasons } from '../state/rules/common-rules.ts';
import type { RandomSource } from '../state/random.ts';
import { findTiedPlayers, listVotable, type Vote } from '../state/steps/voting.ts';
import { listAllies, listLivingOthers, type View } from '../state/view.ts';
import { compose } from './compose.ts';
import { reasoning } from './fields.ts';
import type { Prompt, Question } from './prompt.ts';
import { createExplanationField, createVoteField } from './shapes.ts';

export const vote: Question<Vote> = {
  action: 'vote',
  put: (view, draw) =>
    composeVote(
      view,
      draw,
      'vote',
      findTiedPlayers(view.events, view.round)
        ? 'The tied players have spoken once more. Which of them do you vote to exile?'
        : isAfterPseudoVote(view)
          ? 'This is the vote that counts. Whom do you vote to exile?'
          : 'The debate is over. Whom do you vote to exile?',
      hasBallotReasons(view.rules),
    ),
};

const isAfterPseudoVote = ({ events, round }: View) =>
  events.some((event) => event.type === 'pseudo_ballot' && event.round === round);

/** Asks for a first vote that exiles nobody, held if there is a Sheriff. */
export const pseudoVote: Question<Vote> = {
  action: 'pseudo_vote',
  put: (view, draw) =>
    composeVote(
      view,
      draw,
      'pseudo_vote',
      'The debate is over. This is the pseudo-vote: it exiles nobody, and all players will see it; then the Sheriff sums up, and the vote that counts follows. Whom do you vote for?',
      false,
    ),
};

export const syntheticVote: Question<Vote> = {
  action: 'synthetic_vote',
  put: (view, draw) =>
    composeVote(view, draw, 'synthetic_vote', 'If the vote were now, whom would you vote to exile?', false),
};

function composeVote(
  view: View,
  draw: RandomSource,
  action: string,
  question: string,
  isPublic: boolean,
): Prompt<Vote> {
  const choices = listVotable(view);
  const shown = draw.shuffle(choices);
  const fields = { reasoning, vote: createVoteField(choices, shown) };
  const explained = { ...fields, explanation: createExplanationField(view.rules) };
  return compose({
    action,
    view,
    kind: 'choice',
    choices,
    shown,
    task: [isPublic ? `${question} All players will read why.` : question, ...renderScores(view)],
    fields: isPublic ? explained : fields,
    fallback: (fallbackDraw) => ({ reasoning: '', vote: fallbackDraw.pick(choices) }),
  });
}

/**
 * Renders the player's own suspicion scores (0…1) as the rules show them: with `scores=bands`, only the names of
 * players with a score above 0.6 or below 0.4. Empty for players who know the Werewolves.
 */
function renderScores(view: View): string[] {
  const { scores, rules } = view;
  if (scores === null || listAllies(view).length > 0 || rules.analysis === 'self' || rules.analysis === 'off')
    return [];
  const heard = listLivingOthers(view).filter((name) => typeof scores[name]?.round === 'number');
  const living = heard.map((name) => [name, scores[name]!.score] as const);
  if (rules.scores === 'numbers') {
    const shown = living.map(([name, score]) => `${name} ${score.toFixed(2)}`);
    if (shown.length === 0) return [];
    return [`How deceptive you rated their statements, from 0 to 1, the latest counting most: ${shown.join(', ')}.`];
  }
  const listBand = (within: (score: number) => boolean) =>
    living.filter(([, score]) => within(score)).map(([name]) => name);
  const above = listBand((score) => score > 0.6);
  const below = listBand((score) => score < 0.4);
  return [
    ...(above.length > 0
      ? [`By your own ratings, the latest counting most, their statements were clearly deceptive: ${above.join(', ')}.`]
      : []),
    ...(below.length > 0
      ? [
          `By your own ratings, the latest counting most, their statements were clearly not deceptive: ${below.join(', ')}.`,
        ]
      : []),
  ];
}
