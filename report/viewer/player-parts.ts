// Parts of pages that name a player's role: a colored letter and the word, so that no meaning depends on color alone.
/// <reference lib="dom" />
import { h, type ComponentChild } from 'preact';
import type { ViewedMatch, ViewedPlayer } from './viewed-match.ts';

const lettersByMatch = new WeakMap<ViewedMatch, Map<string, string>>();

/**
 * Finds a letter for each role of a match: the first letter of its name, or the first two if another role has the
 * first. Werewolves come first and all others in alphabetical order, so that letters do not reveal who has which role.
 *
 * @example findRoleLetters(match).get('Witch') // 'Wi', beside Werewolves
 */
export function findRoleLetters(match: ViewedMatch): Map<string, string> {
  const known = lettersByMatch.get(match);
  if (known) return known;
  const ordered = match.players.toSorted(
    (one, other) => Number(isOfPack(other)) - Number(isOfPack(one)) || one.role.localeCompare(other.role, 'en'),
  );
  const letters = new Map<string, string>();
  for (const { role } of ordered)
    if (!letters.has(role)) {
      const [first, both] = [role.slice(0, 1), role.slice(0, 2)];
      letters.set(role, [...letters.values()].some((letter) => letter.startsWith(first)) ? both : first);
    }
  lettersByMatch.set(match, letters);
  return letters;
}

/** Returns whether the player is a Werewolf. */
export const isOfPack = ({ team }: Pick<ViewedPlayer, 'team'>): boolean => team === 'the Werewolves';

/**
 * Returns the CSS class that colors a player's parts: the role's class, the side's class if only the side is known, or
 * `unknown`. `shown`: the known role or side; null if neither is known.
 */
export function nameRoleClass(shown: string | null, player: Pick<ViewedPlayer, 'team'>): string {
  if (shown === null) return 'unknown';
  if (shown === player.team) return isOfPack(player) ? 'pack' : 'village';
  return shown.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/** Renders the role or side that the viewer knows: letter and word. `text` replaces the word. */
export function renderRole(
  shown: string | null,
  player: ViewedPlayer,
  match: ViewedMatch,
  text = shown ?? 'role not known',
): ComponentChild {
  const letter = shown === null ? '?' : (findRoleLetters(match).get(shown) ?? (isOfPack(player) ? 'W' : 'V'));
  return h('span', { class: `role ${nameRoleClass(shown, player)}` }, [
    h('span', { class: 'letter', 'aria-hidden': 'true' }, letter),
    h('bdi', null, text),
  ]);
}

/** Maximum number of characters of a model's name in a seat. */
const longestModel = 36;

/**
 * Shortens each model's name for a seat: removes the provider, and the middle of a long name. Equal results are
 * numbered.
 */
export function truncateModelNames(models: readonly string[]): Map<string, string> {
  const different = [...new Set(models)];
  const shown = different.map((model) => {
    const bare = model.replace(/^[\w-]+:/, '');
    const isAlone = different.filter((other) => other.replace(/^[\w-]+:/, '') === bare).length === 1;
    const name = isAlone ? bare : model;
    const half = longestModel / 2;
    return name.length <= longestModel ? name : `${name.slice(0, half - 1)}…${name.slice(-half)}`;
  });
  return new Map(
    different.map((model, at): [string, string] => {
      const name = shown[at] ?? model;
      const same = shown.flatMap((other, place) => (other === name ? [place] : []));
      return [model, same.length === 1 ? name : `${same.indexOf(at) + 1}: ${name.slice(3)}`];
    }),
  );
}
