// Parts of a statement: each does something with words, and all are said in other words than those already heard.
import type { Draw } from '../../../state/random.ts';
import type { GameFacts } from './game-facts.ts';
import { mergeActs, type SpeechAct } from './hearing.ts';

type Phrases = readonly string[];
type Slots = Readonly<Record<string, string>>;

/** Something to say, in one or two phrases. */
export interface Part {
  acts: readonly SpeechAct[];
  ways: readonly Phrases[];
  slots: Slots;
}

/** Does something in the words of a bank, at will before or after a phrase that says why. */
export function express(acts: readonly SpeechAct[], bank: Phrases, slots: Slots = {}, why: Phrases = []): Part {
  const pairs = why.flatMap((one) => bank.flatMap((phrase) => [[one, phrase], [phrase, one]])); // prettier-ignore
  return { acts, slots, ways: [...pairs, ...bank.map((phrase) => [phrase])] };
}

/**
 * Says the parts in their order, as far as they fit into well below the limit of the rules. Never says nothing.
 * @example sayParts(facts, [express([], ['Hello, {T}.'], { T: 'Dan' })], draw) // { text: 'Hello, Dan.', acts: [] }
 */
export function sayParts(facts: GameFacts, parts: readonly Part[], draw: Draw): { text: string; acts: SpeechAct[] } {
  const { maxWords } = facts.view.rules;
  const most = maxWords <= 12 ? maxWords : Math.min(55, Math.floor(maxWords * 0.8));
  const said: string[] = [];
  const acts: SpeechAct[] = [];
  for (const part of parts) {
    const heard = [...facts.remarks.map(({ text }) => text), ...said];
    const ways = draw.shuffle(part.ways).flatMap((way) => {
      const text = fillSlots(way.join(' '), part.slots, facts);
      const isFitting = [...said, text].join(' ').split(' ').length <= most;
      return isFitting ? [{ text, echoes: way.reduce((sum, phrase) => sum + countEchoes(phrase, heard), 0) }] : [];
    });
    if (ways.length === 0) continue;
    said.push(ways.reduce((best, way) => (way.echoes < best.echoes ? way : best)).text);
    acts.push(...part.acts);
  }
  return { text: said.join(' ') || 'Let us hear everybody.', acts: mergeActs(acts) };
}

/** How often the words of a phrase have been heard, its slots aside; the latest count most. */
function countEchoes(phrase: string, heard: Phrases) {
  const [longest = ''] = phrase.split(/\{\w+\}/).sort((one, other) => other.length - one.length);
  return heard.reduce((sum, text, index) => (text.includes(longest) ? sum + 1 + index / heard.length : sum), 0);
}

function fillSlots(phrase: string, slots: Slots, { pack, roles }: GameFacts): string {
  const article = (name: string) => (/^[AEIOU]/.test(name) ? 'an' : 'a');
  const role = roles.find(({ name }) => name === slots['R']);
  const aR = role ? `${role.count === 1 ? 'the' : article(role.name)} ${role.name}` : '';
  const names: Slots = { wolf: pack.name, wolves: pack.plural, aWolf: `${article(pack.name)} ${pack.name}`, aR };
  return phrase.replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot] ?? names[slot] ?? slot);
}
