// The Sheriff's office and last acts in words, the same for story and transcript.
import type { EventOf, GameEvent } from '../state/event.ts';
import { lastActNamed } from '../state/roles/index.ts';
import { drawn, marked } from './marks.ts';

export type Office =
  | 'last_act'
  | 'candidacy'
  | 'badge_ballot'
  | 'elected'
  | 'no_sheriff'
  | 'badge'
  | 'speaking_order'
  | 'pseudo_ballot'
  | 'tie';

type Teller<Type extends GameEvent['type']> = (event: EventOf<Type>, who: (name: string) => string) => string | null;

const officeTexts: { [Type in Office]: Teller<Type> } = {
  last_act: ({ by, verb, target, mark }, who) =>
    `${lastActNamed(verb).tells({ by: who(by), target: who(target) })}.${drawn(mark)}`,
  candidacy: ({ by, stands, mark }, who) =>
    stands ? `${who(by)} stands for Sheriff.` : mark ? `${who(by)} does not stand for Sheriff.${marked(mark)}` : null,
  badge_ballot: ({ by, target, ballot, mark }, who) =>
    `${who(by)} votes for ${who(target)} as Sheriff${ballot === 1 ? '' : ', in the second vote'}.${drawn(mark)}`,
  elected: ({ player, how }, who) =>
    `${who(player)} is elected Sheriff${how === 'vote' ? '' : how === 'draw' ? ' by lot, the vote being tied' : ' unopposed'}.`,
  no_sheriff: () => 'Nobody stands for Sheriff: there is none.',
  badge: ({ by, to, mark }, who) =>
    to === null ? `${who(by)} tears the badge.${marked(mark)}` : `${who(by)} passes the badge to ${who(to)}.`,
  speaking_order: ({ by, direction, mark }, who) =>
    `${who(by)} lets the debate go ${direction} the order of seats.${drawn(mark)}`,
  pseudo_ballot: ({ by, target, mark }, who) => `${who(by)} votes for ${who(target)} in the pseudo-vote.${drawn(mark)}`,
  tie: ({ players }, who) => `The vote is tied between ${players.map(who).join(' and ')}: they speak once more (PK).`,
};

export const isOffice = (event: GameEvent): event is EventOf<Office> => event.type in officeTexts;

/** One line; null where there is nothing to tell. `who` is how a name is shown. */
export const officeText = (event: EventOf<Office>, who: (name: string) => string): string | null =>
  (officeTexts[event.type] as Teller<Office>)(event, who);

/** What stands behind the name of whoever speaks outside the debate, e.g. " (candidate)"; empty in the debate. */
export const occasionText = ({ occasion, recommends }: Pick<EventOf<'statement'>, 'occasion' | 'recommends'>) =>
  occasion === undefined
    ? ''
    : { campaign: ' (candidate)', recommendation: ` (Sheriff, recommends ${recommends})`, pk: ' (PK)' }[occasion];
