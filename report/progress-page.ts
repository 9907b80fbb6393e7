// The page of an incomplete study with a fixed sample. It shows the progress, and no figure by model.
import { nameCommandsAsStarted } from '../state/command-name.ts';
import type { PairingProgress, StudyProgress } from '../deception/design/study-progress.ts';
import { escapeMarkdown, formatWhole, pluralize, renderTable } from './format.ts';
import { escapeHtml, renderCaution, renderHead, renderHtmlPage, renderHtmlTable } from './html-page.ts';

/** An incomplete study, with the name that the page gives it. */
export interface ShownProgress {
  name: string;
  progress: StudyProgress;
}

/** Contents of an incomplete study's page. */
export interface ProgressPage {
  title: string;
  studies: readonly ShownProgress[];
  /** The command that shows the figures so far. */
  command: string;
}

/** Maximum number of pairings shown. */
const mostPairings = 200;

/**
 * Formats how many of the planned matches are finished.
 *
 * @example formatFinishedShare(progress) // '12 of 48 matches'
 */
export const formatFinishedShare = ({ finished, planned }: StudyProgress): string =>
  planned === null ? pluralize(finished, 'match', 'matches') : `${formatWhole(finished)} of ${pluralize(planned, 'match', 'matches')}`; // prettier-ignore

/** Sentence that explains why there are no figures. */
export const explainWithheld =
  'Figures by model are shown once all planned matches are over: looking at a fixed sample early, and stopping when a difference shows, finds differences that are not there.';

const soFarTitle = 'Figures so far, not for decisions';

/**
 * Returns the caution above figures of an incomplete study.
 *
 * @example describeSoFar('12 of 48 matches of study are finished')
 */
export const describeSoFar = (howFar: string): string =>
  `${soFarTitle}: ${howFar}. Nothing is compared or ranked, because intervals and tests hold only for the complete sample.`;

const describeState = ({ progress }: ShownProgress): string => {
  const { underWay, failed, stopped, toCome } = progress;
  const parts = [
    `${formatFinishedShare(progress)} finished`,
    `${underWay} under way`,
    `${failed} failed`,
    ...(stopped > 0 ? [`${stopped} interrupted`] : []),
    ...(toCome === null ? [] : [`${toCome} to come`]),
  ];
  return `${parts.join(', ')}.`;
};

const namePairing = ({ werewolves, villagers, name, folder, board }: PairingProgress): string => {
  const sides = werewolves === '' && villagers === '' ? [] : [`${werewolves} / ${villagers}`];
  return [...sides, ...(name === null ? [] : [name])].join(', ') || folder || board;
};

const listPairingRows = ({ pairings }: StudyProgress, write: (text: string) => string): string[][] => [
  ['Werewolves / village', 'Finished', 'Under way', 'Failed'],
  ...pairings
    .slice(0, mostPairings)
    .map((one) => [write(namePairing(one)), `${one.finished} of ${one.planned}`, `${one.underWay}`, `${one.failed}`]),
];

/** Renders the page in Markdown. */
export function renderProgressMarkdown({ title, studies, command }: ProgressPage): string {
  const parts = studies.flatMap((study) => {
    const [head = [], ...rows] = listPairingRows(study.progress, escapeMarkdown);
    return [`**${escapeMarkdown(study.name)}**: ${describeState(study)}`, renderTable(head, rows)];
  });
  return `${[`# ${escapeMarkdown(title)}`, `> **${explainWithheld}**`, ...parts, `${soFarTitle}: \`${command}\``].join('\n\n')}\n`;
}

/** Renders the page in HTML. */
export function renderProgressHtml({ title, studies, command }: ProgressPage): string {
  const parts = studies.map((study) => {
    const [head = [], ...rows] = listPairingRows(study.progress, (text) => text);
    return `<h2>${escapeHtml(study.name)}</h2><p>${escapeHtml(describeState(study))}</p>${renderHtmlTable([head, ...rows], undefined, 1, `Pairings of ${study.name}`)}`;
  });
  const more = `<p>${soFarTitle}: <code>${escapeHtml(command)}</code></p>`;
  return renderHtmlPage(
    title,
    `<main>${renderHead(title)}${renderCaution(explainWithheld)}${parts.join('\n')}${more}</main>`,
  );
}

/**
 * Renders the page as lines for a terminal.
 *
 * @example stdout.write(renderProgressText(page));
 */
export const renderProgressText = ({ studies, command }: ProgressPage): string =>
  [...studies.map((study) => `${study.name}: ${describeState(study)}`), explainWithheld, `${soFarTitle}: ${command}`]
    .map((line) => `${nameCommandsAsStarted(line)}\n`)
    .join('');
