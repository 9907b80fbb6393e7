// Secrets do not appear in the prompts of players who must not know them, and have no effect on these prompts. All
// tests are in one file because they use the same secret matches.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Board } from '../../state/boards.ts';
import { type EventOf, type GameEvent, isEventOfType } from '../../state/events.ts';
import type { Setup } from '../../state/game.ts';
import { teams } from '../../state/teams.ts';
import { getRenamer } from '../../prompts/renaming.ts';
import { Variant } from '../../state/variants.ts';
import { restoreWording } from '../restore-wording.ts';
import { canaries } from '../canaries.ts';
import { gallery } from '../prompts/prompt-samples.ts';
import { answerPlus, hunter, changePlus, plusSetup, rival, seated, victim } from '../plus-table.ts';
import type { Question } from '../question.ts';
import { getMoment } from '../referee.ts';
import { type Answer, createLegalAnswer, type Script, ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, everyRole as smallEveryRole, type Options, playNodes, traceDeal } from '../table.ts';
import { getPowerLabel, getShownSide } from '../../state/roles/index.ts';
import { itLong } from '../it-long.ts';

const [small, middle, large] = [createBoard(1, 1, 1, 3), createBoard(2, 1, 1, 4), createBoard(3, 2, 1, 4)];
const everyRole: Board = {
  name: 'every-role',
  roles: { Werewolf: 3, Seer: 1, Doctor: 1, Guard: 1, Witch: 2, Hunter: 2, Villager: 2 },
};
const localRoles: Board = {
  name: 'local-roles',
  roles: { Werewolf: 2, Possessed: 1, Medium: 1, Seer: 1, Villager: 2 },
};
const everything = { memory: 'full', reveal: 'role', scores: 'numbers', beliefs: 'each-statement' };
const inSecret = { ballots: 'secret', reveal: 'team', beliefs: 'each-round', checkTells: 'team', syntheticVotes: true };

/**
 * Boards and rules under which secrets must be kept. `isRare`: only `npm run test:long` plays the match, as others have
 * its rules too.
 */
const tables: { board: Board; rules: string; rule: Options; variant?: Variant; isRare?: boolean }[] = [
  { board: middle, rules: 'wolf', rule: {}, isRare: true },
  { board: large, rules: 'wolf', rule: {}, isRare: true },
  { board: small, rules: 'wolf', rule: everything },
  { board: large, rules: 'wolf', rule: { ...everything, selfReport: 'with-notes' } },
  { board: middle, rules: 'wolf', rule: inSecret, isRare: true },
  { board: middle, rules: 'arena', rule: { coaching: 'paper' }, isRare: true },
  { board: large, rules: 'arena', rule: { memory: 'retrieval', ballots: 'public', pack: 'vote', thoughts: 'kept' } },
  { board: everyRole, rules: 'wolf', rule: { sheriff: true, exile: 'plurality', exileTies: 'pk', debateTurns: 2 } },
  { board: everyRole, rules: 'plus', rule: { sheriff: true, reveal: 'role', memory: 'full', analysis: 'both' } },
  { board: large, rules: 'wolf', rule: everything, variant: 'renamed', isRare: true },
  {
    board: localRoles,
    rules: 'wolf',
    rule: { ...inSecret, exile: 'plurality', exileTies: 'random' },
    variant: 'renamed',
  },
  ...Variant.options.map((variant) => ({
    ...{ board: smallEveryRole, rules: 'plus', variant, isRare: variant !== 'paraphrased' },
    rule: { sheriff: true, reveal: 'role', analysis: 'both' },
  })),
];

/** Fields that are declared to be public. */
const declared = new Set(gallery().flatMap(({ prompt }) => prompt.heard));

const selectFew = (rules: string): Options => (rules === 'plus' ? {} : { debateTurns: 2 });

const getRoleOf = ({ players }: Setup, player: string) => players.find(({ name }) => name === player)?.role;

const listPack = ({ players }: Setup) =>
  players.filter(({ role }) => getShownSide(role) === 'werewolves').map(({ name }) => name);

it.each([
  {
    of: 'a few with all that players can be shown',
    setup: dealTable({ board: small, rule: { ...everything, debateTurns: 2, maxRounds: 2 } }),
    answer: (question: Question) => createLegalAnswer(question),
  },
  { of: 'every role and office', setup: plusSetup, answer: answerPlus },
])(
  'the graph asks what the nodes ask in their order of play, and the same comes of it: $of',
  async ({ setup, answer }) => {
    const [inGraph, alone] = [new ScriptedModel(answer), new ScriptedModel(answer)];
    const { steps, ...played } = await traceDeal(setup, inGraph);
    expect(await playNodes(setup, alone)).toEqual({ ...played, steps: steps.slice(1) });
    expect(alone.asked.map(formatQuestion).sort()).toEqual(inGraph.asked.map(formatQuestion).sort());
  },
);

const formatQuestion = ({ messages }: Question) => messages.map(({ content }) => content).join('\n');

describe.each(tables)(
  'at $board.name under $rules with $rule; $variant',
  ({ board, rules, rule, variant, isRare = false }) => {
    const test = isRare ? itLong : it;
    const setup = dealTable({ board, rules, rule: { ...selectFew(rules), ...rule, maxRounds: 2 }, seed: 2, variant });
    const pack = listPack(setup);
    const { script, heard } = canaries();
    const model = new ScriptedModel(
      script,
      variant === 'paraphrased' ? restoreWording : getRenamer({ variant: variant ?? null, board }),
    );
    let played: ReturnType<typeof playNodes> | null = null;
    const playOnce = () => (played ??= playNodes(setup, model));

    test('nobody reads a private word of anybody else', async () => {
      await playOnce();
      const fromOthers = model.asked.flatMap((question) =>
        heard(question)
          .filter(({ by }) => by !== question.player)
          .map(({ field }) => ({ field, isInPack: pack.includes(question.player) })),
      );
      const isMeantFor = ({ field, isInPack }: { field: string; isInPack: boolean }) =>
        declared.has(field) && (field !== 'proposal_reason' || isInPack);
      expect(fromOthers.filter((canary) => !isMeantFor(canary))).toEqual([]);
      const isHeard = {
        statement: true,
        explanation: setup.rules.ballots === 'public',
        proposal_reason: setup.rules.pack === 'vote' && pack.length > 1,
      };
      expect(Object.keys(isHeard).sort()).toEqual([...declared].sort());
      for (const [field, is] of Object.entries(isHeard))
        expect([field, fromOthers.some((canary) => canary.field === field)]).toEqual([field, is]);
    });

    test('a report on the own statement sees own thoughts where the rules say so, and else none', async () => {
      await playOnce();
      const reports = model.asked.filter(({ action }) => /self_analysis$/.test(action));
      const notes = reports.flatMap(heard).filter(({ field }) => field === 'reasoning');
      expect(notes.length > 0).toBe(reports.length > 0 && setup.rules.selfReport === 'with-notes');
    });

    test('a Medium is told of an exile', async () => {
      const { events } = await playOnce();
      const told = events.filter(isEventOfType('learned')).filter(({ by }) => getRoleOf(setup, by) === 'Medium');
      expect(told.length > 0).toBe(board === localRoles);
    });

    test("nobody is told another's role but who has learned it", async () => {
      const { events } = await playOnce();
      const { listOwnNames, listRolesStated } = createRoleReader(setup);
      expect(model.asked.map(listOwnNames)).toEqual(model.asked.map(({ player }) => [`You are ${player}`]));
      expect(model.asked.map(listRolesStated)).toEqual(
        model.asked.map((question) => listRolesKnown(question, setup, events)),
      );
    });
  },
);

/** Reads a match's prompts without their quoted parts. */
function createRoleReader({ players, board }: Setup) {
  const names = players.map(({ name }) => name).join('|');
  const words = [...Object.keys(board.roles), 'Werewolves', 'village', 'Village'].join('|');
  const [named, identified] = [new RegExp(`\\b(${names})\\b`), new RegExp(`\\b(${words})\\b`)];
  const everybody = `The players are ${players.map(({ name }) => name).join(', ')}.`;
  const isShape = (line: string) => line.startsWith('  "');
  const readLines = ({ messages }: Question, message: number) =>
    messages[message]!.content.replace(/"[^"\n]*"/g, '""').split('\n');
  return {
    /** Lists the lines of the system message that name a player. */
    listOwnNames: (question: Question) =>
      readLines(question, 0).filter((line) => named.test(line) && line !== everybody),
    /** Lists the lines that name a player together with a role or side, except those about the player itself. */
    listRolesStated: (question: Question) =>
      readLines(question, 1)
        .filter((line) => named.test(line) && identified.test(line) && !isShape(line))
        .sort(),
  };
}

/** Lists the lines that the match's events allow for this player at that moment. */
function listRolesKnown(
  { player, action, round, phase, messages }: Question,
  { players }: Setup,
  events: readonly GameEvent[],
): string[] {
  const mates = players.filter(({ role }) => getShownSide(role) === 'werewolves').map(({ name }) => name);
  const isMate = mates.includes(player);
  const now = getMoment({ round, phase }) + (action === 'summarize' ? 1 : 0); // a summary is written after the day
  const parting = events.findIndex((event) => isParting(event, action, player));
  const isOver = (event: GameEvent) =>
    getMoment(event) < now ||
    (parting >= 0 && events.indexOf(event) < parting) ||
    (event.type === 'attacked' && getMoment(event) === now && ['save', 'poison'].includes(action));
  const seat = (name: string) => players.find((one) => one.name === name)!;
  const identity = (name: string, what: { role?: string | undefined; team?: string | undefined }) =>
    what.role !== undefined ? `a ${seat(name).role}` : `on the side of ${teams[getShownSide(seat(name).role)].label}`;
  const nameHolder = (role: string) =>
    `${players.filter((one) => one.role === role).length === 1 ? 'the' : 'a'} ${role}`;
  const lines = events.filter(isOver).flatMap((event): string[] => {
    if (event.type === 'learned' && event.by === player)
      return [`- You learned that ${event.about} is ${identity(event.about, event)}.`];
    if (event.type === 'death' && (event.role ?? event.team) !== undefined) {
      const how = { night: ' in the night', exile: ', exiled by vote', last_act: '' }[event.cause];
      const who = event.player; // players read about their own departure without their name
      return event.player === player
        ? []
        : [`- ${who} left the game${how}. ${who} was ${identity(event.player, event)}.`];
    }
    if (event.type === 'last_act') return renderLastActLines(event, player, nameHolder(seat(event.by).role));
    if (event.type === 'attacked' && event.audience.includes(player))
      return [
        `- You were told that the Werewolves picked ${event.player === player ? 'you' : event.player} this night.`,
      ];
    if (event.type === 'pick' && isMate) return [`- The Werewolves picked ${event.target}.`];
    return [];
  });
  const proposed = !isMate
    ? []
    : events
        .filter(isEventOfType('proposal'))
        .filter(
          (event) =>
            isOver(event) ||
            (event.round === round && event.ballot === 1 && messages[1]!.content.includes('The proposals differed')),
        );
  const proposals = proposed.map(
    ({ by, target }) => `- ${by === player ? 'You' : by} proposed to the other Werewolves to remove ${target}: ""`,
  );
  const others = mates.filter((name) => name !== player);
  const acquainted = isMate && others.length > 0 ? [`- The other Werewolves are: ${others.join(', ')}.`] : [];
  return [...acquainted, ...lines, ...proposals].sort();
}

/** Renders the lines of a player about a shot. */
const renderLastActLines = ({ by, target }: EventOf<'last_act'>, player: string, role: string) => [
  `- ${by === player ? 'You were' : `${by} was`} ${role} and shot ${target === player ? 'you' : target}.`,
];

/** Whether the event is the last act of a player who has just left. */
const isParting = (event: GameEvent, action: string, player: string) =>
  action === 'shoot'
    ? (event.type === 'last_act' || event.type === 'passed') && event.verb === action && event.by === player
    : action === 'pass_badge' && event.type === 'badge' && event.by === player;

// Private facts of later roles and of the Sheriff: who may know them. Nobody else can.

const setup = { ...plusSetup, rules: { ...plusSetup.rules, maxRounds: 2 } };
const names = setup.players.map(({ name }) => name);
const [guard, witch, seer, mate] = [seated('Guard'), seated('Witch'), seated('Seer'), seated('Werewolf', 1)];
const pack = [rival, mate];

type Change = (question: Question) => Answer | undefined;

async function collectPromptsWith(change: Change = () => undefined) {
  const model = new ScriptedModel(changePlus(change));
  const { events } = await playNodes(setup, model);
  const of = (player: string) =>
    model.asked
      .filter((asked) => asked.player === player)
      .flatMap(({ messages }) => messages.map(({ content }) => content));
  return { of, events, asked: model.asked };
}
type Played = Awaited<ReturnType<typeof collectPromptsWith>>;

const chooseTarget = (name: string): Answer => ({ reasoning: 'Hm.', target: name });

/** Creates a change of answers, by action and round. */
const answerActions =
  (answers: Readonly<Record<string, (question: Question) => Answer>>): Change =>
  (question) =>
    answers[`${question.action} ${question.round}`]?.(question);

let base: Played;

/** Expects that players who are not involved cannot distinguish two matches, and that the involved players can. */
function expectUnnoticed(one: Played, other: Played, involved: readonly string[]) {
  for (const name of names.filter((player) => !involved.includes(player)))
    expect([name, other.of(name)]).toEqual([name, one.of(name)]);
  expect(involved.some((name) => other.of(name).join() !== one.of(name).join())).toBe(true);
}

/** Returns the unquoted words of what a player has seen and is asked. */
const stripQuotes = ({ messages }: Question) => messages[1]!.content.replace(/"[^"\n]*"/g, '""');

describe('secrecy with every role and office', () => {
  beforeAll(async () => {
    base = await collectPromptsWith();
  });

  describe('what nobody else can tell', () => {
    it('is whom the Guard guards', async () => {
      const other = await collectPromptsWith(
        answerActions({ 'guard 1': () => chooseTarget(witch), 'guard 2': () => chooseTarget(guard) }),
      );
      expectUnnoticed(base, other, [guard]);
    });

    it('is whether Guard or Witch saved somebody, and which potions are left', async () => {
      const other = await collectPromptsWith(
        answerActions({ 'guard 1': () => chooseTarget(victim), 'save 1': () => chooseTarget('pass') }),
      );
      const told = ({ events }: Played) => events.filter(({ type }) => type === 'attacked').length;
      expect([told(base), told(other)]).toEqual([1, 2]);
      expectUnnoticed(base, other, [guard, witch]);
    });

    it('is whether somebody was poisoned or picked by the pack', async () => {
      const other = await collectPromptsWith(
        answerActions({ 'guard 2': () => chooseTarget(victim), 'poison 2': () => chooseTarget(victim) }),
      );
      const ofNight = ({ events }: Played) =>
        events.filter((event) => event.type === 'death' && event.cause === 'night');
      expect(ofNight(other)).toEqual(ofNight(base));
      expect(ofNight(base)).toMatchObject([{ player: victim, cause: 'night' }]);
      expectUnnoticed(base, other, [guard, witch]);
    });

    it('is a Hunter who holds fire from one who may not shoot', async () => {
      const picked = await collectPromptsWith(
        answerActions({
          'eliminate 1': () => ({ reasoning: 'Hm.', proposal: hunter, proposal_reason: 'So.' }),
          'save 1': () => chooseTarget('pass'),
          'guard 1': () => chooseTarget(victim),
          'shoot 1': () => chooseTarget('pass'),
          'save 2': () => chooseTarget('pass'),
        }),
      );
      const poisoned = await collectPromptsWith(
        answerActions({
          'save 1': () => chooseTarget('pass'),
          'guard 1': () => chooseTarget(victim),
          'poison 1': () => chooseTarget(hunter),
          'save 2': () => chooseTarget('pass'),
        }),
      );
      const asked = ({ asked }: Played) => asked.filter(({ action }) => action === 'shoot').length;
      expect([asked(picked), asked(poisoned)]).toEqual([1, 0]);
      expectUnnoticed(picked, poisoned, [...pack, witch, hunter]);
    });

    it("is the pack's talk", async () => {
      const other = await collectPromptsWith(
        answerActions({
          'eliminate 1': ({ player, messages }) => ({
            reasoning: 'Hm.',
            proposal: player === mate && !messages[1]!.content.includes('The proposals differed') ? seer : victim,
            proposal_reason: 'Otherwise.',
          }),
        }),
      );
      expectUnnoticed(base, other, pack);
    });

    it.each([
      ['the Seer', seer],
      ['the Witch', witch],
      ['the Hunter, who is Sheriff', hunter],
      ['a Werewolf, who stands for Sheriff', rival],
      ['a Villager', victim],
    ])('is what anybody thinks: to %s', async (_who, me) => {
      const changed: string[] = [];
      const other = await collectPromptsWith((question) => {
        if (question.player === me) return undefined;
        const answer = changePlus(() => undefined)(question) as Record<string, unknown>;
        if (!('reasoning' in answer)) return undefined;
        changed.push(question.action);
        return { ...answer, reasoning: 'Another reasoning.' };
      });
      for (const action of ['candidacy', 'elect', 'pseudo_vote', 'guard', 'eliminate'])
        expect(changed).toContain(action);
      expect(other.of(me)).toEqual(base.of(me));
    });
  });

  describe('prompts', () => {
    it('speak of potions, besides the rules, to the Witch alone', () => {
      const about = base.asked.filter((question) => /poison|antidote|\bsave\b/.test(stripQuotes(question)));
      expect(new Set(about.map(({ player }) => player))).toEqual(new Set([witch]));
    });

    it('say whom the pack has picked to the pack and to the Witch who has the antidote', () => {
      const told = base.asked.filter((question) => stripQuotes(question).includes('told that the Werewolves picked '));
      expect(new Set(told.map(({ player }) => player))).toEqual(new Set([witch]));
      const picks = base.asked.filter((question) => stripQuotes(question).includes('The Werewolves picked '));
      expect(new Set(picks.map(({ player }) => player))).toEqual(new Set(pack));
    });

    it('tell of an own act to nobody else', () => {
      const isOwn = (event: GameEvent) => event.type === 'acted' || event.type === 'passed';
      for (const question of base.asked) {
        const chosen = [...stripQuotes(question).matchAll(/^- You chose to (\w+) (\w+)\.$/gm)].map(
          ([, verb, on]) => `${verb} ${on}`,
        );
        const own = base.events
          .filter(isOwn)
          .filter(({ by }) => by === question.player)
          .map((event) =>
            event.type === 'acted' ? `${getPowerLabel(event.verb)} ${event.target}` : `${event.verb} nobody`,
          );
        expect(own).toEqual(expect.arrayContaining(chosen));
      }
    });
  });
});

// Matches that differ only in what a player cannot know: this player's prompts must be the same, byte for byte.

const comparedTables: { rules: string; rule: Options }[] = [
  { rules: 'wolf', rule: { syntheticVotes: true, beliefs: 'each-round' } },
  { rules: 'wolf', rule: { memory: 'full', reveal: 'role', scores: 'numbers', beliefs: 'each-statement' } },
  { rules: 'arena', rule: { analysis: 'peer', scores: 'numbers' } },
];

const listNames = ({ players }: Setup, role: string) =>
  players.filter((player) => player.role === role).map(({ name }) => name) as [string, ...string[]];

/**
 * Plans a match in which four Villagers leave, one in each night and one by each exile. The last two players stay to
 * the end.
 */
function planCourse(setup: Setup) {
  const villagers = listNames(setup, 'Villager') as string[] as [string, string, string, string, string, string];
  const [first, second, third, fourth, partner, witness] = villagers;
  const speakers = [witness, listNames(setup, 'Werewolf')[0], listNames(setup, 'Seer')[0], partner];
  return { removed: [first, third], exiled: [second, fourth], partner, witness, speakers };
}

type HiddenChange = (question: Question, answer: Record<string, unknown>) => object;

/** Plays the same public course whatever the roles are. `change`: adds differences that nobody else may notice. */
const followCourse =
  (setup: Setup, change: HiddenChange): Script =>
  (question) => {
    const { removed, exiled, witness, speakers } = planCourse(setup);
    const { player, round, turn, action } = question;
    const speaker = speakers[2 * (round - 1) + (turn ?? 0) - 1];
    const exile = exiled[round - 1]!;
    const course: Record<string, object> = {
      eliminate: { proposal: removed[round - 1] },
      protect: { target: witness },
      unmask: { target: exile },
      vote: { vote: exile === player ? witness : exile },
      bid: { bid: player === speaker ? 4 : 0 },
    };
    const answer = { ...createLegalAnswer(question), ...course[action] };
    return { ...answer, ...change(question, answer) };
  };

/** Returns a different answer, whose difference no other player may notice. */
function changeUnnoticed(setup: Setup, question: Question, answer: Record<string, unknown>): object {
  const { fields, action, player, alive, round, messages } = question;
  const { removed, exiled, partner, witness } = planCourse(setup);
  const pack = listNames(setup, 'Werewolf');
  const spared = alive.filter((name) => ![player, ...pack, removed[round - 1], exiled[round - 1]].includes(name));
  const texts = Object.keys(fields).filter((name) => fields[name]!.kind === 'text');
  const words = texts.filter((name) => name !== 'statement' && name !== 'explanation');
  const isFirstBallot = !messages[1]!.content.includes('The proposals differed');
  const changes: Record<string, () => object> = {
    debate: () => ({}),
    summarize: () => ({}),
    eliminate: () =>
      isFirstBallot && player === pack[0] && words.includes('proposal_reason') ? { proposal: spared[0] } : {},
    protect: () => ({ target: spared[0] }),
    unmask: () => ({ target: [partner, witness][round - 1] }),
    bid: () => ({ bid: answer['bid'] === 4 ? 3 : 2 }),
    vote: () => (texts.includes('explanation') || player !== partner ? {} : { vote: spared[0] }),
  };
  const judged = () => createLegalAnswer(question, 2);
  return { ...(changes[action] ?? judged)(), ...Object.fromEntries(words.map((name) => [name, `Another ${name}.`])) };
}

async function collectPrompts(setup: Setup, change: HiddenChange = () => ({}), course = setup) {
  const model = new ScriptedModel(followCourse(course, change));
  const { events } = await playNodes(setup, model);
  const of = (player: string) =>
    model.asked
      .filter((asked) => asked.player === player)
      .flatMap(({ messages }) => messages.map(({ content }) => content));
  return { of, events };
}

/** Returns the first prompt in which two lists differ; undefined if they are equal. */
const findFirstDifference = (some: string[], others: string[]) =>
  Array.from({ length: Math.max(some.length, others.length) }, (_, index) => [some[index], others[index]]).find(
    ([one, other]) => one !== other,
  );

describe.each(comparedTables)('under $rules with $rule', ({ rules, rule }) => {
  const setup = dealTable({
    board: createBoard(2, 1, 1, 6),
    rules,
    rule: { ...rule, debateTurns: 2, maxRounds: 2 },
    seed: 3,
  });
  const { exiled, partner, witness } = planCourse(setup);
  const holders = {
    wolf: listNames(setup, 'Werewolf')[0],
    seer: listNames(setup, 'Seer')[0],
    doctor: listNames(setup, 'Doctor')[0],
  };
  const { wolf, seer, doctor } = holders;
  let base: Awaited<ReturnType<typeof collectPrompts>>;
  beforeAll(async () => {
    base = await collectPrompts(setup);
  });

  it.each([
    ['a Werewolf', wolf],
    ['the Seer', seer],
    ['the Doctor', doctor],
    ['a Villager', witness],
    ['an exiled Villager', exiled[0]!],
  ])('%s cannot tell what the others think, judge, bid, check and protect', async (_who, me) => {
    const isMate = me === wolf;
    const other = await collectPrompts(setup, (question, answer) => {
      if (question.player === me) return {};
      if (isMate && question.action === 'eliminate') return { reasoning: 'Another reasoning.' };
      return changeUnnoticed(setup, question, answer);
    });
    expect(other.events).not.toEqual(base.events);
    expect(base.of(me).length).toBeGreaterThan(10);
    expect(findFirstDifference(base.of(me), other.of(me))).toBeUndefined();
  });

  it.each([
    ['a Werewolf and the Seer', wolf, seer],
    ['a Werewolf and a Villager', wolf, partner],
    ['the Seer and the Doctor', seer, doctor],
    ['the Doctor and a Villager', doctor, partner],
  ])("%s could have each other's role for all that the uninvolved know", async (_who, one, other) => {
    const seatOf = (name: string) => setup.players.find((player) => player.name === name)!;
    const players = setup.players.map((player) => {
      const { role, team } = seatOf(player.name === one ? other : player.name === other ? one : player.name);
      return { ...player, role, team };
    });
    const swapped = await collectPrompts({ ...setup, players }, undefined, setup);
    const isInvolved = ({ name, team }: Setup['players'][number]) =>
      name === one || name === other || (team === 'werewolves' && one === wolf);
    for (const { name } of setup.players.filter((player) => !isInvolved(player)))
      expect(findFirstDifference(base.of(name), swapped.of(name))).toBeUndefined();
    expect(findFirstDifference(base.of(one), swapped.of(one))).toBeDefined();
  });
});
