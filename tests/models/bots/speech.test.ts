// What a bot says: every sentence does what it is meant to do, in other words each time, and within the limit.
import { describe, expect, it } from '@jest/globals';
import { earOf } from '../../../models/bots/classic/hearing.ts';
import { lexiconOf } from '../../../models/bots/classic/lexicon.ts';
import { officePhrases } from '../../../models/bots/classic/office-phrases.ts';
import * as parts from '../../../models/bots/classic/parts.ts';
import { reasons, trust, type ReasonKind } from '../../../models/bots/classic/reason-phrases.ts';
import { remarks } from '../../../models/bots/classic/remark-phrases.ts';
import { actName } from '../../../models/bots/classic/speech-act.ts';
import { fill, roomFor, say } from '../../../models/bots/classic/speech.ts';
import { draw } from '../../../state/draw.ts';
import { said } from '../../game.ts';
import { sceneOf } from './eyes.ts';

const players = ['Dan', 'Sam', 'Will', 'Leah', 'Ginger', 'Bert', 'Mason', 'Paul'];
const board = {
  name: 'by-hand',
  roles: { Werewolf: 2, Seer: 1, Doctor: 1, Witch: 1, Hunter: 1, Guard: 1, Villager: 1 },
};
const lexicon = lexiconOf({ board, players });
const hear = earOf(lexicon);

/** Everything that can be said against, for or about `T`, with `S`, `X` and `Y` in it. */
function everything(T: string, S: string, X: string, Y: string): parts.Part[] {
  const slots = { S, X, Y, day: 'yesterday', Day: 'Yesterday', role: 'Seer', n: '7', m: '4' };
  const kinds = Object.keys(reasons) as ReasonKind[];
  const tones = ['accuse', 'accuseSurely', 'urge', 'vote', 'recommend'] as const;
  const { pledge, leads, level, scattered, empty, plead } = officePhrases;
  const questions = ['ask', 'askNamed', 'askSilent', 'askAbout', 'askVote', 'askBack'] as const;
  const topics = ['Silence', 'Vote', 'Check', 'Feeling', 'Other'] as const;
  return [
    ...tones.flatMap((tone) => [
      parts.accusation(T, undefined, tone),
      ...kinds.map((kind) => parts.accusation(T, { kind, weight: 1, slots }, tone)),
    ]),
    parts.agreement(T, S),
    parts.defence(T, undefined),
    ...(Object.keys(trust) as (keyof typeof trust)[]).map((kind) => parts.defence(T, { kind, weight: 1, slots })),
    parts.belief(T, S),
    parts.belief(T, undefined),
    ...questions.map((bank) => parts.question(T, bank, slots)),
    ...topics.flatMap((topic) => [parts.denial(T, topic), parts.denial(undefined, topic)]),
    parts.evasion(),
    parts.avowal(),
    parts.candidacy(),
    ...[pledge, leads, level, scattered, empty, plead].map((ways) => parts.remark(ways, slots)),
    ...lexicon.roles.filter(({ team }) => team === 'villagers').map(({ name }) => parts.claim(name)),
    parts.counterclaim('Seer', T),
    ...(['villagers', 'werewolves'] as const).flatMap((team) => [
      parts.checkReport(T, team, true),
      parts.checkReport(T, team, false),
    ]),
    ...(['majority', 'plurality'] as const).flatMap((exile) =>
      [[], [S], [S, X]].map((company) => parts.following(T, company, { exile })),
    ),
    parts.accountOfVote(),
    parts.noOpinion(T),
    ...Object.values(remarks).map((ways) => parts.remark(ways, slots)),
  ];
}

const inWords = (way: readonly string[], slots: parts.Part['slots']) =>
  way.map((sentence) => fill(sentence, slots, lexicon)).join(' ');

describe('every sentence that a bot can say', () => {
  it.each([
    ['Dan', 'Sam', 'Leah', 'Bert'],
    ['Will', 'Dan', 'Ginger', 'Paul'],
    ['Paul', 'Will', 'Sam', 'Mason'],
  ])('about %s is heard as what was meant', (...names) => {
    const misheard = everything(...names).flatMap(({ acts, ways, brief, slots }) =>
      [...ways, ...brief.map((sentence) => [sentence])]
        .map((way) => inWords(way, slots))
        .filter((text) => hear(text).map(actName).sort().join() !== acts.map(actName).sort().join())
        .map((text) => `${text} → ${hear(text).map(actName).join()} instead of ${acts.map(actName).join()}`),
    );
    expect(misheard).toEqual([]);
  });

  it('has all its slots filled', () => {
    const open = everything('Dan', 'Sam', 'Leah', 'Bert').flatMap(({ ways, brief, slots }) =>
      [...ways, ...brief.map((sentence) => [sentence])]
        .map((way) => inWords(way, slots))
        .filter((text) => /[{}]|undefined|\s\s/.test(text)),
    );
    expect(open).toEqual([]);
  });

  it('has a way to be said in five words, where it commits the speaker to something', () => {
    const long = everything('Dan', 'Sam', 'Leah', 'Bert')
      .filter(({ acts }) => acts.length === 1)
      .filter(({ brief, slots }) => brief.every((sentence) => inWords([sentence], slots).split(' ').length > 5));
    expect(long.flatMap(({ acts }) => acts.map(actName))).toEqual([]);
  });
});

describe('a statement', () => {
  const accusation = parts.accusation('Dan', { kind: 'feeling', weight: 1, slots: {} }, 'accuse');

  it.each([5, 10, 20, 80, 1000])('stays within a limit of %d words', (maxWords) => {
    const scene = sceneOf('Bert', { rules: { maxWords } });
    const many = [accusation, parts.denial('Sam', 'Other'), parts.question('Leah', 'ask'), parts.evasion(), accusation];
    for (let seed = 0; seed < 20; seed++) {
      const { text, acts } = say(scene, many, draw(seed, 'say'));
      expect(text.split(' ').length).toBeLessThanOrEqual(Math.min(roomFor(maxWords), 60));
      expect(acts.length).toBeGreaterThan(0);
    }
  });

  it('tells what it does: what was left out for want of room is not among its acts', () => {
    const scene = sceneOf('Bert', { rules: { maxWords: 5 } });
    expect(say(scene, [accusation, parts.evasion()], draw(1, 'say')).acts).toEqual(accusation.acts);
  });

  it('is never empty', () => {
    expect(say(sceneOf('Bert'), [], draw(1, 'say')).text).not.toBe('');
  });

  it('avoids words that have been heard', () => {
    const first = parts.accusation('Dan', undefined, 'accuse');
    const heard: string[] = [];
    for (let seed = 0; seed < first.ways.length; seed++) {
      const events = heard.map((text, index) => said(`1.${index + 1}`, 'Sam', text));
      heard.push(say(sceneOf('Bert', { events }), [first], draw(seed, 'say')).text);
    }
    expect(new Set(heard).size).toBe(first.ways.length);
  });
});
