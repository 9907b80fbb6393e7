// The nights of the sample matches, in which every holder of a power uses it or passes.
import { createInitialState } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import type { Game, Setup } from '../../state/game.ts';
import { type HeldPower, powers } from '../../state/roles/index.ts';

interface Nights {
  /** Events of a whole night in which the victim is saved. */
  first: GameEvent[];
  /** Events before the questions: each Werewolf has proposed a different player of `prey`. */
  second: GameEvent[];
}

export function sampleNights(setup: Setup, prey: readonly [string, string], picked: string): Nights {
  const at = (round: number, audience: GameEvent['audience']) => ({ round, phase: 'night' as const, audience });
  const gameOf = (round: number, ...gameLogs: GameEvent[]): Game => ({
    ...(createInitialState(setup) as Game),
    roundNum: round,
    phase: 'night',
    gameLogs,
  });
  const holders = ({ role }: HeldPower) =>
    setup.players.filter((player) => player.role === role.name).map(({ name }) => name);
  const proposals = (round: number, power: HeldPower, targetOf: (seat: number) => string) =>
    setup.rules.pack === 'one'
      ? []
      : holders(power).map((by, seat): GameEvent => ({
          ...at(round, holders(power)),
          type: 'proposal',
          by,
          verb: power.verb,
          target: targetOf(seat),
          reason: 'Talks a lot.',
          ballot: 1,
        }));
  const picks = (round: number, target: string) =>
    powers
      .filter(({ actor }) => actor === 'team')
      .map((power): GameEvent => ({ ...at(round, holders(power)), type: 'pick', verb: power.verb, target }));
  const told = (round: number, power: HeldPower, target: string) =>
    holders(power).flatMap((by) => power.brief?.(gameOf(round, ...picks(round, target)), by) ?? []);
  const used = (power: HeldPower) =>
    holders(power).flatMap((by): GameEvent[] => {
      if (power.mayPass) return [{ ...at(1, [by]), type: 'passed', by, verb: power.verb }];
      const intent = { round: 1, verb: power.verb, by: [by], target: picked };
      const effect = power.settle(intent, gameOf(1));
      return [
        { ...at(1, [by]), type: 'acted', by, verb: power.verb, target: picked },
        ...(effect.kind === 'tell' ? [effect.event] : []),
      ];
    });
  const [together, alone] = [
    powers.filter(({ actor }) => actor === 'team'),
    powers.filter(({ actor }) => actor !== 'team'),
  ];
  return {
    first: [
      ...together.flatMap((power) => proposals(1, power, () => picked)),
      ...picks(1, picked),
      ...alone.flatMap((power) => [...told(1, power, picked), ...used(power)]),
      { ...at(1, 'everyone'), type: 'quiet_night' },
    ],
    second: [
      ...together.flatMap((power) => proposals(2, power, (seat) => prey[seat % prey.length]!)),
      ...alone.flatMap((power) => told(2, power, prey[0])),
    ],
  };
}
