// What stands above many matches: the game, its rules, who plays, and what they may take.
import { plain } from '../../report/plain-text.ts';
import { counted, whole } from '../../report/numbers.ts';
import type { Manifest } from '../../state/record.ts';
import { wordsOf } from '../command/exit.ts';
import { boardText, botLine, rulesLines } from './header.ts';
import { roughTime } from './rough-time.ts';

interface Shown {
  matches: number;
  concurrency: number;
  maxCost: number | undefined;
  out: string;
}

/** `setup` is that of the first match. */
export function setHeader({ setup }: Manifest, { matches, concurrency, maxCost, out }: Shown): string {
  const { seed, bots, players } = setup;
  const cap = maxCost === undefined ? '' : `, and none once USD ${maxCost} are spent on all matches together`;
  const lines = [
    `${counted(matches, 'match', 'matches')}: ${boardText(setup)}; ${seedsText(seed, matches)}.`,
    ...rulesLines(setup),
    modelsText(setup),
    bots.length === players.length ? botLine(bots, players.length) : null,
    `At most ${counted(concurrency, 'call')} under way at the same time${cap}. Folders: ${plain(out)}`,
  ];
  return lines.filter((line) => line !== null).join('\n');
}

/** "seed 7", "seeds 1 to 20". */
export const seedsText = (first: number, count: number) =>
  count === 1 ? `seed ${first}` : `seeds ${first} to ${first + count - 1}`;

/** One model for all, or those of each role: seats change their roles with the seed. */
function modelsText({ players, models }: Manifest['setup']): string {
  const byRole = Map.groupBy(players, ({ role }) => role);
  const used = [...byRole].map(([role, seats]) => {
    const names = new Set(seats.map(({ name }) => plain(models[name]!)));
    return { role, models: [...names].sort().join(', ') };
  });
  const [first] = used;
  if (used.every(({ models }) => models === first!.models)) return `Model: ${first!.models}.`;
  const roles = Map.groupBy(used, ({ models }) => models);
  return `Models in the first match: ${[...roles].map(([model, of]) => `${of.map(({ role }) => role).join(', ')}: ${model}`).join('; ')}.`;
}

/** What was found recorded of the matches, where anything was. */
export function surveyText(matches: number, left: { matches: number; recorded: readonly unknown[] }): string | null {
  const begun = left.recorded.length;
  const over = matches - left.matches;
  const parts = [over > 0 ? overText(over, matches) : null, begun > 0 ? begunText(begun) : null];
  const found = parts.filter((part) => part !== null);
  return found.length === 0 ? null : `${found.join('; ')}.`;
}

function overText(over: number, matches: number): string {
  if (over === matches) return `${matches === 1 ? 'The match is' : `All ${whole(matches)} matches are`} over already`;
  return `${whole(over)} of ${whole(matches)} matches ${over === 1 ? 'is' : 'are'} over already and only read`;
}

const begunText = (begun: number) =>
  begun === 1
    ? '1 match was begun and goes on after its recorded answers'
    : `${whole(begun)} matches were begun and go on after their recorded answers`;

/** When all matches begin to wait for a provider. */
export const outageText = ({ error, patienceMs }: { error: unknown; patienceMs: number }) =>
  `The provider stays down. All matches wait, for ${roughTime(patienceMs)} at most, and one tries again after 1, 2, 4, 8 and then every 10 minutes. ${wordsOf(error)}`;

/** When they go on. */
export const answeredText = (afterMs: number) => `Answers come again after ${roughTime(afterMs)}: the matches go on.`;
