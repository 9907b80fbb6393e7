// What a player remembers from one prompt to the next, and what never comes back.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { canaries, type Canary } from '../canaries.ts';
import type { Question } from '../question.ts';
import { ScriptedModel } from '../scripted-model.ts';
import { boardOf, dealt, playDeal } from '../table.ts';

const rule = { debateTurns: 3, maxRounds: 3, syntheticVotes: true, beliefs: 'each-round', scores: 'numbers' };
const remembered = ['eliminate', 'protect', 'unmask', 'bid', 'debate', 'vote'];

describe.each(['summary', 'full'])('what a player remembers with memory=%s', (memory) => {
  const setup = dealt({ board: boardOf(2, 1, 1, 4), rule: { ...rule, memory }, seed: 2 });
  const { script, heard, laid } = canaries();
  const model = new ScriptedModel(script);
  let all: { question: Question; canary: Canary }[];
  beforeAll(async () => {
    await playDeal(setup, model);
    all = model.asked.flatMap((question) => heard(question).map((canary) => ({ question, canary })));
    expect(Math.max(...model.asked.map(({ round }) => round))).toBe(3);
  });

  const isOwn = ({ question, canary }: (typeof all)[number]) => canary.by === question.player;
  const kinds = (heard: typeof all) => new Set(heard.map(({ canary }) => `${canary.action} ${canary.field}`));

  it('is the own reasoning of bids, statements, votes and night acts, and the own summaries', () => {
    const own = all.filter(isOwn).filter(({ canary }) => canary.field !== 'raw');
    const thoughts = new Set(
      own.filter(({ canary }) => canary.field === 'reasoning').map(({ canary }) => canary.action),
    );
    expect([...thoughts].sort()).toEqual([...remembered].sort());
    expect(kinds(own)).toContain('summarize summary');
  });

  it('is no analysis, belief or vote for show, not even the own', () => {
    const kept = [...kinds(all.filter(({ canary }) => canary.field !== 'raw'))];
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
    expect(kinds(today)).toEqual(new Set(['debate statement', 'vote explanation']));
  });

  it('grows within a round and is never rewritten, so that a provider can keep it', () => {
    const history = ({ messages }: Question) => messages[1]!.content.split('\n\nIt is ')[0]!;
    for (const asked of Map.groupBy(model.asked, ({ player }) => player).values()) {
      expect(new Set(asked.map(({ messages }) => messages[0]!.content)).size).toBe(1);
      for (const [index, question] of asked.entries()) {
        const before = asked[index - 1];
        if (before?.round !== question.round) continue;
        expect(history(question).slice(0, history(before).length)).toBe(history(before));
      }
    }
  });
});
