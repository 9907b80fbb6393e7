// The progress of a study in lines, printed by `--status`.
import type { PairingProgress, StudyProgress, StudyServer } from '../../deception/design/study-progress.ts';
import { formatMoney, formatRoughTime, formatWhole, pluralize, sanitizeText } from '../../report/format.ts';
import { nameProgress } from '../../report/shown-models.ts';

/** Maximum number of matches and of pairings to list. Further ones are counted. */
const mostTold = 50;

/**
 * Formats the progress of a study.
 *
 * @example formatStudy(surveyStudy('runs/study'))
 */
export const formatStudy = (study: StudyProgress): string =>
  [formatState(study), formatSpent(study), ...formatStudyDetails(study)].join('\n');

/** Formats the details of a study's progress in lines: pairings, matches under way and failed, models and servers. */
export function formatStudyDetails(study: StudyProgress): string[] {
  const { pairings, running, failures, models, servers } = nameProgress(study);
  return [
    ...section(pairings.length > 1 ? 'Pairings (Werewolves / village):' : '', pairings.length > 1 ? pairings.map(formatPairing) : []), // prettier-ignore
    ...section(
      'Under way:',
      running.map((match) => `${match.path}: ${match.now === '' ? 'begins' : match.now}; ${formatRoughTime(1000 * match.seconds)}`), // prettier-ignore
    ),
    ...section(
      'Failed (run the same command again to retry):',
      failures.map(({ path, error }) => `${path}: ${error}`),
    ),
    ...section(
      'Models:',
      models.map((model) => {
        const parts = [
          pluralize(model.questions, 'question'),
          `${formatWhole(model.refused)} refused`,
          `${formatWhole(model.askedAgain)} asked again`,
          pluralize(model.fallbacks, 'fallback'),
          formatMoney({ cost: model.calls > model.callsOfUnknownCost ? model.cost : null, calls_with_unknown_cost: model.callsOfUnknownCost, calls: model.calls }), // prettier-ignore
        ];
        return `${model.model}: ${parts.join(', ')}`;
      }),
    ),
    ...section(
      'Servers:',
      servers.map((server) => `${server.server}: ${describeServer(server)}`),
    ),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length > mostTold ? [`  and ${lines.length - mostTold} more`] : [];
  return [title, ...lines.slice(0, mostTold).map((line) => `  ${sanitizeText(line)}`), ...more];
}

function formatState({
  state,
  planned,
  finished,
  underWay,
  failed,
  stopped,
  toCome,
  others,
  secondsLeft,
  matchesPerHour,
}: StudyProgress): string {
  // prettier-ignore
  const words = { complete: 'Complete', running: 'Running', stopped: 'Stopped' }[state];
  const parts = [
    planned === null ? `${pluralize(finished, 'match', 'matches')} finished` : `${finished} of ${planned} finished`,
    `${underWay} under way`,
    `${failed} failed`,
    ...(stopped > 0 ? [`${stopped} interrupted`] : []),
    ...(toCome === null ? [] : [`${toCome} to come`]),
  ];
  const left = secondsLeft === null ? '' : `; about ${formatRoughTime(1000 * secondsLeft)} left`;
  const pace = state === 'running' && matchesPerHour !== null ? ` (${formatPace(matchesPerHour)})` : '';
  const beside = others === 0 ? '' : ` The folder also has ${pluralize(others, 'match', 'matches')} of another plan.`;
  return `${words}: ${parts.join(', ')}${left}${pace}.${beside}`;
}

const formatPace = (perHour: number) => `${perHour < 10 ? perHour.toFixed(1) : formatWhole(Math.round(perHour))} matches per hour`; // prettier-ignore

function formatSpent({ spent, maxCost, ...study }: StudyProgress): string {
  const expected = study.state === 'complete' ? null : study.expected;
  const { calls, tokensIn, tokensOut, knownCost, callsOfUnknownCost } = spent;
  const of = (value: number | null | undefined) => (value == null ? '' : ` of about ${formatWhole(Math.round(value))}`);
  const cost = formatMoney({ cost: knownCost, calls_with_unknown_cost: callsOfUnknownCost, calls });
  const money = [
    `${cost}${expected?.cost == null ? '' : ` of about ${expected.cost.toFixed(2)}`}`,
    ...(maxCost === null ? [] : [`stops at ${maxCost}`]),
  ];
  return `${pluralize(calls, 'call')}${of(expected?.calls)}; ${formatWhole(tokensIn)} tokens in${of(expected?.tokensIn)}, ${formatWhole(tokensOut)} out${of(expected?.tokensOut)}; ${money.join('; ')}.`;
}

function formatPairing({
  werewolves,
  villagers,
  name,
  planned,
  finished,
  underWay,
  failed,
  stopped,
}: PairingProgress): string {
  // prettier-ignore
  const who = werewolves === '' && villagers === '' ? '' : `${werewolves} / ${villagers}`;
  const parts = [
    `${finished} of ${planned}`,
    ...(underWay > 0 ? [`${underWay} under way`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(stopped > 0 ? [`${stopped} interrupted`] : []),
  ];
  return `${[who, name ?? ''].filter((part) => part !== '').join(', ')}: ${parts.join(', ')}`;
}

/**
 * Describes a server's calls and its limits.
 *
 * @example describeServer({ server: 'openai', underWay: 3, waiting: 2, perMinute: null, heldMs: 20_000 }) // 'asks to wait 20 s; 3 calls under way, 2 wait'
 */
export function describeServer({ underWay, waiting, perMinute, heldMs }: StudyServer): string {
  const calls = `${pluralize(underWay, 'call')} under way, ${formatWhole(waiting)} wait`;
  if (heldMs >= 1000) return `asks to wait ${formatRoughTime(heldMs)}; ${calls}`;
  if (waiting === 0) return `free; ${calls}`;
  return `at its limit${perMinute === null ? '' : ` of ${formatWhole(Math.round(perMinute))} calls per minute`}; ${calls}`;
}

/**
 * Formats the progress of a study as one JSON object.
 *
 * @example JSON.parse(formatStudyJson(surveyStudy('runs/study'))).finished
 */
export const formatStudyJson = (study: StudyProgress): string => JSON.stringify(study);
