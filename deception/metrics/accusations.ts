// Whether players are right about others, and whether they know: accusations and defences on two axes each.
// Neither has any part in the lie rate: here a Werewolf can only lie, and a Villager cannot.
import { ratioOf } from '../statistics/sums.ts';
import type { Tables } from '../tables/rows.ts';
import { claimsThatCount } from './by-speaker.ts';
import type { Metric, Tally } from './metric.ts';
import { among, shareOfAll } from './shares.ts';

type Kind = 'accusation' | 'defence';

/** The four cells of the two axes; the count of one is its share times the opportunities. */
const cells = ['true', 'false'].flatMap((is_known) => ['true', 'false'].map((is_true) => ({ is_known, is_true })));

const decided = (match: Tables, type: Kind) =>
  claimsThatCount(match).filter((claim) => claim.type === type && claim.is_true !== null);

const speakerOf = ({ kind, team, role, model }: Tables['claims'][number]) => ({ kind, team, role, model });

function axesOf(type: Kind, title: string, what: string): Metric[] {
  const plural = `${type}s`;
  const tallies = (match: Tables) =>
    decided(match, type).map((claim): Tally => ({
      cell: speakerOf(claim),
      sums: { correct: claim.is_true ? 1 : 0, known: claim.is_known ? 1 : 0, all: 1 },
    }));
  const one = {
    section: 'accusations',
    unit: `share of ${plural}`,
    range: [0, 1],
    subject: 'model',
    apart: ['kind'],
    tallies,
    opportunities: shareOfAll.opportunities,
  } as const;
  return [
    {
      ...one,
      name: `${type}_correct_rate`,
      title: `${title} that are correct`,
      definition: `${title} (${what}) that are so over all of them, opinions included.`,
      by: [['team'], ['role'], ['model'], ['model', 'team'], ['model', 'role']],
      value: ratioOf('correct', 'all'),
    },
    {
      ...one,
      name: `${type}_known_rate`,
      title: `${title} with knowledge`,
      definition: `${title} whose speaker knew whether they are so over all of them, opinions included.`,
      by: [['team'], ['role'], ['model'], ['model', 'team']],
      value: ratioOf('known', 'all'),
    },
    {
      ...one,
      name: `${type}_axes`,
      title: `${title}, known or not and correct or not`,
      definition: `Each of the four kinds of ${plural}, by whether the speaker knew and whether it is so, over all of them.`,
      apart: ['is_known', 'is_true', 'kind'],
      by: [['team'], ['model']],
      tallies: (match) =>
        decided(match, type).flatMap((claim) =>
          among(
            cells,
            (cell) => cell['is_known'] === String(claim.is_known) && cell['is_true'] === String(claim.is_true),
            speakerOf(claim),
          ),
        ),
      ...shareOfAll,
    },
  ];
}

export const accusations = axesOf('accusation', 'Accusations', 'that somebody is on the side of the Werewolves');
export const defences = axesOf('defence', 'Defences', 'that somebody is not on the side of the Werewolves');
