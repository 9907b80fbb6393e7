// Speech: turns what a player means to do into sentences, each time in other words than those already heard.
import type { Draw } from '../../../state/draw.ts';
import { withArticle, type Lexicon } from './lexicon.ts';
import type { Part } from './parts.ts';
import { shortest } from './phrases.ts';
import type { Slots } from './reasons.ts';
import type { Scene } from './scene.ts';
import { distinct, type Act } from './speech-act.ts';

export interface Speech {
  text: string;
  acts: Act[];
}

const count = (text: string) => text.split(/\s+/).length;

/** The most words of a statement: well below the limit of the rules, where that leaves room to speak. */
export const roomFor = (maxWords: number) => (maxWords <= 12 ? maxWords : Math.min(55, Math.floor(maxWords * 0.8)));

/** Says the parts in their order; those that do not fit are left out. Never says nothing. */
export function say(scene: Scene, parts: readonly Part[], draw: Draw): Speech {
  let room = roomFor(scene.view.rules.maxWords);
  const sentences: string[] = [];
  const acts: Act[] = [];
  const heard = scene.view.events.flatMap((event) =>
    event.type === 'statement'
      ? [event.text]
      : event.type === 'ballot' && event.explanation !== undefined
        ? [event.explanation]
        : [],
  );
  for (const part of parts) {
    const text = wording(part, room, [...heard, ...sentences], scene.lexicon, draw);
    if (text === null) continue;
    room -= count(text);
    sentences.push(text);
    acts.push(...part.acts);
  }
  return { text: sentences.join(' ') || shortest.remark, acts: distinct(acts) };
}

/** The way that has been heard least, by chance among equals; null where not even a brief one fits. */
function wording({ ways, brief, slots }: Part, room: number, heard: readonly string[], lexicon: Lexicon, draw: Draw) {
  const leastHeard = (among: readonly (readonly string[])[]) => {
    let best: string | null = null;
    let least = Infinity;
    for (const way of draw.shuffle(among)) {
      const text = way.map((sentence) => fill(sentence, slots, lexicon)).join(' ');
      if (count(text) > room) continue;
      const echoes = way.reduce((sum, sentence) => sum + echo(sentence, heard), 0);
      if (echoes < least) [best, least] = [text, echoes];
      if (echoes === 0) break;
    }
    return best;
  };
  return leastHeard(ways) ?? leastHeard(brief.map((sentence) => [sentence]));
}

/** How often the words of a phrase have been heard, its slots aside; the latest count most. */
function echo(phrase: string, heard: readonly string[]) {
  const words = phrase.split(/\{\w+\}/).sort((one, other) => other.length - one.length)[0]!;
  return heard.reduce((sum, text, index) => (text.includes(words) ? sum + 1 + index / heard.length : sum), 0);
}

/** A phrase with its slots filled. */
export function fill(phrase: string, slots: Slots, { pack, roles }: Lexicon) {
  const role = roles.find(({ name }) => name === slots['role']);
  const common: Slots = {
    wolf: pack.name,
    wolves: pack.plural,
    aWolf: `${/^[AEIOU]/.test(pack.name) ? 'an' : 'a'} ${pack.name}`,
    ...(role ? { R: role.name, aR: withArticle(role) } : {}),
  };
  return phrase.replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? common[slot] ?? slot);
}
