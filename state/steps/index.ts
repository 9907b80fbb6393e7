// The register of steps: the step that is played in each node of a match.
import type { Game } from '../game.ts';
import { lastActs, powers } from '../roles/index.ts';
import {
  ballotPeerAnalysisStep,
  ballotSelfAnalysisStep,
  beliefsStep,
  peerAnalysisStep,
  selfAnalysisStep,
} from './analysis.ts';
import { bidStep, debateStep, draftStep, pkDebateStep, speakStep } from './debate.ts';
import { createLastActStep, findNextLastActOrBadge, passBadgeStep } from './departure.ts';
import { createHolderStep, createTeamStep, resolveNightStep } from './night.ts';
import {
  checkWinnerDayStep,
  checkWinnerNightStep,
  endStep,
  startRoundStep,
  summarizeStep,
  sumUpStep,
} from './round.ts';
import { campaignStep, candidacyStep, electStep, recommendStep, speakingOrderStep } from './sheriff.ts';
import type { Reply, Step } from './step.ts';
import { exileStep, hasVoted, pseudoVoteStep, syntheticVoteStep, voteStep } from './voting.ts';

type AnyStep<Value extends Reply = never> = Step<Value>;

/** A node that plays one of several steps, depending on the state. Null: no step. */
interface ChosenStep {
  among: readonly AnyStep[];
  choose(game: Game): AnyStep | null;
}

/** Node → the step that it plays. */
const steps: Readonly<Record<string, AnyStep | ChosenStep>> = {
  start_round: startRoundStep,
  ...Object.fromEntries(
    powers.map((power) => [power.verb, power.actor === 'holder' ? createHolderStep(power) : createTeamStep(power)]),
  ),
  resolve_night: resolveNightStep,
  check_winner_night: checkWinnerNightStep,
  candidacy: candidacyStep,
  campaign: campaignStep,
  elect: electStep,
  speaking_order: speakingOrderStep,
  bid: bidStep,
  debate: debateStep,
  draft: draftStep,
  speak: speakStep,
  self_analysis: {
    among: [selfAnalysisStep, ballotSelfAnalysisStep],
    choose: (game) => (hasVoted(game) ? ballotSelfAnalysisStep : selfAnalysisStep),
  },
  peer_analysis: {
    among: [peerAnalysisStep, ballotPeerAnalysisStep],
    choose: (game) => (hasVoted(game) ? ballotPeerAnalysisStep : peerAnalysisStep),
  },
  synthetic_vote: syntheticVoteStep,
  beliefs: beliefsStep,
  pseudo_vote: pseudoVoteStep,
  recommend: recommendStep,
  sum_up: sumUpStep,
  vote: voteStep,
  exile: exileStep,
  pk_debate: pkDebateStep,
  last_act: {
    among: lastActs.map((act) => createLastActStep(act)),
    choose: (game) => {
      const due = findNextLastActOrBadge(game);
      return due && due.act !== 'badge' ? createLastActStep(due.act) : null;
    },
  },
  pass_badge: passBadgeStep,
  check_winner_day: checkWinnerDayStep,
  summarize: summarizeStep,
  end: endStep,
};

/**
 * Returns the step that is played in a node; null if there is nothing to do. The type of the result leaves open which
 * fields the answers have. Throws an Error if the node is unknown.
 *
 * @example findStep('vote', game)?.listAskers(game) // the living, in seat order
 */
export function findStep(node: string, game: Game): Step | null {
  const step = Object.hasOwn(steps, node) ? steps[node] : undefined;
  if (step === undefined) throw new Error(`No node "${node}". Known: ${Object.keys(steps).join(', ')}.`);
  return 'among' in step ? step.choose(game) : step;
}

/** Actions whose unreadable answers are recorded as missing. Unreadable answers to all other actions are replaced. */
export const missingActions: ReadonlySet<string> = new Set(
  Object.values(steps)
    .flatMap((step) => ('among' in step ? step.among : [step]))
    .filter(({ goesMissing }) => goesMissing)
    .map(({ name }) => name),
);
