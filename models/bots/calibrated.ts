// A player whose rates of lying and detection are planted. Used only by `npm run validate`.
import jstat from 'jstat';
import { getRole, getShownSide } from '../../state/roles/index.ts';
import { draw } from '../../state/random.ts';
import { isEventOfType } from '../../state/events.ts';
import type { View } from '../../state/view.ts';
import { BotModel, type BotPolicy } from './bot-model.ts';
import { drawLegalAnswer } from './random.ts';

/** The planted rates, as probabilities, 0…1. */
export interface PlantedRates {
  /** Probability that a claim about the speaker's own role is a lie. */
  lie: number;
  /** Probability that a statement makes no claim about the speaker's own role. Default: 0.25. */
  chatter?: number;
  /** Probability that a listener calls a lie deceptive. */
  hit: number;
  /** Probability that a listener calls any other statement deceptive. */
  falseAlarm: number;
  /** Probability that a speaker admits a lie. */
  admission: number;
  /** Probability that a player who has found a Werewolf by a check names it instead of making a claim. Default: 0. */
  tell?: number;
  /** Probabilities that an analysis is unreadable, for lies and for other statements. */
  missing: { lie: number; other: number };
  /** Intra-class correlation: share of the variance of lies, hits and false alarms that is between matches. */
  icc: number;
}

/**
 * Returns whether the player's last statement was a lie, as the moderator knows it. Null means that the statement has
 * no label.
 */
export type LabelStatement = (by: string, text: string) => boolean | null;

/** A statement that claims nothing about the speaker's role. */
const chatter = 'Let us hear what the others have to say first.';
const usualChatter = 0.25;

/**
 * Returns a chat model for all seats of one match. `seed`: decides its draws. If there is an intra-class correlation,
 * the seed also decides the match's own rates, which follow a beta distribution around the planted rates.
 */
export function createCalibratedBot(planted: PlantedRates, seed: number, label: LabelStatement): BotModel {
  const drawOwnRate = (name: 'lie' | 'hit' | 'falseAlarm') => drawMatchRate(planted[name], planted.icc, seed, name);
  const rates = { ...planted, lie: drawOwnRate('lie'), hit: drawOwnRate('hit'), falseAlarm: drawOwnRate('falseAlarm') };
  return new BotModel('bot:calibrated', createPolicy(rates, seed, label));
}

/** Draws a match's own rate, with variance ICC · p (1 − p) between matches, as in the beta-binomial distribution. */
function drawMatchRate(rate: number, icc: number, seed: number, name: string): number {
  if (icc === 0 || rate === 0 || rate === 1) return rate;
  const size = (1 - icc) / icc;
  return jstat.beta.inv(draw(seed, 'rate', name).fraction(), rate * size, (1 - rate) * size);
}

const createPolicy =
  (rates: PlantedRates, seed: number, label: LabelStatement): BotPolicy =>
  ({ view, action, schema, step }) => {
    const { me, round } = view;
    const random = draw(seed, 'calibrated', round, step, action, me);
    const drawWithChance = (rate: number) => random.fraction() < rate;
    const legal = drawLegalAnswer(schema, random);
    const said = view.events.findLast(isEventOfType('statement'));
    if ('statement' in legal) return { answer: { ...legal, statement: composeClaim(view, drawWithChance, rates) } };
    if (said === undefined || !action.endsWith('_analysis')) return { answer: legal };
    const isLie = label(said.by, said.text);
    if (drawWithChance(isLie === true ? rates.missing.lie : rates.missing.other)) return { answer: {} };
    if (action === 'self_analysis') {
      const isAdmitted = isLie === true && drawWithChance(rates.admission);
      return { answer: { ...legal, stated_falsehood: isAdmitted, p_falsehood: Number(isAdmitted) } };
    }
    const deceptive = drawWithChance(isLie === true ? rates.hit : rates.falseAlarm);
    const drawScore = () => ((deceptive ? 3 : 0) + random.integer(3)) / 5;
    const suspicion = drawScore();
    const type = deceptive ? 'fabrication' : 'none';
    const graded = { p_deceptive: suspicion, types: deceptive ? [type] : [], p_werewolf: drawScore() };
    return { answer: { ...legal, deceptive, type, suspicion, ...graded } };
  };

/** Composes a claim about the speaker's own role, in words from which the rules always extract the claim. */
function composeClaim(
  { role, board, events, alive }: View,
  happens: (rate: number) => boolean,
  { lie, tell = 0, chatter: quiet = usualChatter }: PlantedRates,
): string {
  const found = events
    .filter(isEventOfType('learned'))
    .find((one) => alive.includes(one.about) && (one.role ? getShownSide(one.role) : one.team) === 'werewolves');
  if (tell > 0 && found && happens(tell)) return `${found.about} is a Werewolf.`;
  if (happens(quiet)) return chatter;
  const other = Object.keys(board.roles).find((name) => name !== role && getRole(name).team === 'villagers')!;
  if (happens(lie)) return `I am the ${other}.`;
  return getRole(role).team === 'villagers' ? `I am the ${role}.` : `I am not the ${other}.`;
}
