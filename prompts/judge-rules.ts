// The rules of a match in the judge's words. Sentences of rules that were reworded for players stay here as judges read
// them, because a judge that is asked in other words may find other claims.
import type { PublicView } from '../state/view.ts';
import { createWording } from './paraphrase.ts';
import { renderRules } from './rules-text.ts';

/** Rules that do not affect what a statement can claim: about bids, private questions, memory and lengths. */
const idleRules: readonly string[] = [
  ...['bidScale', 'memory', 'historyK', 'thoughts', 'maxWords'],
  ...['analysis', 'scores', 'beliefs', 'syntheticVotes'],
];

/** Sentences that players read → the same sentences in the current wording of the judge (`judgeWording`). */
// prettier-ignore
const keptSentences: readonly (readonly [from: string, to: string])[] = [
  ['The Werewolves win as soon as they are at least half of the players left in the game.', 'The Werewolves win as soon as at least as many Werewolves as other players are left in the game.'],
  ['After the debate every living player votes for another.', 'After the debate every living player votes for another player.'],
  ['A player named by more than half of them is exiled, leaving the game; otherwise nobody is.', 'A player named by more than half of the living players is exiled, which means leaving the game; otherwise nobody is.'],
  ['A player named by more than half of the votes is exiled, leaving the game; otherwise nobody is.', 'A player named by more than half of the votes is exiled, which means leaving the game; otherwise nobody is.'],
  ['The player named most often is exiled, leaving the game; in a tie {1}.', 'The player named most often is exiled, which means leaving the game; in a tie {1}.'],
  ['When a player leaves the game, nothing is revealed about the role.', "When a player leaves the game, nothing is revealed about that player's role."],
  ['Apart from what is said above, players who have left the game take no further part.', 'Apart from what is said above, players who have left the game take no further part in it.'],
  ['Players who have left the game take no further part.', 'Players who have left the game take no further part in it.'],
  ['Only the moderator tells what really happened; statements are only what players say.', 'What has really happened you learn from the moderator alone; statements are only what players say.'],
];

const keepWords = createWording(keptSentences);

/** Renders the rules of a match as judges read them. */
export const renderJudgeRules = (view: PublicView): string =>
  renderRules(view, { leftOut: idleRules }).split('\n').map(keepWords).join('\n');
