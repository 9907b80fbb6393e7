// Rules of the papers that no preset has: votes without reasons, a Sheriff chosen from all players, listeners who are
// not asked for suspects, and notes that include the thoughts of a player’s analyses.
import { describe, expect, it } from '@jest/globals';
import { boards } from '../../state/boards.ts';
import { isEventOfType } from '../../state/events.ts';
import { canaries } from '../canaries.ts';
import { ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, type Options, playNodes } from '../table.ts';

const short = { debateTurns: 2, maxRounds: 2 };

async function playWith(rule: Options, board = createBoard(2, 1, 1, 4)) {
  const { script, heard } = canaries();
  const model = new ScriptedModel(script);
  return { ...(await playNodes(dealTable({ board, rule, seed: 2 }), model)), model, heard };
}

describe('ballotReasons=false', () => {
  it('shows public ballots without a reason, and analyzes none', async () => {
    const { events, model } = await playWith({ ...short, ballotReasons: false });
    const ballots = events.filter(isEventOfType('ballot'));
    expect(ballots.length).toBeGreaterThan(7);
    for (const ballot of ballots) {
      expect(ballot.audience).toBe('everyone');
      expect(ballot.explanation).toBeUndefined();
    }
    const votes = model.asked.filter(({ action }) => action === 'vote');
    expect(votes.filter(({ fields }) => 'explanation' in fields)).toEqual([]);
    expect(votes[0]!.messages[0]!.content).toContain('then shown to everybody.');
    expect(model.asked.filter(({ action }) => action.startsWith('ballot_'))).toEqual([]);
  });
});

describe('sheriffCandidates=all', () => {
  it('has everybody vote for another, without candidates or speeches', async () => {
    const rule = { debateOrder: 'round-robin', maxRounds: 1, analysis: 'off', sheriff: true, sheriffCandidates: 'all' };
    const { events, model } = await playWith(rule, boards['plus-8']);
    expect(model.asked.filter(({ action }) => ['candidacy', 'campaign'].includes(action))).toEqual([]);
    const ballots = events.filter(isEventOfType('badge_ballot')).filter(({ ballot }) => ballot === 1);
    const dead = events.filter(isEventOfType('death')).filter(({ phase }) => phase === 'night');
    expect(ballots).toHaveLength(8 - dead.length);
    expect(ballots.filter(({ by, target }) => by === target)).toEqual([]);
    expect(events.filter(isEventOfType('elected'))).toHaveLength(1);
    const shown = model.asked.map(({ messages }) => messages[1]!.content).join('\n');
    expect(shown).not.toMatch(/stands? for Sheriff/);
    expect(shown).toContain('Before the debate the players elect a Sheriff. Whom do you vote for as Sheriff?');
  });
});

describe('peerSuspects=false', () => {
  it('asks listeners for the four fields of WOLF alone', async () => {
    const rule = { ...short, questions: 'paper', peerSuspects: false };
    const { events, model } = await playWith(rule);
    const asked = model.asked.filter(({ action }) => action === 'peer_analysis');
    expect(asked.length).toBeGreaterThan(10);
    for (const { fields } of asked)
      expect(Object.keys(fields)).toEqual(['reasoning', 'deceptive', 'type', 'confidence', 'suspicion']);
    const given = events.filter(isEventOfType('assessment')).filter(({ by, about }) => by !== about);
    expect(given.every(({ suspicion }) => suspicion !== undefined)).toBe(true);
    expect(given.filter((event) => 'p_werewolf' in event)).toEqual([]);
  });
});

describe('thoughts=all', () => {
  it('keeps what players thought in analyses, for themselves alone, in all later rounds', async () => {
    const { model, heard } = await playWith({ ...short, thoughts: 'all', selfReport: 'with-notes' });
    const kept = model.asked.flatMap((question) =>
      heard(question)
        .filter(({ action, field }) => action.endsWith('_analysis') && field === 'reasoning')
        .map((canary) => ({ question, canary })),
    );
    expect(kept.filter(({ question, canary }) => canary.round < question.round).length).toBeGreaterThan(20);
    expect(new Set(kept.map(({ canary }) => canary.action))).toEqual(
      new Set(['self_analysis', 'peer_analysis', 'ballot_self_analysis', 'ballot_peer_analysis']),
    );
    for (const { question, canary } of kept) expect(canary.by).toBe(question.player);
  });

  it('is not what the scratchpad of thoughts=kept holds', async () => {
    const { model, heard } = await playWith({ ...short, thoughts: 'kept' });
    const all = model.asked.flatMap((question) => heard(question));
    expect(all.filter(({ action, field }) => action.endsWith('_analysis') && field === 'reasoning')).toEqual([]);
  });
});
