// The order of play of one match: the steps of its nights and days, each at its first occurrence.
import type { GameEvent } from '../../state/events.ts';
import { eventDescriptions } from '../../state/event-descriptions.ts';
import { escapeMarkdown } from '../format.ts';
import { drawFlow, type FlowArrow } from '../pictures/moment-pictures.ts';
import type { Picture } from '../pictures/picture-drawing.ts';
import type { PaperContent, PaperMatch } from './paper-item.ts';

/**
 * Types of events that are not steps: what players learned before the first night, thoughts, remembered experiences,
 * and missing answers.
 */
const besideSteps = new Set(['dealt', 'acquainted', 'thought', 'remembered', 'missing']);

/**
 * Describes the steps of a match with their rounds, also as a picture.
 *
 * @example describeGameLoop(match).rows[0] // ['night', 'round_started', 'a round began', '4']
 */
export function describeGameLoop({ record: { manifest, events } }: PaperMatch): PaperContent {
  const found = Map.groupBy(
    events.filter(({ round, type }) => round > 0 && !besideSteps.has(type)),
    ({ phase, type }) => `${phase} ${type}`,
  );
  const last = Math.max(0, ...events.map(({ round }) => round));
  const steps = [...found.values()].map((own) => {
    const [{ phase, type }] = own as [(typeof own)[number]];
    return { phase, type, rounds: `${new Set(own.map(({ round }) => round)).size} of ${last}` };
  });
  return {
    head: ['Phase', 'Step', 'What happens', 'Rounds'],
    rows: steps.map(({ phase, type, rounds }) => [phase, `\`${type}\``, eventDescriptions[type].tells, rounds]),
    texts: 3,
    missing: [],
    notes: [
      `Match ${escapeMarkdown(manifest.id)} on the board ${escapeMarkdown(manifest.setup.board.name)}. Each step is listed where it first occurs; rounds repeat the steps until a side has won.`,
    ],
    picture: drawGameLoop(steps),
  };
}

interface LoopStep {
  phase: GameEvent['phase'];
  type: GameEvent['type'];
  rounds: string;
}

/** Draws night and day side by side. Arrows lead from the day to another night and to the end. */
function drawGameLoop(steps: readonly LoopStep[]): Picture {
  const end = steps.filter(({ type }) => type === 'ended');
  const [night, day] = (['night', 'day'] as const).map((wanted) =>
    steps.filter(({ phase, type }) => phase === wanted && type !== 'ended'),
  ) as [LoopStep[], LoopStep[]];
  const columns = [night, day, end];
  const boxes = columns.flatMap((own, column) =>
    own.map(({ type, rounds }, row) => ({
      ...{ text: type.replaceAll('_', ' '), note: `${rounds} rounds`, column },
      row: column === 2 ? Math.max(0, day.length - 1) : row,
    })),
  );
  const first = (column: number) => columns.slice(0, column).reduce((sum, own) => sum + own.length, 0);
  const within = columns.flatMap((own, column) =>
    own.slice(1).map((_, at): FlowArrow => [first(column) + at, first(column) + at + 1]),
  );
  const lastOfNight = night.length - 1;
  const lastOfDay = first(2) - 1;
  const between: FlowArrow[] = day.length === 0 ? [[lastOfNight, first(2)]] : [[lastOfNight, first(1)], [lastOfDay, first(2)], [lastOfDay, 0]]; // prettier-ignore
  return drawFlow(
    {
      name: 'game-flow',
      title: 'Flow of a game',
      description:
        'The steps of a night and of a day from top to bottom, each with the rounds in which it happened. After the last step of a day another night begins, or the game ends.',
    },
    { headings: ['night', 'day', 'end'], boxes, arrows: [...within, ...between] },
  );
}
