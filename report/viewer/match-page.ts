// One match in the page: its head, time line, table, the current step in full, and what was said in the same night or day.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import { countLyingClaims, findKnownRole, findReading, findSource, isAllKnowing, listSeen, namePhaseAndRound, type Perspective } from './perspective.ts'; // prettier-ignore
import { isOfPack, renderRole } from './player-parts.ts';
import { type LinkToArm, renderForkArms } from './fork-arms.ts';
import { renderDetails } from './step-details.ts';
import { renderSuspicion } from './suspicion-drawing.ts';
import { renderStage } from './table-stage.ts';
import { renderTimeline, type TimelineControls } from './timeline.ts';
import type { ViewedForks } from './viewed-forks.ts';
import type { ViewedMatch, ViewedPrompt, ViewedStep, Viewer } from './viewed-match.ts';
import type { ViewedReading } from './viewed-readings.ts';

/** How a match is shown, and the available actions. */
export interface MatchView {
  look: Perspective;
  /** Source of verdicts that the address asks for; null for the default. */
  wanted: string | null;
  /** Player whose suspicion is drawn; null for all players. */
  suspected: string | null;
  /** Prompts of the current step; null while loading; a text explains why there are none. */
  prompts: readonly ViewedPrompt[] | string | null;
  /** Forks of the current step; null if the step has none, or if they are not loaded yet. */
  forks: ViewedForks | null;
  /** Path of the match, as in links. */
  path: string;
  linkToArm: LinkToArm;
  /** Address of this match's own page. Null on that page itself. */
  file: string | null;
  controls: TimelineControls;
  chooseViewer: (viewer: Viewer) => void;
  chooseSource: (source: string) => void;
  suspect: (of: string | null) => void;
  ask: (step: ViewedStep) => void;
}

export function renderMatch(view: MatchView): ComponentChild {
  const { look, suspected, prompts, forks, path, linkToArm, controls, suspect, ask } = view;
  const { match, at } = look;
  const step = match.steps[at];
  return h('main', null, [
    renderHead(view),
    renderTimeline(look, controls),
    h('div', { class: 'match' }, [
      h(
        'section',
        { class: 'step-side', 'aria-label': 'Current step' },
        step ? renderDetails(look, { address: controls.link(at), prompts, ask: () => ask(step) }) : null,
      ),
      h('section', { class: 'table-side', 'aria-label': 'Players' }, [
        renderStage(look),
        renderSuspicion(look, { of: suspected, choose: suspect }),
      ]),
    ]),
    forks !== null && isAllKnowing(look.viewer) ? renderForkArms(forks, path, linkToArm) : null,
    renderTalk(look, controls.link),
  ]);
}

/** Describes the sides, e.g. "Atlas 2 as Werewolves, Boreal Pro as village". */
function describeSides({ players }: ViewedMatch): string {
  const [pack, others] = [players.filter(isOfPack), players.filter((one) => !isOfPack(one))];
  const [werewolves, village] = [pack, others].map((side) => [...new Set(side.map(({ model }) => model))].join(', '));
  return werewolves === village ? `${werewolves} on both sides` : `${werewolves} as Werewolves, ${village} as village`;
}

function renderHead({ look, wanted, file, chooseViewer, chooseSource }: MatchView): ComponentChild {
  const { match, viewer, source } = look;
  const isAll = isAllKnowing(viewer);
  const isAtEnd = look.at >= match.steps.length - 1;
  const fact = (name: string, value: string) => h('li', null, [`${name} `, h('b', null, h('bdi', null, value))]);
  return h('header', { class: 'head' }, [
    h('div', { class: 'state' }, [
      h('h1', { tabIndex: -1 }, h('bdi', null, isAll ? describeSides(match) : match.id)),
      match.isOver ? null : h('span', { class: 'badge running' }, 'under way, or stopped'),
    ]),
    isAll || isAtEnd ? h('p', { class: 'ending' }, h('bdi', null, match.ending)) : null,
    h('ul', { class: 'facts' }, [
      fact('Match', match.id),
      fact('Board', match.board),
      fact('Rules', match.rules),
      ...(match.seed === null ? [] : [fact('Seed', String(match.seed))]),
      file === null ? null : h('li', null, h('a', { href: file }, 'as one file, to keep or print')),
    ]),
    ...(isAll ? match.notes : []).map((note) => h('p', { class: 'caution' }, h('bdi', null, note))),
    h('p', { class: 'choices' }, [
      renderChoice('viewer', 'View ', viewer, chooseViewer, [
        ['all', 'everything'],
        ['public', 'public'],
        ...match.players.map(({ name }): [string, string] => [name, `what ${name} knew`]),
      ]),
      isAll && match.sources.length > 1
        ? renderChoice('source', 'Verdicts by ', source ?? '', chooseSource, match.sources.map((name) => [name, name])) // prettier-ignore
        : null,
      isAll && match.sources.length === 1
        ? h('span', null, ['Verdicts by ', h('b', null, h('bdi', null, source ?? 'nobody'))])
        : null,
    ]),
    isAll && match.sources.length > 0 && wanted !== null && findSource(match.sources, wanted) === null
      ? h('p', { class: 'caution', role: 'status' }, [
          'Verdicts by ',
          h('bdi', null, wanted),
          ' are not stored with this match. Shown instead: verdicts by ',
          h('bdi', null, source ?? 'nobody'),
          '.',
        ])
      : null,
  ]);
}

const renderChoice = (
  id: string,
  title: string,
  chosen: string,
  choose: (value: string) => void,
  options: readonly (readonly [value: string, title: string])[],
): ComponentChild =>
  h('span', null, [
    h('label', { for: id }, title),
    h(
      'select',
      { id, value: chosen, onChange: (event: Event) => choose((event.target as HTMLSelectElement).value) },
      options.map(([value, name]) => h('option', { value, selected: chosen === value }, name)),
    ),
  ]);

/** Renders the events of the current step's night or day, each moment a link. */
function renderTalk(look: Perspective, link: (place: number) => string): ComponentChild {
  const { match, at, viewer } = look;
  const current = match.steps[at];
  if (!current) return null;
  const part = namePhaseAndRound(current);
  const near = listSeen(match, viewer).filter(({ step }) => namePhaseAndRound(step) === part);
  return h('section', { class: 'what-happened', 'aria-label': 'What happened' }, [
    h('h2', null, part),
    h(
      'ol',
      { class: 'talk steps' },
      near.map(({ step, place }) => renderTalkLine(step, place, look, link)),
    ),
  ]);
}

function renderTalkLine(
  step: ViewedStep,
  place: number,
  look: Perspective,
  link: (place: number) => string,
): ComponentChild {
  const { match, at } = look;
  const isNow = place === at;
  const isForked = match.forkPoint === step.id && isAllKnowing(look.viewer);
  const player = match.players.find(({ name }) => name === step.actor);
  const isSaid = player !== undefined && step.text !== undefined && step.text !== '';
  const reading = findReading(step, look);
  const short = step.type === 'ballot' ? 'vote' : '·';
  const name = /^\d+\.\d+$/.test(step.id) ? step.id : short;
  return h(
    'li',
    { key: step.id, 'data-moment': step.id, class: isNow ? 'now' : '', 'aria-current': isNow ? 'step' : undefined },
    [
      h('a', { class: 'num', href: link(place) }, [
        name,
        name === step.id ? null : h('span', { class: 'only-seen-by-readers' }, ` ${step.told}`),
      ]),
      isSaid
        ? [
            renderRole(findKnownRole(player, match, { ...look, at: place }), player, match, player.name),
            h('span', { class: 'words' }, [
              step.type === 'ballot' ? h('b', { class: 'deed' }, `for ${step.target}: `) : null,
              h('bdi', { dir: 'auto' }, step.text),
            ]),
            h('span', { class: 'found' }, [reading ? renderFound(reading) : null, isForked ? forkBadge : null]),
          ]
        : h('span', { class: 'event' }, [h('bdi', null, step.told), isForked ? forkBadge : null]),
    ],
  );
}

/** Badge on the statement at which a fork leaves its original match. */
const forkBadge = h('span', { class: 'badge' }, 'fork point');

/** Renders the verdict on a statement as a sign and words. */
function renderFound(reading: ViewedReading): ComponentChild {
  const { claims, isUnread } = reading;
  if (isUnread) return h('span', { class: 'missing' }, 'not read');
  const lies = countLyingClaims(reading);
  if (lies > 0) return h('span', { class: 'verdict lie' }, lies === 1 ? '1 lie' : `${lies} lies`);
  const truths = claims.filter(({ verdict }) => verdict === 'true' || verdict === 'unwarranted' || verdict === 'kept');
  if (truths.length > 0) return h('span', { class: 'verdict true' }, `${truths.length} true`);
  if (claims.length === 0) return h('span', { class: 'soft' }, 'no claim');
  return h('span', { class: 'verdict undecidable' }, `${claims.length} not decidable`);
}
