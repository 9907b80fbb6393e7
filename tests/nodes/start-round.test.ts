// The first node of a round: it opens the night, and deals where a run was started without players.
import { describe, expect, it } from '@jest/globals';
import { roundNodes } from '../../nodes/round.ts';
import { dealPlan, newGame } from '../../state/deal.ts';
import type { Game } from '../../state/game.ts';
import { defaultPlan } from '../../state/setup.ts';
import { gameAt, setupOf } from '../game.ts';

/** The state in which the graph starts for an input of these fields alone. */
const started = (fields: object) =>
  ({
    plan: defaultPlan,
    roundNum: 0,
    alivePlayers: [],
    phase: 'night',
    step: 0,
    winner: null,
    ...fields,
  }) as unknown as Game; // without `setup` where it is not given

const opened = async (game: Game) =>
  roundNodes.start_round(game, { ask: () => Promise.reject(new Error('Nobody is asked.')) });

describe('a run started', () => {
  it('with nothing is dealt the default board under the rules of WOLF', async () => {
    const { change, events } = await opened(started({}));
    const { setup, alivePlayers } = change;
    expect(setup).toEqual(dealPlan({ board: 'classic-8', rules: 'wolf', seed: 1 }));
    expect(alivePlayers).toHaveLength(8);
    expect(events.filter(({ type }) => type === 'dealt')).toHaveLength(8);
  });

  it('with a plan is dealt what that names', async () => {
    const plan = { board: 'classic-8', rules: 'arena', seed: 7 };
    const { change } = await opened(started({ plan }));
    expect(change.setup).toEqual(dealPlan(plan));
  });

  it('with a set-up in full is played by its players', async () => {
    const setup = setupOf();
    expect((await opened(started({ setup }))).change).toMatchObject(newGame(setup));
  });

  it('with players already seated keeps them', async () => {
    const { setup, alivePlayers } = (await opened(started(newGame(setupOf())))).change;
    expect([setup, alivePlayers]).toEqual([undefined, undefined]);
  });
});

describe('a match that is over', () => {
  const refusal = /^This match ended in round 2\. Start the next one in a new thread\.$/;

  it('because a side has won is not gone on with', async () => {
    await expect(opened({ ...gameAt({ round: 2 }), winner: 'villagers' })).rejects.toThrow(refusal);
  });

  it('because its last round is over is not gone on with', async () => {
    await expect(opened(gameAt({ round: 2, rules: { maxRounds: 2 } }))).rejects.toThrow(refusal);
  });
});
