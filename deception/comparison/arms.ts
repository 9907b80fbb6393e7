// The two arms of a comparison: which matches share a deal, what else differs, and who is compared with whom.
import type { MatchRow } from '../tables/rows.ts';

/** What a match is paired by: who sat where with which role, on which board. */
export const dealOf = ({ board, deal }: MatchRow): string => `${board}: ${deal}`;

export interface Arms {
  a: readonly MatchRow[];
  b: readonly MatchRow[];
}

export interface Pairing {
  /** Deals that were played in both arms, in the order of the first. */
  deals: readonly string[];
  /** Ids of matches whose deal the other arm lacks. */
  alone: { a: readonly string[]; b: readonly string[] };
}

export function pairingOf({ a, b }: Arms): Pairing {
  const inA = new Set(a.map(dealOf));
  const inB = new Set(b.map(dealOf));
  const lone = (rows: readonly MatchRow[], other: ReadonlySet<string>) =>
    rows.filter((row) => !other.has(dealOf(row))).map((row) => row.match_id);
  return { deals: [...inA].filter((deal) => inB.has(deal)), alone: { a: lone(a, inB), b: lone(b, inA) } };
}

/** Something in which the arms are not alike: the values that it has in each, in sorted order. */
export interface Contrast {
  what: string;
  a: readonly string[];
  b: readonly string[];
}

/** Rules by their names, models by side and versions. What is alike in all matches of both arms is left out. */
export function contrastsOf({ a, b }: Arms): Contrast[] {
  const rules = new Set([...a, ...b].flatMap((row) => Object.keys(rulesOf(row))));
  const questions: [string, (row: MatchRow) => string][] = [
    ['model of the village', (row) => row.villagers_model ?? 'several'],
    ['model of the Werewolves', (row) => row.werewolves_model ?? 'several'],
    ...[...rules].map((name): [string, (row: MatchRow) => string] => [
      `rule ${name}`,
      (row) => JSON.stringify(rulesOf(row)[name] ?? null),
    ]),
    ['version', (row) => row.wolfgraph],
    ['wording of the prompts', (row) => row.templates_sha256.slice(0, 12)],
  ];
  return questions
    .map(([what, of]) => ({ what, a: valuesOf(a, of), b: valuesOf(b, of) }))
    .filter((contrast) => contrast.a.join('\n') !== contrast.b.join('\n'));
}

const rulesOf = ({ rules }: MatchRow) => JSON.parse(rules) as Record<string, unknown>;

const valuesOf = (rows: readonly MatchRow[], of: (row: MatchRow) => string) => [...new Set(rows.map(of))].sort();

/** The two models that changed sides between the arms, the village's of `a` first; null where that is not so. */
export function swappedModels({ a, b }: Arms): [string, string] | null {
  const first = a[0];
  if (!first?.villagers_model || !first.werewolves_model || first.villagers_model === first.werewolves_model)
    return null;
  const [one, other] = [first.villagers_model, first.werewolves_model];
  const isSo = (rows: readonly MatchRow[], village: string, pack: string) =>
    rows.length > 0 && rows.every((row) => row.villagers_model === village && row.werewolves_model === pack);
  return isSo(a, one, other) && isSo(b, other, one) ? [one, other] : null;
}
