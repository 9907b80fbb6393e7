// Promises: whom a player has urged everybody to exile today, which binds it until there is something new to judge by.
import { phrases } from './phrases.ts';
import type { Scene } from './scene.ts';
import { fill } from './speech.ts';
import type { Act } from './speech-act.ts';
import type { Remark } from './testimony.ts';

const known = new WeakMap<Scene, string | null>();

/** Whom this player last urged to exile today; null where it did not, or where others told of a check or a power since. */
export function promiseOf(scene: Scene): string | null {
  const before = known.get(scene);
  if (before !== undefined) return before;
  const promise = foundIn(scene);
  known.set(scene, promise);
  return promise;
}

function foundIn(scene: Scene): string | null {
  const { todays, me } = scene;
  const last = todays.findLastIndex((remark) => remark.by === me && urgedIn(scene, remark) !== undefined);
  const remark = todays[last];
  if (!remark || todays.slice(last + 1).some(({ by, acts }) => by !== me && acts.some(isNews(scene)))) return null;
  return urgedIn(scene, remark) ?? null;
}

const urgedIn = ({ others, lexicon }: Scene, { text, acts }: Remark) =>
  others.find(
    (name) =>
      acts.some((act) => 'target' in act && act.target === name) &&
      phrases.urge.some((urge) => text.includes(fill(urge, { T: name }, lexicon))),
  );

const isNews =
  ({ lexicon }: Scene) =>
  (act: Act) =>
    act.kind === 'report' || (act.kind === 'claim' && act.role !== lexicon.plain?.name);
