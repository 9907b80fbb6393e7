// Events and outcomes of a game in words: the Sheriff's office, last acts, occasions, fallback marks, and how a match
// ended.
import {
  isFlaggedByMajority,
  listFlags,
  listSuspicions,
  type Statement,
  type StatementOccasion,
} from '../deception/statements.ts';
import { mean } from '../deception/statistics/sums.ts';
import type { DeceptionSummary, PlayerFigures } from '../deception/summary/match-summary-schema.ts';
import { type Assessment, type EventOf, type GameEvent, isType, type Mark } from '../state/events.ts';
import { getLastAct } from '../state/roles/index.ts';
import { teams } from '../state/teams.ts';
import { formatDecimal } from './format.ts';

// Why something stands for a player's own answer, in words to be set behind it; empty where nothing does.

const reasons: Record<Mark, string> = { fallback: 'gave no readable answer', refusal: 'refused to answer' };

/** For what was left unsaid. */
export const formatMark = (mark: Mark | undefined) => (mark === undefined ? '' : ` [${reasons[mark]}]`);

/** For a choice that was drawn in the player's stead. */
export const formatDrawnMark = (mark: Mark | undefined) => (mark === undefined ? '' : ` [drawn: ${reasons[mark]}]`);

/** In lists, where words would be too many. */
export const formatBriefMark = (mark: Mark | undefined) => (mark === undefined ? '' : ` (${mark})`);

// The Sheriff's office and last acts in words, the same for story and transcript.

export type OfficeType =
  | 'last_act'
  | 'candidacy'
  | 'badge_ballot'
  | 'elected'
  | 'no_sheriff'
  | 'badge'
  | 'speaking_order'
  | 'pseudo_ballot'
  | 'tie';

type Teller<Type extends GameEvent['type']> = (event: EventOf<Type>, who: (name: string) => string) => string | null;

const officeTexts: { [Type in OfficeType]: Teller<Type> } = {
  last_act: ({ by, verb, target, mark }, who) =>
    `${getLastAct(verb).tells({ by: who(by), target: who(target) })}.${formatDrawnMark(mark)}`,
  candidacy: ({ by, stands, mark }, who) =>
    stands
      ? `${who(by)} stands for Sheriff.`
      : mark
        ? `${who(by)} does not stand for Sheriff.${formatMark(mark)}`
        : null,
  badge_ballot: ({ by, target, ballot, mark }, who) =>
    `${who(by)} votes for ${who(target)} as Sheriff${ballot === 1 ? '' : ', in the second vote'}.${formatDrawnMark(mark)}`,
  elected: ({ player, how }, who) =>
    `${who(player)} is elected Sheriff${how === 'vote' ? '' : how === 'draw' ? ' by lot, the vote being tied' : ' unopposed'}.`,
  no_sheriff: () => 'Nobody stands for Sheriff: there is none.',
  badge: ({ by, to, mark }, who) =>
    to === null ? `${who(by)} tears the badge.${formatMark(mark)}` : `${who(by)} passes the badge to ${who(to)}.`,
  speaking_order: ({ by, direction, mark }, who) =>
    `${who(by)} lets the debate go ${direction} the order of seats.${formatDrawnMark(mark)}`,
  pseudo_ballot: ({ by, target, mark }, who) =>
    `${who(by)} votes for ${who(target)} in the pseudo-vote.${formatDrawnMark(mark)}`,
  tie: ({ players }, who) => `The vote is tied between ${players.map(who).join(' and ')}: they speak once more (PK).`,
};

export const isOffice = (event: GameEvent): event is EventOf<OfficeType> => event.type in officeTexts;

/** One line; null where there is nothing to tell. `who` is how a name is shown. */
export const describeOffice = (event: EventOf<OfficeType>, who: (name: string) => string): string | null =>
  (officeTexts[event.type] as Teller<OfficeType>)(event, who);

/** What stands behind the name of whoever speaks outside the debate, e.g. " (candidate)"; empty in the debate. */
export const formatOccasion = ({ occasion, recommends }: Pick<EventOf<'statement'>, 'occasion' | 'recommends'>) =>
  occasion === undefined
    ? ''
    : { campaign: ' (candidate)', recommendation: ` (Sheriff, recommends ${recommends})`, pk: ' (PK)' }[occasion];

// How a match ended, in words.

/** E.g. "The match is won by the village: no Werewolf left." */
export const describeEnding = ({ winner, reason }: Pick<EventOf<'ended'>, 'winner' | 'reason'>) =>
  winner === null
    ? `The match ends without a winner: ${reason}.`
    : `The match is won by ${teams[winner].label}: ${reason}.`;

/** The same for a whole match, which may have been interrupted. */
export const describeMatchEnd = ({
  winner,
  end_reason,
  rounds,
}: Pick<DeceptionSummary, 'winner' | 'end_reason' | 'rounds'>) =>
  end_reason === null
    ? `The match was not played to its end: its record stops in round ${rounds}.`
    : `${describeEnding({ winner, reason: end_reason })} It took ${rounds} round${rounds === 1 ? '' : 's'}.`;

/** What became of a player, e.g. "exiled on day 2". */
export function describeFate({ left }: Pick<PlayerFigures, 'left'>): string {
  if (left === null) return 'survived';
  return {
    night: `removed in night ${left.round}`,
    exile: `exiled on day ${left.round}`,
    last_act: `taken along in round ${left.round}`,
  }[left.cause];
}

// Names for occasions, and for statements that were not all made in debates.

export const occasionNames: Record<StatementOccasion, string> = {
  campaign: 'Campaign',
  debate: 'Debate',
  recommendation: 'Recommendation',
  ballot: 'Ballot',
  pk: 'PK',
  pk_ballot: 'Ballot after a tie',
};

type OccasionSummary = Pick<DeceptionSummary, 'by_occasion'>;

/** Whether turns were taken outside debates, so that figures of the kind `debate` include them. */
const isMoreThanDebate = ({ by_occasion: by }: OccasionSummary) =>
  by !== undefined && [by.campaign, by.recommendation, by.pk].some((figures) => figures !== undefined);

/** What the statements of the kind `debate` are: "statements in debates", or "public statements" where there are others. */
export const describeTurns = (summary: OccasionSummary) =>
  isMoreThanDebate(summary) ? 'public statements' : 'statements in debates';

// The labels of a statement as notes beside it: the speaker's own, and what the others made of it.

/** One line for the self-report, one for the peers, one for what is missing; none for what was not asked. */
export function listReactions(statement: Statement | undefined, events: readonly GameEvent[]): string[] {
  if (!statement) return [];
  const { selfReport, peers, id } = statement;
  const missing = events.filter(isType('missing')).filter(({ statements }) => statements.includes(id));
  return [
    ...(selfReport ? [`own report: ${describeSelfReport(selfReport)}`] : []),
    ...(peers.length > 0 ? [`peers: ${describePeers(statement)}`] : []),
    ...(missing.length > 0
      ? [`missing: ${missing.map(({ by, mark }) => `${by}${formatBriefMark(mark)}`).join(', ')}`]
      : []),
  ];
}

function describeSelfReport({ deceptive, deception_type, stated_falsehood, confidence }: Assessment) {
  const falsehood = stated_falsehood ? ', with a stated falsehood' : '';
  return `${deceptive ? 'deceptive' : 'not deceptive'} (${deception_type})${falsehood}, confidence ${formatDecimal(confidence)}`;
}

function describePeers(statement: Statement) {
  const flags = listFlags(statement);
  const by = flags.map(
    ({ by, deception_type, suspicion }) => `${by} (${deception_type}, ${formatDecimal(suspicion ?? null)})`,
  );
  const majority = isFlaggedByMajority(statement) ? ', a majority' : '';
  return `${flags.length} of ${statement.peers.length} flag it${majority}; mean suspicion ${formatDecimal(mean(listSuspicions(statement)))}${by.length === 0 ? '' : `; ${by.join(', ')}`}`;
}
