// Decides what each viewer may see of a match: everything, what is public, or what one player knew and did. The page
// draws only what these functions return.
import type { Viewer, ViewedMatch, ViewedPlayer, ViewedStep } from './viewed-match.ts';
import type { ViewedReading } from './viewed-readings.ts';

/** Returns whether the viewer knows everything. */
export const isAllKnowing = (viewer: Viewer) => viewer === 'all';

/** Names a night or day, e.g. 'Night 2'. */
export const namePhaseAndRound = ({ phase, round }: Pick<ViewedStep, 'phase' | 'round'>) =>
  phase === 'end' ? 'End' : `${phase === 'night' ? 'Night' : 'Day'} ${round}`;

/** Returns the event's text for the viewer; null if the viewer does not learn of the event. */
const findTelling = (step: ViewedStep, viewer: Viewer): string | null =>
  isAllKnowing(viewer) ? step.told : (step.tellings[viewer] ?? step.toldToAll);

/**
 * Returns the visible part of a moment, with `told` in the viewer's words. Null if the viewer does not know of the
 * moment. A player's private questions and answers are visible to that player only.
 *
 * @example selectSeen(match.steps[4]!, 'Ann')?.heard // only what Ann made of it
 */
export function selectSeen(step: ViewedStep, viewer: Viewer): ViewedStep | null {
  const told = findTelling(step, viewer);
  if (told === null || isAllKnowing(viewer)) return told === null ? null : step;
  const { id, round, phase, type, actor, target, text, leaves, cause, badge, shows, toldToAll } = step;
  const isOwn = ({ player }: { player: string }) => player === viewer;
  const own = {
    thoughts: step.thoughts?.filter((one) => isOwn(one) && one.by?.includes(viewer)),
    bids: step.bids?.filter(isOwn),
    heard: step.heard?.filter(isOwn),
    votes: step.votes?.filter(isOwn),
    asked: step.asked?.filter(isOwn),
    prompts: step.prompts?.filter(isOwn),
    beliefs: selectOwn(step.beliefs, viewer),
    suspicion: selectOwn(step.suspicion, viewer),
  };
  return {
    ...{ id, round, phase, type, told, toldToAll },
    tellings: selectOwn(step.tellings, viewer) ?? {},
    ...dropMissing({ actor, target, text, leaves, cause, badge }),
    ...(shows && (shows.to === undefined || shows.to.includes(viewer)) && { shows }),
    ...(Object.fromEntries(
      Object.entries(own).filter(([, part]) => part !== undefined && Object.keys(part).length > 0),
    ) as Partial<ViewedStep>),
  };
}

const dropMissing = <Parts extends object>(parts: Parts) =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as {
    [Name in keyof Parts]?: Exclude<Parts[Name], undefined>;
  };

const selectOwn = <Part>(parts: Readonly<Record<string, Part>> | undefined, viewer: Viewer) =>
  parts && viewer in parts ? { [viewer]: parts[viewer]! } : undefined;

const seenByMatch = new WeakMap<ViewedMatch, Map<Viewer, readonly (ViewedStep | null)[]>>();

/** Returns the visible part of every moment. The result is cached, because rendering a step needs it several times. */
export function selectAllSeen(match: ViewedMatch, viewer: Viewer): readonly (ViewedStep | null)[] {
  const known = seenByMatch.get(match) ?? new Map<Viewer, readonly (ViewedStep | null)[]>();
  seenByMatch.set(match, known);
  const seen = known.get(viewer) ?? match.steps.map((step) => selectSeen(step, viewer));
  known.set(viewer, seen);
  return seen;
}

/** Lists the moments that the viewer knows of, with their indices. */
export const listSeen = (match: ViewedMatch, viewer: Viewer): { step: ViewedStep; place: number }[] =>
  selectAllSeen(match, viewer).flatMap((step, place) => (step === null ? [] : [{ step, place }]));

/** Returns a player's role or side as the viewer knows it after the moment `at`. Null if the viewer knows neither. */
export function findKnownRole(
  { name, role, knownTo }: ViewedPlayer,
  match: ViewedMatch,
  { viewer, at }: { viewer: Viewer; at: number },
): string | null {
  if (isAllKnowing(viewer) || knownTo.includes(viewer)) return role;
  const shown = selectAllSeen(match, viewer)
    .slice(0, at + 1)
    .findLast((step) => step?.shows?.player === name);
  return shown?.shows?.role ?? null;
}

/** A view of a match: index of the current moment (`at`), viewer, and source of the verdicts. */
export interface Perspective {
  match: ViewedMatch;
  at: number;
  viewer: Viewer;
  /** Source of verdicts; null if the match has none. */
  source: string | null;
}

/** Collects the suspicion that the viewer may see after the current moment: observer → target → score. */
export function collectSuspicion({ match, at, viewer }: Perspective): Map<string, Map<string, number>> {
  const scores = new Map<string, Map<string, number>>();
  for (const step of selectAllSeen(match, viewer).slice(0, at + 1))
    for (const [observer, of] of Object.entries(step?.suspicion ?? {}))
      for (const [target, { score }] of Object.entries(of))
        scores.set(observer, (scores.get(observer) ?? new Map<string, number>()).set(target, score));
  return scores;
}

/**
 * Finds the source that a link asks for. The link may list joint judges in any order. Null if the match has no such
 * source.
 *
 * @example findSource(['rules', 'openai:a + openai:b'], 'openai:b + openai:a') // 'openai:a + openai:b'
 */
export const findSource = (sources: readonly string[], wanted: string): string | null =>
  sources.find((source) => source === wanted) ??
  sources.find((source) => nameJudges(source) === nameJudges(wanted)) ??
  null;

const nameJudges = (source: string) => source.split(' + ').sort().join(' + ');

/** Returns the chosen source's reading of a statement, for all-knowing viewers only. */
export const findReading = ({ readings }: ViewedStep, { viewer, source }: Perspective) =>
  isAllKnowing(viewer) && source !== null ? readings?.[source] : undefined;

/** Counts the claims of a statement that are lies. */
export const countLyingClaims = ({ claims }: ViewedReading): number =>
  claims.filter(({ verdict }) => verdict === 'lie').length;

/**
 * Lists the ballots behind a result; empty for other moments, and if the viewer has not seen all of these ballots.
 *
 * @example listCountedBallots(look, match.steps.findIndex(({ type }) => type === 'no_exile'))
 */
export function listCountedBallots({ match, viewer }: Perspective, at: number): { player: string; target: string }[] {
  const { type, phase, round } = match.steps[at]!;
  const isResult = ['no_exile', 'tie', 'exile_survived'].includes(type) || (type === 'death' && phase === 'day');
  if (!isResult) return [];
  const before = match.steps.slice(0, at).filter((step) => step.round === round && step.phase === 'day');
  const since = before.slice(before.findLastIndex((step) => step.type !== 'ballot') + 1);
  const seen = since.flatMap((step) => {
    const { actor: player, target } = selectSeen(step, viewer) ?? {};
    return player === undefined || target === undefined ? [] : [{ player, target }];
  });
  return seen.length === since.length ? seen : [];
}
