// The Idiot: the first exile costs the vote, not the game.
import { describe, expect, it } from '@jest/globals';
import { deriveKnowledge } from '../../deception/knowledge/player-knowledge.ts';
import { computeEntropy, createChoiceFinder } from '../../deception/metrics/vote-dynamics.ts';
import { playRandomMatches } from '../../deception/play/random-matches.ts';
import { buildRoundRows } from '../../deception/tables/game-rows.ts';
import { buildTables } from '../../deception/tables/match-tables.ts';
import { renderStoryLine } from '../../report/story.ts';
import { readBoard } from '../../state/boards.ts';
import type { EventOf } from '../../state/events.ts';
import { resolveBoardRules } from '../../state/rulebook.ts';
import { hasLostVote, listVoters, resolveExile } from '../../state/steps/voting.ts';
import { createView } from '../../state/view.ts';
import { gameAt, type Moment } from '../game.ts';
import { listRulesBroken } from '../referee.ts';

const seats = { Ginger: 'Werewolf', Leah: 'Werewolf', Sam: 'Seer', Dan: 'Idiot', Will: 'Villager', Bert: 'Villager' };

const survived = (round = 1): EventOf<'exile_survived'> => ({
  round,
  phase: 'day',
  audience: 'everyone',
  type: 'exile_survived',
  player: 'Dan',
  role: 'Idiot',
});

const against = (target: string, names: readonly string[]) => names.map((by) => ({ by, target }));
const at = (moment: Moment = {}) => gameAt({ seats, phase: 'day', ...moment });

describe('an Idiot who is voted to be exiled', () => {
  const votes = against('Dan', ['Ginger', 'Leah', 'Sam', 'Will']);

  it('stays for the first time, and everybody is told the role', () => {
    expect(resolveExile({ ...at(), votes })).toEqual(survived());
  });

  it('leaves the second time', () => {
    const game = { ...at({ round: 2, events: [survived()] }), votes };
    expect(resolveExile(game)).toMatchObject({ type: 'death', player: 'Dan', cause: 'exile' });
  });

  it('has no vote from then on', () => {
    const game = at({ round: 2, events: [survived()] });
    expect(hasLostVote(game.gameLogs, 'Dan')).toBe(true);
    expect(listVoters(game)).toEqual(Object.keys(seats).filter((name) => name !== 'Dan'));
  });

  it('no longer counts where a majority is needed', () => {
    const three = against('Ginger', ['Sam', 'Will', 'Bert']);
    expect(resolveExile({ ...at(), votes: three })).toMatchObject({ type: 'no_exile' }); // 3 of 6
    const later = at({ round: 2, events: [survived()] });
    expect(resolveExile({ ...later, votes: three })).toMatchObject({ type: 'death', player: 'Ginger' }); // 3 of 5
  });

  it('leaves a tie undecided where nobody else has a vote', () => {
    const rules = { exile: 'plurality', exileTies: 'pk' } as const;
    const game = at({ round: 2, rules, events: [survived()], gone: ['Leah', 'Will', 'Bert'] });
    const tied = [...against('Sam', ['Ginger']), ...against('Ginger', ['Sam'])];
    expect(resolveExile({ ...game, votes: tied })).toMatchObject({ type: 'no_exile', reason: 'tie' });
  });

  it('is known to everybody', () => {
    const game = at({ round: 2, events: [survived()] });
    for (const me of ['Ginger', 'Sam', 'Will'])
      expect(deriveKnowledge(createView(game, me)).listPossibleRoles('Dan')).toEqual(['Idiot']);
  });

  it('is told of in the story', () => {
    expect(renderStoryLine(survived(), { reveal: false })).toContain(
      'Dan is voted to be exiled, shows the role Idiot and stays',
    );
  });
});

describe('matches with an Idiot', () => {
  const board = readBoard({ name: 'idiot-8', roles: { Werewolf: 2, Seer: 1, Idiot: 2, Villager: 3 } });

  it.each(['wolf', 'arena', 'plus'])('are played by the rules under %s', (preset) => {
    for (const { setup, events } of playRandomMatches({ board, rules: resolveBoardRules(board, preset) }, 30, 1))
      expect(listRulesBroken(setup, events)).toEqual([]);
  });

  const rules = resolveBoardRules(board, 'arena', { exile: 'plurality', exileTies: 'random' });
  const records = [...playRandomMatches({ board, rules }, 40, 2)].map(({ setup, events }, index) => ({
    manifest: {
      schema_version: 4 as const,
      id: `m${index}`,
      setup: {
        ...setup,
        models: Object.fromEntries(setup.players.map(({ name }) => [name, 'bot:random'])),
        bots: [],
        honesty_sentence: null,
      },
      made_by: {
        wolfgraph: '',
        node: '',
        packages: {},
        commit: null,
        templates_sha256: '',
        prices: {},
        created_at: '',
      },
    },
    events,
    answers: [],
  }));
  const shown = records.filter(({ events }) => events.some(({ type }) => type === 'exile_survived'));

  it('come to such an exile often enough to be looked at', () => {
    expect(shown.length).toBeGreaterThan(10);
  });

  it('count the lost vote in rounds, consensus and entropy', () => {
    for (const record of shown) {
      const at = record.events.findIndex(({ type }) => type === 'exile_survived');
      const event = record.events[at] as EventOf<'exile_survived'>;
      const later = buildRoundRows(record).filter(({ round }) => round > event.round);
      const ballots = record.events.slice(at).filter((cast) => cast.type === 'ballot');
      expect(ballots.map(({ by }) => by)).not.toContain(event.player);
      const isThere = (round: number) =>
        !record.events.some(
          (cast) =>
            cast.type === 'death' &&
            cast.player === event.player &&
            (cast.round < round || (cast.round === round && cast.phase === 'night')),
        );
      for (const row of later) expect(row.without_vote.split(' ').includes(event.player)).toBe(isThere(row.round));
    }
  });

  it('decide a day by those who still vote', () => {
    const [record] = shown;
    const tables = buildTables(record!);
    const find = createChoiceFinder({
      ...tables,
      match: { ...tables.match, rules: JSON.stringify({ ...rules, exile: 'majority' }) },
    });
    const row = { ...tables.rounds[0]!, villagers_alive: 4, werewolves_alive: 2, sheriff: null };
    const poll = { index: 1, votes: ['Sam', 'Will', 'Bert'].map((voter) => ({ voter, target: 'Ginger' })) } as never;
    expect(find(poll, { ...row, without_vote: '' })).toBeNull(); // 3 of 6
    expect(find(poll, { ...row, without_vote: 'Dan' })).toBe('Ginger'); // 3 of 5
    expect(computeEntropy(poll)).toBe(0);
  });
});
