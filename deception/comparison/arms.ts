// The two arms of a comparison: which matches share a deal, what else differs, and who is compared with whom.
import type { MatchRow } from '../tables/row-schemas.ts';

/** What a match is paired by: who sat where with which role, on which board. */
export const getDealKey = ({ board, deal }: MatchRow): string => `${board}: ${deal}`;

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

export function pairArms({ a, b }: Arms): Pairing {
  const inA = new Set(a.map(getDealKey));
  const inB = new Set(b.map(getDealKey));
  const listUnpaired = (rows: readonly MatchRow[], other: ReadonlySet<string>) =>
    rows.filter((row) => !other.has(getDealKey(row))).map((row) => row.match_id);
  return {
    deals: [...inA].filter((deal) => inB.has(deal)),
    alone: { a: listUnpaired(a, inB), b: listUnpaired(b, inA) },
  };
}

/** Something in which the arms are not alike: the values that it has in each, in sorted order. */
export interface Contrast {
  what: string;
  a: readonly string[];
  b: readonly string[];
}

/** Rules by their names, models by side and versions. What is alike in all matches of both arms is left out. */
export function listContrasts({ a, b }: Arms): Contrast[] {
  const rules = new Set([...a, ...b].flatMap((row) => Object.keys(parseRules(row))));
  const questions: [string, (row: MatchRow) => string][] = [
    ['model of the village', (row) => row.villagers_model ?? 'several'],
    ['model of the Werewolves', (row) => row.werewolves_model ?? 'several'],
    ...[...rules].map((name): [string, (row: MatchRow) => string] => [
      `rule ${name}`,
      (row) => JSON.stringify(parseRules(row)[name] ?? null),
    ]),
    ['version', (row) => row.wolfgraph],
    ['wording of the prompts', (row) => row.templates_sha256.slice(0, 12)],
  ];
  return questions
    .map(([what, of]) => ({ what, a: listValues(a, of), b: listValues(b, of) }))
    .filter((contrast) => contrast.a.join('\n') !== contrast.b.join('\n'));
}

const parseRules = ({ rules }: MatchRow) => JSON.parse(rules) as Record<string, unknown>;

const listValues = (rows: readonly MatchRow[], of: (row: MatchRow) => string) => [...new Set(rows.map(of))].sort();

/** The two models that changed sides between the arms, the village's of `a` first; null where that is not so. */
export function findSwappedModels({ a, b }: Arms): [string, string] | null {
  const first = a[0];
  if (!first?.villagers_model || !first.werewolves_model || first.villagers_model === first.werewolves_model)
    return null;
  const [one, other] = [first.villagers_model, first.werewolves_model];
  const isSo = (rows: readonly MatchRow[], village: string, pack: string) =>
    rows.length > 0 && rows.every((row) => row.villagers_model === village && row.werewolves_model === pack);
  return isSo(a, one, other) && isSo(b, other, one) ? [one, other] : null;
}
