// Nights and last acts: combined results of a night's acts, and acts of players who have left.
import { describe, expect, it } from '@jest/globals';
import type { GameEvent } from '../../state/events.ts';
import { listSurvivors, resolveNight } from '../../state/night-resolution.ts';
import { findNextLastActOrBadge } from '../../state/steps/departure.ts';
import { badge, eight, elected, exiled, gameAt, type Moment, passed, removed, shot } from '../game.ts';

const nightWith = (acts: Moment['acts'], moment: Moment = {}) =>
  resolveNight(gameAt({ phase: 'night', acts, ...moment } as Moment));
const quiet = { round: 1, phase: 'night', audience: 'everyone', type: 'quiet_night' };

describe('a night', () => {
  it('removes whom the pack picked', () => {
    expect(nightWith({ eliminate: [['Ginger', 'Leah'], 'Dan'] })).toEqual([removed(1, 'Dan')]);
  });

  it("spares the Doctor's patient", () => {
    expect(nightWith({ eliminate: [['Ginger', 'Leah'], 'Dan'], protect: ['Paul', 'Dan'] })).toEqual([quiet]);
  });

  it('spares the Doctor who protects himself', () => {
    expect(nightWith({ eliminate: [['Ginger'], 'Paul'], protect: ['Paul', 'Paul'] })).toEqual([quiet]);
  });

  it('removes one player while the Doctor watches another', () => {
    expect(nightWith({ eliminate: [['Ginger'], 'Dan'], protect: ['Paul', 'Will'] })).toEqual([removed(1, 'Dan')]);
  });

  it('lets the Doctor protect in the very night in which he is removed', () => {
    expect(nightWith({ protect: ['Paul', 'Dan'], eliminate: [['Ginger'], 'Paul'] })).toEqual([removed(1, 'Paul')]);
  });

  it('spares a player whom one of two Doctors protects', () => {
    const seats = {
      Ginger: 'Werewolf',
      Paul: 'Doctor',
      Sam: 'Doctor',
      Dan: 'Villager',
      Will: 'Villager',
      Bert: 'Seer',
    };
    const game = gameAt({ seats, phase: 'night', acts: { eliminate: ['Ginger', 'Dan'] } });
    const protects = (by: string, target: string) => ({ round: 1, verb: 'protect', by: [by], target });
    const intents = [...game.intents, protects('Paul', 'Will'), protects('Sam', 'Dan')];
    expect(resolveNight({ ...game, intents })).toEqual([quiet]);
  });

  it('is quiet when nobody acts', () => {
    expect(nightWith({})).toEqual([quiet]);
  });

  it('does not repeat the acts of earlier nights', () => {
    const game = gameAt({ phase: 'night', round: 2 });
    const intents = [{ round: 1, verb: 'eliminate', by: ['Ginger'], target: 'Dan' }];
    expect(resolveNight({ ...game, intents })).toEqual([{ ...quiet, round: 2 }]);
  });

  it('removes nobody who has left the game already', () => {
    expect(nightWith({ eliminate: ['Ginger', 'Dan'] }, { gone: ['Dan'] })).toEqual([quiet]);
  });

  it('tells the Seer of a check even in the night in which he is removed', () => {
    expect(nightWith({ unmask: ['Sam', 'Leah'], eliminate: [['Ginger'], 'Sam'] })).toEqual([
      expect.objectContaining({ type: 'learned', by: 'Sam', about: 'Leah', role: 'Werewolf', audience: ['Sam'] }),
      removed(1, 'Sam'),
    ]);
  });

  it.each([
    ['none', {}],
    ['team', { team: 'villagers' }],
    ['role', { role: 'Doctor' }],
  ] as const)('reveals of the removed, with reveal=%s, %j', (reveal, revealed) => {
    expect(nightWith({ eliminate: ['Ginger', 'Paul'] }, { rules: { reveal } })).toEqual([
      { ...removed(1, 'Paul'), ...revealed },
    ]);
  });
});

describe('those who are left', () => {
  it('are the living without those who have just gone, in seat order', () => {
    expect(listSurvivors(['Ginger', 'Dan', 'Paul', 'Will'], [removed(1, 'Dan'), exiled(1, 'Will')])).toEqual([
      'Ginger',
      'Paul',
    ]);
  });

  it('stay the same where nobody goes, and never become more', () => {
    expect(listSurvivors(['Ginger', 'Paul'], [])).toEqual(['Ginger', 'Paul']);
    expect(listSurvivors(['Ginger', 'Paul'], [removed(1, 'Dan')])).toEqual(['Ginger', 'Paul']);
  });
});

// Every combination of a night: target × Guard × Doctor × antidote × poison × options, compared with the rule in plain
// words.

const seats = { ...eight, Sam: 'Guard', Bert: 'Witch', Mason: 'Hunter' };
const [dan, will] = ['Dan', 'Will'] as const;
/** Target of an act: nobody, one player, or another player. The two players have every seat in turn. */
const targets = [null, dan, will] as const;
type Target = (typeof targets)[number];

interface Case {
  pick: Target;
  guard: Target;
  protect: Target;
  antidote: boolean;
  poison: Target;
  together: 'lives' | 'dies';
}

const cases: Case[] = targets.flatMap((pick) =>
  targets.flatMap((guard) =>
    targets.flatMap((protect) =>
      [false, true].flatMap((antidote) =>
        targets.flatMap((poison) =>
          (['lives', 'dies'] as const).map((together) => ({ pick, guard, protect, antidote, poison, together })),
        ),
      ),
    ),
  ),
);

/**
 * The rule, written as a separate table. Key: picked, guarded, protected, saved, each as a letter or a dash. Poison is
 * added, and always works.
 */
const leaves: Readonly<Record<string, 'no' | 'yes' | 'if they die of both'>> = {
  '----': 'no',
  '-G--': 'no',
  '--D-': 'no',
  '-GD-': 'no',
  'P---': 'yes',
  'PG--': 'no',
  'P-D-': 'no',
  'PGD-': 'no',
  'P--A': 'no',
  'PG-A': 'if they die of both',
  'P-DA': 'no',
  PGDA: 'no',
};

const isGone = (name: string, { pick, guard, protect, antidote, poison, together }: Case) => {
  const isPicked = pick === name;
  const isOn = [isPicked, guard === name, protect === name, antidote && isPicked];
  const entry = leaves[isOn.map((is, index) => (is ? 'PGDA'[index] : '-')).join('')]!;
  return poison === name || entry === 'yes' || (entry === 'if they die of both' && together === 'dies');
};

function outcome({ pick, guard, protect, antidote, poison, together }: Case) {
  const game = gameAt({ seats, phase: 'night', rules: { guardAndAntidote: together } });
  const intent = (verb: string, by: string[], target: Target) =>
    target === null ? [] : [{ round: 1, verb, by, target }];
  const intents = [
    ...intent('eliminate', ['Ginger', 'Leah'], pick),
    ...intent('guard', ['Sam'], guard),
    ...intent('protect', ['Paul'], protect),
    ...intent('save', ['Bert'], antidote ? pick : null),
    ...intent('poison', ['Bert'], poison),
  ];
  return [intents, intents.toReversed()].map((order) => resolveNight({ ...game, intents: order }));
}

describe('a night', () => {
  it('has this many cases', () => {
    expect(cases).toHaveLength(3 * 3 * 3 * 2 * 3 * 2);
  });

  it('ends as the rule says in every case, whoever acts first, and tells nobody why', () => {
    for (const one of cases) {
      const gone = [dan, will].filter((name) => isGone(name, one));
      const at = { round: 1, phase: 'night', audience: 'everyone' };
      const expected =
        gone.length > 0
          ? gone.map((player) => ({ ...at, type: 'death', player, cause: 'night' }))
          : [{ ...at, type: 'quiet_night' }];
      for (const events of outcome(one)) expect({ one, events }).toEqual({ one, events: expected });
    }
  });

  it.each([
    ['the Guard shields the picked', { guard: dan }, false],
    ['the Doctor does', { protect: dan }, false],
    ['the Witch saves the picked', { antidote: true }, false],
    ['Guard and antidote meet', { guard: dan, antidote: true }, false],
    ['Guard and antidote meet where they undo each other', { guard: dan, antidote: true, together: 'dies' }, true],
    ['the Doctor is there too', { guard: dan, protect: dan, antidote: true, together: 'dies' }, false],
    ['nothing helps against poison', { guard: dan, protect: dan, antidote: true, poison: dan }, true],
  ] as const)('in words: %s', (_what, acts, isLost) => {
    const one: Case = {
      pick: dan,
      guard: null,
      protect: null,
      antidote: false,
      poison: null,
      together: 'lives',
      ...acts,
    };
    expect(outcome(one)[0]!.some((event) => event.type === 'death' && event.player === dan)).toBe(isLost);
  });
});

// Last acts of players who have left, and their order.

const seatsWithLastActs = { ...eight, Paul: 'Hunter', Bert: 'Hunter', Mason: 'Witch' };
const everybody = Object.keys(seatsWithLastActs);

/** Lists the acts that are due after these events, by player. */
function due(events: readonly GameEvent[], moment: Moment = {}): string | null {
  const gone = events.flatMap((event) => (event.type === 'death' ? [event.player] : []));
  const act = findNextLastActOrBadge(gameAt({ seats: seatsWithLastActs, events, gone, ...moment }));
  return act && `${act.by} ${act.act === 'badge' ? 'badge' : act.act.verb}`;
}

describe('a last act', () => {
  it('is nothing for those whose role has none', () => {
    expect(due([])).toBeNull();
    expect(due([exiled(1, 'Dan')])).toBeNull();
    expect(due([removed(1, 'Sam')], { phase: 'night' })).toBeNull();
  });

  it('is the shot of a Hunter who was exiled, removed by the pack or shot', () => {
    expect(due([exiled(1, 'Paul')])).toBe('Paul shoot');
    expect(due([removed(1, 'Paul')], { phase: 'night', acts: { eliminate: ['Ginger', 'Paul'] } })).toBe('Paul shoot');
    expect(due([exiled(1, 'Bert'), ...shot(1, 'Bert', 'Paul')])).toBe('Paul shoot');
  });

  it('is done once, also where the Hunter held fire', () => {
    expect(due([exiled(1, 'Paul'), ...shot(1, 'Paul', 'Dan')])).toBeNull();
    expect(due([exiled(1, 'Paul'), passed(1, 'Paul', 'shoot')])).toBeNull();
  });

  it.each([
    ['was poisoned', { poison: ['Mason', 'Paul'] }, false, null],
    ['was poisoned and picked', { poison: ['Mason', 'Paul'], eliminate: ['Ginger', 'Paul'] }, false, null],
    ['was poisoned', { poison: ['Mason', 'Paul'] }, true, 'Paul shoot'],
    [
      'was picked while another was poisoned',
      { poison: ['Mason', 'Dan'], eliminate: ['Ginger', 'Paul'] },
      false,
      'Paul shoot',
    ],
  ] as const)('of a Hunter who %s, by %j with hunterPoisoned=%s: %s', (_what, acts, hunterPoisoned, what) => {
    expect(due([removed(1, 'Paul')], { phase: 'night', acts, rules: { hunterPoisoned } })).toBe(what);
  });

  it('is still known for poison in a later round', () => {
    const game = gameAt({
      seats: seatsWithLastActs,
      gone: ['Paul'],
      events: [removed(1, 'Paul')],
      acts: { poison: ['Mason', 'Paul'] },
    });
    expect(findNextLastActOrBadge({ ...game, roundNum: 2, phase: 'day' })).toBeNull();
  });

  it('of several comes in the order in which they left', () => {
    const night = [removed(1, 'Bert'), removed(1, 'Paul')];
    expect(due(night, { phase: 'night' })).toBe('Bert shoot');
    expect(due([...night, ...shot(1, 'Bert', 'Dan')], { phase: 'night' })).toBe('Paul shoot');
    expect(due([...night, ...shot(1, 'Bert', 'Dan'), passed(1, 'Paul', 'shoot')], { phase: 'night' })).toBeNull();
  });

  it('is not due where nobody is left to shoot', () => {
    expect(due([exiled(1, 'Paul')], { gone: everybody })).toBeNull();
  });
});

describe('the badge of a Sheriff who leaves', () => {
  it('is due, and once only', () => {
    expect(due([elected('Dan'), exiled(1, 'Dan')])).toBe('Dan badge');
    expect(due([elected('Dan'), exiled(1, 'Dan'), badge(1, 'Dan', 'Sam')])).toBeNull();
    expect(due([elected('Dan'), exiled(1, 'Dan'), badge(1, 'Dan', null)])).toBeNull();
  });

  it('is due again when the successor leaves', () => {
    const passedOn = [elected('Dan'), exiled(1, 'Dan'), badge(1, 'Dan', 'Sam')];
    expect(due([...passedOn, removed(2, 'Sam')], { round: 2, phase: 'night' })).toBe('Sam badge');
  });

  it('comes after the shot of a Sheriff who is the Hunter, who may shoot nobody into office', () => {
    const left = [elected('Paul'), exiled(1, 'Paul')];
    expect(due(left)).toBe('Paul shoot');
    expect(due([...left, ...shot(1, 'Paul', 'Dan')])).toBe('Paul badge');
  });

  it('comes before the last acts of those whom the shot takes along', () => {
    const left = [elected('Paul'), exiled(1, 'Paul'), ...shot(1, 'Paul', 'Bert')];
    expect(due(left)).toBe('Paul badge');
    expect(due([...left, badge(1, 'Paul', 'Dan')])).toBe('Bert shoot');
    expect(due([...left, badge(1, 'Paul', 'Dan'), ...shot(1, 'Bert', 'Dan')])).toBe('Dan badge');
  });

  it('is not due where nobody is left to have it', () => {
    expect(due([elected('Dan'), exiled(1, 'Dan')], { gone: everybody })).toBeNull();
  });
});
