// A match as it could stand on its second day, with a little of everything: what the gallery's prompts are made from.
import { deal, dealEvents, newGame } from '../state/deal.ts';
import type { GameEvent } from '../state/event.ts';
import type { Game } from '../state/game.ts';
import { powers, roles, type HeldPower } from '../state/roles/index.ts';
import type { RuleValues } from '../state/rule.ts';
import { readRules } from '../state/rules.ts';
import { teams } from '../state/teams.ts';

/** Rules that differ in everything that has words. */
export const samples: Record<'wolf' | 'arena' | 'plus', RuleValues> = {
  wolf: { syntheticVotes: true, beliefs: 'each-statement', honesty: 'permitted', coaching: 'paper' },
  arena: { analysis: 'peer', scores: 'numbers', memory: 'full', exile: 'plurality', reveal: 'role' },
  plus: { analysis: 'both', sheriff: true, reveal: 'team' },
};

export function sampleGame(phase: Game['phase'], preset: keyof typeof samples): Game {
  const setup = deal({ board: everyRole, rules: readRules(preset, samples[preset]), seed: 1 });
  const names = setup.players.map(({ name }) => name);
  const game = {
    intents: [],
    bids: {},
    votes: [],
    deceptionHistory: [],
    winner: null,
    gameLogs: [...dealEvents(setup), ...sampleEvents(setup)],
  };
  const scoresOf = (me: string) =>
    Object.fromEntries(
      names.flatMap((name, seat) => (name === me ? [] : [[name, { score: seat / names.length, round: 1 }]])),
    );
  return {
    ...(newGame(setup) as Game),
    ...game,
    alivePlayers: names.filter((name) => name !== goneFrom(setup).name),
    deceptionScores: Object.fromEntries(names.map((me) => [me, scoresOf(me)])),
    roundNum: 2,
    phase,
    step: phase === 'day' ? 1 : 0,
  };
}

/** Every role once, and twice where it has no power or plays in a team. */
const everyRole = {
  name: 'every-role',
  roles: Object.fromEntries(
    [...roles.values()].map(({ name, team, special }) => [name, teams[team].acquainted || !special ? 2 : 1]),
  ),
};

/** The last in seat order whose role somebody else has too and whose team is not acquainted. */
const goneFrom = ({ players }: Pick<Game['setup'], 'players'>) =>
  players.findLast(
    (player) => !teams[player.team].acquainted && players.find(({ role }) => role === player.role) !== player,
  )!;

const at = (round: number, phase: Game['phase'], audience: GameEvent['audience']) => ({ round, phase, audience });

/** The first two stand, and the second is elected and recommends the first. */
function election([first, second, third]: readonly string[]): GameEvent[] {
  const day = at(1, 'day', 'everyone');
  const said = { ...day, type: 'statement' as const };
  return [
    { ...day, type: 'candidacy', by: first!, stands: true },
    { ...day, type: 'candidacy', by: second!, stands: true },
    { ...said, id: '1.0', by: first!, text: 'I listen well.', occasion: 'campaign' },
    { ...day, type: 'badge_ballot', by: third!, target: second!, ballot: 1 },
    { ...day, type: 'elected', player: second!, how: 'vote' },
    { ...day, type: 'pseudo_ballot', by: third!, target: first! },
    { ...said, id: '1.2', by: second!, text: 'I am not convinced.', occasion: 'recommendation', recommends: first! },
    { ...day, type: 'tie', players: [first!, third!] },
  ];
}

/** The badge in another hand: what a Sheriff is asked is shown to every role. */
export const badgeTo = (to: string): GameEvent => ({
  ...at(1, 'day', 'everyone'),
  type: 'elected',
  player: to,
  how: 'vote',
});

/** A little of everything that players remember. */
function sampleEvents({ players, rules }: Pick<Game['setup'], 'players' | 'rules'>): GameEvent[] {
  const names = players.map(({ name }) => name);
  const [first, second] = names as [string, string];
  const last = goneFrom({ players });
  const holders = ({ role }: HeldPower) =>
    players.filter((player) => player.role === role.name).map(({ name }) => name);
  const acts = powers.flatMap((power) =>
    holders(power).map((by): GameEvent => {
      const used = { by, verb: power.verb, target: first };
      if (power.actor === 'team')
        return { ...at(2, 'night', holders(power)), type: 'proposal', ...used, reason: 'Talks a lot.', ballot: 1 };
      if (power.brief) return { ...at(2, 'night', [by]), type: 'attacked', player: first };
      if (power.mayPass) return { ...at(1, 'night', [by]), type: 'passed', by, verb: power.verb };
      return power.aim === 'learn'
        ? { ...at(1, 'night', [by]), type: 'learned', by, about: last.name, role: last.role }
        : { ...at(1, 'night', [by]), type: 'acted', ...used };
    }),
  );
  const ofNight = (round: number) => acts.filter((event) => event.round === round);
  return [
    ...ofNight(1),
    ...names.map((by): GameEvent => ({
      ...at(1, 'day', [by]),
      type: 'thought',
      by,
      action: 'bid',
      step: 0,
      reasoning: 'I listen first.',
    })),
    ...(rules.sheriff ? election(names) : []),
    { ...at(1, 'day', 'everyone'), type: 'statement', id: '1.1', by: first, text: 'Who was awake last night?' },
    {
      ...at(1, 'day', 'everyone'),
      type: 'ballot',
      id: `1.${first}`,
      by: first,
      target: last.name,
      explanation: 'A quiet one.',
    },
    { ...at(1, 'day', 'everyone'), type: 'death', player: last.name, cause: 'exile' },
    ...names.map((by): GameEvent => ({ ...at(1, 'day', [by]), type: 'summary', by, text: 'Little is known.' })),
    ...ofNight(2),
    { ...at(2, 'night', 'everyone'), type: 'quiet_night' },
    { ...at(2, 'day', 'everyone'), type: 'statement', id: '2.1', by: second, text: 'I trust nobody "yet".' },
  ];
}
