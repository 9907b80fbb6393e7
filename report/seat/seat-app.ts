// The program of a seat's page: the table, the talk and one question. Whatever players said is put into text nodes by
// Preact, never into markup.
/// <reference lib="dom" />
import { h, render, type ComponentChild } from 'preact';
import type { FormField } from '../../prompts/form.ts';
import type { SeatPage, SeatedPlayer, TalkEntry } from './seat-text.ts';

interface State {
  page: SeatPage | null;
  /** Time at which the answer is due, on the clock of this page; null without a limit. */
  deadline: number | null;
  /** Label of the option chosen in the form's first choice, shown on the button; null while none is chosen. */
  chosen: string | null;
  /** Values of the sliders by name. The page shows each value beside its slider. */
  shares: Readonly<Record<string, number>>;
  problem: string | null;
  connection: 'open' | 'lost' | 'refused';
}

const state: State = {
  ...{ page: null, deadline: null, chosen: null, shares: {}, problem: null, connection: 'lost' },
};

const update = (change: Partial<State>) => {
  Object.assign(state, change);
  const app = document.getElementById('app');
  if (app) render(renderApp(), app);
};

/** Value of a slider before it is moved. */
const middle = 50;

function renderApp(): ComponentChild {
  const { page, connection } = state;
  if (connection === 'refused')
    return h(
      'main',
      null,
      h('h1', null, 'This seat is closed'),
      h('p', null, 'This page is no longer valid. Ask for a new address.'),
    );
  if (!page)
    return h('main', null, h('h1', null, 'Your seat'), h('p', { class: 'soft' }, 'The match has not begun yet.'));
  return [
    h(
      'header',
      { class: 'top' },
      h('span', { class: 'mark' }, 'Wolfgraph'),
      h('span', { class: 'soft' }, page.heading),
    ),
    h(
      'main',
      { class: 'table-page' },
      h('h1', { class: 'only-seen-by-readers' }, `Wolfgraph. ${page.heading}`),
      h('div', null, renderIdentity(page), renderPlayers(page.players), renderRules(page.rules)),
      h(
        'div',
        { class: 'hear', tabIndex: 0, role: 'region', 'aria-label': 'What was said' },
        h(
          'ol',
          { class: 'chat' },
          page.talk.map((entry) => renderTalk(entry, page.me)),
        ),
      ),
      h('div', { class: 'ask' }, renderAsk(page)),
    ),
  ];
}

const renderIdentity = ({ me, role, allegiance, persona }: SeatPage) =>
  h(
    'div',
    { class: `you ${role.toLowerCase()}` },
    h(
      'p',
      null,
      'You are ',
      h('b', null, me),
      ', ',
      h('span', { class: `role ${role.toLowerCase()}` }, role),
      `, ${allegiance}.`,
    ),
    ' ',
    h('p', { class: 'soft' }, 'Only you see this.'),
    persona === null ? null : h('p', { class: 'soft' }, `Your character: ${persona}`),
  );

const renderPlayers = (players: readonly SeatedPlayer[]) =>
  h(
    'ul',
    { class: 'players', 'aria-label': 'Players' },
    players.map(({ name, isAlive, isMe, note }) => {
      const words = [note ?? (isMe ? 'you' : '')].filter((word) => word !== '');
      return h(
        'li',
        { class: [...(isMe ? ['me'] : []), ...(isAlive ? [] : ['dead'])].join(' ') },
        h('span', { class: 'face', 'aria-hidden': 'true' }, [...name].slice(0, 2).join('')),
        h(
          'span',
          null,
          h('b', null, name),
          words.map((word) => h('small', null, word)),
        ),
      );
    }),
  );

const renderRules = (rules: string) =>
  h('details', { class: 'rules' }, h('summary', null, 'Rules'), h('pre', { tabIndex: 0 }, rules));

function renderTalk({ by, note, text }: TalkEntry, me: string) {
  if (by === null) return h('li', { class: 'event' }, text);
  const who = `${by}${by === me ? ' (you)' : ''}${note === null ? '' : `, ${note}`}`;
  return h('li', { class: by === me ? 'said mine' : 'said' }, h('b', null, who), h('p', { class: 'words' }, text));
}

function renderAsk(page: SeatPage): ComponentChild {
  const { question, waiting, roles } = page;
  const lost =
    state.connection === 'lost' && page.result === null
      ? h('p', { class: 'problem', role: 'status' }, 'The connection is lost. Trying again …')
      : null;
  if (!question)
    return h(
      'section',
      { class: 'question', 'aria-live': 'polite' },
      h('h2', null, waiting.title),
      h('p', { class: 'soft' }, waiting.text),
      roles === null
        ? null
        : h(
            'ul',
            { class: 'shown-roles', 'aria-label': 'Roles' },
            Object.entries(roles).map(([name, role]) =>
              h('li', null, h('span', null, `${name}: `, h('b', { class: `role ${role.toLowerCase()}` }, role))),
            ),
          ),
      lost,
    );
  const [title = '', ...more] = question.task;
  return h(
    'section',
    { class: 'question', 'aria-labelledby': 'question', key: `question-${question.id}` },
    renderCountdown(question.seconds),
    h(
      'form',
      { onSubmit: sendAnswer, onInput: takeInput },
      h(
        'div',
        { 'aria-live': 'polite' },
        h('h2', { id: 'question' }, title),
        more.map((line) => h('p', { class: 'soft' }, line)),
      ),
      question.fields.map((field) => renderField(field, field.name)),
      state.problem === null ? null : h('p', { class: 'problem', role: 'alert' }, state.problem),
      h(
        'button',
        { class: 'button main', type: 'submit' },
        state.chosen === null ? 'Answer' : `Answer: ${state.chosen}`,
      ),
    ),
    lost,
  );
}

function renderCountdown(seconds: number | null): ComponentChild {
  const { deadline } = state;
  if (seconds === null || deadline === null) return null;
  const left = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
  const told = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')} left`;
  return h(
    'div',
    { class: 'countdown', role: 'timer' },
    h(
      'svg',
      { class: 'progress', viewBox: `0 0 ${seconds} 8`, preserveAspectRatio: 'none', 'aria-hidden': 'true' },
      h('path', { class: 'finished', d: `M0 4h${left}` }),
    ),
    h('span', { class: 'num' }, told),
  );
}

/** Renders a field of the form. `path`: the name that the field's input elements get. */
function renderField(field: FormField, path: string): ComponentChild {
  const { label } = field;
  if (field.kind === 'each')
    return h(
      'div',
      { key: path },
      h('p', { class: 'field' }, label),
      field.entries.map(({ player, fields: [first, ...others] }) => {
        const pathOf = ({ name }: FormField) => `${path}.${player}.${name}`;
        if (first?.name === 'value') return renderField({ ...first, label: player }, pathOf(first));
        const fields = [...(first ? [first] : []), ...others];
        return h(
          'fieldset',
          { class: 'each' },
          h('legend', null, player),
          fields.map((inner) => renderField(inner, pathOf(inner))),
        );
      }),
    );
  if (field.kind === 'text')
    return h(
      'div',
      { key: path },
      h(
        'label',
        { class: 'field', for: path },
        `${label}${field.maxWords === null ? '' : `, at most ${field.maxWords} words`}`,
      ),
      h('textarea', { id: path, name: path, rows: 3, maxLength: 6000, required: !field.isOptional }),
    );
  if (field.kind === 'share')
    return h(
      'div',
      { key: path },
      h('label', { class: 'field', for: path }, label),
      h('input', { type: 'range', id: path, name: path, min: 0, max: 100, step: 1, defaultValue: String(middle) }),
      h(
        'div',
        { class: 'ends', 'aria-hidden': 'true' },
        h('span', null, '0%'),
        h('b', null, state.shares[path] === undefined ? 'not set' : `${state.shares[path]}%`),
        h('span', null, '100%'),
      ),
    );
  const type = field.kind === 'several' ? 'checkbox' : 'radio';
  const options = field.kind === 'scale' ? listScale(field) : field.options.map((option) => option.label);
  return h(
    'fieldset',
    { class: field.kind === 'scale' ? 'choices scale' : 'choices', key: path },
    h('legend', null, label),
    options.map((option, index) =>
      h(
        'label',
        { key: option },
        h('input', { type, name: path, value: String(index), required: type === 'radio', 'data-label': option }),
        option,
      ),
    ),
  );
}

const listScale = ({ from, to }: { from: number; to: number }) =>
  Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

function takeInput({ target }: Event): void {
  if (!(target instanceof HTMLInputElement)) return;
  if (target.type === 'range') update({ shares: { ...state.shares, [target.name]: Number(target.value) } });
  const first = state.page?.question?.fields[0];
  if (target.type === 'radio' && target.name === first?.name) update({ chosen: target.dataset['label'] ?? null });
}

/** Reads the value of a field from the form. */
function readField(field: FormField, path: string, data: FormData): unknown {
  if (field.kind === 'each')
    return Object.fromEntries(
      field.entries.map(({ player, fields }) => {
        const read = fields.map(
          (inner) => [inner.name, readField(inner, `${path}.${player}.${inner.name}`, data)] as const,
        );
        const [only] = read;
        return [player, only?.[0] === 'value' ? only[1] : Object.fromEntries(read)];
      }),
    );
  const value = data.get(path);
  if (field.kind === 'text') return value;
  if (field.kind === 'share') return Number(value) / 100;
  if (value === null && field.kind !== 'several') return undefined;
  if (field.kind === 'scale') return field.from + Number(value);
  if (field.kind === 'choice') return field.options[Number(value)]?.value;
  return data.getAll(path).map((chosen) => field.options[Number(chosen)]?.value);
}

function sendAnswer(event: Event): void {
  event.preventDefault();
  const question = state.page?.question;
  if (!question || !(event.target instanceof HTMLFormElement)) return;
  // Finds a slider that the player did not move. Its initial value must not be recorded as the player's opinion.
  const untouched = [...event.target.querySelectorAll<HTMLInputElement>('input[type=range]')].find(
    ({ name }) => state.shares[name] === undefined,
  );
  if (untouched) {
    untouched.focus();
    return update({ problem: 'Please move every slider, also to say 50%.' });
  }
  const data = new FormData(event.target);
  const answer = Object.fromEntries(question.fields.map((field) => [field.name, readField(field, field.name, data)]));
  void postAnswer(question.id, answer);
}

async function postAnswer(id: number, answer: unknown): Promise<void> {
  try {
    const body = JSON.stringify({ id, answer });
    const response = await fetch('answer', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (!response.ok) update({ problem: await response.text() });
  } catch {
    update({ problem: 'The answer was not sent: the connection is lost. Try again.' });
  }
}

const source = new EventSource('events');
source.addEventListener('page', ({ data }: MessageEvent<string>) => {
  const page = JSON.parse(data) as SeatPage;
  const { question } = page;
  const isNew = question?.id !== state.page?.question?.id;
  const deadline = typeof question?.leftMs === 'number' ? performance.now() + question.leftMs : null;
  document.title = question ? 'Your turn · Wolfgraph' : 'Wolfgraph';
  update({ page, deadline, connection: 'open', ...(isNew ? { chosen: null, shares: {}, problem: null } : {}) });
  if (isNew) document.querySelector('.ask')?.scrollTo({ top: 0 }); // the previous form may have been scrolled down
});
source.addEventListener('open', () => update({ connection: 'open' }));
source.addEventListener('error', () =>
  update({ connection: source.readyState === EventSource.CLOSED && state.page?.result === null ? 'refused' : 'lost' }),
);
setInterval(() => state.deadline !== null && update({}), 1000);
update({});
