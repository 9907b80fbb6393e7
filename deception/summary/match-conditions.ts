// The conditions of a report's matches, and notes on conditions that differ between matches.
import { formatCommandInFile } from '../../state/command-in-file.ts';
import { getModelLabel } from '../../state/model-identity.ts';
import type { Manifest } from '../../state/record.ts';
import { compareText } from '../../state/text.ts';
import { type AnsweringServers, isAskedAfterwards, type RefusalCount } from '../record/call-figures.ts';
import { describeExperience } from '../experience/describe-experience.ts';
import { listSeats } from '../record/match-record.ts';
import { type ReadingFinding, rulesExtractor } from '../metrics/comparability.ts';
import {
  addRuleAgreement,
  type AgreementByModel,
  judgeReading,
  countRuleAgreement,
  describeReading,
} from '../metrics/judge-reading.ts';
import { sum } from '../statistics/sums.ts';
import type { MatchTables } from '../tables/match-tables.ts';
import type { FigureSpread, Report } from './report-schema.ts';

/** The conditions of one match. */
export interface MatchConditions {
  /** Condition → its values in the match. Only conditions about models can have several values. */
  conditions: Readonly<Record<string, readonly string[]>>;
  /** Seed; null for an imported match, which another program dealt. */
  seed: number | null;
  seats: number;
  bots: number;
  statements: number;
  /** Number of statements without a readable answer from a judge. */
  unread: number;
  /** Agreement between the judge and the rules. */
  agreement: AgreementByModel;
  /** Hash of the plan that the match was played under; null without one. */
  plan: string | null;
  /** Whether the match's whole record is as it was sealed. Records of schema 1 have no seal. */
  isSealed: boolean;
  /** Difference between the match's prompts and the sealed prompts, in words; null if there is none. */
  promptsFault: string | null;
  /** Part of the judge's answers that is lost, in words; null if nothing is lost. */
  judgeFault: string | null;
  /** Number of claims in the judge's answers that were not accepted; 0 without a judge. */
  judgeDropped: number;
  /** Answers that the judge has not given yet, in words; null if none are missing. */
  judgeGap: string | null;
  /** Servers that answered for each model. */
  servers: readonly AnsweringServers[];
  /** Refused questions, by action, asked player and refuser. */
  refusals: readonly RefusalCount[];
}

const rulePrefix = 'rule ';

/** Name of the condition that says who extracted the claims. Its values are `rules` and the models of judges. */
const extractorCondition = 'claims drawn by';

/** How the claims of a match were extracted, and what went wrong in the match. */
interface ReadingManner extends Pick<
  MatchConditions,
  'isSealed' | 'promptsFault' | 'judgeFault' | 'judgeDropped' | 'judgeGap' | 'servers' | 'refusals'
> {
  /** Extractor of the match's claims: `rules`, or the model of a judge. */
  extractor: string;
  /** Whether presupposed claims count too. */
  presupposed: boolean;
}

export function createMatchConditions(
  manifest: Manifest,
  statements: MatchTables['statements'],
  {
    extractor,
    presupposed,
    isSealed,
    promptsFault,
    judgeFault,
    judgeDropped,
    judgeGap,
    servers,
    refusals,
  }: ReadingManner,
): MatchConditions {
  const { setup, made_by: madeBy, imported } = manifest;
  const roles = Object.entries(setup.board.roles).map(([role, count]) => `${count} × ${role}`);
  const rules = Object.entries(setup.rules).map(([name, value]): [string, string[]] => [
    `${rulePrefix}${name}`,
    [String(value)],
  ]);
  const markImported = (value: string) => (imported === undefined ? value : 'imported');
  return {
    conditions: {
      board: [`${setup.board.name} (${roles.join(', ')})`],
      models: [...new Set(listSeats(manifest).map(({ model }) => model))],
      'played by': [imported === undefined ? 'wolfgraph' : `imported from ${imported.format}`],
      [extractorCondition]: [extractor],
      'presupposed claims': [presupposed ? 'counted' : 'left out'],
      wolfgraph: [madeBy.wolfgraph],
      'wording of prompts (templates_sha256)': [markImported(madeBy.templates_sha256.slice(0, 12))],
      'sentence about lying': [markImported(setup.honesty_sentence ?? 'none')],
      experience: [describeExperience(manifest) ?? 'none'],
      ...Object.fromEntries(rules),
    },
    seed: imported === undefined ? setup.seed : null,
    seats: setup.players.length,
    bots: setup.bots.length,
    statements: statements.length,
    unread: statements.filter((row) => row.is_judge_missing).length,
    agreement: countRuleAgreement(statements),
    plan: manifest.plan_sha256 ?? null,
    isSealed,
    promptsFault,
    judgeFault,
    judgeDropped,
    judgeGap,
    servers,
    refusals,
  };
}

/** Counts the matches with each value of each condition; values are sorted. */
export function countSpread(matches: readonly MatchConditions[]): FigureSpread[] {
  const names = new Set(matches.flatMap(({ conditions }) => Object.keys(conditions)));
  return [...names].map((name) => {
    const counts = new Map<string, number>();
    for (const { conditions } of matches)
      for (const value of conditions[name] ?? ['not known']) counts.set(value, (counts.get(value) ?? 0) + 1);
    const values = [...counts].map(([value, count]) => ({ value, matches: count }));
    return { name, values: values.sort((one, other) => (one.value < other.value ? -1 : 1)) };
  });
}

/** Lists who extracted the claims of the matches, each once. */
export const listExtractors = (spread: readonly FigureSpread[]): string[] =>
  spread.filter(({ name }) => name === extractorCondition).flatMap(({ values }) => values.map(({ value }) => value));

/** Quality of the judge's reading, and its agreement with the rules. */
export interface JudgeReading {
  /** Quality of the judge's reading. Null unless a single judge extracted the claims. */
  finding: ReadingFinding | null;
  agreement: AgreementByModel;
  /** Whether there are statements, and the judge's answer is missing for each of them. */
  isNothingRead: boolean;
}

/**
 * Describes the judge's reading of these matches. `measured`: models whose statements were used to measure the judge's
 * errors.
 */
export function judgeReader(matches: readonly MatchConditions[], measured: readonly string[] = []): JudgeReading {
  const agreement = addRuleAgreement(matches.map((match) => match.agreement));
  const extractors = listExtractors(countSpread(matches));
  const models = [...new Set(matches.flatMap(({ conditions }) => conditions['models'] ?? []))];
  const sources = { extractors, agreement, models, measured };
  const unread = sum(matches.map((match) => match.unread));
  const isNothingRead = unread > 0 && unread === sum(matches.map(({ statements }) => statements));
  return { finding: judgeReading(sources), agreement, isNothingRead };
}

/**
 * Returns the sentence at the top of a report whose figures of claims cannot be compared between models. Null if a
 * single judge extracted all claims and reads all models alike.
 */
export function describeClaimsShare(
  extractors: readonly string[],
  { finding, agreement, isNothingRead }: JudgeReading,
): string | null {
  if (extractors.length === 0) return null;
  if (extractors.length === 1 && extractors[0] !== rulesExtractor)
    return isNothingRead
      ? `The judge, ${extractors[0]}, has read none of the statements, so figures made of claims are missing. Ask it again (report --judge … --retry-unread), or name another judge (--judge MODEL).`
      : describeReading(finding, agreement);
  const read = extractors.every((one) => one === rulesExtractor)
    ? 'Rules extracted the claims, without a judge'
    : `Several readers extracted the claims (${extractors.join(', ')})`;
  return `${read}. How many claims they find depends on a model's style: do not compare figures made of claims (†) between models. Name one judge (--judge MODEL) to compare them; without one, compare analyses, beliefs, votes and outcomes.`;
}

/** Returns whether the condition is a rule of the game. */
export const isSpreadOfRule = ({ name }: FigureSpread) => name.startsWith(rulePrefix);

/**
 * Returns whether the condition has different values in different matches. `all`: number of matches. A condition with
 * several values per match, such as the models, does not differ if every match has all of them.
 */
export const isMixedSpread = ({ values }: FigureSpread, all: number) => values.some(({ matches }) => matches < all);

/** Counts the matches that were dealt by this program, and the number of different seeds. */
export function summarizeSeeds(matches: readonly MatchConditions[]): Report['seeds'] {
  const dealt = matches.flatMap(({ seed }) => seed ?? []);
  const seeds = [...new Set(dealt)].sort((one, other) => one - other);
  return { matches: dealt.length, different: seeds.length, lowest: seeds[0] ?? null, highest: seeds.at(-1) ?? null };
}

/** Returns the sentence above figures of matches with bots; null without bots. */
export function describeBotShare(matches: readonly Pick<MatchConditions, 'seats' | 'bots'>[]): string | null {
  const withBots = matches.filter(({ bots }) => bots > 0);
  if (withBots.length === 0) return null;
  const arePlayedByBotsAlone = withBots.every(({ seats, bots }) => bots === seats);
  if (arePlayedByBotsAlone && withBots.length === matches.length)
    return `Built-in bots played in all seats of ${phraseAll(matches.length)}. These figures say nothing about any language model.`;
  const where = arePlayedByBotsAlone ? 'all seats' : 'seats';
  return `Built-in bots played in ${where} of ${withBots.length} of ${matches.length} matches. Figures in which these have a part say nothing about any language model.`;
}

const phraseAll = (count: number) => (count === 1 ? 'the one match' : `all ${count} matches`);

/** Lists the note on statements that a judge could not read; empty if it read all statements. */
export function listUnreadNotes(matches: readonly Pick<MatchConditions, 'statements' | 'unread'>[]): string[] {
  const unread = sum(matches.map((match) => match.unread));
  if (unread === 0) return [];
  return [
    `${unread} of ${sum(matches.map(({ statements }) => statements))} statements could not be read: the judge gave no readable answer or, without a judge, they are too long for the rules or in a language that the rules do not know. Their claims are missing from figures made of claims; figures of claims per player or game leave out every match with such a statement.`,
  ];
}

/** Counts the matches for which some of the judge's answers are missing or lost. */
export const countUnjudged = (matches: readonly Pick<MatchConditions, 'judgeGap' | 'judgeFault'>[]): number =>
  matches.filter(({ judgeGap, judgeFault }) => judgeGap !== null || judgeFault !== null).length;

/** Lists the note on claims of the judge that were not accepted; empty if all claims were accepted. */
export function listDroppedNotes(matches: readonly Pick<MatchConditions, 'judgeDropped'>[]): string[] {
  const dropped = sum(matches.map(({ judgeDropped }) => judgeDropped));
  if (dropped === 0) return [];
  const found = matches.filter(({ judgeDropped }) => judgeDropped > 0).length;
  return [
    `${dropped} ${dropped === 1 ? 'claim' : 'claims'} of the judge in ${found} ${found === 1 ? 'match' : 'matches'} ${dropped === 1 ? 'does' : 'do'} not count: the words that it quotes are not in the statement, even after the judge was asked again, or the claim makes no sense.`,
  ];
}

/** Traits of a model's servers that must not change between answers, in words. */
const serverTraits = {
  addresses: 'addresses',
  model_returned: 'models returned (model_returned)',
  system_fingerprint: 'fingerprints (system_fingerprint)',
} as const satisfies Partial<Record<keyof AnsweringServers, string>>;

/** Maximum number of a trait's values that a note names. */
const mostNamed = 4;

/** Groups the servers of all matches by model, sorted by the model's name. */
const groupServersByModel = (matches: readonly Pick<MatchConditions, 'servers'>[]) =>
  [
    ...Map.groupBy(
      matches.flatMap(({ servers }) => servers),
      ({ model }) => model,
    ),
  ].sort(([one], [other]) => (one < other ? -1 : 1));

/**
 * Returns a note for each model whose answers came from several addresses, models or fingerprints, because its name may
 * then stand for several models.
 */
export function listServerNotes(matches: readonly Pick<MatchConditions, 'servers'>[]): string[] {
  return groupServersByModel(matches).flatMap(([model, servers]) => {
    const told = (Object.keys(serverTraits) as (keyof typeof serverTraits)[]).flatMap((trait) => {
      const counts = Map.groupBy(
        servers.flatMap((one) => one[trait]),
        (value) => value,
      );
      if (counts.size < 2) return [];
      const named = [...counts]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([value, { length }]) => `${value} in ${length}`);
      const more = named.length > mostNamed ? [`${named.length - mostNamed} more`] : [];
      const listed = [...named.slice(0, mostNamed), ...more].join('; ');
      return [`${counts.size} ${serverTraits[trait]}: ${listed}.${describeChanges(servers, trait)}`];
    });
    const changed =
      told.length === 0
        ? []
        : [`The answers of ${model} are of ${told.join(' Of ')} They may not be those of one model.`];
    return [...changed, ...listMixtureNotes(model, servers)];
  });
}

interface ChangeForGood {
  readonly values: readonly string[];
  /** Time of the model's first call in the first match with the new values, ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Number of matches before the change (`before`), out of all matches in which the trait is known (`of`). */
  readonly before: number;
  readonly of: number;
}

/**
 * Lists the moments at which a trait of a model's servers changed for good. Empty if old values come back, as they do
 * with several machines.
 */
function listChanges(servers: readonly AnsweringServers[], trait: keyof typeof serverTraits): ChangeForGood[] {
  const told = servers
    .filter((one) => one[trait].length > 0)
    .sort((one, other) => compareText(one.started_at, other.started_at));
  return told.flatMap(({ [trait]: values, started_at: startedAt }, at) => {
    const earlier = told.slice(0, at);
    const before = new Set(earlier.flatMap((one) => one[trait]));
    const after = told.slice(at).flatMap((one) => one[trait]);
    const isLater = earlier.length > 0 && earlier.every((one) => one.started_at < startedAt);
    if (!isLater || after.some((value) => before.has(value))) return [];
    return [{ values, startedAt, before: at, of: told.length }];
  });
}

const describeChange = ({ values, startedAt, before, of }: ChangeForGood) =>
  `to ${values.join(', ')} at ${startedAt}, after ${before} of ${of} matches`;

/** Returns a sentence, with a leading space, that says when a trait changed for good; empty if it never did. */
function describeChanges(servers: readonly AnsweringServers[], trait: keyof typeof serverTraits): string {
  const changes = listChanges(servers, trait).map(describeChange);
  return changes.length === 0 ? '' : ` It changed for good ${changes.slice(0, mostNamed).join('; ')}.`;
}

/**
 * Returns the warning that a report shows at its top if a server began to name another model during the study and kept
 * naming it. Null if no server did.
 */
export function describeReplacedModels(matches: readonly Pick<MatchConditions, 'servers'>[]): string | null {
  const replaced = groupServersByModel(matches).flatMap(([model, servers]) => {
    const changes = listChanges(servers, 'model_returned').map(describeChange);
    return changes.length === 0 ? [] : [`${model} ${changes.slice(0, mostNamed).join('; ')}`];
  });
  return replaced.length === 0
    ? null
    : `A provider changed its model during the study: ${replaced.join('. ')}. Figures mix both.`;
}

/**
 * Lists the notes on models whose answers come from a mixture: from several upstreams behind a router, or from calls
 * with and without a schema.
 */
function listMixtureNotes(model: string, servers: readonly AnsweringServers[]): string[] {
  const upstreams = addCounts(servers.map((one) => one.upstreams));
  const names = Object.keys(upstreams).sort();
  const [sent, leftOut] = [
    sum(servers.map(({ schema }) => schema.sent)),
    sum(servers.map(({ schema }) => schema.left_out)),
  ];
  return [
    ...(names.length < 2
      ? []
      : [
          `The answers of ${model} were served by ${names.length} upstreams: ${formatCountShares(upstreams)}. They may run the model at different precision. Pin one with extraBody in a models file.`,
        ]),
    ...(sent === 0 || leftOut === 0
      ? []
      : [
          `${model} was asked with the JSON schema of the answer in ${sent} calls and without it in ${leftOut}: its answers differ in how they were asked for.`,
        ]),
  ];
}

function addCounts(counts: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const added: Record<string, number> = {};
  for (const [name, count] of counts.flatMap((one) => Object.entries(one))) added[name] = (added[name] ?? 0) + count;
  return added;
}

/** Formats the most frequent names first, e.g. "A 51%, B 49% of 141 answers". */
function formatCountShares(counts: Readonly<Record<string, number>>): string {
  const all = sum(Object.values(counts));
  const sorted = Object.entries(counts).sort(
    ([one, first], [other, second]) => second - first || (one < other ? -1 : 1),
  );
  const told = sorted.slice(0, mostNamed).map(([name, count]) => `${name} ${Math.round((100 * count) / all)}%`);
  const more = sorted.length > mostNamed ? [`${sorted.length - mostNamed} more`] : [];
  return `${[...told, ...more].join(', ')} of ${all} answers`;
}

/**
 * Lists the notes on answers that were changed before use: text was moved out of public fields, cut, or found in
 * another field.
 */
export function listReadingNotes(matches: readonly Pick<MatchConditions, 'servers'>[]): string[] {
  return groupServersByModel(matches).flatMap(([model, servers]) => {
    const add = (field: 'questions' | 'moved_thoughts' | 'cut_dialogue' | 'from_reasoning') =>
      sum(servers.map((one) => one[field]));
    const of = `of ${add('questions')} questions to ${model}`;
    const notes: [number, string][] = [
      [
        add('moved_thoughts'),
        'the public part of the answer contained private thoughts. They were moved to the private reasoning.',
      ],
      [
        add('cut_dialogue'),
        'the answer continued with lines for other players or the moderator. These lines were cut, and their claims count for nobody.',
      ],
      [add('from_reasoning'), 'the answer was in the reasoning field and was taken from there.'],
    ];
    return notes.flatMap(([count, words]) => (count === 0 ? [] : [`In ${count} ${of}, ${words}`]));
  });
}

/**
 * Returns a note for each model with refused questions. The note says how many questions were refused, by whom and
 * about what, and warns that the remaining answers are a selection.
 */
export function listRefusalNotes(matches: readonly Pick<MatchConditions, 'servers' | 'refusals'>[]): string[] {
  const [afterwards, inPlay] = [true, false].map((isAfterwards) =>
    matches.flatMap(({ refusals }) => refusals).filter((one) => isAskedAfterwards(one) === isAfterwards),
  ) as [RefusalCount[], RefusalCount[]];
  const byModel = Map.groupBy(inPlay, ({ model }) => getModelLabel(model));
  const ofPlayers = groupServersByModel(matches).flatMap(([model, servers]) => {
    const refused = byModel.get(model) ?? [];
    if (refused.length === 0) return [];
    return [
      `${countRefusals(refused)} of ${sum(servers.map((one) => one.questions))} questions to ${model} were refused: ${listReasons(refused)}. What was refused is missing, and hardly at random: see the table of refusals, and the lowest and highest values of figures.`,
    ];
  });
  const byAsked = Map.groupBy(afterwards, ({ role, model }) => `the ${role} ${getModelLabel(model)}`);
  const ofOthers = [...byAsked].map(
    ([asked, refused]) =>
      `Of the questions to ${asked}, ${countRefusals(refused)} ${countRefusals(refused) === 1 ? 'was' : 'were'} refused: ${listReasons(refused)}. What was refused is missing.`,
  );
  return [...ofPlayers, ...ofOthers.sort(compareText)];
}

const countRefusals = (refused: readonly RefusalCount[]) => sum(refused.map(({ count }) => count));

/** Lists the refused questions and who refused them, as text, most frequent first. */
function listReasons(refused: readonly RefusalCount[]): string {
  const reasons: Record<string, number> = {};
  for (const { vendor, category, count } of refused) {
    const reason = vendor === undefined ? 'the model itself (or not recorded)' : `${vendor} (${category})`;
    reasons[reason] = (reasons[reason] ?? 0) + count;
  }
  const named = Object.entries(reasons).sort(
    ([one, first], [other, second]) => second - first || compareText(one, other),
  );
  const told = named.slice(0, mostNamed).map(([reason, count]) => `${reason} ${count}`);
  const more = named.length > mostNamed ? [`${named.length - mostNamed} more reasons`] : [];
  return [...told, ...more].join(', ');
}

/** Share of questions without a usable answer above which figures describe the replacements as much as the model. */
export const muchUnanswered = 0.05;

/**
 * Returns a note for each model that left many questions without a usable answer, because replacements then shape the
 * model's figures.
 */
export function listUnansweredNotes(matches: readonly Pick<MatchConditions, 'servers'>[]): string[] {
  return groupServersByModel(matches).flatMap(([model, servers]) => {
    const [unanswered, questions] = [
      sum(servers.map((one) => one.unanswered)),
      sum(servers.map((one) => one.questions)),
    ];
    if (unanswered <= muchUnanswered * questions) return [];
    return [
      `${model} gave no usable answer to ${unanswered} of ${questions} questions: its votes, targets and bids were then drawn at random or left empty, and its statements and analyses are missing, so its figures and those of its sides are partly due to chance. “Few fallbacks” leaves out matches with many such questions.`,
    ];
  });
}

/** Describes the plans of the matches. A report stays exploratory even if its matches have plans. */
export function describePlans(matches: readonly Pick<MatchConditions, 'plan'>[]): string {
  const byPlan = [...Map.groupBy(matches, ({ plan }) => plan)].sort(([one], [other]) =>
    (one ?? '') < (other ?? '') ? -1 : 1,
  );
  if (byPlan.every(([plan]) => plan === null))
    return 'There was no plan before the matches, so all figures are exploratory.';
  const told = byPlan.map(
    ([plan, { length }]) =>
      `${length} ${length === 1 ? 'match was' : 'matches were'} played ${plan === null ? 'without a plan' : `under the plan with SHA-256 ${plan}`}`,
  );
  return `${told.join(', ')}. A report is exploratory: ${formatCommandInFile('compare', 'FOLDER', '--plan', 'FILE')} says which endpoints are confirmatory.`;
}

/** Lists the notes to read before the figures, each one or two sentences long. */
export function listNotes(spread: readonly FigureSpread[], seeds: Report['seeds'], all: number): string[] {
  const mixed = spread.filter((one) => isMixedSpread(one, all));
  const [rules, others] = [mixed.filter(isSpreadOfRule), mixed.filter((one) => !isSpreadOfRule(one))];
  const ruleNames = rules.map(({ name }) => name.slice(rulePrefix.length));
  return [
    ...others.map(
      ({ name, values }) =>
        `The matches differ in: ${name}. ${values.map(({ value, matches }) => `${value} in ${matches}`).join('; ')}.`,
    ),
    ...(rules.length === 0
      ? []
      : [`The matches were played under different rules: ${ruleNames.join(', ')} are not the same in all of them.`]),
    ...(mixed.length === 0
      ? []
      : ['Where conditions differ, pooled figures describe this mixture and no single condition.']),
    ...(seeds.different < seeds.matches
      ? [
          `Only ${seeds.different} of ${seeds.matches} seeds are different: matches with the same seed may share their deal, and matches of one deal are one unit of the intervals.`,
        ]
      : []),
    ...(seeds.matches < all
      ? [
          `${all - seeds.matches} of ${all} matches ${all - seeds.matches === 1 ? 'was' : 'were'} imported. Seeds and failed answers are not known, so the sample “Few fallbacks” leaves imported matches out.`,
        ]
      : []),
  ];
}
