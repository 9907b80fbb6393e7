// Nobody ever rules out what is so, and it does not matter how knowledge was gathered.
import { describe, expect, it } from '@jest/globals';
import { knowledge, openTable, type Knowledge } from '../../../deception/knowledge/knowledge.ts';
import { all, hasRole, type Truth } from '../../../deception/knowledge/proposition.ts';
import { newGame } from '../../../state/deal.ts';
import { randomMatches, type RandomMatch } from '../../../deception/simulation/random-matches.ts';
import { rulesOn } from '../../../state/board-rules.ts';
import { readBoard } from '../../../state/boards.ts';
import type { GameEvent } from '../../../state/event.ts';
import type { Game } from '../../../state/game.ts';
import { survivors } from '../../../state/night.ts';
import { presets } from '../../../state/rules.ts';
import type { Setup } from '../../../state/setup.ts';
import { view } from '../../../state/view.ts';
import { ScriptedModel } from '../../scripted-model.ts';
import { play } from '../../table.ts';
import { unrulyAnswer } from '../../unruly-answers.ts';

const publicOf = ({ board, rules, players }: Setup) => ({ board, rules, players: players.map(({ name }) => name) });

const truth = ({ players }: Setup) => all(...players.map(({ name, role }) => hasRole(name, role)));

/** All roles of the board of sixteen, two of them twice. */
const sixteen = {
  name: 'sixteen',
  roles: { Werewolf: 5, Seer: 1, Witch: 2, Hunter: 1, Guard: 1, Doctor: 2, Villager: 4 },
};

const boards = ['classic-8', 'plus-8', 'plus-9', 'plus-10', 'plus-12', 'plus-12-sheriff', sixteen].map(readBoard);
const grounds = boards.flatMap((board) =>
  Object.keys(presets).map((preset) => ({
    name: `${board.name} under ${preset}`,
    board,
    rules: rulesOn(board, preset, {
      maxRounds: 3,
      ...(preset === 'plus' ? {} : { debateTurns: 1 }),
      ...(preset === 'arena' ? { exile: 'plurality', exileTies: 'random', reveal: 'team', wins: 'edge' } : {}),
    }),
  })),
);

/** What is asked of each player's knowledge: once a phase, which is how often it changes. */
function walk(setup: Setup, events: readonly GameEvent[], ask: (me: string, known: Knowledge, at: number) => void) {
  const table = openTable(publicOf(setup));
  for (const [at, event] of events.entries()) {
    table.see(event);
    const next = events[at + 1];
    if (event.round > 0 && (next?.round !== event.round || next.phase !== event.phase))
      for (const { name } of setup.players) ask(name, table.of(name), at);
  }
}

describe('in a whole match', () => {
  const mistaken = (setup: Setup, events: readonly GameEvent[]) => {
    const what = truth(setup);
    const asked: [me: string, Truth][] = [];
    walk(setup, events, (me, known) => asked.push([me, known.known(what)]));
    expect(asked.length).toBeGreaterThanOrEqual(setup.players.length);
    return asked.filter(([, answer]) => answer === 'false');
  };

  it.each(grounds)('on $name no player takes for impossible what is so', (ground) => {
    for (const { setup, events } of randomMatches(ground, 3, 1)) expect(mistaken(setup, events)).toEqual([]);
  });

  it('nor where players act with a plan', async () => {
    const { setup, events } = await play({ board: 'plus-12-sheriff', rules: 'plus', seed: 1, rule: { maxRounds: 2 } });
    expect(mistaken(setup, events)).toEqual([]);
  });

  it.each([1, 3])(
    'nor where most acts are drawn in the stead of models that answer anything (seed %i)',
    async (seed) => {
      const model = new ScriptedModel((question) => unrulyAnswer(question, seed, 10));
      const rule = { analysis: 'off', maxRounds: 3, debateTurns: 1 };
      const { setup, events } = await play({ board: 'classic-8', seed, model, rule });
      expect(events.some((event) => 'mark' in event && event.mark !== undefined && event.phase === 'night')).toBe(true);
      expect(mistaken(setup, events)).toEqual([]);
    },
  );

  it.each(grounds.filter((_, index) => [0, 7, 14].includes(index)))(
    'on $name knowledge of a View is the same as what was gathered event by event',
    (ground) => {
      const [{ setup, events }] = [...randomMatches(ground, 1, 1)] as [RandomMatch];
      const names = setup.players.map(({ name }) => name);
      walk(setup, events, (me, known, at) => {
        const seen = knowledge(view(gameUpTo(setup, events.slice(0, at + 1)), me));
        for (const name of names) expect(seen.rolesOf(name)).toEqual(known.rolesOf(name));
      });
    },
  );
});

function gameUpTo(setup: Setup, events: readonly GameEvent[]): Game {
  const { round, phase } = events.at(-1)!;
  const game = newGame(setup) as Game;
  const alivePlayers = survivors(game.alivePlayers, events);
  return { ...game, alivePlayers, roundNum: round, phase, step: 0, gameLogs: [...events], winner: null };
}
