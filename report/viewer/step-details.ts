// What is known of one moment, beside it: what was said and is true of it, what was thought, bid and made of it, how it was
// voted on, and what its players were asked.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import {
  findReading,
  isAllKnowing,
  listCountedBallots,
  type Perspective,
  namePhaseAndRound,
  selectAllSeen,
} from './perspective.ts';
import { renderHeat } from './suspicion-drawing.ts';
import type { ViewedMatch, ViewedPrompt, ViewedReading, ViewedStep } from './viewed-match.ts';

/** What stands beside a moment besides what the match has. */
export interface DetailParts {
  /** Of the moment, for links. */
  address: string;
  /** Null where they are not there yet; a text: why not. */
  prompts: readonly ViewedPrompt[] | string | null;
  /** Gets the prompts of the moment. */
  ask: () => void;
}

export function renderDetails(look: Perspective, { address, prompts, ask }: DetailParts): ComponentChild {
  const { match, at, viewer } = look;
  const step = selectAllSeen(match, viewer)[at];
  if (!step) return null;
  const { thoughts = [], bids = [], heard = [], votes = [], text } = step;
  const own = thoughts.filter(({ player }) => player === step.actor);
  const others = thoughts.filter(({ player }) => player !== step.actor);
  const reading = findReading(step, look);
  const ballots = listCountedBallots(look, at);
  return h('article', { class: 'details', 'aria-live': 'polite' }, [
    h('h2', null, `${namePhaseAndRound(step)}${/^e\d/.test(step.id) ? '' : `, ${step.id}`}`),
    text === undefined || text === ''
      ? h('p', null, h('bdi', null, step.told))
      : renderSpeech(step, text, match, reading),
    reading && renderReading(reading, look.source!),
    own.length === 0 ? null : h('section', null, [h('h3', null, 'Private reasoning'), ...own.map(renderThought)]),
    heard.length === 0 ? null : renderHeard(heard, reading),
    votes.length === 0 ? null : renderTally('Synthetic votes after it', votes),
    ballots.length === 0 ? null : renderTally('Ballots', ballots),
    step.beliefs ? renderBeliefs(step.beliefs, look) : null,
    bids.length === 0 ? null : renderBids(bids),
    others.length === 0
      ? null
      : h('details', { key: `thoughts ${step.id}` }, [
          h('summary', null, `What the others thought before (${others.length})`),
          ...others.map(renderThought),
        ]),
    renderQuestions(step, match, prompts, ask),
    h('p', { class: 'quiet' }, ['Link: ', h('a', { href: address }, address)]),
  ]);
}

const renderThought = ({ player, reasoning }: { player: string; reasoning: string }): ComponentChild =>
  h('p', null, [h('b', null, player), ': ', h('bdi', null, reasoning)]);

/** Who says it, and the words, those that claims rest on underlined. */
function renderSpeech(
  { actor, target, type, told }: ViewedStep,
  text: string,
  match: ViewedMatch,
  reading: ViewedReading | undefined,
): ComponentChild {
  const role = match.players.find(({ name }) => name === actor)?.role;
  const who = told.includes(`${actor} (${role})`) ? `${actor} (${role})` : actor;
  const head = type === 'ballot' ? `${who} votes for ${target}` : who;
  return h('figure', null, [
    h('figcaption', { class: 'speaker' }, head),
    h('blockquote', null, h('bdi', null, reading ? markClaims(text, reading.claims) : text)),
  ]);
}

function markClaims(text: string, claims: ViewedReading['claims']): ComponentChild[] {
  const cuts = [...new Set([0, text.length, ...claims.flatMap(({ from, to }) => [from, to])])]
    .filter((at) => at <= text.length)
    .sort((one, other) => one - other);
  return cuts.slice(0, -1).map((from, place) => {
    const piece = text.slice(from, cuts[place + 1]);
    const over = claims.filter((claim) => claim.from <= from && claim.to >= cuts[place + 1]!);
    return over.length === 0
      ? piece
      : h('mark', { class: over.some(({ verdict }) => verdict === 'lie') ? 'lie' : over[0]!.verdict }, piece);
  });
}

function renderReading({ claims }: ViewedReading, source: string): ComponentChild {
  if (claims.length === 0) return h('p', { class: 'quiet' }, ['No claim in it, by ', h('bdi', null, source), '.']);
  return h('section', null, [
    h('h3', null, ['What is true of it', h('span', { class: 'mark' }, ['by ', h('bdi', null, source)])]),
    h(
      'ul',
      null,
      claims.map(({ words, verdict, about, knownTo }) =>
        h('li', null, [
          h('b', { class: verdict }, verdict),
          ': ',
          h('bdi', null, `“${words}”`),
          ` (${about}; ${knownTo})`,
        ]),
      ),
    ),
  ]);
}

function renderBids(bids: NonNullable<ViewedStep['bids']>): ComponentChild {
  const most = Math.max(1, ...bids.map(({ bid }) => bid ?? 0));
  return h('section', null, [
    h('h3', null, 'Bids for the turn'),
    h(
      'dl',
      { class: 'bars' },
      bids.flatMap(({ player, bid }) => [
        h('dt', null, player),
        h('dd', null, [
          bid === null ? '–' : h('meter', { min: 0, max: most, value: bid, 'aria-label': `${player}: ${bid}` }),
          bid === null ? '' : ` ${bid}`,
        ]),
      ]),
    ),
  ]);
}

function renderHeard(heard: NonNullable<ViewedStep['heard']>, reading: ViewedReading | undefined): ComponentChild {
  const format = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(2));
  const couldKnow = ({ player, isSelf }: { player: string; isSelf: boolean }) =>
    isSelf || !reading || reading.isLie === null ? '–' : reading.knownBy.includes(player) ? 'yes' : 'no';
  const heads = [
    'Who',
    'Deceptive?',
    'Suspicion',
    'Werewolf?',
    'Type',
    ...(reading ? ['Could know?'] : []),
    'Reasoning',
  ];
  return h('section', null, [
    h('h3', null, 'What was made of it'),
    reading
      ? h('p', { class: 'quiet' }, 'Could know: whether it is a lie, from what the listener had seen for certain.')
      : null,
    h('div', { class: 'wide', tabIndex: 0, role: 'region', 'aria-label': 'What was made of it' }, [
      h('table', null, [
        h('thead', null, [
          h(
            'tr',
            null,
            heads.map((title) => h('th', { scope: 'col' }, title)),
          ),
        ]),
        h(
          'tbody',
          null,
          heard.map((one) =>
            h('tr', null, [
              h('th', { scope: 'row' }, `${one.player}${one.isSelf ? ' (speaker)' : ''}`),
              ...[
                ...[one.deceptive ? 'yes' : 'no', format(one.suspicion), format(one.werewolf), one.type],
                ...(reading ? [couldKnow(one)] : []),
              ].map((text) => h('td', null, text)),
              h('td', { class: 'long' }, h('bdi', null, one.reasoning)),
            ]),
          ),
        ),
      ]),
    ]),
  ]);
}

function renderTally(title: string, votes: readonly { player: string; target: string }[]): ComponentChild {
  const by = Map.groupBy(votes, ({ target }) => target);
  const rows = [...by].sort(([, one], [, other]) => other.length - one.length);
  return h('section', null, [
    h('h3', null, title),
    h(
      'dl',
      { class: 'bars' },
      rows.flatMap(([target, own]) => [
        h('dt', null, target),
        h('dd', null, [
          h('meter', { min: 0, max: votes.length, value: own.length, 'aria-label': `${target}: ${own.length}` }),
          ` ${own.length} (${own.map(({ player }) => player).join(', ')})`,
        ]),
      ]),
    ),
  ]);
}

function renderBeliefs(beliefs: NonNullable<ViewedStep['beliefs']>, { match, viewer }: Perspective): ComponentChild {
  const isMarked = isAllKnowing(viewer);
  const heads = new Map(
    match.players.map(({ name, team }) => [`${name}${isMarked && team === 'the Werewolves' ? ' (W)' : ''}`, name]),
  );
  return h('section', null, [
    h('h3', null, 'Beliefs: how likely a Werewolf'),
    renderHeat(
      'Beliefs',
      [...heads.keys()],
      Object.keys(beliefs),
      (by, head) => beliefs[by]![heads.get(head)!] ?? null,
    ),
  ]);
}

/** Over a prompt whose hash is not that of the one that was answered. */
export const notSealed = 'This is not the prompt that was sent: it was changed after the match.';

/** What the players were asked, with the prompts as they saw them: brought when they are unfolded. */
function renderQuestions(
  { id, actor, asked = [], prompts: embedded }: ViewedStep,
  { hasPrompts }: ViewedMatch,
  fetched: DetailParts['prompts'],
  ask: () => void,
): ComponentChild {
  const prompts = embedded ?? fetched;
  if (asked.length === 0 || (!hasPrompts && !embedded)) return null;
  const ordered = asked.toSorted((one, other) => Number(other.player === actor) - Number(one.player === actor));
  const shown = embedded
    ? ordered.filter(({ player, action }) => embedded.some((one) => one.player === player && one.action === action))
    : ordered;
  const questions = shown.map(({ player, action, attempts }) => {
    const own = Array.isArray(prompts)
      ? (prompts as readonly ViewedPrompt[]).filter((one) => one.player === player && one.action === action)
      : [];
    const again = attempts === 1 ? '' : `, asked ${attempts} times`;
    return h(
      'details',
      {
        key: `${id} ${player} ${action}`,
        onToggle: (event: Event) => (event.target as HTMLDetailsElement).open && prompts === null && ask(),
      },
      [
        h('summary', null, `The prompt that ${player} saw: ${action.replaceAll('_', ' ')}${again}`),
        typeof prompts === 'string' ? h('p', { role: 'alert' }, prompts) : null,
        prompts === null ? h('p', null, 'Loading …') : null,
        ...own.flatMap(({ attempt, messages, isForged }) => [
          attempt === 1 ? null : h('p', null, h('b', null, `Attempt ${attempt}`)),
          isForged ? h('p', { role: 'alert' }, notSealed) : null,
          ...messages.map(({ role, content }) => h('pre', { tabIndex: 0 }, `[${role}]\n${content}`)),
        ]),
      ],
    );
  });
  const first = Math.max(1, shown.filter(({ player }) => player === actor).length);
  return h('section', null, [
    h('h3', null, 'Prompts'),
    ...questions.slice(0, first),
    questions.length === first
      ? null
      : h('details', { key: `prompts ${id}` }, [
          h('summary', null, `Other prompts (${questions.length - first})`),
          h('div', { class: 'inner' }, questions.slice(first)),
        ]),
  ]);
}
