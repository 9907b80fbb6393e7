// Judgements: whether a bot's own words are meant, and how far it takes those of others to deceive.
import type { DeceptionType } from '../../../state/events.ts';
import type { Draw } from '../../../state/random.ts';
import type { GameAnalysis } from './game-analysis.ts';
import type { SpeechAct } from './hearing.ts';

/** The kind of deception that an untrue act is; the gravest kind names that of a statement. */
const types = {
  ...{ claim: 'fabrication', report: 'fabrication', deny: 'fabrication', accuse: 'misdirection', defend: 'distortion' },
  ...{ deflect: 'omission', ask: 'omission', follow: 'omission' },
} as const satisfies Record<SpeechAct['kind'], DeceptionType>;
const gravity: readonly DeceptionType[] = ['none', 'omission', 'distortion', 'misdirection', 'fabrication'];

/** What the own words come to when this player says them. */
export function judgeOwn(game: GameAnalysis, acts: readonly SpeechAct[]) {
  const type = gravity[Math.max(0, ...acts.map((act) => gravity.indexOf(findOwnType(game, act))))]!;
  return { type, deceptive: type !== 'none', stated_falsehood: gravity.indexOf(type) > 1 };
}

function findOwnType(game: GameAnalysis, act: SpeechAct): DeceptionType {
  const team = 'target' in act ? game.known.get(act.target)?.team : undefined;
  const isHidden = act.kind === 'accuse' && game.isPack; // a partner is given up to look like one of the village
  const isUntrue = {
    ...{ ask: false, follow: false, deny: game.isPack, deflect: game.isPack },
    ...{ accuse: team === 'villagers', defend: team === 'werewolves' },
    claim: act.kind === 'claim' && act.role !== game.own.name,
    report: act.kind === 'report' && (team !== act.team || !game.seen('learned').some(({ about }) => about === act.target)),
  }; // prettier-ignore
  return isUntrue[act.kind] ? types[act.kind] : isHidden ? 'omission' : 'none';
}

export const round = (value: number) => Math.round(100 * Math.min(1, Math.max(0, value))) / 100;

/** A judgement of what `by` has done with words. `detect`, 0…1, is the skill: at 1 it is all evidence, at 0 a toss. */
export function judgeOther(game: GameAnalysis, by: string, acts: readonly SpeechAct[], detect: number, draw: Draw) {
  const rated = acts.map((act) => ({ kind: act.kind, untruth: rateUntruth(game, by, act) }));
  const idle = { kind: 'ask' as SpeechAct['kind'], untruth: 0.2 * game.mine.of(by) };
  const gravest = rated.reduce((worst, one) => (one.untruth > worst.untruth ? one : worst), idle);
  const suspicion = round(detect * gravest.untruth + (1 - detect) * draw.fraction());
  const deceptive = suspicion > 0.5;
  const confidence = round(0.5 + Math.abs(suspicion - 0.5));
  const p_werewolf = estimate(game, by, detect, draw);
  return { deceptive, type: deceptive ? types[gravest.kind] : 'none', confidence, suspicion, p_werewolf };
}

/** How likely this was said to deceive. */
function rateUntruth({ mine, known, roles }: GameAnalysis, by: string, act: SpeechAct): number {
  const side = known.get(by)?.team;
  if (side === 'villagers') return 0.02;
  if (act.kind === 'accuse') return mine.both(by, act.target, false);
  if (act.kind === 'defend') return mine.both(by, act.target, true) + 0.2 * mine.both(by, act.target, false);
  if (act.kind === 'ask' || act.kind === 'follow') return 0.2 * mine.of(by);
  if (side === 'werewolves') return 0.97;
  if (act.kind === 'report') return (known.get(act.target)?.team ?? act.team) === act.team ? mine.of(by) : 0.97;
  const isPlain = act.kind === 'claim' && roles.some(({ name, special }) => name === act.role && !special);
  return (isPlain ? 0.8 : 1) * mine.of(by);
}

/** The probability of being a Werewolf as this player would put it: what is certain stays certain. */
export function estimate({ known, mine }: GameAnalysis, name: string, detect: number, draw: Draw): number {
  const team = known.get(name)?.team;
  return team ? Number(team === 'werewolves') : round(detect * mine.of(name) + (1 - detect) * draw.fraction());
}
