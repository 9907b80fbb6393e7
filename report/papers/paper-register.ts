// The register of all numbered tables, figures and algorithms of the three papers. `report --table` makes them,
// docs/evidence/papers.md is printed from it, and a test makes each item from records of bots.
import { formatCommand } from '../../state/command-name.ts';
import { escapeMarkdown, pluralize, renderTable } from '../format.ts';
import { arenaItems } from './arena-items.ts';
import { type PaperContent, type PaperItem, type PaperName, paperNames } from './paper-item.ts';
import { plusItems } from './plus-items.ts';
import { wolfItems } from './wolf-items.ts';

/** All items, paper by paper, in the order of each paper. */
export const paperItems: readonly PaperItem[] = [...arenaItems, ...wolfItems, ...plusItems];

/** Names an item, e.g. "Table 2 of WereWolf-Plus: Scores of models …". */
export const nameItem = ({ paper, number, title }: PaperItem) => `${number} of ${paperNames[paper]}: ${title}`;

/** Lists ids and titles for `report --table`. */
export function listPaperItems(): string {
  const width = Math.max(...paperItems.map(({ id }) => id.length));
  return paperItems.map((item) => `${item.id.padEnd(width)}  ${nameItem(item)}\n`).join('');
}

/**
 * Renders an item as Markdown: its table, missing parts and notes.
 *
 * @example renderPaperItem(item, item.make(), 'Needs no matches.')
 */
export function renderPaperItem(item: PaperItem, content: PaperContent, madeOf: string): string {
  const { head, rows, texts, missing, notes = [] } = content;
  const parts = [
    `# ${nameItem(item)}`,
    madeOf,
    ...(rows.length === 0 ? [] : [renderTable(head, rows, texts)]),
    ...(missing.length === 0 ? [] : [['Missing:', ...missing.map((one) => `- ${one}`)].join('\n')]),
    ...notes,
    `Differs from the paper: ${stripLinks(item.differs)}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Replaces links by their text: links are relative to docs/, and terminals cannot follow them. */
const stripLinks = (markdown: string) => markdown.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** Describes the sample: "12 matches without a Sheriff and without experience". */
export const describeSampleSize = (matches: number, about: string) =>
  `${pluralize(matches, 'match', 'matches')} ${about}`;

/**
 * Lists the folders from which an item is made: one for each of its plans. `STUDY` stands for any folder of matches,
 * for items about one match and items without a plan.
 */
const listFolders = ({ source, plans }: PaperItem): string[] => {
  if (source === 'nothing') return [];
  return source === 'match' || plans.length === 0
    ? ['STUDY']
    : plans.map((plan) => `runs/${plan.replace('.yaml', '')}`);
};

/** Renders the items of a paper for docs/evidence/papers.md. */
export const renderPaperPart = (paper: PaperName): string =>
  paperItems
    .filter((item) => item.paper === paper)
    .map((item) =>
      [
        escapeMarkdown(`${item.number}: ${item.title}`).replace(/^/, '### '),
        [
          `- **Command**: \`${formatCommand('report', ...listFolders(item), '--table', item.id)}\``,
          `- **Needs** ${item.needs}${item.plans.length === 0 ? '.' : `; plans: ${item.plans.map((plan) => `[${plan}](papers/${plan})`).join(', ')}.`}`,
          ...(item.first === undefined ? [] : [`- **First** ${item.first}.`]),
          ...(item.source === 'match' ? [`- **Shows** ${item.choice}, of several.`] : []),
          `- **Found in** ${item.where}.`,
          `- **Differs**: ${item.differs}`,
        ].join('\n'),
      ].join('\n\n'),
    )
    .join('\n\n');
