// Metrics of accusations and defenses: whether they are correct, and whether the speaker knew the truth. The lie rate
// excludes both, because their meaning depends on the speaker's side: a Werewolf who accuses a villager knows the
// truth; a villager who accuses somebody rarely does.
import { createRatio } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import { countKinds, listCountedClaims, levelShareFigure } from './breakdowns.ts';
import type { Metric, MetricTally } from './metric.ts';

type AxisKind = 'accusation' | 'defence';

/**
 * The four cells: `is_known` crossed with `is_true`. To get the number of claims in a cell, multiply the cell's share
 * by the opportunities.
 */
const cells = ['true', 'false'].flatMap((is_known) => ['true', 'false'].map((is_true) => ({ is_known, is_true })));

const listDecidedClaims = (match: MatchTables, type: AxisKind) =>
  listCountedClaims(match).filter((claim) => claim.type === type && claim.is_true !== null);

const getClaimCell = ({ kind, team, role, model }: MatchTables['claims'][number]) => ({ kind, team, role, model });

function createAxisMetrics(type: AxisKind, title: string, what: string): Metric[] {
  const [noun, plural] = type === 'defence' ? ['defense', 'defenses'] : [type, `${type}s`];
  const countAxes = (match: MatchTables) =>
    listDecidedClaims(match, type).map((claim): MetricTally => ({
      cell: getClaimCell(claim),
      sums: { correct: claim.is_true ? 1 : 0, known: claim.is_known ? 1 : 0, all: 1 },
    }));
  const one = {
    section: 'accusations',
    unit: `share of ${plural}`,
    range: [0, 1],
    modelDimension: 'model',
    strata: ['kind'],
    readsClaims: 'counted',
    count: countAxes,
    opportunities: levelShareFigure.opportunities,
  } as const;
  return [
    {
      ...one,
      name: `${type}_correct_rate`,
      title: `${title} that are correct`,
      definition: `Share of ${plural} (claims ${what}, opinions included) that are true.`,
      breakdowns: [['team'], ['role'], ['model'], ['model', 'team'], ['model', 'role']],
      value: createRatio('correct', 'all'),
    },
    {
      ...one,
      name: `${type}_known_rate`,
      title: `${title} with knowledge`,
      definition: `Share of ${plural}, opinions included, whose truth the speaker knew.`,
      breakdowns: [['team'], ['role'], ['model'], ['model', 'team']],
      value: createRatio('known', 'all'),
    },
    {
      ...one,
      name: `${type}_axes`,
      title: `${title}, known or not and correct or not`,
      definition: `Shares of ${plural} by whether the speaker knew the truth, and by whether the ${noun} is true.`,
      notes: 'The four add up to 1 within a `kind`. Known and false is a lie; not known and false is an error.',
      strata: ['is_known', 'is_true', 'kind'],
      breakdowns: [['team'], ['model']],
      count: (match) =>
        listDecidedClaims(match, type).flatMap((claim) =>
          countKinds(
            cells,
            (cell) => cell['is_known'] === String(claim.is_known) && cell['is_true'] === String(claim.is_true),
            getClaimCell(claim),
          ),
        ),
      ...levelShareFigure,
    },
  ];
}

export const accusationMetrics = createAxisMetrics(
  'accusation',
  'Accusations',
  'that somebody is on the side of the Werewolves',
);
export const defenceMetrics = createAxisMetrics(
  'defence',
  'Defenses',
  'that somebody is not on the side of the Werewolves',
);
