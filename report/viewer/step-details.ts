// The current step in full: what was said, with its claims marked; what is true of it; how listeners judged it; and,
// folded, what was thought, bid, voted and asked.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import {
  collectSuspicion,
  findKnownRole,
  findReading,
  isAllKnowing,
  listCountedBallots,
  type Perspective,
  selectAllSeen,
} from './perspective.ts';
import { isOfPack, nameRoleClass, renderRole, truncateModelNames } from './player-parts.ts';
import { renderHeat } from './suspicion-drawing.ts';
import { nameOccasion } from './table-stage.ts';
import type { ViewedMatch, ViewedPrompt, ViewedStep } from './viewed-match.ts';
import type { ViewedClaim, ViewedReading } from './viewed-readings.ts';

/** Data that is shown with a moment, in addition to the data of the match. */
export interface DetailParts {
  /** Address of the moment, for links. */
  address: string;
  /** Prompts; null while loading; a text explains why there are none. */
  prompts: readonly ViewedPrompt[] | string | null;
  /** Loads the prompts of the moment. */
  ask: () => void;
}

export function renderDetails(look: Perspective, { address, prompts, ask }: DetailParts): ComponentChild {
  const { match, at, viewer } = look;
  const step = selectAllSeen(match, viewer)[at];
  if (!step) return null;
  const { thoughts = [], bids = [], drafts = [], heard = [], votes = [], actor } = step;
  const own = thoughts.filter(({ player }) => player === actor);
  const others = thoughts.filter(({ player }) => player !== actor);
  const [self, peers] = [heard.filter(({ isSelf }) => isSelf), heard.filter(({ isSelf }) => !isSelf)];
  const reading = findReading(step, look);
  const ballots = listCountedBallots(look, at);
  const questions = renderQuestions(step, match, prompts, ask);
  return h('div', { class: 'details' }, [
    h('div', { class: 'part', 'aria-live': 'polite' }, renderStatement(step, look, reading)),
    peers.length === 0 ? null : renderHeard(peers, step, look, reading),
    ballots.length === 0 ? null : renderTally('Ballots', ballots),
    step.beliefs ? renderBeliefs(step.beliefs, look) : null,
    h('div', { class: 'part folds' }, [
      ...own.map(({ action, reasoning }) =>
        renderFold(`${step.id} ${action}`, `${actor}’s reasoning before ${nameQuestion(action, step)}`, 'private', [
          renderWords(reasoning),
        ]),
      ),
      ...self.map((one) =>
        renderFold(
          `${step.id} self`,
          `${actor}’s own report of the statement`,
          `${one.deceptive ? 'deceptive' : 'honest'}, as asked afterwards`,
          [h('p', { class: 'soft' }, `Type: ${one.type}`), renderWords(one.reasoning)],
        ),
      ),
      peers.length === 0
        ? null
        : renderFold(`${step.id} heard`, 'What the listeners thought', `${peers.length}, private`, [
            h(
              'dl',
              { class: 'said-by' },
              peers.flatMap(({ player, type, reasoning }) => [
                h('dt', null, [player, h('small', { class: 'soft' }, ` ${type}`)]),
                h('dd', null, reasoning === '' ? '–' : renderWords(reasoning)),
              ]),
            ),
          ]),
      votes.length === 0
        ? null
        : renderFold(`${step.id} votes`, 'Synthetic votes after it', pluralize(votes.length, 'vote'), [
            renderTally(null, votes),
          ]),
      bids.length === 0
        ? null
        : renderFold(`${step.id} bids`, 'Bids for the turn', pluralize(bids.length, 'bid'), [renderBids(bids)]),
      drafts.length === 0
        ? null
        : renderFold(`${step.id} drafts`, 'What the others would have said', `${drafts.length}, heard by nobody`, [
            h(
              'dl',
              { class: 'said-by' },
              drafts.flatMap(({ player, text }) => [h('dt', null, player), h('dd', null, renderWords(text))]),
            ),
          ]),
      others.length === 0
        ? null
        : renderFold(`${step.id} thoughts`, 'What the others thought before', `${others.length}, private`, [
            h(
              'dl',
              { class: 'said-by' },
              others.flatMap(({ player, action, reasoning }) => [
                h('dt', null, [player, h('small', { class: 'soft' }, ` before ${nameQuestion(action, step)}`)]),
                h('dd', null, renderWords(reasoning)),
              ]),
            ),
          ]),
      questions,
    ]),
    h('p', { class: 'note link' }, ['Link: ', h('a', { href: address }, address)]),
  ]);
}

const pluralize = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;

const renderFold = (key: string, title: string, note: string, parts: ComponentChild[]): ComponentChild =>
  h('details', { key, class: 'fold' }, [h('summary', null, [title, h('span', null, note)]), h('div', null, parts)]);

/** Renders a player's words as plain text. The text is isolated, so that its direction does not affect the page. */
const renderWords = (text: string): ComponentChild => h('p', { class: 'words' }, h('bdi', null, text));

/**
 * Names what a player reasoned about, in words that follow "before", e.g. "voting". Different questions get different
 * names, because one moment can show several reasonings of a player.
 */
function nameQuestion(action: string, { type }: ViewedStep): string {
  const names: Record<string, string> = {
    ...{
      bid: 'bidding for the turn',
      draft: 'bidding with a draft',
      debate: 'speaking',
      vote: 'voting',
      pk_debate: 'speaking once more',
    },
    ...{ eliminate: 'the pick of the night', campaign: 'the campaign speech', recommend: 'recommending' },
  };
  return names[action] ?? (type === 'acted' || type === 'passed' ? `the choice (${action.replaceAll('_', ' ')})` : action.replaceAll('_', ' ')); // prettier-ignore
}

/** Renders the speaker, and the words with claims marked and explained. */
function renderStatement(step: ViewedStep, look: Perspective, reading: ViewedReading | undefined): ComponentChild {
  const { match, at, viewer } = look;
  const { actor, target, type, text, told } = step;
  const player = match.players.find(({ name }) => name === actor);
  const role = player ? findKnownRole(player, match, { viewer, at }) : null;
  const models = truncateModelNames(match.players.map(({ model }) => model));
  const hasWords = text !== undefined && text !== '';
  const occasion = nameOccasion(step);
  const event = player || told !== occasion ? h('p', { class: 'event' }, h('bdi', null, told)) : null;
  return h('article', { class: `statement ${player ? nameRoleClass(role, player) : 'unknown'}` }, [
    h('div', { class: 'speaker' }, [
      h('h2', null, player ? h('bdi', null, player.name) : occasion),
      player ? renderRole(role, player, match) : null,
      player && isAllKnowing(viewer) ? h('span', { class: 'soft' }, h('bdi', null, models.get(player.model))) : null,
      h('span', { class: 'soft' }, player ? occasion : ''),
    ]),
    type === 'ballot' && hasWords ? h('p', { class: 'deed' }, `votes for ${target}`) : null,
    hasWords
      ? h('blockquote', { class: 'words' }, h('bdi', null, reading ? markClaims(text, reading.claims, step.id) : text))
      : event,
    reading && renderClaims(reading, look.source!, step.id),
  ]);
}

/** Returns the CSS class and the word of a verdict. Pages show the word, so that no meaning depends on color alone. */
export function describeVerdict(verdict: ViewedClaim['verdict']): { look: string; word: string } {
  if (verdict === 'lie' || verdict === 'insincere') return { look: 'lie', word: verdict };
  if (verdict === 'true' || verdict === 'kept' || verdict === 'unwarranted')
    return { look: 'true', word: verdict === 'unwarranted' ? 'true, not known' : verdict };
  if (verdict === 'error' || verdict === 'forgotten' || verdict === 'broken')
    return { look: 'mistaken', word: verdict === 'error' ? 'false, not known' : verdict };
  return { look: 'undecidable', word: verdict === 'unverifiable' ? 'not decidable' : verdict };
}

/** Renders the text with each claim underlined, numbered and explained on hover and focus. */
function markClaims(text: string, claims: readonly ViewedClaim[], id: string): ComponentChild[] {
  const cuts = [...new Set([0, text.length, ...claims.flatMap(({ from, to }) => [from, to])])]
    .filter((at) => at <= text.length)
    .sort((one, other) => one - other);
  return cuts.slice(0, -1).map((from, place) => {
    const to = cuts[place + 1]!;
    const over = claims.flatMap((claim, number) => (claim.from <= from && claim.to >= to ? [{ claim, number }] : []));
    if (over.length === 0) return text.slice(from, to);
    const looks = over.map(({ claim }) => describeVerdict(claim.verdict).look);
    const gravest = ['lie', 'mistaken', 'undecidable'].find((look) => looks.includes(look)) ?? 'true';
    const ended = over.filter(({ claim }) => claim.to === to);
    return h('mark', { class: `claim ${gravest}`, 'data-claims': over.map(({ number }) => number + 1).join(' ') }, [
      text.slice(from, to),
      ...ended.map(({ claim, number }) => {
        const { word } = describeVerdict(claim.verdict);
        return h('sup', null, [
          h(
            'button',
            { type: 'button', 'aria-label': `Claim ${number + 1}: ${word}`, 'aria-describedby': nameClaim(id, number) },
            String(number + 1),
          ),
          h('span', { class: 'reason', 'aria-hidden': 'true' }, [h('b', null, word), ` ${claim.reason}`]),
        ]);
      }),
    ]);
  });
}

const nameClaim = (id: string, number: number) => `claim-${id}-${number + 1}`;

function renderClaims({ claims, isUnread }: ViewedReading, source: string, id: string): ComponentChild {
  const by = h('bdi', null, source);
  if (isUnread)
    return h('p', { class: 'note missing' }, ['Not read by ', by, ': whether it contains a lie is not known.']);
  if (claims.length === 0) return h('p', { class: 'note' }, ['No claim found by ', by, '.']);
  return h('ol', { class: 'claims', 'aria-label': `Claims, by ${source}` }, [
    ...claims.map((claim, number) => {
      const { look, word } = describeVerdict(claim.verdict);
      return h('li', { key: number, id: nameClaim(id, number) }, [
        h('span', { class: `verdict ${look}` }, word),
        h('span', null, [
          h('bdi', null, claim.reason),
          h('span', { class: 'soft' }, [' ', h('bdi', null, `(${claim.about})`)]),
        ]),
      ]);
    }),
  ]);
}

/** Compares a listener's judgment with the truth; null if the truth is unknown. */
function judgeListener(
  { deceptive }: { deceptive: boolean },
  isLie: boolean | null,
): { word: string; isRight: boolean } | null {
  if (isLie === null) return null;
  if (isLie) return deceptive ? { word: 'caught it', isRight: true } : { word: 'believed it', isRight: false };
  return deceptive ? { word: 'false alarm', isRight: false } : { word: 'rightly believed', isRight: true };
}

type Heard = NonNullable<ViewedStep['heard']>;

/** Summarizes how listeners judged, e.g. "1 of 3 who could not know caught it". */
function summarizeListeners(heard: Heard, { isLie, knownBy }: ViewedReading): string {
  if (isLie === null) return 'whether it is a lie is not decidable';
  const blind = heard.filter(({ player }) => !knownBy.includes(player));
  const flags = blind.filter(({ deceptive }) => deceptive).length;
  return isLie
    ? `a lie: ${flags} of ${blind.length} who could not know caught it`
    : `no lie: ${flags} of ${blind.length} who could not know called it one`;
}

function renderHeard(
  heard: Heard,
  step: ViewedStep,
  look: Perspective,
  reading: ViewedReading | undefined,
): ComponentChild {
  const { match, at } = look;
  const [before, after] = [collectSuspicion({ ...look, at: at - 1 }), collectSuspicion(look)];
  const percent = (scores: ReturnType<typeof collectSuspicion>, player: string) => {
    const score = scores.get(player)?.get(step.actor ?? '');
    return score === undefined ? '–' : String(Math.round(100 * score));
  };
  const isTold = reading !== undefined && !reading.isUnread;
  const heads = ['Listener', 'Role', 'Says', 'Suspicion', ...(isTold ? ['Result'] : [])];
  const name = isTold ? 'How the listeners judged it' : 'How it was heard';
  return h('section', { class: 'part' }, [
    h('h2', null, [name, isTold ? h('small', null, ` ${summarizeListeners(heard, reading)}`) : null]),
    h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': name }, [
      h('table', { class: 'plain listeners' }, [
        h('thead', null, [
          h(
            'tr',
            null,
            heads.map(
              (title) =>
              h('th', { scope: 'col', class: `${title === 'Suspicion' ? '' : 'left'}${title === 'Role' ? ' wide-only' : ''}` }, title), // prettier-ignore
            ),
          ),
        ]),
        h(
          'tbody',
          null,
          heard.map(({ player: name, deceptive }) => {
            const player = match.players.find((one) => one.name === name)!;
            const couldKnow = isTold && reading.isLie !== null && reading.knownBy.includes(name);
            const result = isTold ? judgeListener({ deceptive }, reading.isLie) : null;
            const [was, is] = [percent(before, name), percent(after, name)];
            return h('tr', { class: couldKnow ? 'could-know' : '' }, [
              h('th', { scope: 'row' }, h('bdi', null, name)),
              h('td', { class: 'left wide-only' }, renderRole(findKnownRole(player, match, look), player, match)),
              h('td', { class: 'left' }, deceptive ? 'deceptive' : 'honest'),
              h('td', null, was === is ? is : `${was} to ${is}`),
              isTold
                ? h('td', { class: 'left' }, [
                    couldKnow
                      ? 'could know'
                      : result === null
                        ? 'not decidable'
                        : h('span', { class: result.isRight ? 'right' : 'wrong' }, result.word),
                  ])
                : null,
            ]);
          }),
        ),
      ]),
    ]),
    h('p', { class: 'note' }, `Suspicion: how far the listener suspected ${step.actor} before and after, in percent.${isTold ? ' Could know: what the listener had seen for certain showed whether the statement is a lie.' : ''}`), // prettier-ignore
  ]);
}

function renderBids(bids: NonNullable<ViewedStep['bids']>): ComponentChild {
  const most = Math.max(1, ...bids.map(({ bid }) => bid ?? 0));
  return h(
    'dl',
    { class: 'bars' },
    bids.flatMap(({ player, bid }) => [
      h('dt', null, player),
      h('dd', null, [
        bid === null ? '–' : h('meter', { min: 0, max: most, value: bid, 'aria-label': `${player}: ${bid}` }),
        bid === null ? '' : ` ${bid}`,
      ]),
    ]),
  );
}

function renderTally(title: string | null, votes: readonly { player: string; target: string }[]): ComponentChild {
  const by = Map.groupBy(votes, ({ target }) => target);
  const rows = [...by].sort(([, one], [, other]) => other.length - one.length);
  return h('section', { class: 'part' }, [
    title === null ? null : h('h2', null, title),
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
    match.players.map((one) => [`${one.name}${isMarked && isOfPack(one) ? ' (W)' : ''}`, one.name]),
  );
  return h('section', { class: 'part' }, [
    h('h2', null, ['Beliefs', h('small', null, ' how likely each player is a Werewolf')]),
    renderHeat({
      ...{
        label: 'Beliefs',
        caption: 'How likely the player of each row holds the player of each column to be a Werewolf, in percent.',
      },
      ...{ heads: [...heads.keys()], observers: Object.keys(beliefs) },
      find: (by, head) => ({ score: beliefs[by]![heads.get(head)!] ?? null }),
    }),
  ]);
}

/** Warning above a prompt whose hash differs from the hash recorded with the answer. */
export const notSealed = 'This is not the prompt that was sent: it was changed after the match.';

/**
 * Renders the questions that players were asked. When a reader unfolds them, their prompts are loaded, as the players
 * saw them.
 */
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
  return renderFold(`prompts ${id}`, 'Prompts', pluralize(questions.length, 'question'), questions);
}
