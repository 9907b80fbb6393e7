// Figures of people and of the models at their tables, as Markdown.
import { MIN_CLUSTERS } from '../deception/statistics/bootstrap.ts';
import type { Report } from '../deception/summary/report-schema.ts';
import {
  escapeMarkdown,
  formatCell,
  formatCount,
  formatFigure,
  formatInterval,
  pluralize,
  renderTable,
} from './format.ts';

/** Renders the page about people; empty if no person played. */
export function renderPeople({ people }: Report): string[] {
  if (people === undefined) return [];
  const formatLimits = ({ low, high, clusters }: { low: number | null; high: number | null; clusters: number }) => {
    if (low !== null && high !== null) return formatInterval({ low, high });
    return clusters < MIN_CLUSTERS ? 'too few' : 'all equal';
  };
  return [
    `${pluralize(people.people, 'person', 'people')} played in ${pluralize(people.matches, 'match', 'matches')}. Figures of people cover all people together, with 95% intervals over people. Figures of models cover the same matches, with intervals over deals. An interval needs ten people or ten deals. For people, the time to answer starts when the question is displayed. For models, it starts when the question is sent, and includes retries.`,
    'No difference between people and models is computed. A person plays each deal once, so differences between people, their deals and their opponents cannot be separated. Figures of single people are on the other pages, under their names.',
    renderTable(
      ['Figure', 'Of', 'Who', 'Value', '95% interval', 'People or deals'],
      people.figures.map((figure) => [
        ...[escapeMarkdown(figure.title), formatCell(figure.cell), escapeMarkdown(figure.of)],
        ...[formatFigure(figure.value), formatLimits(figure), formatCount(figure.clusters)],
      ]),
      3,
    ),
  ];
}
