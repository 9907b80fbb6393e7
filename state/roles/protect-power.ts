// The power to shield one player a night from attack, shared by the Doctor and the Guard.
import { isEventOfType } from '../events.ts';
import type { RuleValues } from '../rules/rule.ts';
import type { View } from '../view.ts';
import type { Power } from './role.ts';

/** Properties that differ between shields. */
interface ShieldOptions extends Pick<Power, 'verb' | 'question' | 'mayPass'> {
  /** Names of the rules that decide whether holders may shield themselves, and the same player two nights in a row. */
  rules: Readonly<Record<'self' | 'repeat', string>>;
  /** Whether the shield and a cure cancel each other. */
  clashes: (rules: RuleValues) => boolean;
}

export const createProtectPower = ({ verb, question, mayPass, rules: option, clashes }: ShieldOptions): Power => ({
  verb,
  question,
  mayPass,
  wave: 1,
  aim: 'shield',
  saidAs: {
    protect: 'protected',
    guard: 'guarded',
    save: 'saved',
    shield: 'shielded',
    heal: 'healed',
    cover: 'covered',
    'watch over': 'watched over',
    'stand guard over': 'stood guard over',
    'keep … alive': 'kept … alive',
    'keep … safe': 'kept … safe',
  },
  actor: 'holder',
  choices: (view) => {
    const before = findShieldedLastNight(view, verb);
    return view.alive.filter(
      (name) =>
        (view.rules[option.self] === true || name !== view.me) &&
        (view.rules[option.repeat] === true || name !== before),
    );
  },
  settle: ({ target }, { setup }) => ({ kind: 'shield', target, clashes: clashes(setup.rules) }),
});

/** Returns the player whom the owner of the View shielded last night, if any. */
function findShieldedLastNight({ events, round }: View, verb: string): string | undefined {
  const last = events.filter(isEventOfType('acted')).findLast((act) => act.verb === verb);
  return last?.round === round - 1 ? last.target : undefined;
}

/** Describes the players whom a shield may protect, as words that follow "one" in the role's description. */
export const describeProtectable = (role: string, self: boolean, repeat: boolean) =>
  `${self ? `player, who may be the ${role}` : 'other player'}${repeat ? '' : ', but not the same player two nights in a row'}`;
