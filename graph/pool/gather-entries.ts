// Makes a pool's entries from a finished match. The match is replayed from its record. Each decision is stored with the
// View from which its prompt was made.
import { describeExperience } from '../../deception/experience/describe-experience.ts';
import {
  describeDeal,
  describePoolRules,
  type EntryDraft,
  isGoodEntry,
} from '../../deception/experience/pool-entry.ts';
import { computeReward, createFinalView, writeReflection } from '../../deception/experience/outcome.ts';
import { getSeatLetter } from '../../deception/experience/seat-letters.ts';
import { describeDeed, describeSituation, findMoment } from '../../deception/experience/situation.ts';
import type { StoredRecord } from '../../models/record/recorder.ts';
import type { ExperienceMoment, ExperienceReward } from '../../state/experience-setup.ts';
import type { View } from '../../state/view.ts';
import { replayMatch } from '../play-match.ts';

/** A decision that the player's own model made, with the View at that time. */
export interface Decision {
  view: View;
  action: string;
  step: number;
  answer: Readonly<Record<string, unknown>>;
}

/**
 * Returns the decisions of a match before which players may be given experiences, in the order of asking. Answers that
 * were drawn in place of a model's answer are excluded. Makes no call. Throws RecordError if the record cannot be
 * replayed, e.g. because it was imported.
 *
 * @example const decisions = await gatherDecisions('runs/classic-8-7-1a2b3c4d');
 */
export async function gatherDecisions(folder: string): Promise<Decision[]> {
  const decisions: Decision[] = [];
  await replayMatch(folder, {
    allowChangedPrompts: true,
    onAsked: ({ view, action, step }, { value, mark }) => {
      if (findMoment(action) !== null && mark === undefined && value !== null)
        decisions.push({ view, action, step, answer: value as Decision['answer'] });
    },
  });
  return decisions.sort(compareDecisions);
}

/** A question before which players may remember experiences. */
export interface AskedMoment {
  moment: ExperienceMoment;
  /** The View at the first question of its kind in a round, when experiences are retrieved. */
  view: View;
}

/**
 * Lists when the player of a match would be given experiences, in the order of asking. Makes no call. Throws
 * RecordError like `gatherDecisions`.
 *
 * @example (await gatherMoments(folder, 'Ginger')).map(({ moment, view }) => [moment, view.round])
 */
export async function gatherMoments(folder: string, player: string): Promise<AskedMoment[]> {
  const moments = new Map<string, AskedMoment>();
  await replayMatch(folder, {
    allowChangedPrompts: true,
    onAsked: ({ view, action }) => {
      const moment = view.me === player ? findMoment(action) : null;
      if (moment === null) return;
      const key = `${view.round} ${moment}`;
      if (!moments.has(key)) moments.set(key, { moment, view });
    },
  });
  return [...moments.values()];
}

/** Orders decisions by round, step and seat, because questions asked at the same time are answered in any order. */
const compareDecisions = (one: Decision, other: Decision): number => {
  const rank = ({ view: { round, phase, players, me }, step, action }: Decision) => [
    ...[round, phase === 'night' ? 0 : 1, action === 'vote' ? 1 : 0, step, players.indexOf(me)],
  ];
  const [a, b] = [rank(one), rank(other)];
  const at = a.findIndex((value, place) => value !== b[place]);
  return at < 0 ? (one.action < other.action ? -1 : 1) : a[at]! - b[at]!;
};

/** Returns whether any player of a match was given entries of earlier matches. */
export const hasRemembered = ({ events }: Pick<StoredRecord, 'events'>): boolean =>
  events.some((event) => event.type === 'remembered' && event.entries.length > 0);

/** Returns a reflection on a decision, and who wrote it. */
export type Reflections = (decision: Decision) => { reflection: string; by: string } | null;

/**
 * Lists an entry for each decision that has a reward. `reflect` returns a model's reflection; if it returns null, a
 * rule writes the reflection.
 *
 * @example listEntries(readRecord(folder), await gatherDecisions(folder), 'result').map(sealEntry)
 */
export function listEntries(
  record: Pick<StoredRecord, 'manifest' | 'events'>,
  decisions: readonly Decision[],
  reward: ExperienceReward,
  reflect: Reflections = () => null,
): EntryDraft[] {
  const { id, setup, tournament } = record.manifest;
  const memory = hasRemembered(record) ? describeExperience(record.manifest) : null;
  const common = { match: id, deal: describeDeal(setup), board: setup.board.name, rules: describePoolRules(setup) };
  const ends = new Map(setup.players.map(({ name }) => [name, createFinalView(record, name)]));
  return decisions.flatMap((decision): EntryDraft[] => {
    const { view, action, step, answer } = decision;
    const { me, players, round, phase, role } = view;
    const value = computeReward(reward, record, me, round);
    const done = describeDeed(view, action, answer);
    if (value === null || done === null) return [];
    const kind = findMoment(action)!;
    const written = reflect(decision) ?? {
      reflection: writeReflection(ends.get(me)!, {
        target: findTarget(view, answer),
        isGood: reward === 'vote' && kind === 'ballot' ? isGoodEntry({ reward: value }, reward) : null,
      }),
      by: 'rules',
    };
    return [
      {
        ...common,
        ...{ seat: getSeatLetter(players.indexOf(me)), role },
        ...{ model: setup.models[me]!, entrant: tournament?.entrants[me] ?? null },
        tournament: tournament?.sha256 ?? null,
        moment: { kind, round, phase, step, action },
        ...{ situation: describeSituation(view, kind), done },
        ...{ reflection: written.reflection, reflected_by: written.by, reward: value },
        ...(memory !== null && { experience: memory }),
      },
    ];
  });
}

function findTarget({ players }: View, { vote, target, proposal }: Decision['answer']): string | null {
  const named = vote ?? target ?? proposal;
  return typeof named === 'string' && players.includes(named) ? named : null;
}
