// Which question led to which moment of a match: events say what came of the answers, not which question they answer.
import { type GameEvent, type Occasion } from '../../state/events.ts';

/** A question as its answers are recorded, and how often it was asked. */
export interface AskedQuestion {
  round: number;
  step: number;
  action: string;
  player: string;
  attempts: number;
}

/** The key of one attempt, as answers and prompts have it. */
type Attempt = Omit<AskedQuestion, 'attempts'> & { attempt: number };

/** What a question is found by; without `step` it is the player's next one of its kind in the round. */
interface Wanted {
  round: number;
  action: string;
  /** Absent: all players' of that kind that nothing else has answered. */
  player?: string;
  step?: number;
}

/** The question that a statement on each occasion answers. */
const speechActions: Readonly<Record<Occasion | 'debate', string>> = {
  debate: 'debate',
  campaign: 'campaign',
  recommendation: 'recommend',
  pk: 'pk_debate',
};

/** `2.3` is asked for at step 2. */
const readNumber = (id: string) => Number(id.split('.')[1]);

/** The questions of these types are named as the event's own `verb`, or here. */
const plainActions: { [Type in GameEvent['type']]?: string } = {
  ballot: 'vote',
  candidacy: 'candidacy',
  badge_ballot: 'elect',
  badge: 'pass_badge',
  speaking_order: 'speaking_order',
  pseudo_ballot: 'pseudo_vote',
  summary: 'summarize',
};

/** What an event answers; null for one that answers nothing. */
function findWanted(event: GameEvent): Wanted | null {
  const { round } = event;
  switch (event.type) {
    case 'statement':
    case 'silence':
      return {
        ...{ round, action: speechActions[event.occasion ?? 'debate'], player: event.by },
        step: readNumber(event.id) - 1,
      };
    case 'bid':
    case 'synthetic_vote':
    case 'beliefs':
      return { round, action: event.type, player: event.by, step: event.step };
    case 'assessment': {
      const whose = event.by === event.about ? 'self_analysis' : 'peer_analysis';
      return event.kind === 'ballot'
        ? { round, action: `ballot_${whose}`, player: event.by }
        : { round, action: whose, player: event.by, step: readNumber(event.statement) };
    }
    case 'missing': {
      const step = /^\d+\.\d+$/.test(event.statements[0] ?? '') ? readNumber(event.statements[0]!) : undefined;
      return { round, action: event.action, player: event.by, ...(step !== undefined && { step }) };
    }
    case 'pick':
      return { round, action: event.verb };
    case 'proposal':
    case 'acted':
    case 'passed':
    case 'last_act':
      return { round, action: event.verb, player: event.by };
    default: {
      const action = plainActions[event.type];
      return action === undefined || !('by' in event) ? null : { round, action, player: event.by };
    }
  }
}

/**
 * Returns the questions that an event answers, to be called with each event of a match in order.
 *
 * @example
 * const take = createQuestionFinder(record.answers);
 * const asked = record.events.map(take);
 */
export function createQuestionFinder(attempts: readonly Attempt[]): (event: GameEvent) => AskedQuestion[] {
  const open = new Map<string, AskedQuestion>();
  for (const { round, step, action, player, attempt } of attempts) {
    const key = JSON.stringify([round, step, action, player]);
    const known = open.get(key);
    open.set(key, { round, step, action, player, attempts: Math.max(attempt, known?.attempts ?? 0) });
  }
  const groups = Map.groupBy(
    [...open.values()].sort((one, other) => one.step - other.step),
    ({ round, action }) => JSON.stringify([round, action]),
  );
  return (event) => {
    const wanted = findWanted(event);
    const group = wanted && groups.get(JSON.stringify([wanted.round, wanted.action]));
    if (!wanted || !group) return [];
    const { player, step } = wanted;
    const found = group.filter(
      (one) => (player === undefined || one.player === player) && (step === undefined || one.step === step),
    );
    const taken = player === undefined ? found : found.slice(0, 1);
    for (const one of taken) group.splice(group.indexOf(one), 1);
    return taken;
  };
}
