// Matches that differ only in what a player cannot know: this player's prompts must be the same, byte for byte.
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Setup } from '../../state/setup.ts';
import type { Question } from '../question.ts';
import { legalAnswer, ScriptedModel, type Script } from '../scripted-model.ts';
import { boardOf, dealt, playDeal, type Options } from '../table.ts';

const tables: { rules: string; rule: Options }[] = [
  { rules: 'wolf', rule: { syntheticVotes: true, beliefs: 'each-round' } },
  { rules: 'wolf', rule: { memory: 'full', reveal: 'role', scores: 'numbers', beliefs: 'each-statement' } },
  { rules: 'arena', rule: { analysis: 'peer', scores: 'numbers' } },
];

const namesOf = ({ players }: Setup, role: string) =>
  players.filter((player) => player.role === role).map(({ name }) => name) as [string, ...string[]];

/** Four Villagers leave: one in each night and one in each exile. The last two stay to the end. */
function courseOf(setup: Setup) {
  const villagers = namesOf(setup, 'Villager') as string[] as [string, string, string, string, string, string];
  const [first, second, third, fourth, partner, witness] = villagers;
  const speakers = [witness, namesOf(setup, 'Werewolf')[0], namesOf(setup, 'Seer')[0], partner];
  return { removed: [first, third], exiled: [second, fourth], partner, witness, speakers };
}

type Change = (question: Question, answer: Record<string, unknown>) => object;

/** In public the same whoever has which role; `change` says what is different where nobody may notice. */
const publicCourse =
  (setup: Setup, change: Change): Script =>
  (question) => {
    const { removed, exiled, witness, speakers } = courseOf(setup);
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
    const answer = { ...legalAnswer(question), ...course[action] };
    return { ...answer, ...change(question, answer) };
  };

/** Another answer that no other player may notice: other private words, judgements, bids, checks, protection, secret votes. */
function unnoticed(setup: Setup, question: Question, answer: Record<string, unknown>): object {
  const { fields, action, player, alive, round, messages } = question;
  const { removed, exiled, partner, witness } = courseOf(setup);
  const pack = namesOf(setup, 'Werewolf');
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
  const judged = () => legalAnswer(question, 2);
  return { ...(changes[action] ?? judged)(), ...Object.fromEntries(words.map((name) => [name, `Another ${name}.`])) };
}

async function promptsOf(setup: Setup, change: Change = () => ({}), course = setup) {
  const model = new ScriptedModel(publicCourse(course, change));
  const { events } = await playDeal(setup, model);
  const of = (player: string) =>
    model.asked
      .filter((asked) => asked.player === player)
      .flatMap(({ messages }) => messages.map(({ content }) => content));
  return { of, events };
}

/** The first prompt in which two lists differ; undefined where they are the same. */
const firstDifference = (some: string[], others: string[]) =>
  Array.from({ length: Math.max(some.length, others.length) }, (_, index) => [some[index], others[index]]).find(
    ([one, other]) => one !== other,
  );

describe.each(tables)('under $rules with $rule', ({ rules, rule }) => {
  const setup = dealt({ board: boardOf(2, 1, 1, 6), rules, rule: { ...rule, debateTurns: 2, maxRounds: 2 }, seed: 3 });
  const { exiled, partner, witness } = courseOf(setup);
  const holders = {
    wolf: namesOf(setup, 'Werewolf')[0],
    seer: namesOf(setup, 'Seer')[0],
    doctor: namesOf(setup, 'Doctor')[0],
  };
  const { wolf, seer, doctor } = holders;
  let base: Awaited<ReturnType<typeof promptsOf>>;
  beforeAll(async () => {
    base = await promptsOf(setup);
  });

  it.each([
    ['a Werewolf', wolf],
    ['the Seer', seer],
    ['the Doctor', doctor],
    ['a Villager', witness],
    ['an exiled Villager', exiled[0]!],
  ])('%s cannot tell what the others think, judge, bid, check and protect', async (_who, me) => {
    const isMate = me === wolf;
    const other = await promptsOf(setup, (question, answer) => {
      if (question.player === me) return {};
      if (isMate && question.action === 'eliminate') return { reasoning: 'Another reasoning.' };
      return unnoticed(setup, question, answer);
    });
    expect(other.events).not.toEqual(base.events);
    expect(base.of(me).length).toBeGreaterThan(10);
    expect(firstDifference(base.of(me), other.of(me))).toBeUndefined();
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
    const swapped = await promptsOf({ ...setup, players }, undefined, setup);
    const isInvolved = ({ name, team }: Setup['players'][number]) =>
      name === one || name === other || (team === 'werewolves' && one === wolf);
    for (const { name } of setup.players.filter((player) => !isInvolved(player)))
      expect(firstDifference(base.of(name), swapped.of(name))).toBeUndefined();
    expect(firstDifference(base.of(one), swapped.of(one))).toBeDefined();
  });
});
