// Every case of a night: the pack's pick × Guard × Doctor × antidote × poison × options, against the rule in plain words.
import { describe, expect, it } from '@jest/globals';
import { resolveNight } from '../../state/night.ts';
import { eight, gameAt } from '../game.ts';

const seats = { ...eight, Sam: 'Guard', Bert: 'Witch', Mason: 'Hunter' };
const [dan, will] = ['Dan', 'Will'] as const;
/** Whom an act is on: nobody, one player or another; the two take every place in the table. */
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
 * The rule as a table of its own. Key: is picked, guarded, protected, saved; each as a letter or a dash.
 * Poison comes on top, and always works.
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
