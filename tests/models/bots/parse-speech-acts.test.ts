// How a bot understands statements: everything that bots say, common wordings of language models, and nothing else.
import { describe, expect, it } from '@jest/globals';
import { parseSpeechActs, nameAct } from '../../../models/bots/scripted/parse-speech-acts.ts';
import { countCpuSeconds } from '../../test-clock.ts';

const players = ['Dan', 'Sam', 'Will', 'Leah', 'Ginger', 'Bert', 'Mason', 'Paul'];
const board = { name: 'classic-8', roles: { Werewolf: 2, Seer: 1, Doctor: 1, Villager: 4 } };
const hear = (text: string) => parseSpeechActs(text, { players, board }).map(nameAct);

describe('an accusation', () => {
  it.each([
    ['I think Dan is a Werewolf.', ['accuse Dan']],
    ["I'm convinced that Dan is one of the wolves!", ['accuse Dan']],
    ['Dan could well be a wolf, if you ask me.', ['accuse Dan']],
    ['My vote goes to Dan today.', ['accuse Dan']],
    ["Let's vote out Dan.", ['accuse Dan']],
    ['We should exile Dan and Sam.', ['accuse Dan', 'accuse Sam']],
    ['Bert, Mason, and Paul have been unusually quiet.', ['accuse Bert', 'accuse Mason', 'accuse Paul']],
    ["I don't trust Dan at all.", ['accuse Dan']],
    ["I find Leah's silence telling, and Leah’s story is suspicious.", ['accuse Leah']],
    ['Dan has been awfully quiet. We should keep an eye on him.', ['accuse Dan']],
    ['Dan, you are lying.', ['accuse Dan']],
    ['Mason, your silence is concerning—could you be hiding something?', ['accuse Mason', 'ask Mason']],
    ['It makes me wonder if Paul is trying to deflect attention.', ['accuse Paul']],
    ["Let's not forget about Bert, who has been unusually quiet.", ['accuse Bert']],
    ["Something about Dan's behavior seems off.", ['accuse Dan']],
    ['Sam is right about Dan.', ['accuse Dan']],
    ['Will is lying. Will you vote with me?', ['accuse Will']],
    ['I am not sure about the others, but I suspect Dan.', ['accuse Dan']],
    ['We should talk about Dan. He is a Werewolf.', ['accuse Dan']],
    ['Dan spoke before Leah. She is a Werewolf.', ['accuse Leah']],
    ['Leah spoke before Dan. I do not trust him.', ['accuse Dan']],
  ])('is heard in %j', (text, acts) => {
    expect(hear(text).sort()).toEqual([...acts].sort());
  });
});

describe('a word for somebody', () => {
  it.each([
    ['I trust Dan.', ['defend Dan']],
    ["I don't think Dan is a Werewolf.", ['defend Dan']],
    ['Dan is not a Werewolf.', ['defend Dan']],
    ['Dan seems honest to me.', ['defend Dan']],
    ['I would not vote for Dan today.', ['defend Dan']],
    ["Please don't exile Dan.", ['defend Dan']],
    ["Dan isn't suspicious.", ['defend Dan']],
    ['I doubt that Dan is a wolf.', ['defend Dan']],
    ['Leave Dan alone.', ['defend Dan']],
    ['Dan is on our side.', ['defend Dan']],
  ])('is heard in %j', (text, acts) => {
    expect(hear(text)).toEqual(acts);
  });
});

describe('a claim', () => {
  it.each([
    ['I am the Seer.', ['claim Seer']],
    ["I'm actually the real Doctor.", ['claim Doctor']],
    ['As the Seer, I must speak now.', ['claim Seer']],
    ['I must reveal my role as the Seer.', ['claim Seer']],
    ["You should know that I'm the Seer.", ['claim Seer']],
    ['I am just a plain Villager.', ['claim Villager']],
    ['Seer here.', ['claim Seer']],
    ['I am not a Werewolf.', ['deny']],
    ["I'm no wolf!", ['deny']],
    ['I am on the side of the village.', ['deny']],
    ['I am the Werewolf, you fools.', ['claim Werewolf']],
  ])('is heard in %j', (text, acts) => {
    expect(hear(text)).toEqual(acts);
  });

  it.each([
    ['If I were the Seer, I would say so.'],
    ['If I am the Seer, then you should protect me.'],
    ['Dan thinks that I am the Seer.'],
    ['I am not the Seer.'],
    ['If anyone claims to be the Seer or Doctor, let us hear them out.'],
    ['Dan said "I am the Seer" yesterday.'],
  ])('is not heard in %j', (text) => {
    expect(hear(text)).toEqual([]);
  });
});

describe('the report of a check', () => {
  it.each([
    ['I checked Dan: he is a Werewolf.', ['report Dan werewolves']],
    ['Last night I investigated Dan, and he is a Werewolf.', ['report Dan werewolves']],
    ['I checked Dan last night. They are not a Werewolf.', ['report Dan villagers']],
    ['I checked Dan and he is a Villager.', ['report Dan villagers']],
    ['My check on Dan came back as Werewolf.', ['report Dan werewolves']],
    ['My vision showed that Dan is innocent.', ['report Dan villagers']],
    ['I saw that Dan is a wolf.', ['report Dan werewolves']],
    ['I checked Dan, a wolf, and I checked Sam, who is clear.', ['report Dan werewolves', 'report Sam villagers']],
    [
      'I have investigated Dan and Bert, and I can confirm that they are both Werewolves.',
      ['report Dan werewolves', 'report Bert werewolves'],
    ],
  ])('is heard in %j', (text, acts) => {
    expect(hear(text)).toEqual(acts);
  });

  it('is not heard where the Seer is only supposed to report', () => {
    expect(hear('If I checked Dan and he were a Werewolf, I would say so.')).toEqual([]);
    expect(hear('The Seer could check Dan and tell us whether he is a Werewolf.')).toEqual([]);
  });
});

describe('a question', () => {
  it.each([
    ['Dan, whom do you suspect?', ['ask Dan']],
    ['What do you think, Dan?', ['ask Dan']],
    ['Dan, what do you make of Sam?', ['ask Dan']],
    ['I would like to hear from Dan.', ['ask Dan']],
    ['Dan, why did you vote for Sam?', ['ask Dan']],
    ['Is Dan a Werewolf?', ['ask Dan']],
  ])('is heard in %j', (text, acts) => {
    expect(hear(text)).toEqual(acts);
  });
});

describe('nothing', () => {
  it.each([
    ['Let us hear everybody before we vote.'],
    ['Dan said that Sam is a Werewolf.'],
    ['Bert suspects Dan.'],
    ['They will remove Dan next.'],
    ['Not everyone who is quiet is a Werewolf.'],
    ['Dandelion is a Werewolf, and so is Samantha.'],
    ['dan is a werewolf'],
    ['I appreciate everyone’s input, Dan and Sam, and I agree with your call for teamwork.'],
    [''],
    ['💥'.repeat(50)],
  ])('is heard in %j', (text) => {
    expect(hear(text)).toEqual([]);
  });
});

describe('hostile text', () => {
  const megabyte = (unit: string) => unit.repeat(Math.ceil(1e6 / unit.length));

  it.each([
    ['a'],
    ['Dan '],
    ['Dan, '],
    ['Dan and '],
    ['I checked Dan '],
    ['Dan is '],
    ["Dan's a bit a bit "],
    ['my check of on for about '],
    ['I vote we vote my vote '],
    ['"'],
    ['you '],
    ['he '],
    ['@1+2 #w0 '],
    ['. '],
    ['(((((((('],
    ['not no never '],
    ['\n'],
  ])('of a megabyte of %j is read in no time', (unit) => {
    const text = megabyte(unit);
    expect(countCpuSeconds(() => hear(text))).toBeLessThan(2);
  });

  it('cannot forge the tokens that stand for names and roles', () => {
    expect(hear('@0 is a #w0. I am the #v1.')).toEqual([]);
  });

  it('cannot break a board whose names are words of speech', () => {
    const odd = { board, players: ['May', 'Can', 'Not', 'He', 'They', 'Is', 'Me', 'We'] };
    expect(
      parseSpeechActs('May is a Werewolf. Can we trust Not? They, He and Is are quiet.', odd).length,
    ).toBeGreaterThan(0);
  });
});
