// Players' memory between prompts, suspicion scores, and faults that other systems are known to have.
import { getShownSide } from '../../state/roles/index.ts';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { replayMatch } from '../../graph/play-match.ts';
import { type GameEvent, isEventOfType } from '../../state/events.ts';
import { canaries, type Canary } from '../canaries.ts';
import { hunter, changePlus, plusSetup, rival } from '../plus-table.ts';
import type { Question } from '../question.ts';
import { listRulesBroken, computeScores } from '../referee.ts';
import { createScript, createLegalAnswer, ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, type Options, play, playNodes } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const rule = {
  debateTurns: 3,
  maxRounds: 3,
  syntheticVotes: true,
  beliefs: 'each-round',
  scores: 'numbers',
  thoughts: 'this-round',
};
const remembered = ['eliminate', 'protect', 'unmask', 'bid', 'debate', 'vote'];

describe.each(['summary', 'full'])('what a player remembers with memory=%s', (memory) => {
  const setup = dealTable({ board: createBoard(2, 1, 1, 4), rule: { ...rule, memory }, seed: 2 });
  const { script, heard, laid } = canaries();
  const model = new ScriptedModel(script);
  let all: { question: Question; canary: Canary }[];
  beforeAll(async () => {
    await playNodes(setup, model);
    all = model.asked.flatMap((question) => heard(question).map((canary) => ({ question, canary })));
    expect(Math.max(...model.asked.map(({ round }) => round))).toBe(3);
  });

  const isOwn = ({ question, canary }: (typeof all)[number]) => canary.by === question.player;
  const listKinds = (heard: typeof all) => new Set(heard.map(({ canary }) => `${canary.action} ${canary.field}`));

  it('is the own reasoning of bids, statements, votes and night acts, and the own summaries', () => {
    const own = all.filter(isOwn).filter(({ canary }) => canary.field !== 'raw');
    const thoughts = new Set(
      own.filter(({ canary }) => canary.field === 'reasoning').map(({ canary }) => canary.action),
    );
    expect([...thoughts].sort()).toEqual([...remembered].sort());
    expect(listKinds(own)).toContain('summarize summary');
  });

  it('is no own thought of an earlier round', () => {
    const thoughts = all.filter(isOwn).filter(({ canary }) => canary.field === 'reasoning');
    expect(thoughts.length).toBeGreaterThan(100);
    expect(thoughts.filter(({ question, canary }) => canary.round < question.round)).toEqual([]);
  });

  it('is no analysis, belief or vote for show, not even the own', () => {
    const kept = [...listKinds(all.filter(({ canary }) => canary.field !== 'raw'))];
    expect(kept.filter((kind) => /analysis|beliefs|synthetic_vote/.test(kind))).toEqual([]);
    const written = new Set(laid().map(({ action }) => action));
    for (const action of [
      'self_analysis',
      'peer_analysis',
      'ballot_self_analysis',
      'ballot_peer_analysis',
      'beliefs',
      'synthetic_vote',
    ])
      expect(written).toContain(action);
  });

  it('is an answer that could not be read only while the same question is put again', () => {
    const unread = all.filter(({ canary }) => canary.field === 'raw');
    expect(unread.length).toBeGreaterThan(10);
    for (const { question, canary } of unread) {
      expect(canary).toMatchObject({ by: question.player, action: question.action, round: question.round });
      expect(question.attempt).toBeGreaterThan(1);
    }
  });

  it(`is ${memory === 'full' ? 'all that was said' : "of earlier rounds' speech nothing but the own summary"}`, () => {
    const isSpeech = ({ canary }: (typeof all)[number]) =>
      canary.field === 'statement' || canary.field === 'explanation';
    const earlier = all.filter(isSpeech).filter(({ question, canary }) => canary.round < question.round);
    expect(earlier.length > 0).toBe(memory === 'full');
    const today = all.filter(isSpeech).filter(({ question, canary }) => canary.round === question.round);
    expect(listKinds(today)).toEqual(new Set(['debate statement', 'vote explanation']));
  });

  it('grows within a round and is never rewritten, so that a provider can keep it', () => {
    const history = ({ messages }: Question) => messages[1]!.content.split(/(?:^|\n\n)It is /)[0]!;
    for (const asked of Map.groupBy(model.asked, ({ player }) => player).values()) {
      const systems = asked.map(({ action, messages }) => [action.endsWith('analysis'), messages[0]!.content].join());
      expect(new Set(systems).size).toBe(2); // the system message of analyses, which defines their terms, and that of all others
      const kept = asked.filter(({ action }) => !/self_analysis$/.test(action)); // analyses leave out own thoughts
      for (const [index, question] of kept.entries()) {
        const before = kept[index - 1];
        if (before?.round !== question.round) continue;
        expect(history(question).slice(0, history(before).length)).toBe(history(before));
      }
    }
  });
});

// The history pool: memory is retrieved only from the player's own view, and the match replays with the same prompts.

it('with memory=retrieval it is some of what was said before, and a replay asks the same', async () => {
  const out = createTemporaryFolder();
  const plan = { board: createBoard(2, 1, 1, 4), rules: 'wolf', seed: 2, model: 'bot:classic', out };
  const few = { debateTurns: 3, maxRounds: 3, analysis: 'off', memory: 'retrieval', historyK: 2 };
  const { folder, events } = await play({ ...plan, rule: few });
  expect((await replayMatch(folder!)).events).toEqual(events);
  const prompts = gunzipSync(readFileSync(path.join(folder!, 'prompts.ndjson.gz'))).toString();
  const later = prompts.split('\n').filter((line) => line.includes('"round":2') && line.includes('"bid"'));
  expect(later.length).toBeGreaterThan(0);
  const isEarlier = (event: GameEvent) => isEventOfType('statement')(event) && event.round < 2;
  const quoted = events.filter(isEarlier) as { text: string }[];
  const counts = later.map(
    (line) => quoted.filter(({ text }) => line.includes(JSON.stringify(text).slice(1, -1))).length,
  );
  expect(Math.max(...counts)).toBeGreaterThan(0);
  expect(Math.max(...counts)).toBeLessThan(quoted.length);
});

// Suspicion scores: their computation in a match, and what their owner sees of them.

const matches = new Map<string, ReturnType<typeof playWith>>();
/** Plays a match under a rule, once for all tests. */
function playOnce(rule: Options) {
  const key = JSON.stringify(rule);
  if (!matches.has(key)) matches.set(key, playWith(rule));
  return matches.get(key)!;
}

async function playWith(rule: Options) {
  const setup = dealTable({ board: createBoard(2, 1, 1, 4), rule: { debateTurns: 3, maxRounds: 2, ...rule }, seed: 2 });
  const model = new ScriptedModel((question) => createLegalAnswer(question));
  const { events, game } = await playNodes(setup, model);
  const votes = model.asked.filter(({ action }) => action === 'vote');
  /** A voter's scores of living players who have spoken, recomputed from the events before the vote. */
  const scoresAt = ({ player, round, alive }: Question) => {
    const isBefore = (event: GameEvent) =>
      event.type === 'assessment' && (event.kind === 'debate' ? event.round <= round : event.round < round);
    const scores = computeScores(setup, events.filter(isBefore))[player]!;
    const isTold = setup.players.some(({ name, role }) => name === player && getShownSide(role) === 'werewolves');
    return alive
      .filter((name) => !isTold && name !== player && scores[name]!.round !== null)
      .map((name) => [name, scores[name]!.score] as const);
  };
  return { setup, events, game, votes, scoresAt };
}

const findShown = ({ messages }: Question, before: string) =>
  messages[1]!.content
    .split('\n')
    .find((line) => line.startsWith(before))
    ?.slice(before.length, -1);

describe('suspicion scores', () => {
  it.each(['all', 'debate'])('stand in the state as the analyses make them, with scoresFrom=%s', async (scoresFrom) => {
    const { setup, events, game } = await playOnce({ scoresFrom });
    for (const [observer, targets] of Object.entries(computeScores(setup, events)))
      for (const [target, { score, round }] of Object.entries(targets)) {
        expect(game.deceptionScores[observer]![target]!.score).toBeCloseTo(score, 12);
        expect(game.deceptionScores[observer]![target]!.round).toBe(round);
      }
  });

  it.each(['all', 'debate'])(
    'are shown to their owner before a vote, with scores=numbers of %s',
    async (scoresFrom) => {
      const { votes, scoresAt } = await playOnce({ scores: 'numbers', scoresFrom });
      expect(votes.length).toBeGreaterThan(10);
      for (const vote of votes) {
        const told = findShown(
          vote,
          'How deceptive you rated their statements, from 0 to 1, the latest counting most: ',
        );
        const numbers = told?.split(', ').map((each) => each.split(' ')) ?? [];
        expect(numbers.map(([name]) => name)).toEqual(scoresAt(vote).map(([name]) => name));
        for (const [index, [, score]] of scoresAt(vote).entries())
          expect(Math.abs(Number(numbers[index]![1]) - score)).toBeLessThan(0.00501); // two digits are shown
      }
    },
  );

  it('are shown as those above 0.6 and those below 0.4, with scores=bands', async () => {
    const { votes, scoresAt } = await playOnce({ scores: 'bands' });
    const band = (vote: Question, within: (score: number) => boolean) =>
      scoresAt(vote)
        .filter(([, score]) => within(score))
        .map(([name]) => name)
        .join(', ') || undefined;
    for (const vote of votes) {
      expect(
        findShown(vote, 'By your own ratings, the latest counting most, their statements were clearly deceptive: '),
      ).toBe(band(vote, (score) => score > 0.6));
      expect(
        findShown(vote, 'By your own ratings, the latest counting most, their statements were clearly not deceptive: '),
      ).toBe(band(vote, (score) => score < 0.4));
    }
  });

  it('are not shown with scores=hidden', async () => {
    const { votes } = await playOnce({ scores: 'hidden' });
    for (const { messages } of votes) expect(messages[1]!.content).not.toMatch(/own ratings|you rated/);
  });
});

// Three defects of other implementations of these rules, which must not occur here.

const chooseInACircle = ({ player, alive }: Question) => alive[(alive.indexOf(player) + 1) % alive.length]!;

describe('what went wrong elsewhere:', () => {
  it('the shot of a Hunter who is exiled takes effect, and the one shot is gone', async () => {
    const setup = { ...plusSetup, rules: { ...plusSetup.rules, maxRounds: 2 } };
    const { events } = await playNodes(setup, new ScriptedModel(changePlus(() => undefined)));
    expect(listRulesBroken(setup, events)).toEqual([]);
    const at = events.findIndex(isEventOfType('last_act'));
    expect(events[at]).toMatchObject({ by: hunter, target: rival });
    expect(events[at + 1]).toMatchObject({ type: 'death', player: rival, cause: 'last_act' });
    const later = events.slice(at + 2).filter((event) => 'by' in event && event.by === rival);
    expect(later).toEqual([]);
  });

  it('the shot of a Hunter whom the pack removes can end the match', async () => {
    const board = { name: 'last-shot', roles: { Werewolf: 1, Hunter: 1, Villager: 4 } };
    const setup = dealTable({ board, rules: 'arena', rule: { debateTurns: 1 } });
    const [wolf, shooter] = ['Werewolf', 'Hunter'].map(
      (role) => setup.players.find((player) => player.role === role)!.name,
    );
    const script = createScript({ eliminate: () => ({ proposal: shooter }), shoot: () => ({ target: wolf }) });
    const { events, steps } = await playNodes(setup, new ScriptedModel(script));
    expect(listRulesBroken(setup, events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ winner: 'villagers', reason: 'no Werewolf left', round: 1 });
    expect(steps.join(' ')).toBe('start_round eliminate resolve_night last_act check_winner_night end');
  });

  it('a ballot is never of somebody who has left, nor counted after its voter has', async () => {
    const board = { name: 'shot-voters', roles: { Werewolf: 2, Hunter: 2, Villager: 6 } };
    const setup = dealTable({
      board,
      rules: 'arena',
      rule: { debateTurns: 1, maxRounds: 4, exile: 'plurality', exileTies: 'random' },
    });
    const hunters = setup.players.filter(({ role }) => role === 'Hunter').map(({ name }) => name);
    const next = ({ player, alive }: Question) =>
      alive.find((name) => hunters.includes(name) && name !== player) ?? alive.find((name) => name !== player)!;
    const script = createScript({
      vote: (question) => ({ vote: next(question) }),
      shoot: ({ alive }) => ({ target: alive[0] }),
    });
    const { events } = await playNodes(setup, new ScriptedModel(script));
    expect(listRulesBroken(setup, events)).toEqual([]);
    expect(events.filter(isEventOfType('last_act')).length).toBeGreaterThan(1);
    let living = setup.players.map(({ name }) => name);
    for (const event of events) {
      if (event.type === 'death') living = living.filter((name) => name !== event.player);
      if (event.type === 'ballot') expect(living).toEqual(expect.arrayContaining([event.by, event.target]));
    }
    for (const round of new Set(events.map((event) => event.round))) {
      const cast = events
        .filter(isEventOfType('ballot'))
        .filter((ballot) => ballot.round === round)
        .map(({ by }) => by);
      expect(new Set(cast).size).toBe(cast.length);
    }
  });

  it('a Seer who has checked everybody is not asked any more, and the match goes on', async () => {
    const board = { name: 'long-nights', roles: { Werewolf: 1, Seer: 1, Guard: 1, Witch: 1, Villager: 2 } };
    const setup = dealTable({ board, rules: 'arena', rule: { debateTurns: 1, maxRounds: 7, guardRepeat: true } });
    const victim = setup.players.find(({ role }) => role === 'Villager')!.name;
    const model = new ScriptedModel(
      createScript({
        eliminate: () => ({ proposal: victim }),
        guard: () => ({ target: victim }),
        save: () => ({ target: 'pass' }),
        poison: () => ({ target: 'pass' }),
        vote: (question) => ({ vote: chooseInACircle(question) }),
      }),
    );
    const { events } = await playNodes(setup, model);
    expect(listRulesBroken(setup, events)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ type: 'ended', reason: 'round limit', round: 7 });
    expect(model.asked.filter(({ action }) => action === 'unmask').map(({ round }) => round)).toEqual([1, 2, 3, 4, 5]);
  });
});
