// Views: exactly what one player may know, and the parts that are left out of a prompt if there is no room.
import { describe, expect, it } from '@jest/globals';
import { renderHistory } from '../../prompts/history.ts';
import { listTrimLevels, listTrimmedEvents } from '../../state/trimming-order.ts';
import { GameEvent, isVisibleTo } from '../../state/events.ts';
import { addEvents } from '../../state/game.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createView, listAllies, listLivingOthers } from '../../state/view.ts';
import { acted, eight, exiled, gameAt, learned, removed, said, silent, summary, thought, votedFor } from '../game.ts';
import { gallery } from '../prompts/prompt-samples.ts';

const marked = (event: GameEvent): GameEvent => ({ ...event, mark: 'fallback' }) as GameEvent;
const night = (round: number, audience: GameEvent['audience']) => ({ round, phase: 'night' as const, audience });

describe('a view', () => {
  const events: GameEvent[] = [
    learned(1, 'Sam', 'Leah', 'Werewolf'),
    acted(1, 'Paul', 'protect', 'Dan'),
    { ...night(1, ['Ginger', 'Leah']), type: 'pick', verb: 'eliminate', target: 'Dan' },
    thought(1, 'Dan', 'bid', 'I suspect Leah.'),
    said('1.1', 'Dan', 'Who is it?'),
    { ...night(1, 'moderator'), type: 'synthetic_vote', by: 'Dan', step: 1, target: 'Sam' },
  ];
  const seenBy = (me: string) =>
    createView(gameAt({ events }), me)
      .events.filter(({ round }) => round > 0)
      .map(({ type }) => type);

  it.each([
    ['Sam', ['learned', 'statement']],
    ['Paul', ['acted', 'statement']],
    ['Ginger', ['pick', 'statement']],
    ['Leah', ['pick', 'statement']],
    ['Dan', ['thought', 'statement']],
    ['Will', ['statement']],
  ])('of %s has %j', (me, types) => {
    expect(seenBy(me)).toEqual(types);
  });

  it('has no audience and no mark of the moderator in its events', () => {
    const replaced = [marked(votedFor(1, 'Dan', 'Sam')), marked(acted(1, 'Sam', 'unmask', 'Dan'))];
    const seen = createView(gameAt({ events: [...events, ...replaced] }), 'Sam').events;
    expect(seen.some((event) => 'audience' in event || 'mark' in event)).toBe(false);
    expect(seen.at(-2)).toEqual({
      round: 1,
      phase: 'day',
      type: 'ballot',
      id: '1.Dan',
      by: 'Dan',
      target: 'Sam',
    });
  });

  it('leaves the events of the game as they are', () => {
    const game = gameAt({ events: [marked(votedFor(1, 'Dan', 'Sam'))] });
    const before = structuredClone(game.gameLogs);
    createView(game, 'Sam');
    expect(game.gameLogs).toEqual(before);
  });

  it('knows the own role and tells nobody else’s', () => {
    const seen = createView(gameAt(), 'Sam');
    expect(seen.role).toBe('Seer');
    expect(seen.events).toEqual([{ round: 0, phase: 'night', type: 'dealt', player: 'Sam', role: 'Seer' }]);
    expect(Object.keys(seen)).not.toEqual(expect.arrayContaining(['roles', 'setup', 'intents', 'bids', 'votes']));
  });

  it('holds nothing but names of what it does not know', () => {
    const secret = gameAt({
      rules: { scores: 'numbers' },
      personas: { Dan: 'PERSONA-OF-DAN' },
      events: [thought(1, 'Dan', 'bid', 'THOUGHT-OF-DAN')],
      bids: { Dan: 4 },
      votes: { Dan: 'Will' },
      acts: { protect: ['Paul', 'Bert'] },
      suspicions: { Dan: { Sam: 0.123 }, Sam: { Dan: 0.456 } },
    });
    const text = JSON.stringify(createView(secret, 'Sam'));
    expect(text).not.toMatch(/PERSONA-OF-DAN|THOUGHT-OF-DAN|0\.123|protect"/);
    expect(text).toContain('0.456');
  });

  it('has the own persona', () => {
    const game = gameAt({ personas: { Dan: 'A sailor.' } });
    expect(createView(game, 'Dan').persona).toBe('A sailor.');
    expect(createView(game, 'Sam').persona).toBeUndefined();
  });

  it.each([
    ['hidden', null],
    ['bands', { Dan: { score: 0.7, round: 1 } }],
    ['numbers', { Dan: { score: 0.7, round: 1 } }],
  ])('with scores=%s has the own scores %j', (scores, shown) => {
    const suspicions = { Sam: { Dan: 0.7 }, Dan: { Sam: 0.1 } };
    expect(createView(gameAt({ rules: { scores }, suspicions }), 'Sam').scores).toEqual(shown);
  });

  it('lists all players and the living in seat order', () => {
    const seen = createView(gameAt({ gone: ['Leah', 'Bert'] }), 'Sam');
    expect(seen.players).toEqual(Object.keys(eight));
    expect(seen.alive).toEqual(['Ginger', 'Sam', 'Paul', 'Dan', 'Will', 'Mason']);
    expect(listLivingOthers(seen)).toEqual(['Ginger', 'Paul', 'Dan', 'Will', 'Mason']);
  });

  it('knows the pack, if one belongs to it', () => {
    expect(listAllies(createView(gameAt(), 'Leah'))).toEqual(['Ginger', 'Leah']);
    expect(listAllies(createView(gameAt(), 'Sam'))).toEqual([]);
  });

  it('of a stranger there is none', () => {
    expect(() => createView(gameAt(), 'Zoe')).toThrow(
      new UsageError(`No player "Zoe". At the table: ${Object.keys(eight).join(', ')}.`),
    );
  });
});

// Audiences of events.

const quiet = (audience: GameEvent['audience']): GameEvent => ({
  round: 1,
  phase: 'night',
  audience,
  type: 'quiet_night',
});

describe('an event', () => {
  it.each([
    ['everyone', true],
    ['moderator', false],
    [['Dan'], true],
    [['Dan', 'Sam'], true],
    [['Sam'], false],
    [[], false],
  ] as const)('for %j is known to Dan: %s', (audience, isKnown) => {
    expect(isVisibleTo(quiet(typeof audience === 'string' ? audience : [...audience]), 'Dan')).toBe(isKnown);
  });

  it('is not known to a player whose name is part of one in its audience', () => {
    expect(isVisibleTo(quiet(['Jackson']), 'Jack')).toBe(false);
  });

  it('of the moderator alone never enters the state of the game', () => {
    const game = gameAt();
    const events = [quiet('moderator'), said('1.1', 'Dan', 'Hm.'), learned(1, 'Sam', 'Dan', 'Villager')];
    expect(addEvents(game, events).gameLogs).toEqual([...game.gameLogs, ...events.slice(1)]);
  });

  it.each([
    ['a suspicion above 1', { suspicion: 1.2 }],
    ['a type that nobody defined', { deception_type: 'white lie' }],
    ['a key that is not its own', { note: 'x' }],
  ])('is not accepted with %s', (_what, fault) => {
    const assessment = {
      round: 1,
      phase: 'day',
      audience: 'moderator',
      type: 'assessment',
      statement: '1.1',
      kind: 'debate',
      by: 'Dan',
      about: 'Sam',
      deceptive: true,
      deception_type: 'omission',
      confidence: 1,
      reasoning: '',
    };
    expect(GameEvent.safeParse(assessment).success).toBe(true);
    expect(GameEvent.safeParse({ ...assessment, ...fault }).success).toBe(false);
  });
});

// Context trimming.

const proposal = (by: string, reason: string): GameEvent => ({
  ...{ round: 1, phase: 'night', audience: ['Ginger', 'Leah'], type: 'proposal', by },
  ...{ verb: 'eliminate', target: 'Bert', reason, ballot: 1 },
});

const events: GameEvent[] = [
  learned(1, 'Sam', 'Leah', 'Werewolf'),
  proposal('Ginger', 'LOUD'),
  removed(1, 'Bert'),
  thought(1, 'Sam', 'bid', 'T1'),
  thought(1, 'Leah', 'bid', 'L1'),
  said('1.1', 'Dan', 'S1'),
  silent('1.2', 'Will'),
  votedFor(1, 'Dan', 'Leah', 'E1'),
  votedFor(1, 'Will', 'Dan'),
  exiled(1, 'Mason'),
  summary(1, 'Sam', 'SUM'),
  summary(1, 'Leah', 'LSUM'),
  acted(2, 'Sam', 'unmask', 'Dan'),
  said('2.1', 'Dan', 'S2'),
  thought(2, 'Sam', 'bid', 'T2'),
  said('2.2', 'Will', 'S3'),
];
const viewOf = (me: string, memory: string) =>
  createView(gameAt({ events, round: 2, rules: { memory, thoughts: 'kept' } }), me);
const sam = viewOf('Sam', 'full');
const wordsOf = (count: number, seen = sam) =>
  listTrimmedEvents(seen, count).map((event) =>
    'text' in event ? event.text : 'reasoning' in event ? event.reasoning : event.type,
  );

describe('what is left out', () => {
  it('is speech from the oldest on, own thoughts and reasons of ballots included, and at last own summaries', () => {
    expect(wordsOf(Infinity)).toEqual(['T1', 'S1', 'silence', 'ballot', 'S2', 'T2', 'S3', 'SUM']);
    expect(wordsOf(3)).toEqual(['T1', 'S1', 'silence']);
    expect(wordsOf(0)).toEqual([]);
  });

  it('is nothing that is not remembered anyway', () => {
    expect(wordsOf(Infinity, viewOf('Sam', 'summary'))).toEqual(['T1', 'S2', 'T2', 'S3', 'SUM']);
  });

  it('is all of an earlier round or none of it, and of this round as little as need be', () => {
    expect(listTrimLevels(sam)).toEqual([4, 5, 6, 7, 8]);
    expect(listTrimLevels(viewOf('Sam', 'summary'))).toEqual([1, 2, 3, 4, 5]);
    const later = (thoughts: string) =>
      createView(gameAt({ events: [...events, summary(2, 'Sam', 'SUM2')], round: 3, rules: { thoughts } }), 'Sam');
    expect(listTrimLevels(later('kept'))).toEqual([1, 2, 3, 4]); // a thought in each round, two summaries
    expect(listTrimLevels(later('this-round'))).toEqual([1, 2]); // the summaries
    expect(listTrimLevels(createView(gameAt(), 'Sam'))).toEqual([]);
  });
});

describe('a shortened prompt', () => {
  it('keeps what has happened, and says where words are missing', () => {
    expect(renderHistory(sam, 5)).toBe(
      [
        'What you have seen so far:',
        '',
        'Night 1:',
        '- You learned that Leah is a Werewolf.',
        '- Bert left the game in the night.',
        '',
        'Day 1:',
        '- Dan voted for Leah.',
        '- Will voted for Dan.',
        '- Mason left the game, exiled by vote.',
        '- Your summary of the round: "SUM"',
        '',
        'Night 2:',
        '- You chose to check Dan.',
        '',
        'Day 2:',
        '- (What was said and thought up to here is left out: there is no room for it.)',
        '- You thought: "T2"',
        '- Will said: "S3"',
      ].join('\n'),
    );
  });

  it('says so too where own summaries are gone', () => {
    expect(renderHistory(sam, 8)).toMatch(
      /check Dan\.\n\nDay 2:\n- \(What was said and thought up to here, with your oldest summaries, is left out: there is no room for it\.\)$/,
    );
    expect(renderHistory(sam, 8)).not.toContain('SUM');
  });

  it('keeps what the pack proposed, without the reasons', () => {
    const short = renderHistory(viewOf('Leah', 'full'), 1);
    expect(short).toContain(
      '- Ginger proposed to the other Werewolves to remove Bert.\n- (What was said and thought up to here is left out',
    );
    expect(short).not.toContain('LOUD');
  });

  it('holds nothing but the note that the whole one does not hold', () => {
    const bare = (line: string) => line.replace(/: ".*"$/, '.');
    for (const me of ['Sam', 'Leah', 'Dan'])
      for (const memory of ['full', 'summary']) {
        const seen = viewOf(me, memory);
        const whole = renderHistory(seen).split('\n');
        for (const count of listTrimLevels(seen)) {
          const others = renderHistory(seen, count)
            .split('\n')
            .filter((line) => !whole.includes(line) && !whole.map(bare).includes(line));
          expect(others).toEqual([expect.stringMatching(/^- \(What was said and thought up to here.* is left out/)]);
        }
      }
  });

  it('is shorter with every further cut', () => {
    for (const me of ['Sam', 'Leah', 'Dan']) {
      const seen = viewOf(me, 'full');
      const lengths = listTrimLevels(seen).map((count) => renderHistory(seen, count).length);
      expect(lengths.toSorted((one, other) => other - one)).toEqual(lengths);
    }
  });

  it('differs from the whole one in what was seen, and tells again only what is asked about', () => {
    for (const { action, prompt } of gallery('arena')) {
      const task = (user: string) => user.slice(user.search(/\n\nIt is (night|day) \d+\./));
      const [whole, short] = [task(prompt.user).split('\n'), task(prompt.without(Infinity)).split('\n')];
      expect(prompt.without(0)).toBe(prompt.user);
      const added = short.filter((line) => !whole.includes(line));
      expect(whole.filter((line) => !short.includes(line))).toEqual([]);
      expect(added.length > 0).toBe(/^(self|peer)_analysis$|^ballot_peer/.test(action) && added.length > 0);
      if (/^(self|peer)_analysis$/.test(action)) expect(added).toEqual([expect.stringMatching(/^\w+: "I say /)]);
    }
  });
});
