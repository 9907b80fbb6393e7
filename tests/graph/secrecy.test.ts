// What players must not know stands in none of their prompts.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Board } from '../../state/boards.ts';
import { isType, type EventOf, type GameEvent } from '../../state/event.ts';
import type { Setup } from '../../state/setup.ts';
import { teams } from '../../state/teams.ts';
import { canaries } from '../canaries.ts';
import type { Question } from '../question.ts';
import { momentOf } from '../referee.ts';
import { ScriptedModel } from '../scripted-model.ts';
import { boardOf, dealt, playDeal, type Options } from '../table.ts';

const [small, middle, large] = [boardOf(1, 1, 1, 3), boardOf(2, 1, 1, 4), boardOf(3, 2, 1, 4)];
const everyRole: Board = {
  name: 'every-role',
  roles: { Werewolf: 3, Seer: 1, Doctor: 1, Guard: 1, Witch: 2, Hunter: 2, Villager: 2 },
};
const everything = { memory: 'full', reveal: 'role', scores: 'numbers', beliefs: 'each-statement' };
const inSecret = { ballots: 'secret', reveal: 'team', beliefs: 'each-round', checkTells: 'team', syntheticVotes: true };

/** Boards and rules under which secrets must be kept. */
const tables: { board: Board; rules: string; rule: Options }[] = [
  { board: middle, rules: 'wolf', rule: {} },
  { board: large, rules: 'wolf', rule: {} },
  { board: small, rules: 'wolf', rule: everything },
  { board: large, rules: 'wolf', rule: everything },
  { board: middle, rules: 'wolf', rule: inSecret },
  { board: middle, rules: 'arena', rule: {} },
  { board: large, rules: 'arena', rule: { memory: 'full', ballots: 'public', pack: 'vote', coaching: 'paper' } },
  { board: everyRole, rules: 'wolf', rule: { sheriff: true, exile: 'plurality', exileTies: 'pk', debateTurns: 2 } },
  { board: everyRole, rules: 'plus', rule: { sheriff: true, reveal: 'role', memory: 'full', analysis: 'both' } },
];

const few = (rules: string): Options => (rules === 'plus' ? {} : { debateTurns: 2 });

const packOf = ({ players }: Setup) => players.filter(({ team }) => team === 'werewolves').map(({ name }) => name);

describe.each(tables)('at $board.name under $rules with $rule', ({ board, rules, rule }) => {
  const setup = dealt({ board, rules, rule: { ...few(rules), ...rule, maxRounds: 2 }, seed: 2 });
  const pack = packOf(setup);
  const { script, heard } = canaries();
  const model = new ScriptedModel(script);
  let events: readonly GameEvent[];
  beforeAll(async () => {
    ({ events } = await playDeal(setup, model));
  });

  it('nobody reads a private word of anybody else', () => {
    const fromOthers = model.asked.flatMap((question) =>
      heard(question)
        .filter(({ by }) => by !== question.player)
        .map(({ field }) => ({ field, isInPack: pack.includes(question.player) })),
    );
    const isMeantFor = ({ field, isInPack }: { field: string; isInPack: boolean }) =>
      field === 'statement' || field === 'explanation' || (field === 'proposal_reason' && isInPack);
    expect(fromOthers.filter((canary) => !isMeantFor(canary))).toEqual([]);
    const isHeard = {
      statement: true,
      explanation: setup.rules.ballots === 'public',
      proposal_reason: setup.rules.pack === 'vote' && pack.length > 1,
    };
    for (const [field, is] of Object.entries(isHeard))
      expect([field, fromOthers.some((canary) => canary.field === field)]).toEqual([field, is]);
  });

  it("nobody is told another's role but who has learned it", () => {
    for (const question of model.asked)
      expect(rolesStated(question, setup)).toEqual(rolesKnown(question, setup, events));
  });
});

/** Unquoted lines of a prompt that name a player together with a role or a side; the own identity is none of them. */
function rolesStated({ messages, player }: Question, { players, board }: Setup): string[] {
  const names = players.map(({ name }) => name).join('|');
  const words = [...Object.keys(board.roles), 'Werewolves', 'village', 'Village'].join('|');
  const [system, user] = messages.map(({ content }) => content.replace(/"[^"\n]*"/g, '""').split('\n')) as [
    string[],
    string[],
  ];
  const isStated = (line: string) =>
    new RegExp(`\\b(${names})\\b`).test(line) && new RegExp(`\\b(${words})\\b`).test(line);
  const isShape = (line: string) => line.startsWith('  "');
  expect(system.slice(1).filter((line) => new RegExp(`\\b(${names})\\b`).test(line))).toEqual([`You are ${player}`]);
  return user.filter((line) => isStated(line) && !isShape(line)).sort();
}

/** The same lines as the events of the match allow them to this player at that moment. */
function rolesKnown(
  { player, action, round, phase, messages }: Question,
  { players }: Setup,
  events: readonly GameEvent[],
): string[] {
  const mates = players.filter(({ team }) => team === 'werewolves').map(({ name }) => name);
  const isMate = mates.includes(player);
  const now = momentOf({ round, phase }) + (action === 'summarize' ? 1 : 0); // when the day is over
  const parting = events.findIndex((event) => isParting(event, action, player));
  const isOver = (event: GameEvent) =>
    momentOf(event) < now ||
    (parting >= 0 && events.indexOf(event) < parting) ||
    (event.type === 'attacked' && momentOf(event) === now && ['save', 'poison'].includes(action));
  const seat = (name: string) => players.find((one) => one.name === name)!;
  const identity = (name: string, what: { role?: string | undefined; team?: string | undefined }) =>
    what.role !== undefined ? `a ${seat(name).role}` : `on the side of ${teams[seat(name).team].label}`;
  const lines = events.filter(isOver).flatMap((event): string[] => {
    if (event.type === 'learned' && event.by === player)
      return [`- You learned that ${event.about} is ${identity(event.about, event)}.`];
    if (event.type === 'death' && (event.role ?? event.team) !== undefined) {
      const how = { night: ' in the night', exile: ', exiled by vote', last_act: '' }[event.cause];
      const who = event.player; // of one's own leaving a player reads without the name
      return event.player === player
        ? []
        : [`- ${who} left the game${how}. ${who} was ${identity(event.player, event)}.`];
    }
    if (event.type === 'last_act') return lastActLines(event, player, seat(event.by).role);
    if (event.type === 'attacked' && event.audience.includes(player))
      return [
        `- You were told whom the Werewolves picked this night: ${event.player === player ? 'you' : event.player}.`,
      ];
    if (event.type === 'pick' && isMate) return [`- The Werewolves picked ${event.target}.`];
    return [];
  });
  const proposed = !isMate
    ? []
    : events
        .filter(isType('proposal'))
        .filter(
          (event) =>
            isOver(event) ||
            (event.round === round && event.ballot === 1 && messages[1]!.content.includes('The proposals differed')),
        );
  const proposals = proposed.map(
    ({ by, target }) => `- ${by === player ? 'You' : by} proposed to the other Werewolves to remove ${target}: ""`,
  );
  const others = mates.filter((name) => name !== player);
  const acquainted =
    isMate && others.length > 0 ? [`- On the side of the Werewolves, besides you: ${others.join(', ')}.`] : [];
  return [...acquainted, ...lines, ...proposals].sort();
}

/** A shot as a player reads of it. */
const lastActLines = ({ by, target }: EventOf<'last_act'>, player: string, role: string) => [
  `- ${by === player ? 'You were' : `${by} was`} the ${role} and shot ${target === player ? 'you' : target}.`,
];

/** Whether the event is what a player who has just left answers here with. */
const isParting = (event: GameEvent, action: string, player: string) =>
  action === 'shoot'
    ? (event.type === 'last_act' || event.type === 'passed') && event.verb === action && event.by === player
    : action === 'pass_badge' && event.type === 'badge' && event.by === player;
