// The later roles and the Sheriff's office: a day as it should go, and what stands for answers that cannot be had.
import { describe, expect, it } from '@jest/globals';
import { isType, type GameEvent } from '../../state/event.ts';
import { hunter, plusScript, plusSetup, rival, seated, victim } from '../plus-table.ts';
import { rulesBroken } from '../referee.ts';
import { ScriptedModel, type Answer } from '../scripted-model.ts';
import { traceDeal } from '../table.ts';

/** The match in which everybody answers as `answer` says when asked for `action` on the first round. */
async function matchWith(action: string | null, answer: Answer = '') {
  const model = new ScriptedModel(plusScript((question) => (question.action === action ? answer : undefined)));
  const { events, steps } = await traceDeal(plusSetup, model);
  expect(rulesBroken(plusSetup, events)).toEqual([]);
  return { events, steps, asked: model.asked.filter((question) => question.action === action) };
}

describe('a day with a Sheriff', () => {
  it('goes from the election to the badge', async () => {
    const { events, steps } = await matchWith(null);
    const day = steps.slice(steps.indexOf('candidacy'), steps.indexOf('end'));
    expect(day.join(' ')).toBe(
      [
        'candidacy campaign campaign elect speaking_order',
        ...Array<string>(8).fill('debate'),
        'debate beliefs pseudo_vote recommend vote exile pk_debate pk_debate vote exile last_act pass_badge',
        'check_winner_day',
      ].join(' '),
    );
    expect(events.find(isType('elected'))).toMatchObject({ player: hunter, how: 'vote' });
    expect(events.find(isType('tie'))!.players.toSorted()).toEqual([hunter, rival].sort());
    expect(events.find(isType('statement'))).toMatchObject({ id: '1.1', occasion: 'campaign' });
    expect(events.filter(isType('statement')).find(({ recommends }) => recommends)).toMatchObject({
      by: hunter,
      recommends: rival,
      occasion: 'recommendation',
    });
    const departures = events.filter((event) => ['death', 'last_act', 'badge'].includes(event.type)).slice(0, 4);
    expect(departures).toMatchObject([
      { type: 'death', player: hunter, cause: 'exile' },
      { type: 'last_act', by: hunter, target: rival, verb: 'shoot' },
      { type: 'death', player: rival, cause: 'last_act' },
      { type: 'badge', by: hunter, to: seated('Seer') },
    ]);
  });
});

/** What stands for each answer that cannot be had. */
const replaced: [action: string, isIt: (event: GameEvent) => boolean, what: object][] = [
  ['guard', (event) => event.type === 'passed' && event.verb === 'guard', { by: seated('Guard') }],
  ['save', (event) => event.type === 'passed' && event.verb === 'save', { by: seated('Witch') }],
  ['poison', (event) => event.type === 'passed' && event.verb === 'poison', { by: seated('Witch') }],
  ['shoot', (event) => event.type === 'passed' && event.verb === 'shoot', { by: hunter }],
  ['candidacy', isType('candidacy'), { stands: false }],
  ['campaign', isType('silence'), { occasion: 'campaign' }],
  ['elect', isType('badge_ballot'), {}],
  ['speaking_order', isType('speaking_order'), { by: hunter }],
  ['pseudo_vote', isType('pseudo_ballot'), {}],
  ['recommend', isType('silence'), { occasion: 'recommendation', by: hunter }],
  ['pk_debate', isType('silence'), { occasion: 'pk' }],
  ['pass_badge', isType('badge'), { by: hunter, to: null }],
];

describe.each([
  ['fallback', 'Hm.', 3],
  ['refusal', "I'm sorry, but I can't take part in this.", 1],
])('an answer that cannot be had, marked as %s,', (mark, text, attempts) => {
  it.each(replaced)('to %s is replaced as the rules say', async (action, isIt, what) => {
    const { events, asked } = await matchWith(action, text);
    const found = events.filter(isIt);
    expect(found.length).toBeGreaterThan(0);
    for (const event of found) expect(event).toMatchObject({ ...what, mark });
    for (const { length } of Map.groupBy(asked, ({ player }) => player).values()) expect(length % attempts).toBe(0);
  });
});

describe('an election', () => {
  it('in which nobody can be understood leaves the village without a Sheriff', async () => {
    const { events, steps } = await matchWith('candidacy', 'Hm.');
    expect(events.filter(isType('no_sheriff'))).toHaveLength(1);
    for (const step of ['campaign', 'elect', 'speaking_order', 'pseudo_vote', 'recommend', 'pass_badge'])
      expect(steps).not.toContain(step);
  });

  it('in which all stand has all speak and all vote for another', async () => {
    const { events } = await matchWith('candidacy', { reasoning: '', stand: true });
    const names = plusSetup.players.map(({ name }) => name).sort();
    const speeches = events.filter(isType('statement')).filter(({ occasion }) => occasion === 'campaign');
    expect(speeches.map(({ by }) => by).sort()).toEqual(names);
    const votes = events.filter(isType('badge_ballot')).filter(({ ballot }) => ballot === 1);
    expect(votes.map(({ by }) => by).sort()).toEqual(names);
  });

  it('that is tied is voted on once more, and then drawn the same each time', async () => {
    const split = plusScript(({ action, alive, player }) =>
      action === 'elect' ? { reasoning: '', vote: alive.indexOf(player) % 2 === 0 ? hunter : rival } : undefined,
    );
    const even = plusScript((question) =>
      question.action === 'candidacy'
        ? { reasoning: '', stand: [hunter, rival, victim].includes(question.player) }
        : split(question),
    );
    const play = async () => (await traceDeal(plusSetup, new ScriptedModel(even))).events;
    const [one, other] = [await play(), await play()];
    expect(rulesBroken(plusSetup, one)).toEqual([]);
    expect(one).toEqual(other);
    const ballots = one.filter(isType('badge_ballot'));
    const isTied = new Set(ballots.filter(({ ballot }) => ballot === 1).map(({ target }) => target)).size === 2;
    expect(isTied).toBe(true);
  });
});
