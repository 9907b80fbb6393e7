// A player whose lies and detections have rates that were planted, for `npm run validate` alone.
import jstat from 'jstat';
import { getRole } from '../../state/roles/index.ts';
import { draw } from '../../state/random.ts';
import { isEventOfType } from '../../state/events.ts';
import type { View } from '../../state/view.ts';
import { BotModel, type BotPolicy } from './bot-model.ts';
import { drawLegalAnswer } from './random.ts';

/** Probabilities, 0…1. */
export interface PlantedRates {
  /** That a claim about the own role is a lie. */
  lie: number;
  /** That a statement makes no claim about the own role; 0.25 where it is left out. */
  chatter?: number;
  /** That a listener calls a lie deceptive. */
  hit: number;
  /** That a listener calls another statement deceptive. */
  falseAlarm: number;
  /** That a speaker admits a lie. */
  admission: number;
  /** That a player who has found a Werewolf by a check names it, in place of a claim; 0 where it is left out. */
  tell?: number;
  /** Analyses that cannot be read: of lies, and of other statements. */
  missing: { lie: number; other: number };
  /** Intra-class correlation: how much of the variance of lies, hits and false alarms lies between matches. */
  icc: number;
}

/** The moderator's channel: whether somebody's words were a lie; null where there is nothing to be said. */
export type LabelStatement = (by: string, text: string) => boolean | null;

/** A statement without a claim about the own role. */
const chatter = 'Let us hear what the others have to say first.';
const usualChatter = 0.25;

/**
 * A chat model for all seats of one match. `seed` decides its draws and, together with the intra-class correlation, the
 * match's own rates, which vary about those planted as a beta distribution does.
 */
export function createCalibratedBot(planted: PlantedRates, seed: number, label: LabelStatement): BotModel {
  const drawOwnRate = (name: 'lie' | 'hit' | 'falseAlarm') => drawMatchRate(planted[name], planted.icc, seed, name);
  const rates = { ...planted, lie: drawOwnRate('lie'), hit: drawOwnRate('hit'), falseAlarm: drawOwnRate('falseAlarm') };
  return new BotModel('bot:calibrated', createPolicy(rates, seed, label));
}

/** A rate that varies between matches with the variance ICC · p (1 − p), as in the beta-binomial distribution. */
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

/** A claim about the own role that the rules draw from the words with certainty. */
function composeClaim(
  { role, board, events, alive }: View,
  happens: (rate: number) => boolean,
  { lie, tell = 0, chatter: quiet = usualChatter }: PlantedRates,
): string {
  const found = events
    .filter(isEventOfType('learned'))
    .find((one) => alive.includes(one.about) && (one.role ? getRole(one.role).team : one.team) === 'werewolves');
  if (tell > 0 && found && happens(tell)) return `${found.about} is a Werewolf.`;
  if (happens(quiet)) return chatter;
  const other = Object.keys(board.roles).find((name) => name !== role && getRole(name).team === 'villagers')!;
  if (happens(lie)) return `I am the ${other}.`;
  return getRole(role).team === 'villagers' ? `I am the ${role}.` : `I am not the ${other}.`;
}
