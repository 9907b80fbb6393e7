// The row of a match: under which conditions it was played, how it ended and what it took.
import { isType } from '../../state/event.ts';
import type { Team } from '../../state/teams.ts';
import { callsOf } from '../calls.ts';
import { seatsOf, type MatchRecord, type Seat } from '../match-record.ts';
import { ratio } from '../ratios.ts';
import { statementsOf } from '../statements.ts';
import type { MatchRow } from './rows.ts';

export function matchRow(record: MatchRecord, extractor: string): MatchRow {
  const { manifest, events, answers } = record;
  const { board, rules, seed } = manifest.setup;
  const seats = seatsOf(manifest);
  const ended = events.find(isType('ended'));
  const { total, wall_ms: wallMs } = callsOf(record);
  const questions = answers.filter(({ attempt }) => attempt === 1).length;
  const unanswered = answers.filter(({ mark }) => mark !== undefined).length;
  return {
    match_id: manifest.id,
    board: board.name,
    seed,
    deal: seats.map(({ name, role }) => `${name}=${role}`).join(', '),
    analysis: rules.analysis,
    scores: rules.scores,
    honesty: rules.honesty,
    coaching: rules.coaching,
    rules: JSON.stringify(rules),
    villagers_model: modelOf(seats, 'villagers'),
    werewolves_model: modelOf(seats, 'werewolves'),
    seats: seats.length,
    bots: seats.filter(({ isBot }) => isBot).length,
    winner: ended?.winner ?? null,
    end_reason: ended?.reason ?? null,
    rounds: Math.max(0, ...events.map(({ round }) => round)),
    statements: statementsOf(events).length,
    calls: total.calls,
    questions,
    unanswered,
    refusals: total.refusals,
    fallback_share: ratio(unanswered, questions),
    tokens_in: total.tokens.in,
    tokens_out: total.tokens.out,
    cost: total.cost,
    wall_ms: total.calls === 0 ? null : wallMs,
    imported: manifest.imported?.format ?? null,
    wolfgraph: manifest.made_by.wolfgraph,
    templates_sha256: manifest.made_by.templates_sha256,
    extractor,
  };
}

function modelOf(seats: readonly Seat[], side: Team): string | null {
  const models = new Set(seats.filter(({ team }) => team === side).map(({ model }) => model));
  return models.size === 1 ? [...models][0]! : null;
}
