// Moments of debates, as the paper Werewolf Arena draws them: the bids after a Seer names a Werewolf, and how votes
// move.
import { listWerewolfReveals, type WerewolfReveal } from '../../deception/metrics/roles/seer.ts';
import { hasVoteChanged, listPolledDays, listVoteMoves } from '../../deception/metrics/vote-dynamics.ts';
import { mean } from '../../deception/statistics/sums.ts';
import type { BidRow } from '../../deception/tables/game-rows.ts';
import { isEventOfType } from '../../state/events.ts';
import { truncateWords } from '../../state/text.ts';
import { escapeMarkdown, missingPlaceholder, quoteSpeech } from '../format.ts';
import { drawMomentBids, drawMomentVotes } from '../pictures/moment-pictures.ts';
import type { PaperContent, PaperMatch } from './paper-item.ts';

/** Maximum number of words of a statement or of reasoning in a table. */
const mostWords = 80;

function quoteBriefly(whole: string): string {
  const { text, cut } = truncateWords(whole, mostWords);
  return escapeMarkdown(quoteSpeech(cut ? `${text} …` : text));
}

// The bids after a Seer names a Werewolf (figure 2).

interface TellingReveal {
  reveal: WerewolfReveal;
  bids: readonly BidRow[];
  /** Werewolves' mean bid minus the village's mean bid. */
  rank: number;
}

/**
 * Finds the reveal of a Werewolf after which the Werewolves' mean bid exceeded the village's mean bid most. Null if
 * there is no reveal after which both sides bid.
 */
export function findTellingReveal({ tables }: PaperMatch): TellingReveal | null {
  const found = listWerewolfReveals(tables).flatMap((reveal): TellingReveal[] => {
    const said = tables.statements.find(({ statement }) => statement === reveal.statement)!;
    const bids = tables.bids.filter(({ round, step }) => `${round}.${step}` === said.statement);
    const meanOf = (side: BidRow['bidder_team']) =>
      mean(bids.flatMap(({ bid, bidder_team: team }) => (team === side && bid !== null ? [bid] : [])));
    const [pack, village] = [meanOf('werewolves'), meanOf('villagers')];
    return pack === null || village === null ? [] : [{ reveal, bids, rank: pack - village }];
  });
  return found.toSorted((one, other) => other.rank - one.rank)[0] ?? null;
}

/** Lists the statement, and one row for each bid that followed it. */
export function listRevealBids(match: PaperMatch): PaperContent {
  const { reveal, bids } = findTellingReveal(match)!;
  const said = match.tables.statements.find(({ statement }) => statement === reveal.statement)!;
  const { round, step, scale: highest } = bids[0]!;
  const thoughts = match.record.events
    .filter(isEventOfType('thought'))
    .filter((event) => event.action === 'bid' && event.round === round && event.step === step);
  const sorted = bids.toSorted((one, other) => (other.bid ?? -1) - (one.bid ?? -1));
  const drawn = sorted.map(({ bidder: player, bidder_role: role, bidder_team: team, bid }) => ({
    ...{ player, role, isWerewolf: team === 'werewolves', bid },
  }));
  return {
    head: ['Player', 'Role', 'Reasoning', 'Bid'],
    rows: sorted.map(({ bidder, bidder_role: role, bid, scale }) => {
      const reasoning = thoughts.find(({ by }) => by === bidder)?.reasoning;
      return [
        ...[escapeMarkdown(bidder), role, reasoning ? quoteBriefly(reasoning) : missingPlaceholder],
        bid === null ? missingPlaceholder : `${bid} of ${scale}`,
      ];
    }),
    picture: drawMomentBids(drawn, highest),
    texts: 3,
    missing: thoughts.length === 0 ? ['Reasoning: needs models that give reasons for their bids'] : [],
    notes: [
      `Match ${escapeMarkdown(match.record.manifest.id)}, after statement ${reveal.statement}: ${escapeMarkdown(reveal.seer)}, the Seer, names ${escapeMarkdown(reveal.werewolf)}: ${quoteBriefly(said.text)}`,
    ],
  };
}

// Changes of votes in a debate (figure 4).

/** Finds the day on which most votes changed; null if nobody was asked twice. */
export function findMostMovedDay({ tables }: PaperMatch): { round: number; moves: number } | null {
  const byRound = [...Map.groupBy(listVoteMoves(tables), ({ after }) => after.round)].map(([round, moves]) => ({
    ...{ round, moves: moves.filter(hasVoteChanged).length },
  }));
  return byRound.toSorted((one, other) => other.moves - one.moves)[0] ?? null;
}

/**
 * Lists one row for each turn and one for the ballot. Players who got votes have columns with the roles of their
 * voters.
 */
export function listVotesByTurn(match: PaperMatch): PaperContent {
  const { tables } = match;
  const { round } = findMostMovedDay(match)!;
  const { polls } = listPolledDays(tables).find((day) => day.round.round === round)!;
  const targets = [...new Set(polls.flatMap(({ votes }) => votes.map(({ target }) => target)))];
  const roleOf = new Map(tables.players.map(({ player, role }) => [player, role]));
  const pack = new Set(tables.players.filter(({ team }) => team === 'werewolves').map(({ player }) => player));
  const nameWithRole = (player: string) => `${escapeMarkdown(player)} (${roleOf.get(player)})`;
  const said = new Map(tables.statements.map((row) => [row.statement, row]));
  return {
    head: ['Turn', 'Speaker', 'Statement', ...targets.map((target) => `Votes for ${nameWithRole(target)}`)],
    rows: polls.map(({ index, votes }) => {
      const step = votes[0]?.step ?? null;
      const own = step === null ? undefined : said.get(`${round}.${step}`);
      const moment = step === null ? ['the ballot', '', ''] : [String(index), '', ''];
      const told = own ? [String(index), nameWithRole(own.speaker), quoteBriefly(own.text)] : moment;
      return [
        ...told,
        ...targets.map((target) =>
          countRoles(votes.filter((one) => one.target === target).map((one) => one.voter_role)),
        ),
      ];
    }),
    texts: 3 + targets.length,
    missing: [],
    picture: drawMomentVotes(
      polls.flatMap(({ index, votes }) => {
        const step = votes[0]?.step ?? null;
        const turn = nameTurn(index, step === null ? null : (said.get(`${round}.${step}`)?.speaker ?? ''));
        return [...Map.groupBy(votes, ({ target }) => target)].map(([target, own]) => ({
          ...{ turn, target, targetRole: roleOf.get(target) ?? '', isTargetWerewolf: pack.has(target) },
          voterRoles: own.map((one) => one.voter_role),
        }));
      }),
    ),
    notes: [`Match ${escapeMarkdown(match.record.manifest.id)}, round ${round}.`],
  };
}

/** Names a turn in the picture. `speaker`: null for the ballot; empty for an unknown speaker. */
function nameTurn(index: number, speaker: string | null): string {
  if (speaker === null) return 'the ballot';
  return speaker === '' ? `turn ${index}` : `${index}: ${speaker}`;
}

/** Formats roles with their numbers, e.g. "Seer, 2 × Villager". Returns an empty text if nobody voted. */
const countRoles = (roles: readonly string[]) =>
  [...Map.groupBy(roles, (role) => role)]
    .map(([role, { length }]) => (length === 1 ? role : `${length} × ${role}`))
    .sort()
    .join(', ');
