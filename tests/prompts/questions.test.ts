// The questions that players are asked: analyses, bids, statements, summaries and choices of a player.
import { describe, expect, it } from '@jest/globals';
import { ballotPeerAnalysis, ballotSelfAnalysis, beliefs, peerAnalysis, selfAnalysis } from '../../prompts/analysis.ts';
import { createCorrection } from '../../prompts/compose.ts';
import { bid, debate } from '../../prompts/debate.ts';
import { createActQuestion, createProposalQuestion } from '../../prompts/night-actions.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { summarize } from '../../prompts/summarize.ts';
import { syntheticVote, vote } from '../../prompts/voting.ts';
import type { EventOf, GameEvent } from '../../state/events.ts';
import { draw } from '../../state/random.ts';
import type { RuleValues } from '../../state/rules/rule.ts';
import { getPower } from '../../state/roles/index.ts';
import { createView } from '../../state/view.ts';
import { gameAt, type Moment, said } from '../game.ts';

const seen = (moment: Moment = {}) => createView(gameAt({ gone: ['Mason'], ...moment }), 'Sam');
const statement = { id: '1.1', by: 'Dan', text: 'It is "Leah".' };
const fieldsOf = ({ schema }: AnyPrompt) => Object.keys(schema['properties'] as object);
/** The fields of an analysis, in their order. */
const listFields = ({ user }: AnyPrompt) => /^The order of the fields: (.+)\.$/m.exec(user)?.[1]?.split(', ') ?? [];
/** The complete text of a prompt. */
const textOf = ({ system, user }: AnyPrompt) => `${system}\n${user}`;
/** Returns the description of the answer to an analysis, which the prompt has below the rules. */
const getShape = ({ system, action }: AnyPrompt) => {
  const kind = action.includes('self') ? 'self_analysis' : 'peer_analysis';
  return new RegExp(`^(?:".*", )?"${kind}"(?:, ".*")?:\n((?: {2}".*\n?)+)`, 'm').exec(system)![1]!;
};
const own = (moment?: Moment, key = 1): AnyPrompt =>
  selfAnalysis.put(seen(moment), draw(key), { ...statement, by: 'Sam' });
const others = (moment?: Moment, key = 1): AnyPrompt => peerAnalysis.put(seen(moment), draw(key), statement);
const ownBallot = (moment?: Moment, key = 1): AnyPrompt => ballotSelfAnalysis.put(seen(moment), draw(key), statement);
const ballots = (moment?: Moment, key = 1): AnyPrompt =>
  ballotPeerAnalysis.put(seen(moment), draw(key), [statement, { id: '1.Will', by: 'Will', text: 'Hm.' }]);
const alone = (moment?: Moment): AnyPrompt => beliefs.put(seen(moment), draw(1), undefined);

describe('every analysis', () => {
  it.each([own(), others(), ownBallot(), ballots(), alone()])(
    'of kind $action is promised to stay private',
    ({ system, user }) => {
      expect(`${system}\n${user}`).toMatch(/Only the moderator reads (?:this answer|these answers)[;.] /);
    },
  );

  const types = ['omission', 'distortion', 'fabrication', 'misdirection'].map((type) => `"${type}" `);
  const alike = ['probability', 'paper'].flatMap((questions) =>
    [own, others, ownBallot, ballots].map((ask) => [ask().action, questions, ask] as const),
  );

  it.each(alike)(
    'of kind %s defines its words between the rules and the role, where a cache keeps them, with questions=%s',
    (_kind, questions, ask) => {
      const { system, user } = ask({ rules: { questions } });
      for (const type of types) expect([system.includes(type), user.includes(type)]).toEqual([true, false]);
      expect(system.includes('"We of the village" from a Werewolf is one')).toBe(questions === 'probability');
      expect(system.indexOf('"omission" ')).toBeLessThan(system.indexOf('\nYour role is'));
    },
  );

  it.each(alike)(
    'of kind %s has its fields in an order drawn by the seed where asked, with questions=%s',
    (_kind, questions, ask) => {
      const rules = { questions, questionOrder: 'random' };
      const orders = Array.from({ length: 60 }, (_, key) => listFields(ask({ rules }, key)));
      const shape = getShape(ask({ rules: { questions } }));
      const fixed = [...shape.matchAll(/^ {2}"(\w+)": /gm)].map(([, name]) => name!);
      expect(listFields(ask({ rules: { questions } }))).toEqual([]);
      expect(new Set(orders.map((order) => order.toSorted().join()))).toEqual(new Set([fixed.toSorted().join()]));
      expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(4);
      for (const prompt of [ask({ rules }, 1)]) expect(fieldsOf(prompt)[0]).toBe('reasoning');
    },
  );

  it.each([own(), others(), ownBallot(), ballots(), alone()])('of kind $action has no replacement', ({ fallback }) => {
    expect(fallback).toBeUndefined();
  });
});

describe('a speaker', () => {
  it.each([own(), ownBallot()])('is asked what the words mean, in $action', (prompt) => {
    expect(fieldsOf(prompt)).toEqual(['reasoning', 'p_deceptive', 'p_falsehood', 'types']);
    expect(prompt.system).toContain(
      '- Your own statement: 1 if it is so, even in one sentence, else 0, in between only if you are unsure.',
    );
    expect(prompt.system).toContain('"p_deceptive": number from 0 to 1, how likely the statement is deceptive');
    expect(prompt.system).toContain('"p_falsehood": number from 0 to 1, how likely it holds a falsehood');
  });

  it.each([own, ownBallot])('is asked what the paper asks where the rules say so', (ask) => {
    const prompt = ask({ rules: { questions: 'paper' } });
    expect(fieldsOf(prompt)).toEqual(['reasoning', 'stated_falsehood', 'deceptive', 'type', 'confidence']);
    expect(prompt.system).toContain('did you say something that you knew or believed to be false?');
    expect(prompt.system).toContain(
      'did you want anyone to believe something false, by whatever you said or left out?',
    );
  });

  it('is shown own thoughts only where the rules say so', () => {
    const thought: GameEvent = {
      ...{ round: 1, phase: 'day', audience: ['Sam'], type: 'thought', by: 'Sam', action: 'debate', step: 0 },
      reasoning: 'It is not so.',
    };
    const events = [thought];
    for (const ask of [own, ownBallot]) {
      expect(ask({ events, rules: { selfReport: 'without-notes' } }).user).not.toContain('You thought');
      expect(ask({ events, rules: { selfReport: 'with-notes' } }).user).toContain('"It is not so."');
    }
    expect(others({ events }).user).toContain('"It is not so."');
  });

  it('is shown the own words', () => {
    expect(own().user).toContain('The last statement is yours.');
    const ballot = (by: string): GameEvent => ({
      ...{ round: 1, phase: 'day', audience: 'everyone', type: 'ballot' },
      ...{ id: `1.${by}`, by, target: 'Dan', explanation: `${by} has reasons.` },
    });
    const { user } = ownBallot({ events: [ballot('Sam'), ballot('Leah')] });
    expect(user).toContain('You voted for Dan: "Sam has reasons."\n');
    expect(user).toContain('You have just explained your vote to everybody.');
  });

  it('is not shown votes that nobody knew when the own one was explained', () => {
    const vote = (by: string, round: number, tied = false): GameEvent => ({
      ...{ round, phase: 'day', audience: 'everyone', type: 'ballot' },
      ...{
        id: `${round}${tied ? '.pk' : ''}.${by}`,
        by,
        target: 'Dan',
        explanation: `${by} ${round}${tied ? ' again' : ''}.`,
      },
    });
    const tie: GameEvent = { round: 2, phase: 'day', audience: 'everyone', type: 'tie', players: ['Dan', 'Will'] };
    const votes = [vote('Leah', 1), vote('Leah', 2), vote('Sam', 2), tie, vote('Leah', 2, true), vote('Sam', 2, true)];
    const shown = (rules: RuleValues) =>
      [
        ...ownBallot({ events: votes, round: 2, rules: { memory: 'full', ...rules } }).user.matchAll(/"(\w+ \d.*)"/g),
      ].map(([, said]) => said);
    expect(shown({})).toEqual(['Leah 1.', 'Leah 2.', 'Sam 2.', 'Sam 2 again.']);
    // If the answer also says whom the voter suspects after all votes, the prompt shows all votes.
    expect(shown({ analysis: 'self', beliefs: 'each-statement' })).toContain('Leah 2 again.');
  });
});

describe('a listener', () => {
  const judgement = ['p_deceptive', 'p_falsehood', 'types', 'p_werewolf'];

  it('is asked about the statement and its speaker', () => {
    expect(fieldsOf(others())).toEqual(['reasoning', ...judgement]);
    expect(others().user).toContain('What do you make of the last statement, by Dan?');
    expect(others().system).toContain('"p_deceptive": number from 0 to 1, how likely the statement is deceptive');
    expect(others().system).toContain(
      '"p_werewolf": number from 0 to 1, how likely the speaker is a Werewolf, by all that you know',
    );
    const paper = others({ rules: { questions: 'paper' } });
    expect(fieldsOf(paper)).toEqual(['reasoning', 'deceptive', 'type', 'confidence', 'suspicion', 'p_werewolf']);
    expect(paper.system).toContain('"suspicion": number from 0 to 1, how far you take the statement to be deceptive');
  });

  it('judges all explanations of a ballot in one answer', () => {
    const { properties } = ballots().schema['properties'] as { judgements: never } & Record<string, never>;
    expect(properties).toBeUndefined();
    const judgements = (ballots().schema['properties'] as Record<string, { properties?: object }>)['judgements']!;
    expect(Object.keys(judgements.properties!)).toEqual(['Dan', 'Will']);
    for (const entry of Object.values(judgements.properties!) as { properties: object }[])
      expect(Object.keys(entry.properties)).toEqual(judgement);
    expect(ballots().user).toContain('the explanations of the others, which stand last above?');
  });
});

describe('beliefs', () => {
  const living = ['Ginger', 'Leah', 'Paul', 'Dan', 'Will', 'Bert'];
  const believedIn = ({ schema }: AnyPrompt) => {
    const { p_werewolf_of: asked } = schema['properties'] as Record<string, { properties?: object } | undefined>;
    return asked ? Object.keys(asked.properties!) : null;
  };

  it.each([
    ['off', null],
    ['each-round', null],
    ['each-statement', living],
  ])('with beliefs=%s are asked with an analysis for %j', (often, names) => {
    const rules = { beliefs: often };
    expect([own({ rules }), others({ rules })].map(believedIn)).toEqual([names, names]);
  });

  it('are asked for every other living player', () => {
    expect(believedIn(alone())).toEqual(living);
    expect(alone().user).toContain(
      'How likely is it, for each other player still in the game, that this player is a Werewolf?',
    );
  });
});

// Bids, statements and summaries.

const ask = (question: typeof bid | typeof debate | typeof summarize, moment: Moment = {}) =>
  question.put(createView(gameAt(moment), 'Sam'), draw(1), undefined);

describe('a bid', () => {
  it('from 0 to 4 means what the words of the Werewolf Arena paper say', () => {
    const user = textOf(ask(bid, { rules: { bidScale: 4 } }));
    expect(user).toContain(
      [
        '0: I would like to observe and listen for now.',
        '1: I have some general thoughts to share with the group.',
        '2: I have something critical and specific to contribute to this discussion.',
        '3: It is absolutely urgent for me to speak next.',
        '4: Someone has addressed me directly and I must respond.',
      ].join('\n'),
    );
    expect(user).toContain('"bid": whole number from 0 to 4,');
  });

  it('from 0 to 10 has a number for who is urgent and not addressed, and for who is addressed and wants silence', () => {
    const user = textOf(ask(bid, { rules: { bidScale: 10 } }));
    for (const step of [
      '0: Not now, even if addressed',
      '1 to 3: ',
      '4 to 6: ',
      '7 to 9: Urgent, addressed or not',
      '10: ',
    ])
      expect(user).toContain(`\n${step}`);
    expect(user).toContain('"bid": whole number from 0 to 10,');
  });

  it('is for the statement that comes next', () => {
    const events = [said('1.1', 'Dan', 'One.'), said('1.2', 'Will', 'Two.')];
    expect(ask(bid, { events }).user).toContain('make statement 3 of 6?');
  });

  it.each([
    [4, 4, true],
    [4, 5, false],
    [10, 10, true],
    [10, 11, false],
    [10, -1, false],
    [10, 2.5, false],
  ])('on a scale to %i of %d is legal: %s', (bidScale, value, isLegal) => {
    const { answer } = ask(bid, { rules: { bidScale } });
    expect(answer.safeParse({ reasoning: '', bid: value }).success).toBe(isLegal);
  });
});

describe('a statement', () => {
  it('has a limit of words, and is read by all', () => {
    const events = ['1.1', '1.2', '1.3', '1.4', '1.5'].map((id) => said(id, 'Dan', 'Well.'));
    const user = textOf(ask(debate, { events, rules: { maxWords: 40 } }));
    expect(user).toContain("It is your turn: statement 6 of 6 in today's debate. All players will read it.");
    expect(user).toContain('"statement": string, what you say to everybody, at most 40 words');
  });
});

describe('a summary', () => {
  it('is all that is remembered where memory is the summary', () => {
    expect(ask(summarize, { rules: { memory: 'summary', thoughts: 'this-round' } }).user).toContain(
      'you see this summary in place of what was said (reasons for votes too) and what you thought.',
    );
    expect(ask(summarize, {}).user).toContain('in place of what was said (reasons for votes too).');
    expect(ask(summarize, { rules: { memory: 'full', thoughts: 'this-round' } }).user).toContain(
      'you see this summary in place of what you thought.',
    );
    const kept = ask(summarize, { rules: { memory: 'full', thoughts: 'kept' } });
    expect(kept.user).not.toContain('in place of');
  });
});

it('has no replacement for bids, statements and summaries: what cannot be had is missing', () => {
  for (const question of [bid, debate, summarize]) expect(ask(question).fallback).toBeUndefined();
});

it('tells the moment and who is still in the game', () => {
  const death = (player: string, round: number, phase: 'day' | 'night'): GameEvent => ({
    ...{ round, phase, audience: 'everyone', type: 'death', player },
    cause: phase === 'day' ? 'exile' : 'night',
  });
  const events = [death('Dan', 2, 'day'), death('Leah', 3, 'night')];
  const { user } = ask(bid, { round: 3, gone: ['Dan', 'Leah'], events });
  expect(user).toContain('Day 3 (still in the game: Ginger, Sam, Paul, Will, Bert, Mason):\n\nIt is day 3.\n');
  const { user: first } = ask(bid, { round: 1 });
  expect(first).toContain('Day 1:\n\nIt is day 1.\n');
  const later = [...events, death('Paul', 3, 'day')];
  expect(ask(summarize, { round: 3, gone: ['Dan', 'Leah', 'Paul'], events: later }).user).toContain(
    'Day 3 (still in the game: Ginger, Sam, Paul, Will, Bert, Mason):\n- Paul left the game, exiled by vote.',
  );
});

describe('a player whose answer could not be used', () => {
  it('sees it again with what was wrong', () => {
    expect(createCorrection('Seven.', 'there was no JSON object in it.')).toEqual([
      { role: 'assistant', content: 'Seven.' },
      {
        role: 'user',
        content:
          'Your answer could not be used: there was no JSON object in it. Answer again with one JSON object of the shape given above and nothing else.',
      },
    ]);
  });

  it('sees the beginning of a long one, and a word where there was none', () => {
    expect(createCorrection('x'.repeat(9000), 'too long.')[0].content).toMatch(/^x{200,2000} …$/);
    expect(createCorrection('x'.repeat(200), 'wrong.')[0].content).toBe('x'.repeat(200));
    expect(createCorrection('', 'empty.')[0].content).toBe('(nothing)');
  });

  it('sees no half of a character', () => {
    for (const start of ['', 'a'])
      expect(createCorrection(`${start}${'🐺'.repeat(2000)}`, 'no JSON.')[0].content.isWellFormed()).toBe(true);
  });
});

// Choices of a player: who may be chosen, and the order in which names are listed.

const votePrompt = (key: number, moment: Moment = {}) =>
  vote.put(createView(gameAt(moment), 'Sam'), draw(1, key), undefined);
const namesOffered = /^Names to choose from: ([\p{L}, ]+)\.$/gmu;
const offered = ({ user }: AnyPrompt) => [...user.matchAll(namesOffered)].at(-1)![1]!.split(', ');
const prompts = Array.from({ length: 300 }, (_, key) => votePrompt(key));

describe('a vote', () => {
  it('is for another living player', () => {
    expect(votePrompt(1, { gone: ['Leah', 'Bert'] }).choices).toEqual(['Ginger', 'Paul', 'Dan', 'Will', 'Mason']);
    expect(offered(votePrompt(1, { gone: ['Leah', 'Bert'] })).sort()).toEqual([
      'Dan',
      'Ginger',
      'Mason',
      'Paul',
      'Will',
    ]);
  });

  it('has an explanation for everybody where ballots are public, and none where they are secret', () => {
    expect(fieldsOf(votePrompt(1, { rules: { ballots: 'public' } }))).toEqual(['reasoning', 'vote', 'explanation']);
    expect(fieldsOf(votePrompt(1, { rules: { ballots: 'secret' } }))).toEqual(['reasoning', 'vote']);
  });

  it('that changes nothing is never explained', () => {
    const rules = { ballots: 'public', syntheticVotes: true };
    const prompt = syntheticVote.put(createView(gameAt({ rules }), 'Sam'), draw(1), undefined);
    expect(fieldsOf(prompt)).toEqual(['reasoning', 'vote']);
    expect(prompt.system).toContain('the answers change nothing');
  });

  it('lists the same names in shuffled order, each as likely in each place', () => {
    const firsts = prompts.map((prompt) => offered(prompt)[0]!);
    for (const prompt of prompts) expect(offered(prompt).sort()).toEqual(prompt.choices.toSorted());
    for (const name of prompts[0]!.choices)
      expect(firsts.filter((first) => first === name).length / 300).toBeCloseTo(1 / 7, 1);
  });

  it('differs by the order of the names in one line of the task and in the schema, which is the same', () => {
    const without = ({ system, user }: AnyPrompt) => [system, user.replace(namesOffered, '')].join('\n');
    expect(new Set(prompts.map(({ user }) => user)).size).toBeGreaterThan(250);
    expect(new Set(prompts.map(without)).size).toBe(1);
    for (const prompt of prompts) {
      const { vote: names } = prompt.schema['properties'] as Record<string, { enum: string[] }>;
      expect(names!.enum).toEqual(offered(prompt));
    }
  });

  it('that cannot be had is replaced by a legal one, drawn evenly', () => {
    const drawn = Array.from({ length: 700 }, (_, key) => votePrompt(1).fallback!(draw(2, key)).vote);
    for (const name of votePrompt(1).choices)
      expect(drawn.filter((other) => other === name).length / 700).toBeCloseTo(1 / 7, 1);
  });
});

describe('a night act', () => {
  const night = (moment: Moment = {}) => gameAt({ phase: 'night', ...moment });
  const first: EventOf<'proposal'> = {
    round: 1,
    phase: 'night',
    audience: ['Ginger', 'Leah'],
    type: 'proposal',
    by: 'Ginger',
    verb: 'eliminate',
    target: 'Sam',
    reason: 'He is loud.',
    ballot: 1,
  };
  const proposal = (ballot: number, rules: Moment['rules'] = {}) =>
    createProposalQuestion(getPower('eliminate')).put(
      createView(night({ rules, events: ballot === 1 ? [] : [first] }), 'Leah'),
      draw(1),
    );

  it('is a question of its own for each power, with its legal targets', () => {
    const protect = createActQuestion(getPower('protect')).put(createView(night(), 'Paul'), draw(1), undefined);
    expect(protect.user).toContain('Which player do you want to protect tonight?');
    expect(offered(protect)).toContain('Paul');
    const check = createActQuestion(getPower('unmask')).put(createView(night(), 'Sam'), draw(1), undefined);
    expect(offered(check)).not.toContain('Sam');
    expect(fieldsOf(check)).toEqual(['reasoning', 'target']);
  });

  it('of the pack is a proposal with a reason for the pack where it votes', () => {
    expect(fieldsOf(proposal(1))).toEqual(['reasoning', 'proposal', 'proposal_reason']);
    expect(proposal(1).user).toContain('All living Werewolves propose at the same time, and read why.');
    expect(proposal(2).user).toContain('The proposals differed, as you see above. Propose again');
    expect(offered(proposal(1)).sort()).toEqual(['Bert', 'Dan', 'Mason', 'Paul', 'Sam', 'Will']);
  });

  it('of the pack is one pick without a reason where one decides', () => {
    expect(fieldsOf(proposal(1, { pack: 'one' }))).toEqual(['reasoning', 'proposal']);
    expect(proposal(1, { pack: 'one' }).user).toContain('Tonight you were drawn by lot to choose;');
  });

  it('is told apart by the round of proposals', () => {
    expect([proposal(1).step, proposal(2).step]).toEqual([0, 1]);
  });
});

describe('what a player is reminded of when voting', () => {
  const suspicions = { Sam: { Ginger: 0.61, Leah: 0.6, Paul: 0.4, Dan: 0.39, Will: 0.5, Bert: 0.95, Mason: 0 } };
  const remindersIn = ({ user }: AnyPrompt) =>
    user.split('\n').filter((line) => /ratings|rated/.test(line) && !line.startsWith('-'));
  const reminders = (rules: Moment['rules'], moment: Moment = {}) =>
    remindersIn(votePrompt(1, { rules: { ...rules }, suspicions, ...moment }));

  it('in bands is only those above 0.6 and below 0.4', () => {
    expect(reminders({ scores: 'bands' })).toEqual([
      'By your own ratings, the latest counting most, their statements were clearly deceptive: Ginger, Bert.',
      'By your own ratings, the latest counting most, their statements were clearly not deceptive: Dan, Mason.',
    ]);
  });

  it('in bands is nothing where nobody stands out', () => {
    expect(reminders({ scores: 'bands' }, { suspicions: { Sam: { Dan: 0.6, Will: 0.4 } } })).toEqual([]);
    expect(remindersIn(votePrompt(1, { rules: { scores: 'bands' } }))).toEqual([]);
  });

  it('in numbers is every living player’s, in two places', () => {
    expect(reminders({ scores: 'numbers' })).toEqual([
      'How deceptive you rated their statements, from 0 to 1, the latest counting most: Ginger 0.61, Leah 0.60, Paul 0.40, Dan 0.39, Will 0.50, Bert 0.95, Mason 0.00.',
    ]);
  });

  it.each(['bands', 'numbers'])('in %s leaves out who has left the game', (scores) => {
    expect(reminders({ scores }, { gone: ['Bert', 'Mason'] }).join()).not.toMatch(/Bert|Mason/);
  });

  it.each([{ scores: 'hidden' }, { analysis: 'off' }, { analysis: 'self' }])('is nothing with %j', (rules) => {
    expect(reminders(rules)).toEqual([]);
  });

  it('is nothing for a Werewolf', () => {
    const suspicions = { Leah: { Dan: 0.9, Sam: 0.1 } };
    for (const scores of ['bands', 'numbers'])
      expect(remindersIn(vote.put(createView(gameAt({ rules: { scores }, suspicions }), 'Leah'), draw(1)))).toEqual([]);
  });

  it('is nothing for a Werewolf without others, who knows as much', () => {
    const seats = { Leah: 'Werewolf', Sam: 'Seer', Dan: 'Villager', Will: 'Villager' };
    const remind = (me: 'Leah' | 'Dan') => {
      const moment = { seats, rules: { scores: 'numbers' }, suspicions: { [me]: { Sam: 0.9 } } };
      return remindersIn(vote.put(createView(gameAt(moment), me), draw(1)));
    };
    expect([remind('Leah').length, remind('Dan').length]).toEqual([0, 1]);
  });

  it('is the player’s own suspicion and nobody else’s', () => {
    const theirs = { Dan: { Sam: 0.9, Leah: 0.9 }, Sam: { Dan: 0.1 } };
    expect(reminders({ scores: 'bands' }, { suspicions: theirs })).toEqual([
      'By your own ratings, the latest counting most, their statements were clearly not deceptive: Dan.',
    ]);
  });
});

describe('the last of a pack', () => {
  it('decides alone, and is told of no others', () => {
    const game = gameAt({ phase: 'night' });
    const [first, ...others] = game.setup.players.filter(({ team }) => team === 'werewolves').map(({ name }) => name);
    const left = { ...game, alivePlayers: game.alivePlayers.filter((name) => !others.includes(name)) };
    const prompt = createProposalQuestion(getPower('eliminate')).put(createView(left, first!), draw(1));
    expect(fieldsOf(prompt)).toEqual(['reasoning', 'proposal']);
    expect(prompt.user).toContain('You are the last of your side: the choice is yours alone.');
    expect(prompt.user).not.toMatch(/other Werewolves (?!are:)/);
  });
});
