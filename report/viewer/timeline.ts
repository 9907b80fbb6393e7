// The timeline of a match: nights, statements, ballots and lies in order, each a link, and a range to scrub through.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import { sum } from '../../deception/statistics/sums.ts';
import {
  countLyingClaims,
  findKnownRole,
  findReading,
  listSeen,
  namePhaseAndRound,
  type Perspective,
} from './perspective.ts';
import { isOfPack } from './player-parts.ts';
import type { ViewedStep } from './viewed-match.ts';

/** Steps that form one cell of the timeline. */
export interface TimelineCell {
  kind: 'night' | 'statement' | 'vote' | 'other';
  /** Indices of the cell's steps in the match, in order; at least one. */
  places: readonly number[];
  /** Kind of vote that the cell shows; empty for all other cells. */
  heading: string;
  /** Short text in the cell: the number of a statement, or the result of a night or vote. */
  label: string;
  /** Full text for tooltips and screen readers. */
  title: string;
  /** Number of lies among a statement's claims, as far as the viewer may know; null if unknown. */
  lies: number | null;
  /** Whether the speaker is a Werewolf, as far as the viewer knows. */
  isByPack: boolean;
}

/** A night, a day, or the end. */
export interface TimelinePart {
  name: string;
  isNight: boolean;
  cells: readonly TimelineCell[];
}

type Seen = ReturnType<typeof listSeen>[number];

/**
 * Lists the timeline that the viewer may see.
 *
 * @example listTimeline({ match, at: 0, viewer: 'public', source: null })[0]!.name // 'Night 1'
 */
export function listTimeline(look: Perspective): TimelinePart[] {
  const parts = Map.groupBy(listSeen(look.match, look.viewer), ({ step }) => namePhaseAndRound(step));
  return [...parts].map(([name, steps]) => {
    const isNight = steps.some(({ step }) => step.phase === 'night');
    return { name, isNight, cells: isNight ? [createNightCell(name, steps)] : listDayCells(name, steps, look) };
  });
}

const listPlaces = (steps: readonly Seen[]) => steps.map(({ place }) => place);

function createNightCell(name: string, steps: readonly Seen[]): TimelineCell {
  const [label, came] = describeNight(steps.map(({ step }) => step));
  return {
    ...{ kind: 'night', places: listPlaces(steps), heading: '', label, title: `${name}: ${came}` },
    ...{ lies: null, isByPack: false },
  };
}

/** Describes the result of a night, briefly and in full. */
function describeNight(steps: readonly ViewedStep[]): [label: string, came: string] {
  const gone = steps.flatMap(({ leaves }) => leaves ?? []);
  if (gone.length === 1) return [`${gone.join('')} †`, `${gone.join('')} was removed`];
  if (gone.length > 1) return [`${gone.length} †`, `${gone.join(' and ')} were removed`];
  return steps.some(({ type }) => type === 'quiet_night') ? ['–', 'nobody was removed'] : ['…', 'not over'];
}

/** Headings for steps of a day that belong together, by type. A step of another type joins the step before it. */
const voteHeadings: Readonly<Record<string, string>> = {
  ...{ ballot: 'vote', no_exile: 'vote', tie: 'vote', death: 'vote', exile_survived: 'vote' },
  ...{ candidacy: 'stand', badge_ballot: 'Sheriff', elected: 'Sheriff', no_sheriff: 'Sheriff', pseudo_ballot: 'poll' },
  ended: 'end',
};

function listDayCells(name: string, steps: readonly Seen[], look: Perspective): TimelineCell[] {
  const groups: { heading: string; steps: Seen[] }[] = [];
  for (const seen of steps) {
    const { type } = seen.step;
    const last = groups.at(-1);
    const isSaid = type === 'statement' || type === 'silence';
    const heading = isSaid ? 'statement' : (voteHeadings[type] ?? last?.heading ?? 'other');
    if (last && !isSaid && last.heading === heading) last.steps.push(seen);
    else groups.push({ heading, steps: [seen] });
  }
  let said = 0;
  return groups.map((group) =>
    group.heading === 'statement'
      ? createStatementCell(group.steps, look, { name, number: ++said })
      : createVoteCell(group.steps, group.heading, name),
  );
}

function createStatementCell(
  steps: readonly Seen[],
  look: Perspective,
  { name, number }: { name: string; number: number },
): TimelineCell {
  const [{ step, place }] = steps as [Seen];
  const reading = findReading(step, look);
  const lies = reading === undefined || reading.isUnread ? null : countLyingClaims(reading);
  const speaker = look.match.players.find((player) => player.name === step.actor);
  const isByPack =
    speaker !== undefined && isOfPack(speaker) && findKnownRole(speaker, look.match, { ...look, at: place }) !== null;
  const what = `${name}, statement ${number}: ${step.actor}${step.type === 'silence' ? ' says nothing' : ''}`;
  const counted = lies === 1 ? ', 1 lie' : `, ${lies} lies`;
  const told = lies === null || lies === 0 ? '' : counted;
  const found = reading?.isUnread ? ', not read' : told;
  return {
    ...{ kind: 'statement', places: listPlaces(steps), heading: '', label: String(number), title: `${what}${found}` },
    ...{ lies, isByPack },
  };
}

function createVoteCell(steps: readonly Seen[], heading: string, name: string): TimelineCell {
  const label = nameOutcome(steps.map(({ step }) => step));
  const kind = ['vote', 'Sheriff', 'poll'].includes(heading) ? 'vote' : 'other';
  return {
    ...{ kind, places: listPlaces(steps), heading: heading === 'other' ? '' : heading, label },
    ...{ title: `${name}, ${heading}: ${label}`, lies: null, isByPack: false },
  };
}

/** Names the result of a vote in a word or two. */
function nameOutcome(steps: readonly ViewedStep[]): string {
  const gone = steps.flatMap(({ leaves }) => leaves ?? []);
  if (gone.length > 0) return gone.join(', ');
  const last = steps.findLast(({ type }) => ['no_exile', 'tie', 'exile_survived', 'elected', 'ended'].includes(type));
  if (last?.type === 'no_exile') return 'nobody';
  if (last?.type === 'tie') return 'tie';
  if (last?.type === 'ended') return 'over';
  if (last) return last.actor ?? '…';
  const targets = [...Map.groupBy(steps.flatMap(({ target }) => target ?? []), (target) => target)]; // prettier-ignore
  const [first, second] = targets.sort(([, one], [, other]) => other.length - one.length);
  if (steps.some(({ type }) => type === 'candidacy')) return String(steps.length);
  return first === undefined || first[1].length === second?.[1].length ? '…' : first[0];
}

/** Maximum width of a day, in cells. Wider days use the same CSS class. */
export const widestDay = 40;

/** Actions of the timeline's controls. */
export interface TimelineControls {
  isPlaying: boolean;
  /** Returns the address of a place. */
  link: (place: number) => string;
  move: (by: 1 | -1) => void;
  play: () => void;
  goTo: (place: number) => void;
}

export function renderTimeline(
  look: Perspective,
  { isPlaying, link, move, play, goTo }: TimelineControls,
): ComponentChild {
  const shown = listSeen(look.match, look.viewer);
  const index = Math.max(0, shown.findIndex(({ place }) => place === look.at)); // prettier-ignore
  const parts = listTimeline(look);
  const now = describePlace(look, parts);
  return h('nav', { class: 'timeline', 'aria-label': 'Time line' }, [
    h(
      'ol',
      null,
      parts.map((part) =>
        h('li', { class: part.isNight ? 'night' : `long-${Math.min(widestDay, Math.ceil(measurePart(part)))}` }, [
          h('b', { class: 'when' }, part.name),
          part.isNight
            ? renderCell(part.cells[0]!, look.at, link)
            : h('ol', { class: 'cells' }, part.cells.map((cell) => h('li', { class: nameCellClass(cell) }, renderCell(cell, look.at, link)))), // prettier-ignore
        ]),
      ),
    ),
    h('div', { class: 'scrub' }, [
      h('button', { type: 'button', class: 'button', onClick: () => move(-1) }, 'Back'),
      h('button', { type: 'button', class: 'button', onClick: play }, isPlaying ? 'Pause' : 'Play'),
      h('button', { type: 'button', class: 'button', onClick: () => move(1) }, 'Next'),
      h('input', {
        ...{ type: 'range', min: 0, max: Math.max(0, shown.length - 1), value: index, 'aria-label': 'Moment' },
        'aria-valuetext': `${now}, moment ${index + 1} of ${shown.length}`,
        onInput: (event: Event) => goTo(shown[Number((event.target as HTMLInputElement).value)]?.place ?? look.at),
      }),
      h('output', { class: 'num' }, `${now} · ${index + 1} of ${shown.length}`),
      h('span', { class: 'keys soft' }, 'arrow keys step, space plays, j and k go by nights and days'),
    ]),
  ]);
}

const measurePart = ({ cells }: TimelinePart) => sum(cells.map(({ kind }) => (kind === 'statement' ? 1 : 1.5)));

const nameCellClass = ({ kind, isByPack }: TimelineCell) =>
  `${kind === 'statement' ? 'said' : 'ballot'}${isByPack ? ' by-werewolf' : ''}`;

function renderCell(
  { kind, places, heading, label, title, lies }: TimelineCell,
  at: number,
  link: (place: number) => string,
): ComponentChild {
  const isNow = places.includes(at);
  // The visible text is short. Screen readers get the full text, once.
  return h('a', { href: link(places[0]!), title, 'aria-current': isNow ? 'step' : undefined }, [
    h('span', { class: 'only-seen-by-readers' }, title),
    lies === null || lies === 0 ? null : h('span', { class: 'lies', 'aria-hidden': 'true' }, String(lies)),
    heading === '' ? null : h('small', { 'aria-hidden': 'true' }, heading),
    h('span', { class: kind === 'statement' ? 'num' : 'came', 'aria-hidden': 'true' }, label),
  ]);
}

/** Describes a place in the match, e.g. "Day 2, statement 3 of 8". */
function describePlace({ at }: Perspective, parts: readonly TimelinePart[]): string {
  for (const { name, cells } of parts) {
    const cell = cells.find(({ places }) => places.includes(at));
    if (!cell) continue;
    const said = cells.filter(({ kind }) => kind === 'statement').length;
    if (cell.kind === 'statement') return `${name}, statement ${cell.label} of ${said}`;
    return cell.heading === '' ? name : `${name}, ${cell.heading}`;
  }
  return '';
}
