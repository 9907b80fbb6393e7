// The parts of a statement: each does something with words, and knows the ways to say it.
import { roleNamed } from '../../../state/roles/index.ts';
import type { Rules } from '../../../state/common-rules.ts';
import type { Topic } from './addressed.ts';
import { officePhrases } from './office-phrases.ts';
import { phrases, shortest } from './phrases.ts';
import { reasons, trust } from './reason-phrases.ts';
import type { Reason, Slots } from './reasons.ts';
import type { Act } from './speech-act.ts';

/** Something to say, in one or more sentences. */
export interface Part {
  acts: readonly Act[];
  /** Ways to say it: each a list of sentences with slots. */
  ways: readonly (readonly string[])[];
  /** How to say it where words are few, in one sentence. */
  brief: readonly string[];
  slots: Slots;
}

const oneSentence = (bank: readonly string[]) => bank.map((phrase) => [phrase]);
const product = (...banks: (readonly string[])[]): string[][] =>
  banks.reduce<string[][]>((ways, bank) => ways.flatMap((way) => bank.map((phrase) => [...way, phrase])), [[]]);

/** Speaks against somebody, with a reason or without. */
export function accusation(
  target: string,
  reason: Reason | undefined,
  tone: 'accuse' | 'accuseSurely' | 'urge' | 'vote' | 'recommend',
): Part {
  const bank = phrases[tone];
  const toFace = tone === 'accuse' ? phrases.accuseToFace : [];
  const closing = tone === 'vote' ? [...bank, ...phrases.voteThen] : bank;
  const ways = reason
    ? [
        ...product(reasons[reason.kind].of, closing),
        ...product(bank, reasons[reason.kind].of),
        ...product(
          reasons[reason.kind].to.map((said) => `{T}, ${said}`),
          toFace,
        ),
      ]
    : oneSentence(bank);
  return {
    acts: [{ kind: 'accuse', target }],
    ways,
    brief: [...bank, shortest.accuse],
    slots: { ...reason?.slots, T: target },
  };
}

/** Says the same as `whom` about `target`. */
export const agreement = (target: string, whom: string): Part => ({
  acts: [{ kind: 'accuse', target }],
  ways: oneSentence(phrases.second),
  brief: [shortest.accuse],
  slots: { T: target, S: whom },
});

export function defence(target: string, reason: Reason<keyof typeof trust> | undefined): Part {
  return {
    acts: [{ kind: 'defend', target }],
    ways: reason
      ? [...product(trust[reason.kind], phrases.defend), ...product(phrases.defend, trust[reason.kind])]
      : oneSentence(phrases.defend),
    brief: [...phrases.defend, shortest.defend],
    slots: { ...reason?.slots, T: target },
  };
}

/** Believes a claimant, where there is one over a rival. */
export const belief = (claimant: string, rival: string | undefined): Part => ({
  acts: [{ kind: 'defend', target: claimant }],
  ways: oneSentence([...phrases.believe, ...(rival === undefined ? phrases.believeAlone : phrases.believeOver)]),
  brief: [shortest.defend],
  slots: { S: claimant, T: claimant, Y: rival ?? '' },
});

export const question = (
  target: string,
  bank: 'ask' | 'askNamed' | 'askSilent' | 'askAbout' | 'askVote' | 'askBack',
  slots: Slots = {},
): Part => ({
  acts: [{ kind: 'ask', target, ...(bank === 'askAbout' && slots['X'] !== undefined ? { about: slots['X'] } : {}) }],
  ways: oneSentence(phrases[bank]),
  brief: [bank === 'askAbout' ? shortest.askAbout : shortest.ask],
  slots: { ...slots, T: target },
});

/** Says not to be a Werewolf, to an accuser's face or to all, with an answer to what was held against the speaker. */
export function denial(accuser: string | undefined, topic: Topic): Part {
  const denials = accuser === undefined ? phrases.deny : [...phrases.deny, ...phrases.denyTo];
  const answers = phrases[`answer${topic}`];
  return {
    acts: [{ kind: 'deny' }],
    ways: [...product(denials, answers), ...product(answers, denials), ...oneSentence(denials)],
    brief: [...phrases.deny, shortest.deny],
    slots: { S: accuser ?? '' },
  };
}

/** Says to be of the village without having been accused. */
export const avowal = (): Part => ({
  acts: [{ kind: 'deny' }],
  ways: oneSentence(phrases.deny),
  brief: [shortest.deny],
  slots: {},
});

/** Says why the speaker should be elected. */
export const candidacy = (): Part => ({
  acts: [],
  ways: oneSentence(officePhrases.stand),
  brief: [officePhrases.standBriefly],
  slots: {},
});

export const evasion = (): Part => ({
  acts: [{ kind: 'deflect' }],
  ways: oneSentence(phrases.deflect),
  brief: [shortest.deflect],
  slots: {},
});

/** Claims a role. */
export const claim = (role: string): Part => ({
  acts: [{ kind: 'claim', role }],
  ways: oneSentence(roleNamed(role).special ? phrases.claim : phrases.claimPlain),
  brief: [shortest.claim],
  slots: { role },
});

/** Claims a role that `rival` has claimed before. */
export const counterclaim = (role: string, rival: string): Part => ({
  acts: [
    { kind: 'claim', role },
    { kind: 'accuse', target: rival },
  ],
  ways: oneSentence(phrases.counterclaim),
  brief: ['{S} is lying: I am {aR}.'],
  slots: { role, S: rival },
});

/** Tells of a check, made last night or before. */
export function checkReport(target: string, team: 'villagers' | 'werewolves', isRecent: boolean): Part {
  const bank = team === 'villagers' ? 'foundVillage' : isRecent ? 'foundPack' : 'foundPackEarlier';
  return {
    acts: [{ kind: 'report', target, team }],
    ways: oneSentence(phrases[bank]),
    brief: [team === 'villagers' ? shortest.foundVillage : shortest.foundPack],
    slots: { T: target },
  };
}

/** Votes with those who have spoken against somebody, without a word about what the speaker believes. */
export function following(target: string, company: readonly string[], { exile }: Pick<Rules, 'exile'>): Part {
  const alone = exile === 'majority' ? 'followNobody' : 'followNobodyByMost';
  return {
    acts: [{ kind: 'follow', target }],
    ways: oneSentence(phrases[company.length > 1 ? 'follow' : company.length === 1 ? 'followOne' : alone]),
    brief: [shortest.follow],
    slots: { T: target, S: company[0] ?? '' },
  };
}

/** Answers a question about an own vote. */
export const accountOfVote = (): Part => ({
  acts: [],
  ways: oneSentence(phrases.answerVote),
  brief: [shortest.remark],
  slots: {},
});

/** Has no opinion yet. */
export const noOpinion = (target: string): Part => ({
  acts: [],
  ways: oneSentence(phrases.noOpinion),
  brief: [shortest.remark],
  slots: { T: target },
});

/** Says something that concerns nobody in particular. */
export const remark = (ways: readonly string[], slots: Slots): Part => ({
  acts: [],
  ways: oneSentence(ways),
  brief: [shortest.remark],
  slots,
});
