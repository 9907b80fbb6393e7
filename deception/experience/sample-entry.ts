// A sample entry of an invented match. If two versions of the program render the same text for it, they word all
// entries in the same way.
import { boards } from '../../state/boards.ts';
import { createGame, dealPlan } from '../../state/deal.ts';
import { createView } from '../../state/view.ts';
import { renderEntry } from './entry-text.ts';
import { describeDeed, describeSituation } from './situation.ts';

let rendered: string | undefined;

/**
 * Returns the text of the sample entry. It is the same in every process of one version of the program.
 *
 * @example renderSampleEntry() // 'You are [A], Werewolf. Day 2, …'
 */
export function renderSampleEntry(): string {
  if (rendered !== undefined) return rendered;
  const setup = dealPlan({ board: boards['plus-8']!.name, rules: 'plus', seed: 1 });
  const [me, one, other, third] = setup.players.map(({ name }) => name) as [string, string, string, string];
  const everyone = { audience: 'everyone', phase: 'day' } as const;
  const view = createView(
    {
      ...createGame(setup),
      ...{ roundNum: 2, phase: 'day' as const, alivePlayers: setup.players.slice(0, -1).map(({ name }) => name) },
      gameLogs: [
        { ...{ round: 1, phase: 'night', audience: [me] }, type: 'learned', by: me, about: one, team: 'werewolves' },
        { ...everyone, round: 1, type: 'elected', player: other, how: 'vote' },
        { ...everyone, round: 1, type: 'statement', id: '1.1', by: third, text: 'I am the Seer.' },
        { ...everyone, round: 1, type: 'ballot', id: `1.${other}`, by: other, target: one },
        { ...everyone, round: 1, type: 'death', player: setup.players.at(-1)!.name, cause: 'exile' },
        { ...everyone, round: 2, type: 'statement', id: '2.1', by: one, text: `I trust ${me}.` },
      ],
    },
    me,
  );
  rendered = renderEntry({
    situation: describeSituation(view, 'ballot'),
    done: describeDeed(view, 'vote', { vote: one, explanation: 'So be it.' })!,
    reflection: 'Your side won.',
  });
  return rendered;
}
