// Whole matches of bots, and answers to unknown questions: always legal, and determined by the seed.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { HumanMessage } from '@langchain/core/messages';
import { BotModel } from '../../../models/bots/bot-model.ts';
import { answerRandomly, drawLegalValue } from '../../../models/bots/random.ts';
import { type SpeechAct, parseSpeechActs, nameAct } from '../../../models/bots/scripted/parse-speech-acts.ts';
import { createScriptedMind } from '../../../models/bots/scripted/scripted-mind.ts';
import { peerAnalysis } from '../../../prompts/analysis.ts';
import { compose } from '../../../prompts/compose.ts';
import { bid, debate } from '../../../prompts/debate.ts';
import {
  createChoiceField,
  createIntegerField,
  createProbabilityField,
  createTextField,
  createYesNoField,
  reasoning,
} from '../../../prompts/fields.ts';
import { summarize } from '../../../prompts/summarize.ts';
import { vote } from '../../../prompts/voting.ts';
import { isEventOfType } from '../../../state/events.ts';
import { draw } from '../../../state/random.ts';
import { createView } from '../../../state/view.ts';
import { type Moment, gameAt, said, votedFor } from '../../game.ts';
import { createBoard, play } from '../../table.ts';
import { answersOf, usual } from './eyes.ts';
import { itLong } from '../../it-long.ts';

type Played = Awaited<ReturnType<typeof play>>;

const played = new Map<string, Promise<Played>>();
/** Plays the match of a plan, once for all tests. */
function playOnce(plan: Parameters<typeof play>[0]): Promise<Played> {
  const key = JSON.stringify(plan);
  const match = played.get(key) ?? play(plan);
  played.set(key, match);
  return match;
}
const classic = 'bot:classic';
const wolf = { model: classic, seed: 1, rule: {} };
/**
 * Rules for the second and third deal: only players' statements and self-reports, without bids and listeners' analyses.
 */
const spokenAlone = { debateOrder: 'round-robin', analysis: 'self' };
const two = { model: classic, seed: 2, rule: spokenAlone };
const three = { model: classic, seed: 3, rule: spokenAlone };
/** Rules for two short days, in which every action occurs a few times. */
const brief = { debateTurns: 2, maxRounds: 2, analysis: 'self' };
/** Matches on larger boards. Together they contain every event that the classic board lacks. */
const larger = [
  { board: 'plus-9', rules: 'plus', seed: 9, rule: { wins: 'edge' } },
  { board: 'plus-12-sheriff', rules: 'plus', seed: 7 },
];

const findSeat = ({ setup }: Played, player: string) => setup.players.find(({ name }) => name === player)!;

/** Lists debate statements and explanations, with what their speaker meant. */
const spoken = ({ lines }: Played) =>
  lines.flatMap(({ action, answer, meant, player }) => {
    const { statement, explanation } = answer as { statement?: string; explanation?: string };
    const text = statement ?? explanation;
    return text === undefined
      ? []
      : [{ action, player, text, ...(meant as { acts: (SpeechAct & { sincere: boolean })[]; lie: boolean }) }];
  });

/** Returns what a statement means to the public, and what its speaker meant. */
const heardIn = ({ setup: { board, players } }: Played, text: string) =>
  parseSpeechActs(text, { board, players: players.map(({ name }) => name) })
    .map(nameAct)
    .sort();
const meantBy = (acts: readonly (SpeechAct & { sincere: boolean })[]) =>
  [...new Set(acts.map((act) => nameAct(act).replace(/ (?:true|false)$/, '')))].sort();

const withIdiot = { name: 'with-idiot', roles: { Werewolf: 2, Seer: 1, Idiot: 1, Villager: 4 } };

describe('a match of bots', () => {
  const tables: [string, Parameters<typeof playOnce>[0]][] = [
    ['of WOLF', wolf],
    ['of Werewolf Arena', { rules: 'arena', rule: { debateTurns: 3, maxRounds: 2 } }],
    ['at the smallest table', { board: createBoard(1, 1, 1, 3) }],
    ['at the largest table', { board: createBoard(4, 1, 1, 6), rule: brief }],
    ['without powers', { board: createBoard(2, 0, 0, 6), rule: brief }],
    ['with two of each power', { board: createBoard(3, 2, 2, 3), rule: brief }],
    ['with a Witch and a Hunter, up to the edge', larger[0]!],
    ['with every role and a Sheriff under the rules of WereWolf-Plus', larger[1]!],
    ['with an Idiot', { board: withIdiot, rules: 'plus' }],
    ['with an Idiot under the rules of WOLF', { board: withIdiot, rule: brief }],
    ['with five words a statement', { rule: { ...brief, maxWords: 5 } }],
    [
      'with everything revealed and asked',
      { rule: { ...brief, analysis: 'both', reveal: 'role', beliefs: 'each-statement', syntheticVotes: true } },
    ],
    [
      'with sides revealed and checks that tell the side',
      { rule: { ...brief, reveal: 'team', checkTells: 'team', exile: 'plurality' } },
    ],
    [
      'with little told',
      { rule: { ...brief, ballots: 'secret', scores: 'hidden', beliefs: 'each-round', pack: 'one' } },
    ],
  ];
  const needsNoFallback = async (_: string, plan: Parameters<typeof playOnce>[0]) => {
    const { lines } = await playOnce(plan);
    expect(
      lines.filter(({ error, mark, attempt }) => error !== undefined || mark !== undefined || attempt > 1),
    ).toEqual([]);
  };
  const title = '%s needs no second attempt and no fallback';
  const isQuick = (at: number) => at % 2 === 0; // each second table

  it.each(tables.filter((_, at) => isQuick(at)))(title, needsNoFallback);
  itLong.each(tables.filter((_, at) => !isQuick(at)))(title, needsNoFallback);

  it('is the same again from the same seed', async () => {
    const [one, other] = await Promise.all([playOnce(two), play(two)]);
    expect(other.events).toEqual(one.events);
  });

  it('can be played by random bots on the same terms', async () => {
    const { lines } = await play({
      model: 'bot:random',
      rule: { debateTurns: 2, maxRounds: 2, beliefs: 'each-statement' },
    });
    expect(lines.filter(({ error }) => error !== undefined)).toEqual([]);
  });
});

describe('what bots say in matches', () => {
  const all = () => Promise.all([wolf, two, three].map(playOnce));

  it('is heard by all as it was meant, however its sentences were put together', async () => {
    for (const match of await all()) {
      for (const { text, acts } of spoken(match)) {
        expect({ text, acts: heardIn(match, text) }).toEqual({ text, acts: meantBy(acts) });
      }
    }
  });

  it('is never said twice in a match', async () => {
    for (const match of await all()) {
      const texts = spoken(match).flatMap(({ action, text }) => (action === 'debate' ? [text] : []));
      expect(new Set(texts).size).toBe(texts.length);
    }
  });

  it('stays below sixty words and well below the limit of the rules', async () => {
    for (const match of await all())
      for (const { text } of spoken(match)) expect(text.split(' ').length).toBeLessThan(60);
  });

  it('is no lie where a villager says it', async () => {
    for (const match of await all())
      for (const { player, lie } of spoken(match))
        expect(lie && findSeat(match, player).team === 'villagers').toBe(false);
  });

  it('is owned up to afterwards', async () => {
    for (const match of await all()) {
      const reports = match.events.filter(isEventOfType('assessment')).filter(({ by, about }) => by === about);
      const lies = spoken(match).filter(({ lie }) => lie).length;
      expect(reports.filter(({ deceptive }) => deceptive).length).toBe(lies);
    }
  });
});

describe('on boards with more roles', () => {
  const all = () => Promise.all(larger.map(playOnce));

  it('what bots say is heard as it was meant, and no lie where a villager says it', async () => {
    for (const match of await all()) {
      for (const { text, acts, player, lie } of spoken(match)) {
        expect({ text, acts: heardIn(match, text) }).toEqual({ text, acts: meantBy(acts) });
        expect(lie && findSeat(match, player).team === 'villagers').toBe(false);
      }
    }
  });

  it('potions, shots, ties and the badge come into play', async () => {
    const seen = new Set((await all()).flatMap(({ events }) => events.map(({ type }) => type)));
    for (const type of ['attacked', 'acted', 'last_act', 'tie', 'elected', 'pseudo_ballot', 'badge'] as const)
      expect(seen).toContain(type);
  });
});

describe('answers to what no bot has met', () => {
  describe.each([
    ['classic', createScriptedMind(usual)],
    ['random', answerRandomly],
  ])('bot:%s', (_, mind) => {
    it('answers legally what no role of today is asked', () => {
      const choices = ['Dan', 'Will'];
      const prompt = compose({
        action: 'something_new',
        view: createView(gameAt(), 'Bert'),
        kind: 'choice',
        task: ['Do you want to use your potion, and on whom?'],
        choices,
        fields: {
          reasoning,
          use: createYesNoField('do you?'),
          target: createChoiceField([...choices, 'nobody'], 'whom'),
          how_much: createIntegerField(1, 3, 'drops'),
          how_sure: createProbabilityField('how sure'),
          words: createTextField('last words'),
        },
      });
      for (let seed = 0; seed < 20; seed++)
        expect(prompt.answer.safeParse(mind(prompt, draw(seed, 'bot')).answer).success).toBe(true);
    });

    it('gives the same answer at the same moment', () => {
      const prompt = debate.put(createView(gameAt(), 'Bert'), draw(1, 'order'));
      expect(mind(prompt, draw(1, 'bot'))).toEqual(mind(prompt, draw(1, 'bot')));
    });
  });

  describe('whatever others say', () => {
    const word = fc.constantFrom(
    'Dan', 'Leah', 'Sam', 'I am', 'the Seer', 'a Werewolf', 'is', 'not', 'I checked', 'you', 'he', 'suspect', 'trust',
    'vote for', ',', '.', '?', ':', '"', "'s", 'and', 'if', 'Doctor', '@1', '#w0', '(', '[', '\\', '💥', '\u202e',
  ); // prettier-ignore
    const speech = fc.oneof(
      fc.array(word, { maxLength: 40 }).map((words) => words.join(' ')),
      fc.string({ maxLength: 200 }),
    );

    it('a bot answers every question legally', () => {
      fc.assert(
        fc.property(
          fc.array(speech, { minLength: 1, maxLength: 5 }),
          fc.constantFrom('Ginger', 'Sam', 'Dan'),
          (texts, me) => {
            const speakers = ['Leah', 'Will', 'Bert', 'Mason', 'Paul'];
            const events = [
              ...texts.map((line, index) => said(`1.${index + 1}`, speakers[index]!, line)),
              ...texts.map((line, index) => votedFor(1, speakers[index]!, 'Dan', line)),
            ];
            const moment: Moment = { events, step: texts.length };
            const last = { id: '1.1', by: speakers[texts.length - 1]!, text: texts.at(-1)! };
            answersOf(me, moment, { question: bid, matter: undefined }, 1);
            answersOf(me, moment, { question: debate, matter: undefined }, 1);
            answersOf(me, moment, { question: vote, matter: undefined }, 1);
            answersOf(me, moment, { question: summarize, matter: undefined }, 1);
            answersOf(me, moment, { question: peerAnalysis, matter: last }, 1);
          },
        ),
        { numRuns: 60 },
      );
    });
  });

  describe('a bot', () => {
    it('asked outside a match says what to do', async () => {
      const chat = new BotModel('bot:classic', createScriptedMind(usual));
      await expect(chat.invoke([new HumanMessage('Hello?')])).rejects.toThrow(
        'bot:classic can only answer as a player in a match. To seat it, name it as a model, for example with --model.',
      );
    });
  });
});

describe('a value drawn for a schema', () => {
  const values = (schema: Parameters<typeof drawLegalValue>[0]) =>
    new Set(Array.from({ length: 40 }, (_, seed) => JSON.stringify(drawLegalValue(schema, draw(seed, 'value')))));

  it.each<[Parameters<typeof drawLegalValue>[0], unknown[]]>([
    [{ enum: ['a', 'b'] }, ['a', 'b']],
    [{ type: 'null' }, [null]],
    [{ anyOf: [{ enum: ['a'] }, { type: 'null' }] }, ['a', null]],
    [{ type: 'boolean' }, [true, false]],
    [{ type: 'integer', minimum: 2, maximum: 4 }, [2, 3, 4]],
    [{ type: 'array', items: { enum: ['a'] } }, [[], ['a']]],
    [{ type: 'object', properties: { of: { enum: ['a'] } } }, [{ of: 'a' }]],
  ])('of the form %j is each of those that it allows, and no other', (schema, all) => {
    expect([...values(schema)].sort()).toEqual(all.map((one) => JSON.stringify(one)).sort());
  });

  it('of another form is an error', () => {
    expect(() => values({ type: 'date' })).toThrow('schema of type "date"');
  });
});

describe('a bot with a salt', () => {
  itLong('plays alike and draws independently, and without one as ever', async () => {
    const listAnswers = async (model: string) => (await play({ ...two, model })).lines.map(({ raw }) => raw);
    const [plain, one, same, other] = await Promise.all(
      ['bot:classic', 'bot:classic?salt=1', 'bot:classic?salt=1', 'bot:classic?salt=2'].map(listAnswers),
    );
    expect(same).toEqual(one);
    expect(new Set([plain, one, other].map((lines) => JSON.stringify(lines))).size).toBe(3);
  });
});
