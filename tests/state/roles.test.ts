// The register of roles: powers, knowledge and private facts of each.
import { describe, expect, it } from '@jest/globals';
import {
  getLastAct,
  getPower,
  getRole,
  listHeldPowers,
  moderatorPowers,
  powers,
  buildRoleRegister,
  roles,
} from '../../state/roles/index.ts';
import type { PrivateFactKind } from '../../state/roles/private-facts.ts';
import type { Role } from '../../state/roles/role.ts';
import { UsageError } from '../../state/usage-error.ts';
import { createView } from '../../state/view.ts';
import { acted, attacked, eight, gameAt, learned, type Moment, passed, picked } from '../game.ts';

const lastActs = [...roles.values()].flatMap(({ lastAct }) => lastAct?.verb ?? []);

describe('the register of roles', () => {
  it('knows every role by its name', () => {
    for (const [name, role] of roles) expect(getRole(name)).toBe(role);
    expect([...roles.values()].map(({ name }) => name)).toEqual([...roles.keys()]);
  });

  it('holds the powers of the night, each with a verb of its own, in the order of their waves', () => {
    const verbs = [...powers, ...moderatorPowers].map(({ verb }) => verb);
    expect(verbs.toSorted()).toEqual([...roles.values()].flatMap((role) => role.powers.map(({ verb }) => verb)).sort());
    expect(new Set(verbs).size).toBe(verbs.length);
    expect(powers.map(({ wave }) => wave)).toEqual(powers.map(({ wave }) => wave).toSorted());
  });

  it('knows whose each power is', () => {
    expect(getPower('protect').role).toBe(getRole('Doctor'));
  });

  it('refuses roles and powers that nobody knows, with the known ones', () => {
    expect(() => getRole('Bard')).toThrow(
      new UsageError(`Unknown role "Bard". Known roles: ${[...roles.keys()].join(', ')}.`),
    );
    expect(() => getPower('sing')).toThrow(
      new UsageError(`No role has the power "sing". Known: ${powers.map(({ verb }) => verb).join(', ')}.`),
    );
    expect(() => getLastAct('sing')).toThrow(
      new UsageError(`No role has the last act "sing". Known: ${lastActs.join(', ')}.`),
    );
    expect(getLastAct('shoot').role).toBe(getRole('Hunter'));
  });
});

describe('what a role tells its holder in private', () => {
  const neighbor: Role = { ...getRole('Villager'), name: 'Neighbor', isTold: ['neighbors' as PrivateFactKind] };

  it('is of a kind that knowledge can express: the register refuses another, with the known ones', () => {
    expect(() => buildRoleRegister([getRole('Seer'), neighbor])).toThrow(
      new UsageError(
        'The role "Neighbor" is told facts of the kind "neighbors", which players\' knowledge cannot express. It can express: attacked (whom the Werewolves attack this night), learned (the role or the team of one player). Write what follows from the new kind in deception/knowledge/observations.ts first, then add it to state/roles/private-facts.ts.',
      ),
    );
    expect([...buildRoleRegister([...roles.values()]).keys()]).toEqual([...roles.keys()]);
  });

  const game = gameAt({
    phase: 'night',
    seats: { ...eight, Sam: 'Witch', Paul: 'Seer' },
    events: [picked(1, 'Dan')],
  });
  const refuse = (role: string, kind: string, declared: string) =>
    new UsageError(
      `The role "${role}" tells a fact of the kind "${kind}", but declares ${declared}. Add the kind to its isTold.`,
    );

  it('is of a kind that it declares, as whom a Witch is told of', () => {
    const brief = (isTold?: PrivateFactKind[]) =>
      listHeldPowers({ ...getRole('Witch'), ...(isTold && { isTold }) })[0]!.brief!(game, 'Sam');
    expect(brief()).toEqual([attacked(1, 'Sam', 'Dan')]);
    expect(() => brief([])).toThrow(refuse('Witch', 'attacked', 'none'));
  });

  it('is so too for what comes of a power, as of a check', () => {
    const settle = (isTold?: PrivateFactKind[]) =>
      listHeldPowers({ ...getRole('Seer'), ...(isTold && { isTold }) })[0]!.settle(
        { round: 1, verb: 'unmask', by: ['Paul'], target: 'Dan' },
        game,
      );
    expect(settle()).toEqual({ kind: 'tell', event: learned(1, 'Paul', 'Dan', 'Villager') });
    expect(() => settle(['attacked'])).toThrow(refuse('Seer', 'learned', 'attacked'));
  });
});

// The Werewolf: one of a pack that removes a player each night.

const targets = (me: string, moment: Moment = {}) =>
  getPower('eliminate').choices(createView(gameAt({ phase: 'night', ...moment }), me));

describe('the Werewolf', () => {
  it('is on the side of the Werewolves, and the pack acts together', () => {
    expect(getRole('Werewolf')).toMatchObject({ team: 'werewolves', plural: 'Werewolves', special: true });
    expect(getPower('eliminate')).toMatchObject({ aim: 'harm', actor: 'team' });
  });

  it('may pick every living player outside the pack', () => {
    expect(targets('Ginger')).toEqual(['Sam', 'Paul', 'Dan', 'Will', 'Bert', 'Mason']);
    expect(targets('Leah', { gone: ['Sam', 'Mason'] })).toEqual(['Paul', 'Dan', 'Will', 'Bert']);
  });

  it('may not pick a partner who has left the game, nor himself', () => {
    expect(targets('Leah', { gone: ['Ginger'] })).toEqual(['Sam', 'Paul', 'Dan', 'Will', 'Bert', 'Mason']);
  });

  it('removes whoever the pack settled on', () => {
    const intent = { round: 1, verb: 'eliminate', by: ['Ginger', 'Leah'], target: 'Dan' };
    expect(getPower('eliminate').settle(intent, gameAt())).toEqual({ kind: 'attack', target: 'Dan' });
  });
});

// The Villager: has no power except the vote.

it('belongs to the village, is not special and acts at no night', () => {
  const role = getRole('Villager');
  expect(role).toMatchObject({ team: 'villagers', special: false, powers: [], rules: {} });
  expect(role.does({})).toBeNull();
});

// The Doctor: protects one player each night.

const living = ['Ginger', 'Leah', 'Sam', 'Paul', 'Dan', 'Will', 'Bert', 'Mason'];
const doctorTargets = (moment: Moment = {}) =>
  getPower('protect').choices(createView(gameAt({ phase: 'night', round: 2, ...moment }), 'Paul'));
const without = (...names: string[]) => living.filter((name) => !names.includes(name));

describe('the Doctor', () => {
  it('is special to the village and protects alone', () => {
    expect(getRole('Doctor')).toMatchObject({ team: 'villagers', special: true });
    expect(getPower('protect')).toMatchObject({ aim: 'shield', actor: 'holder' });
  });

  it('may protect every living player, himself and the last patient included', () => {
    expect(doctorTargets({ events: [acted(1, 'Paul', 'protect', 'Dan')] })).toEqual(living);
    expect(doctorTargets({ gone: ['Sam'] })).toEqual(without('Sam'));
  });

  it('may not protect himself where the rules forbid it', () => {
    expect(doctorTargets({ rules: { protectSelf: false } })).toEqual(without('Paul'));
  });

  describe('who may not repeat', () => {
    const rules = { protectRepeat: false };

    it('does not protect the patient of last night again', () => {
      expect(doctorTargets({ rules, events: [acted(1, 'Paul', 'protect', 'Dan')] })).toEqual(without('Dan'));
    });

    it('may come back to a patient of an earlier night', () => {
      const events = [acted(1, 'Paul', 'protect', 'Dan'), acted(2, 'Paul', 'protect', 'Sam')];
      expect(doctorTargets({ rules, events, round: 3 })).toEqual(without('Sam'));
    });

    it('may protect anybody after a night in which he protected nobody', () => {
      expect(doctorTargets({ rules, events: [acted(1, 'Paul', 'protect', 'Dan')], round: 3 })).toEqual(living);
    });

    it('is not bound by what another Doctor did', () => {
      expect(doctorTargets({ rules, events: [acted(1, 'Sam', 'protect', 'Dan')] })).toEqual(living);
    });
  });

  it('may have nobody left to protect', () => {
    const rules = { protectSelf: false, protectRepeat: false };
    const gone = without('Paul', 'Dan');
    expect(doctorTargets({ rules, gone, events: [acted(1, 'Paul', 'protect', 'Dan')] })).toEqual([]);
  });

  it('shields whom he protects', () => {
    const intent = { round: 1, verb: 'protect', by: ['Paul'], target: 'Dan' };
    expect(getPower('protect').settle(intent, gameAt())).toEqual({ kind: 'shield', target: 'Dan', clashes: false });
  });
});

// The Guard: shields one player each night, not the same one twice in a row, or nobody.

const seats = { ...eight, Paul: 'Guard' };
const guardTargets = (moment: Moment = {}) =>
  getPower('guard').choices(createView(gameAt({ seats, phase: 'night', round: 2, ...moment }), 'Paul'));
const guarding = (rules: Moment['rules'] = {}) =>
  getPower('guard').settle({ round: 1, verb: 'guard', by: ['Paul'], target: 'Dan' }, gameAt({ seats, rules }));

describe('the Guard', () => {
  it('is special to the village, acts alone beside the pack, and may pass', () => {
    expect(getRole('Guard')).toMatchObject({ team: 'villagers', special: true });
    const guard = getPower('guard');
    expect(guard).toMatchObject({ aim: 'shield', actor: 'holder', mayPass: true });
    expect(guard.wave).toBe(getPower('eliminate').wave);
  });

  it('may guard every living player, himself included', () => {
    expect(guardTargets()).toEqual(living);
    expect(guardTargets({ gone: ['Sam'] })).toEqual(without('Sam'));
  });

  it('may not guard himself where the rules forbid it', () => {
    expect(guardTargets({ rules: { guardSelf: false } })).toEqual(without('Paul'));
  });

  it('does not guard the same player two nights in a row, not even himself', () => {
    expect(guardTargets({ events: [acted(1, 'Paul', 'guard', 'Dan')] })).toEqual(without('Dan'));
    expect(guardTargets({ events: [acted(1, 'Paul', 'guard', 'Paul')] })).toEqual(without('Paul'));
  });

  it('may come back to him after a night of another, or of nobody', () => {
    const dan = acted(1, 'Paul', 'guard', 'Dan');
    expect(guardTargets({ events: [dan, acted(2, 'Paul', 'guard', 'Sam')], round: 3 })).toEqual(without('Sam'));
    expect(guardTargets({ events: [dan, passed(2, 'Paul', 'guard')], round: 3 })).toEqual(living);
  });

  it('may repeat where the rules allow it', () => {
    const events = [acted(1, 'Paul', 'guard', 'Dan')];
    expect(guardTargets({ events, rules: { guardRepeat: true } })).toEqual(living);
  });

  it('shields whom he guards; only under guardAndAntidote=dies does that clash with the antidote', () => {
    expect(guarding()).toEqual({ kind: 'shield', target: 'Dan', clashes: false });
    expect(guarding({ guardAndAntidote: 'dies' })).toEqual({ kind: 'shield', target: 'Dan', clashes: true });
  });

  it('tells all players in the rules what he may do', () => {
    const does = (rules: Record<string, boolean>) => getRole('Guard').does({ guardSelf: true, ...rules });
    expect(does({ guardRepeat: false })).toContain(
      'may guard one player, who may be the Guard, but not the same player two nights in a row.',
    );
    expect(does({ guardRepeat: true })).not.toContain('in a row');
    expect(does({ guardSelf: false })).toContain('may guard one other player');
  });
});

// The Hunter: on leaving the game he may shoot one living player.

const hunter = getRole('Hunter');
const shoot = getLastAct('shoot');

describe('the Hunter', () => {
  it('is special to the village and does nothing at night', () => {
    expect(hunter).toMatchObject({ team: 'villagers', special: true, powers: [] });
    expect(shoot).toEqual({ ...hunter.lastAct, role: hunter });
    expect(shoot.aim).toBe('harm');
  });

  it.each([
    ['attack', true, true],
    ['exile', true, true],
    ['last_act', true, true],
    ['poison', false, true],
  ] as const)('who leaves by %s may shoot: %s; with hunterPoisoned: %s', (fate, may, mayWithOption) => {
    expect(shoot.isAllowed(fate, { hunterPoisoned: false })).toBe(may);
    expect(shoot.isAllowed(fate, { hunterPoisoned: true })).toBe(mayWithOption);
  });

  it('may shoot every living player', () => {
    const game = gameAt({ seats: { ...eight, Paul: 'Hunter' }, gone: ['Paul', 'Sam'] });
    expect(shoot.choices(createView(game, 'Paul'))).toEqual(['Ginger', 'Leah', 'Dan', 'Will', 'Bert', 'Mason']);
  });

  it('has nobody to shoot when nobody is left', () => {
    expect(shoot.choices(createView(gameAt({ gone: Object.keys(eight) }), 'Paul'))).toEqual([]);
  });

  it('is known by his shot', () => {
    const deed = { by: 'Paul', target: 'Dan' };
    expect(shoot.tells({ ...deed, count: 1 })).toBe('Paul was the Hunter and shot Dan');
    expect(shoot.tells({ ...deed, count: 2 })).toBe('Paul was a Hunter and shot Dan');
    expect(shoot.tells({ ...deed, count: 1, isOwn: true })).toBe('You were the Hunter and shot Dan');
    expect(shoot.tells(deed)).toBe('Paul was a Hunter and shot Dan');
  });

  it('is said in the rules to hold fire when poisoned, unless the option lets him shoot', () => {
    expect(hunter.does({ hunterPoisoned: false })).toContain('a Hunter who was poisoned may not');
    expect(hunter.does({ hunterPoisoned: true })).not.toContain('poisoned');
  });
});

// The Seer: learns each night what one player is.

const seerTargets = (moment: Moment = {}) =>
  getPower('unmask').choices(createView(gameAt({ phase: 'night', ...moment }), 'Sam'));
const settleCheck = (target: string, rules: Moment['rules'] = {}) =>
  getPower('unmask').settle(
    { round: 2, verb: 'unmask', by: ['Sam'], target },
    gameAt({ round: 2, phase: 'night', rules }),
  );
const news = { round: 2, phase: 'night', audience: ['Sam'], type: 'learned', by: 'Sam' };

describe('the Seer', () => {
  it('is special to the village and checks alone', () => {
    expect(getRole('Seer')).toMatchObject({ team: 'villagers', special: true });
    expect(getPower('unmask')).toMatchObject({ aim: 'learn', actor: 'holder' });
  });

  it('may check every other living player', () => {
    expect(seerTargets()).toEqual(['Ginger', 'Leah', 'Paul', 'Dan', 'Will', 'Bert', 'Mason']);
    expect(seerTargets({ gone: ['Leah', 'Dan'] })).toEqual(['Ginger', 'Paul', 'Will', 'Bert', 'Mason']);
  });

  it('checks nobody twice', () => {
    const events = [learned(1, 'Sam', 'Ginger', 'Werewolf'), learned(2, 'Sam', 'Dan', 'Villager')];
    expect(seerTargets({ events, round: 3 })).toEqual(['Leah', 'Paul', 'Will', 'Bert', 'Mason']);
  });

  it('may check whom another Seer has checked', () => {
    const seats = {
      Ginger: 'Werewolf',
      Sam: 'Seer',
      Bert: 'Seer',
      Dan: 'Villager',
      Will: 'Villager',
      Leah: 'Villager',
    };
    expect(seerTargets({ seats, events: [learned(1, 'Bert', 'Ginger', 'Werewolf')] })).toContain('Ginger');
  });

  it('has nobody to check when all the living are known', () => {
    const events = ['Ginger', 'Dan'].map((name) => learned(1, 'Sam', name, 'Villager'));
    expect(seerTargets({ events, round: 2, gone: ['Leah', 'Paul', 'Will', 'Bert', 'Mason'] })).toEqual([]);
  });

  it.each([
    ['role', 'Leah', { role: 'Werewolf' }],
    ['role', 'Paul', { role: 'Doctor' }],
    ['team', 'Leah', { team: 'werewolves' }],
    ['team', 'Paul', { team: 'villagers' }],
  ])('with checkTells=%s learns of %s: %j, and is alone in learning it', (checkTells, about, what) => {
    expect(settleCheck(about, { checkTells })).toEqual({ kind: 'tell', event: { ...news, about, ...what } });
  });
});

// The Witch: has one antidote, for the player whom the Werewolves picked, and one poison.

const witchSeats = { ...eight, Paul: 'Witch', Bert: 'Witch' };
const at = (moment: Moment) => gameAt({ seats: witchSeats, phase: 'night', round: 2, ...moment });
const choices = (verb: string, moment: Moment = {}, me = 'Paul') => getPower(verb).choices(createView(at(moment), me));
const attackNotices = (moment: Moment, me = 'Paul') => getPower('save').brief!(at(moment), me);
const isReady = (moment: Moment = {}) => getPower('save').isReady!(createView(at(moment), 'Paul'));
const others = Object.keys(witchSeats).filter((name) => name !== 'Paul');

describe('the Witch', () => {
  it('is special to the village, and acts once the pack has settled', () => {
    expect(getRole('Witch')).toMatchObject({ team: 'villagers', special: true });
    expect(getPower('save')).toMatchObject({ aim: 'shield', actor: 'holder', mayPass: true });
    expect(getPower('poison')).toMatchObject({ aim: 'harm', actor: 'holder', mayPass: true });
    const waves = ['eliminate', 'save', 'poison'].map((verb) => getPower(verb).wave);
    expect(waves).toEqual([1, 2, 3]);
  });
});

describe('the antidote', () => {
  it('comes with being told whom the pack has picked this night, and nobody else is told', () => {
    expect(attackNotices({ events: [picked(1, 'Sam'), picked(2, 'Dan')] })).toEqual([attacked(2, 'Paul', 'Dan')]);
  });

  it('once used, leaves the Witch untold', () => {
    const used = acted(1, 'Paul', 'save', 'Sam');
    expect(attackNotices({ events: [used, picked(2, 'Dan')] })).toEqual([]);
    expect(choices('save', { events: [used, attacked(2, 'Paul', 'Dan')] })).toEqual([]);
    expect(isReady({ events: [used] })).toBe(false);
  });

  it('is kept by a Witch who passed, and by one while another used hers', () => {
    for (const event of [passed(1, 'Paul', 'save'), acted(1, 'Bert', 'save', 'Sam')]) {
      expect(attackNotices({ events: [event, picked(2, 'Dan')] })).toHaveLength(1);
      expect(choices('save', { events: [event, attacked(2, 'Paul', 'Dan')] })).toEqual(['Dan']);
      expect(isReady({ events: [event] })).toBe(true);
    }
  });

  it('is for the one who was picked this night and for nobody else', () => {
    expect(choices('save', { events: [attacked(1, 'Paul', 'Sam'), attacked(2, 'Paul', 'Dan')] })).toEqual(['Dan']);
    expect(choices('save')).toEqual([]);
  });

  it.each([
    ['always', 1, true],
    ['always', 2, true],
    ['first-night', 1, true],
    ['first-night', 2, false],
    ['never', 1, false],
    ['never', 2, false],
  ])('with witchSelfSave=%s saves herself in night %i: %s', (witchSelfSave, round, may) => {
    const events = [attacked(round, 'Paul', 'Paul')];
    expect(choices('save', { events, round, rules: { witchSelfSave } })).toEqual(may ? ['Paul'] : []);
  });

  it('cures whom it is given to', () => {
    const intent = { round: 2, verb: 'save', by: ['Paul'], target: 'Dan' };
    expect(getPower('save').settle(intent, at({}))).toEqual({ kind: 'cure', target: 'Dan' });
  });
});

describe('the poison', () => {
  it('may be given to every other living player', () => {
    expect(choices('poison')).toEqual(others);
    expect(choices('poison', { gone: ['Sam'] })).toEqual(others.filter((name) => name !== 'Sam'));
  });

  it('is gone once it was used, and kept by who passed or while another Witch used hers', () => {
    expect(choices('poison', { events: [acted(1, 'Paul', 'poison', 'Sam')] })).toEqual([]);
    expect(choices('poison', { events: [passed(1, 'Paul', 'poison')] })).toEqual(others);
    expect(choices('poison', { events: [acted(1, 'Bert', 'poison', 'Sam')] })).toEqual(others);
  });

  it('is not used in the night of the antidote, but in a later one, unless the rules allow both', () => {
    const saved = acted(2, 'Paul', 'save', 'Dan');
    expect(choices('poison', { events: [saved] })).toEqual([]);
    expect(choices('poison', { events: [saved], round: 3 })).toEqual(others);
    expect(choices('poison', { events: [saved], rules: { witchBothPotions: true } })).toEqual(others);
  });

  it('poisons whom it is given to', () => {
    const intent = { round: 2, verb: 'poison', by: ['Paul'], target: 'Dan' };
    expect(getPower('poison').settle(intent, at({}))).toEqual({ kind: 'poison', target: 'Dan' });
  });
});

it.each([
  [{ witchSelfSave: 'never' }, ', unless the Witch was picked'],
  [{ witchSelfSave: 'first-night' }, '; if the Witch was picked, only in the first night'],
  [{ witchBothPotions: false }, 'but not in a night in which the antidote is used'],
  [{ witchBothPotions: true }, 'even in a night in which the antidote is used, and even the player just saved'],
  [{ guardAndAntidote: 'dies' }, 'a player who has both is removed unless something else protects that player'],
])('the rules with %j say of the Witch: %s', (rules, words) => {
  expect(getRole('Witch').does(rules)).toContain(words);
});
