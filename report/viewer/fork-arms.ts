// The arms of a forked statement side by side, below the statement: what was said, suspicion, ballots, and where the
// arms diverge.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import type { ViewedArm, ViewedForks } from './viewed-forks.ts';

/** Formats the link to a moment of a fork. */
export type LinkToArm = (path: string, moment: string) => string;

/**
 * Renders the arms as the columns of a table, and marks values that differ from the first arm `keep`.
 *
 * `open`: path of the match on the page.
 */
export function renderForkArms(
  { statement, speaker, arms }: ViewedForks,
  open: string,
  link: LinkToArm,
): ComponentChild {
  const kept = arms.find(({ name, copy }) => name === 'keep' && copy === 1);
  const listeners = [...new Set(arms.flatMap(({ votes }) => Object.keys(votes)))];
  const name = `Forks of statement ${statement}`;
  const row = (title: string, format: RowParts['format']) => renderRow({ title, arms, kept: undefined, format });
  const compared = (title: string, format: RowParts['format']) => renderRow({ title, arms, kept, format });
  return h('section', { class: 'fork-arms', 'aria-label': name }, [
    h('h2', null, [name, h('small', null, ' the same moment, continued in each arm')]),
    h('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Arms' }, [
      h('table', { class: 'plain' }, [
        h('thead', null, [
          h('tr', null, [
            h('th', { scope: 'col', class: 'left' }, 'Arm'),
            ...arms.map((arm) => h('th', { scope: 'col', class: 'left' }, renderArmName(arm, statement, open, link))),
          ]),
        ]),
        h('tbody', null, [
          h('tr', null, [
            h('th', { scope: 'row', class: 'left' }, 'What was said'),
            ...arms.map(({ text }) =>
              h(
                'td',
                { class: 'left said' },
                text === null ? h('i', null, 'silence') : h('bdi', { dir: 'auto' }, text),
              ),
            ),
          ]),
          row(`Suspicion of ${speaker} just after`, ({ suspicionAfter }) => formatShare(suspicionAfter)),
          row(`Suspicion of ${speaker} at the vote`, ({ suspicionAtVote }) => formatShare(suspicionAtVote)),
          row(`Belief that ${speaker} is a Werewolf`, ({ beliefAtVote }) => formatShare(beliefAtVote)),
          ...listeners.map((listener) => compared(`${listener} votes for`, ({ votes }) => votes[listener] ?? '–')),
          compared('Exiled', ({ exiled, isVoted }) => (isVoted ? (exiled ?? 'nobody') : 'not over')),
          h('tr', null, [
            h('th', { scope: 'row', class: 'left' }, 'Differs from keep at'),
            ...arms.map((arm) => h('td', { class: 'left said' }, renderParting(arm, kept, link))),
          ]),
        ]),
      ]),
    ]),
    h(
      'p',
      { class: 'note' },
      'Suspicion and belief: means over listeners, in percent. ≠ marks a ballot or exile that differs from the first keep. The arm “as recorded” is a single, selected draw and no control.',
    ),
  ]);
}

const formatShare = (share: number | null): string => (share === null ? '–' : String(Math.round(100 * share)));

const renderArmName = (
  { path, name, copy }: ViewedArm,
  statement: string,
  open: string,
  link: LinkToArm,
): ComponentChild[] => [
  path === open
    ? h('b', null, [h('bdi', null, name), ' (shown)'])
    : h('a', { href: link(path, statement) }, h('bdi', null, name)),
  copy === 1 ? '' : `, copy ${copy}`,
];

interface RowParts {
  title: string;
  arms: readonly ViewedArm[];
  /** The arm whose differences are marked; undefined for none. */
  kept: ViewedArm | undefined;
  format: (arm: ViewedArm) => string;
}

const renderRow = ({ title, arms, kept, format }: RowParts): ComponentChild =>
  h('tr', null, [
    h('th', { scope: 'row', class: 'left' }, title),
    ...arms.map((arm) => {
      const isOther = kept !== undefined && format(arm) !== format(kept);
      return h('td', { class: isOther ? 'left differs' : 'left' }, [
        isOther ? h('span', { title: 'differs from keep' }, '≠ ') : null,
        h('bdi', null, format(arm)),
      ]);
    }),
  ]);

/** Renders a link to the first public event that differs from that of the arm `keep`. */
function renderParting(arm: ViewedArm, kept: ViewedArm | undefined, link: LinkToArm): ComponentChild {
  if (kept === undefined || arm === kept) return '–';
  const { partsAt, path } = arm;
  if (partsAt === null) return arm.text === kept.text ? 'nowhere so far' : 'only in the statement itself';
  return h('a', { href: link(path, partsAt.id) }, h('bdi', { dir: 'auto' }, shorten(partsAt.told)));
}

/** Maximum length of an event in the table, in characters. The link leads to the full text. */
const longest = 120;

const shorten = (text: string): string => (text.length <= longest ? text : `${text.slice(0, longest - 1)}…`);
