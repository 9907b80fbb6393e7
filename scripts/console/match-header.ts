// The header printed before matches are played: board, rules and models, and what is already recorded.
import Table from 'cli-table3';
import type { PlayLimits } from '../../models/call-limits.ts';
import { countMatches, type MatchSet } from '../../graph/match-set.ts';
import { formatWhole, pluralize, quoteSpeech, sanitizeText } from '../../report/format.ts';
import { getModelLabel, isPersonSpec, nameAsTyped } from '../../state/model-identity.ts';
import type { Manifest } from '../../state/record.ts';
import { getRole } from '../../state/roles/index.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { describeRules } from '../../state/rulebook.ts';
import { plainVariant } from '../../state/variants.ts';

/**
 * Formats the header of one match. Roles appear only with `reveal`. `isSeedDrawn`: whether the seed is random because
 * nobody chose one.
 */
export function formatMatchHeader(
  { id, setup }: Manifest,
  { reveal, isSeedDrawn, operator = false }: { reveal: boolean; isSeedDrawn: boolean; operator?: boolean },
): string {
  const { seed, bots, players, models } = setup;
  if (!operator && Object.values(models).some(isPersonSpec)) return formatPeopleHeader(setup);
  const nameModel = nameAsTyped(Object.values(models).map(getModelLabel));
  const table = new Table({
    head: ['Player', ...(reveal ? ['Role'] : []), 'Model'],
    style: { head: [], border: [], compact: true },
  });
  for (const { name, role } of players)
    table.push([name, ...(reveal ? [role] : []), sanitizeText(nameModel(getModelLabel(models[name]!)))]);
  const lines = [
    `Match ${sanitizeText(id)}: ${formatBoard(setup)}.`,
    `Seed ${seed}${isSeedDrawn ? `, random; --seed ${seed} deals the same again` : ''}.`,
    ...formatRules(setup),
    formatBots(bots, players.length),
    table.toString(),
    reveal ? null : 'Roles and secret events are hidden; --reveal shows them.',
  ];
  return lines.filter((line) => line !== null).join('\n');
}

/**
 * Formats the header of a match with people. Seed, id and models are not shown, because players may see the header:
 * roles follow from the seed, and the id contains the seed.
 */
const formatPeopleHeader = (setup: Manifest['setup']): string =>
  [
    `A match with people: ${formatBoard(setup)}.`,
    ...formatRules(setup),
    `Players: ${setup.players.map(({ name }) => sanitizeText(name)).join(', ')}.`,
    'Roles, seed and models are hidden while people play; --operator shows them.',
  ].join('\n');

interface SetShown extends PlayLimits, Pick<MatchSet, 'matches' | 'arms' | 'replicates' | 'people'> {
  /** Whether no player sees this output. Default: false. */
  operator?: boolean | undefined;
  out: string;
}

/** Formats the limits on calls, without a full stop. */
export function formatPlayLimits({ concurrency, maxCost }: PlayLimits): string {
  const cap = maxCost === undefined ? '' : `, and no call once USD ${maxCost} is spent over all matches`;
  return `At most ${pluralize(concurrency, 'concurrent call')} to one server${cap}`;
}

/** Formats the header of many matches. `setup`: the set-up of the first match. */
export function formatSetHeader({ setup }: Manifest, shown: SetShown): string {
  const { matches: seeds, arms = [], replicates = 1, out, people, operator = false } = shown;
  const { seed, bots, players } = setup;
  const matches = countMatches(shown);
  const isHidden = people !== undefined && !operator;
  const which = `${isHidden ? '' : `; ${formatSeeds(seed, seeds)}`}${formatReplicates(replicates)}`;
  const lines = [
    `${pluralize(matches, 'match', 'matches')}: ${formatBoard(setup)}${which}.`,
    ...formatRules(setup),
    ...(arms.length === 0 ? [] : formatArms(arms)),
    people === undefined ? null : 'Seats and the order of deals are drawn; one match is played at a time.',
    isHidden ? 'Roles, seed and models are hidden while people play; --operator shows them.' : null,
    ...(isHidden || arms.some(({ villagers }) => villagers)
      ? []
      : [formatModels(setup), bots.length === players.length ? formatBots(bots, players.length) : null]),
    `${formatPlayLimits(shown)}. Folders: ${sanitizeText(out)}`,
  ];
  return lines.filter((line) => line !== null).join('\n');
}

/** Formats a board, e.g. "board classic-8, 8 players (2 Werewolves, …)". */
export function formatBoard({ board, players }: Manifest['setup']): string {
  const dealt = Object.entries(board.roles).filter(([, count]) => count > 0);
  const counts = dealt.map(([role, count]) => `${count} ${count === 1 ? role : getRole(role).plural}`);
  return `board ${sanitizeText(board.name)}, ${players.length} players (${counts.join(', ')})`;
}

const formatRules = ({ board, rules, honesty_sentence: honesty }: Manifest['setup']) => [
  `Rules: ${describeRules(rules, board)}.`,
  `About lying the players are told ${honesty === null ? 'nothing' : quoteSpeech(honesty)}; coaching: ${rules.coaching}.`,
];

function formatBots(bots: readonly string[], seats: number): string | null {
  if (bots.length === 0) return null;
  return bots.length === seats
    ? 'All seats are played by built-in bots: this says nothing about language models.'
    : `Built-in bots, not language models, play the seats of ${bots.join(', ')}.`;
}

/**
 * Formats the model if all players have the same model, and the models by role otherwise. Seats are not listed, because
 * their roles change with the seed.
 */
function formatModels({ players, models }: Manifest['setup']): string {
  const nameModel = nameAsTyped(Object.values(models).map(getModelLabel));
  const byRole = Map.groupBy(players, ({ role }) => role);
  const used = [...byRole].map(([role, seats]) => {
    const names = new Set(seats.map(({ name }) => sanitizeText(nameModel(getModelLabel(models[name]!)))));
    return { role, models: [...names].sort().join(', ') };
  });
  const roles = [...Map.groupBy(used, (one) => one.models)];
  if (roles.length === 1) return `Model: ${roles[0]![0]}.`;
  return `Models in the first match: ${roles.map(([model, of]) => `${of.map(({ role }) => role).join(', ')}: ${model}`).join('; ')}.`;
}

/** Formats the arms of a design: its models, each once, and its crossed rules. */
function formatArms(arms: NonNullable<MatchSet['arms']>): string[] {
  const models = new Set(arms.flatMap(({ werewolves = [], villagers = [] }) => [werewolves, villagers].flat()));
  const conditions = new Set(arms.map(({ rule = {} }) => formatRule(rule)));
  const variants = new Set(arms.map(({ variant = plainVariant }) => variant));
  const arePairs = arms.length === (models.size || NaN) ** 2;
  return [
    `Crossed: each of ${pluralize(arms.length, arePairs ? 'pair' : 'arm')} plays every seed, in its own folder.${models.size === 0 ? '' : ` Models: ${[...models].map((model) => sanitizeText(getModelLabel(model))).join(', ')}.`}`,
    ...(conditions.size > 1 ? [`Crossed rules: ${[...conditions].join('; ')}.`] : []),
    ...(variants.size > 1 ? [`Variants: ${[...variants].join(', ')}.`] : []),
  ];
}

const formatRule = (rule: RuleValues) =>
  Object.entries(rule)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ');

/** Formats how often each deal is played, to follow the number of deals or seeds. Empty if each is played once. */
export const formatReplicates = (replicates = 1): string =>
  replicates === 1 ? '' : `, each deal played ${replicates} times with the same seats`;

/** Formats one or several seeds: "seed 7" or "seeds 1 to 20". */
export const formatSeeds = (first: number, count: number) =>
  count === 1 ? `seed ${first}` : `seeds ${first} to ${first + count - 1}`;

/** Formats how much of the matches is already recorded; null if nothing is. */
export function formatSurvey(matches: number, left: { matches: number; recorded: readonly unknown[] }): string | null {
  const over = matches - left.matches;
  const begun = left.recorded.length;
  const parts = [
    ...(over === 0 ? [] : over === matches ? [formatAllOver(matches)] : [formatOver(over, matches)]),
    ...(begun === 0 ? [] : [formatBegun(begun)]),
  ];
  return parts.length === 0 ? null : `${parts.join('; ')}.`;
}

const formatAllOver = (matches: number) =>
  `${matches === 1 ? 'The match is' : `All ${formatWhole(matches)} matches are`} already finished`;

const formatOver = (over: number, matches: number) =>
  `${formatWhole(over)} of ${formatWhole(matches)} matches ${over === 1 ? 'is' : 'are'} already finished and only read`;

const formatBegun = (begun: number) =>
  begun === 1
    ? '1 match was begun and resumes after its recorded answers'
    : `${formatWhole(begun)} matches were begun and resume after their recorded answers`;
