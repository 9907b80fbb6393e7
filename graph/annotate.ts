// Has a model judge recorded statements from the views of those who heard them.
import { claimsOf, type JudgedStatement } from '../deception/claims/claims-of.ts';
import { labelKnownTo } from '../deception/claims/label.ts';
import type { MatchRecord } from '../deception/match-record.ts';
import type { PlayerModel } from '../models/model.ts';
import { keptFile, readKept } from '../models/record/kept-answers.ts';
import { ballotPeerAnalysis, peerAnalysis } from '../prompts/analysis.ts';
import { draw } from '../state/draw.ts';
import { view } from '../state/view.ts';
import { inquire, type InquiryOptions } from './inquiry.ts';
import { momentsOf, type Moment } from './moments.ts';
import { standing, type AnyItem } from './standing.ts';

export interface AnnotationPlan {
  /** How often the same is asked, from 1 on. */
  repeat?: number;
  /**
   * `all`: from the view of everybody who heard a statement. `one`, the default: of one of them, drawn by the match's
   * seed from those who could not know whether it is a lie.
   */
  listeners?: Listeners;
}

export const listenerChoices = ['one', 'all'] as const;
export type Listeners = (typeof listenerChoices)[number];

/**
 * What is to be asked about a record: the questions of the match's own analyses, one for each statement of the debate
 * and one for all explanations of a ballot but the listener's own. Throws a UsageError for a record that cannot have
 * happened under its rules.
 */
export function annotationItems(
  record: MatchRecord,
  { repeat = 1, listeners = 'one' }: AnnotationPlan = {},
): AnyItem[] {
  const { seed } = record.manifest.setup;
  const judged = new Map(claimsOf(record).statements.map((one) => [one.id, one]));
  const once = momentsOf(record).flatMap((moment) => {
    const heard = hearersOf(moment);
    const some = listeners === 'all' ? heard : oneOf(heard, moment, judged, seed);
    return some.map((observer) => itemOf(moment, observer, seed));
  });
  return Array.from({ length: repeat }, (_, index) => once.map((item) => ({ ...item, repeat: index + 1 }))).flat();
}

const ofOthers = ({ said }: Moment, observer: string) => said.filter(({ by }) => by !== observer);

/** The living who hear something of somebody else, in seat order. */
const hearersOf = (moment: Moment) => moment.game.alivePlayers.filter((name) => ofOthers(moment, name).length > 0);

/**
 * The first in a drawn order of those who could know the least: the order knows nothing of what is a lie. Where all could
 * know the same, nobody is better than another.
 */
function oneOf(
  heard: readonly string[],
  moment: Moment,
  judged: ReadonlyMap<string, JudgedStatement>,
  seed: number,
): string[] {
  const knownTo = moment.said.flatMap(({ id }) => labelKnownTo(judged.get(id)!));
  const known = (name: string) => knownTo.filter((one) => one === name).length;
  const least = Math.min(...heard.map(known));
  const order = draw(seed, 'listener', moment.said[0]!.id).shuffle(heard);
  return order.filter((name) => known(name) === least).slice(0, 1);
}

function itemOf(moment: Moment, observer: string, seed: number): AnyItem {
  const seen = view(moment.game, observer);
  const statements = ofOthers(moment, observer).map(({ id, by, text }) => ({ id, by, text }));
  const question = moment.kind === 'debate' ? peerAnalysis : ballotPeerAnalysis;
  const options = draw(seed, 'options', seen.round, seen.step, question.action, observer);
  const prompt =
    moment.kind === 'debate'
      ? peerAnalysis.put(seen, options, statements[0]!)
      : ballotPeerAnalysis.put(seen, options, statements);
  return { prompt, statements: statements.map(({ id }) => id), repeat: 1 };
}

/** Those that the model has not answered yet, at least not as they are worded now. */
export function unannotated(folder: string, items: readonly AnyItem[], model: string): AnyItem[] {
  const kept = standing(readKept(keptFile(folder, 'annotations', model)));
  return items.filter((item) => !kept.isAnswered(item));
}

/** Asks what is left of `items`; makes no call where nothing is. Throws as `inquire` does. */
export async function annotate(
  folder: string,
  { manifest: { id, setup } }: MatchRecord,
  items: readonly AnyItem[],
  model: PlayerModel,
  options: InquiryOptions = {},
): Promise<void> {
  if (unannotated(folder, items, model.spec).length === 0) return;
  await inquire({ id, folder, kind: 'annotations', seed: setup.seed }, items, model, options);
}
