// Words for events and outcomes that several pages share: fallback marks, a sentence for each event, occasions, how a
// match ended, and listeners' judgments.
import {
  isFlaggedByMajority,
  listFlags,
  listSuspicions,
  type Statement,
  type StatementOccasion,
} from '../deception/record/statements.ts';
import { mean } from '../deception/statistics/sums.ts';
import type { DeceptionSummary, PlayerFigures } from '../deception/summary/match-summary-schema.ts';
import type { ClaimRow } from '../deception/tables/claim-rows.ts';
import { type Assessment, type EventOf, type GameEvent, isEventOfType, type AnswerMark } from '../state/events.ts';
import { type ForkOf, nameForkArm } from '../state/fork.ts';
import { getLastAct } from '../state/roles/index.ts';
import { type Team, teams } from '../state/teams.ts';
import { formatDecimal, quoteSpeech, sanitizeText } from './format.ts';

// Words for replaced and missing answers, by mark. Empty if there is no mark.

const markReasons: Record<AnswerMark, string> = { fallback: 'gave no readable answer', refusal: 'refused to answer' };

/** Formats the mark of an act or a statement that is missing. */
export const formatAnswerMark = (mark: AnswerMark | undefined) => (mark === undefined ? '' : ` [${markReasons[mark]}]`);

/** Formats the mark of a choice that was drawn at random. */
const formatDrawnMark = (mark: AnswerMark | undefined) => (mark === undefined ? '' : ` [drawn: ${markReasons[mark]}]`);

/** Formats the mark in one word, for lists. */
export const formatBriefAnswerMark = (mark: AnswerMark | undefined) => (mark === undefined ? '' : ` (${mark})`);

// Events in words, shared by story and transcript.

/** Formats a revealed identity: "role: Villager" or "side: the village". Null if nothing was revealed. */
export const formatIdentity = ({ role, team }: { role?: string | undefined; team?: Team | undefined }) =>
  role !== undefined ? `role: ${role}` : team !== undefined ? `side: ${teams[team].label}` : null;

type Sentence<Type extends GameEvent['type']> = (event: EventOf<Type>, who: (name: string) => string) => string | null;

const renderNothing = () => null;

/**
 * Sentence for each type of event. Story and transcript override the sentences of events that they show
 * differently.
 */
const sentences: { [Type in GameEvent['type']]: Sentence<Type> } = {
  dealt: renderNothing,
  acquainted: renderNothing,
  round_started: renderNothing,
  thought: renderNothing,
  remembered: ({ by, entries }, who) =>
    entries.length === 0
      ? `${who(by)} remembers nothing of earlier games.`
      : `${who(by)} remembers of earlier games: ${entries.map(({ id, text }) => `${quoteSpeech(text)} (${id})`).join('; ')}.`,
  proposal: ({ by, target, reason, mark }, who) =>
    `${who(by)} proposes to remove ${who(target)}${reason === '' ? '.' : `: ${quoteSpeech(reason)}`}${formatDrawnMark(mark)}`,
  pick: ({ target, mark }, who) => `The pick of the night is ${who(target)}.${formatDrawnMark(mark)}`,
  acted: ({ by, verb, target, mark }, who) => `${who(by)} chooses to ${verb} ${who(target)}.${formatDrawnMark(mark)}`,
  passed: ({ by, verb, mark }, who) => `${who(by)} chooses to ${verb} nobody.${formatAnswerMark(mark)}`,
  attacked: ({ player }, who) => `${who(player)} is attacked.`,
  learned: ({ by, about, ...what }, who) => `${who(by)} learns ${about}'s ${formatIdentity(what)}.`,
  death: ({ player, cause }, who) =>
    `${who(player)} ${{ night: 'was removed in the night', exile: 'is exiled', last_act: 'leaves the game' }[cause]}.`,
  quiet_night: () => 'Nobody was removed in the night.',
  bid: renderNothing,
  draft: renderNothing,
  statement: (event, who) => `${who(event.by)}${formatOccasion(event)}: ${quoteSpeech(event.text)}`,
  silence: ({ by, mark }, who) => `${who(by)} has the turn and says nothing.${formatAnswerMark(mark)}`,
  ballot: ({ by, target, explanation, mark }, who) =>
    `${who(by)} votes for ${who(target)}${explanation === undefined ? '.' : `: ${quoteSpeech(explanation)}`}${formatDrawnMark(mark)}`,
  exile_survived: ({ player, role }, who) =>
    `${who(player)} is voted to be exiled, shows the role ${role} and stays, without a vote.`,
  no_exile: ({ reason }) =>
    `Nobody is exiled: ${reason === 'tie' ? 'the vote is tied' : 'nobody was named by more than half'}.`,
  summary: renderNothing,
  synthetic_vote: renderNothing,
  assessment: renderNothing,
  beliefs: renderNothing,
  missing: renderNothing,
  ended: (event) => describeEnding(event),
  last_act: ({ by, verb, target, mark }, who) =>
    `${getLastAct(verb).tells({ by: who(by), target: who(target) })}.${formatDrawnMark(mark)}`,
  candidacy: ({ by, stands, mark }, who) =>
    stands
      ? `${who(by)} stands for Sheriff.`
      : mark
        ? `${who(by)} does not stand for Sheriff.${formatAnswerMark(mark)}`
        : null,
  badge_ballot: ({ by, target, ballot, mark }, who) =>
    `${who(by)} votes for ${who(target)} as Sheriff${ballot === 1 ? '' : ', in the second vote'}.${formatDrawnMark(mark)}`,
  elected: ({ player, how }, who) =>
    `${who(player)} is elected Sheriff${how === 'vote' ? '' : how === 'draw' ? ' by lot, the vote being tied' : ' unopposed'}.`,
  no_sheriff: () => 'Nobody stands for Sheriff, so there is none.',
  badge: ({ by, to, mark }, who) =>
    to === null ? `${who(by)} tears the badge.${formatAnswerMark(mark)}` : `${who(by)} passes the badge to ${who(to)}.`,
  speaking_order: ({ by, direction, mark }, who) =>
    `${who(by)} lets the debate go ${direction} the order of seats.${formatDrawnMark(mark)}`,
  pseudo_ballot: ({ by, target, mark }, who) =>
    `${who(by)} votes for ${who(target)} in the pseudo-vote.${formatDrawnMark(mark)}`,
  tie: ({ players }, who) => `The vote is tied between ${players.map(who).join(' and ')}: they speak once more (PK).`,
};

/**
 * Describes an event in a sentence; null if it has none. `who` formats a player's name.
 *
 * @example describeEvent(event, String) // e.g. 'Ann is elected Sheriff.'
 */
export const describeEvent = (event: GameEvent, who: (name: string) => string): string | null =>
  (sentences[event.type] as Sentence<typeof event.type>)(event, who);

/** Returns the addition to a speaker's name outside the debate, e.g. " (candidate)"; empty in the debate. */
const formatOccasion = ({ occasion, recommends }: Pick<EventOf<'statement'>, 'occasion' | 'recommends'>) =>
  occasion === undefined
    ? ''
    : { campaign: ' (candidate)', recommendation: ` (Sheriff, recommends ${recommends})`, pk: ' (PK)' }[occasion];

// How a match ended.

/** Describes the end of a match, e.g. "The match is won by the village: no Werewolf left." */
export const describeEnding = ({ winner, reason }: Pick<EventOf<'ended'>, 'winner' | 'reason'>) =>
  winner === null
    ? `The match ends without a winner: ${reason.replace(/^cut$/, 'it is a fork, cut after the vote')}.`
    : `The match is won by ${teams[winner].label}: ${reason}.`;

/** Describes how a match ended and after how many rounds, or that it was interrupted. */
export const describeMatchEnd = ({
  winner,
  end_reason,
  rounds,
}: Pick<DeceptionSummary, 'winner' | 'end_reason' | 'rounds'>) =>
  end_reason === null
    ? `The match was not played to its end: its record stops in round ${rounds}.`
    : `${describeEnding({ winner, reason: end_reason })} It took ${rounds} round${rounds === 1 ? '' : 's'}.`;

/** Describes how a player left, e.g. "exiled on day 2". */
export function describeFate({ left }: Pick<PlayerFigures, 'left'>): string {
  if (left === null) return 'survived';
  return {
    night: `removed in night ${left.round}`,
    exile: `exiled on day ${left.round}`,
    last_act: `taken along in round ${left.round}`,
  }[left.cause];
}

/**
 * Describes from which match and statement a fork was made, and what it changes.
 *
 * @example describeForkOf({ match: 'a', statement: '2.3', arm: 'silence', copy: 1 })
 */
export const describeForkOf = (of: ForkOf): string =>
  `A fork of match ${sanitizeText(of.match)} from statement ${of.statement}, arm ${sanitizeText(nameForkArm(of))}${of.copy === 1 ? '' : `, copy ${of.copy}`}: everything before that statement is from the original match.`;

// Occasions of speech.

export const occasionNames: Record<StatementOccasion, string> = {
  campaign: 'Campaign',
  debate: 'Debate',
  recommendation: 'Recommendation',
  ballot: 'Ballot',
  pk: 'PK',
  pk_ballot: 'Ballot after a tie',
};

type OccasionSummary = Pick<DeceptionSummary, 'by_occasion'>;

/** Returns whether players also spoke outside debates. Figures of the kind `debate` then include these statements. */
const hasOtherTurns = ({ by_occasion: by }: OccasionSummary) =>
  by !== undefined && [by.campaign, by.recommendation, by.pk].some((figures) => figures !== undefined);

/**
 * Names statements of the kind `debate`: "statements in debates", or "public statements" if players also spoke outside
 * debates.
 */
export const describeTurns = (summary: OccasionSummary) =>
  hasOtherTurns(summary) ? 'public statements' : 'statements in debates';

// Notes beside a statement.

/**
 * Lists the reactions to a statement, one line each: the speaker's self-report, the listeners' analyses, and missing
 * analyses.
 */
export function listReactions(statement: Statement | undefined, events: readonly GameEvent[]): string[] {
  if (!statement) return [];
  const { selfReport, peers, id } = statement;
  const missing = events.filter(isEventOfType('missing')).filter(({ statements }) => statements.includes(id));
  return [
    ...(selfReport ? [`own report: ${describeSelfReport(selfReport)}`] : []),
    ...(peers.length > 0 ? [`peers: ${describePeers(statement)}`] : []),
    ...(missing.length > 0
      ? [`missing: ${missing.map(({ by, mark }) => `${by}${formatBriefAnswerMark(mark)}`).join(', ')}`]
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

/** Describes a claim in a few words: "own role: Ginger, Seer". */
export function describeClaim({
  type,
  subject,
  object,
  claimed_role: role,
  claimed_team: team,
  polarity,
}: Pick<ClaimRow, 'type' | 'subject' | 'object' | 'claimed_role' | 'claimed_team' | 'polarity'>): string {
  const parts = [subject, object, role ?? team].filter((part) => part !== null && part !== '');
  return `${type.replaceAll('_', ' ')}: ${parts.map((part) => sanitizeText(part!)).join(', ')}${polarity ? '' : ', denied'}`;
}
