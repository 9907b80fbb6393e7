// The options that every board has, each with its default and the sentence that players read.
import { z } from 'zod';
import { debateRules } from './debate-rules.ts';
import { rule, type Rule, type RuleValue } from './rule.ts';
import { sheriffRules } from './sheriff-rules.ts';

/** The sentence about lying that stands in everybody's rules; `unsaid` says nothing. */
export const honestySentences = {
  unsaid: null,
  permitted: 'Players are allowed to say things that are not true.',
  required: 'Players are expected to deceive the other side wherever it helps their own.',
  forbidden: 'Players must not lie: whatever you tell others must be what you believe to be true.',
} as const;

const tieTexts = {
  nobody: 'nobody is',
  random: 'a draw decides between the tied',
  pk: 'the tied speak once more (a PK), then all others vote between them, and if they are tied again, or all the living are tied at once, nobody is exiled',
} as const;

const flag = z.boolean();
const temperature = z.number().min(0).max(2).nullable();

export const commonRules = {
  ...debateRules,
  exile: rule({
    schema: z.enum(['majority', 'plurality']),
    default: 'majority',
    about: 'Whether an exile takes more than half of the living or just the most votes.',
    says: (kind, { exileTies, sheriff }) =>
      kind === 'majority'
        ? `After the debate every living player votes for another. Whoever is named by more than half of the ${sheriff ? 'votes' : 'living'} is exiled; otherwise nobody is.`
        : `After the debate every living player votes for another. Whoever is named most often is exiled; in a tie ${tieTexts[exileTies as keyof typeof tieTexts]}.`,
  }),
  exileTies: rule({
    schema: z.enum(['nobody', 'random', 'pk']),
    default: 'nobody',
    needs: { exile: ['plurality'] },
    about:
      'Who goes when a plurality is tied; pk: the tied speak once more, the others vote between them, and a second tie exiles nobody.',
    says: () => null, // stands in the sentence of `exile`
  }),
  reveal: rule({
    schema: z.enum(['none', 'team', 'role']),
    default: 'none',
    about: 'What a death tells everybody about the dead.',
    says: (what) =>
      ({
        none: 'Nothing is said about the role of a player who leaves the game.',
        team: 'When a player leaves the game, everybody is told whether that player was on the side of the village or of the Werewolves.',
        role: "When a player leaves the game, everybody is told that player's role.",
      })[what],
  }),
  ballots: rule({
    schema: z.enum(['secret', 'public']),
    default: 'public',
    about: 'Whether everybody learns who voted for whom, with a public explanation of each vote.',
    says: (kind, { sheriff }) =>
      kind === 'public'
        ? sheriff
          ? 'All votes are given at once and then shown to everybody: those for exile that count each with a short public explanation, those for Sheriff and pseudo-votes without.'
          : 'All votes are given at once and then shown to everybody, each with a short public explanation.'
        : 'Votes are secret: only their outcome is announced.',
  }),
  syntheticVotes: rule({
    schema: flag,
    default: false,
    about: 'A vote without effect after every statement but the last.',
    says: (on) =>
      on
        ? 'Between statements the moderator asks each player in private for whom they would vote now; these answers change nothing and no player sees them.'
        : null,
  }),
  analysis: rule({
    schema: z.enum(['both', 'self', 'peer', 'off']),
    default: 'both',
    about: 'Who analyses a statement: its speaker, all other living players, both or nobody.',
    says: (who) =>
      who === 'off'
        ? null
        : 'After statements the moderator asks players in private what they make of them; no player sees these answers of others.',
  }),
  analyzeBallots: rule({
    schema: flag,
    default: true,
    needs: { analysis: ['both', 'self', 'peer'], ballots: ['public'] },
    idle: false,
    about: 'Whether public explanations of votes are analysed too, before the result is announced.',
    says: () => null, // stands in the sentence of `analysis`
  }),
  scores: rule({
    schema: z.enum(['hidden', 'bands', 'numbers']),
    default: 'bands',
    needs: { analysis: ['both', 'peer'] },
    idle: 'hidden',
    about: 'What a player sees of own suspicion scores when voting; bands name those above 0.6 and below 0.4.',
    says: (shown, { analysis }) =>
      shown === 'hidden' || analysis === 'self' || analysis === 'off'
        ? null
        : 'Before a vote the moderator reminds you in private how suspicious the others have seemed to you so far.',
  }),
  beliefs: rule({
    schema: z.enum(['off', 'each-round', 'each-statement']),
    default: 'off',
    about: 'Whether players are asked in private how likely each other player is a Werewolf, and how often.',
    says: (often) =>
      often === 'off'
        ? null
        : 'The moderator asks players in private how likely they think it that each other player is a Werewolf; no player sees these answers of others.',
  }),
  ...sheriffRules,
  pack: rule({
    schema: z.enum(['one', 'vote']),
    default: 'vote',
    about:
      'How the pack decides: one drawn by the seed picks, or all propose, once more if they differ, then plurality.',
    says: (how) =>
      how === 'one'
        ? 'Each night one Werewolf, drawn by lot, picks a player to remove, and the other Werewolves learn the pick.'
        : 'Each night the Werewolves propose a player to remove, all at once and with reasons. If they differ they see the proposals and propose again; then the one named most often is picked, in a tie by lot.',
  }),
  wins: rule({
    schema: z.enum(['parity', 'majority', 'edge']),
    default: 'parity',
    about:
      'When the Werewolves have won: at least as many as all others, more than all others, or once all special roles of the village or all its other players have left.',
    says: () => null, // stands with the sides
  }),
  maxRounds: rule({
    schema: z.number().int().min(1).max(50),
    default: 10,
    about: 'A match that is not decided after so many rounds ends without a winner.',
    says: (rounds) =>
      `A round is a night and a day. A game that is not decided after ${rounds} round${rounds === 1 ? '' : 's'} ends without a winner.`,
  }),
  memory: rule({
    schema: z.enum(['summary', 'full']),
    default: 'summary',
    isOfWordsAlone: true,
    about: "How earlier rounds' speech is remembered: through the player's own summary, or word for word.",
    says: (kind) =>
      kind === 'summary'
        ? 'At the end of a round every player writes a summary for themselves; of what was said in earlier rounds they remember only that.'
        : 'At the end of a round every player writes a summary for themselves.',
  }),
  maxWords: rule({
    schema: z.number().int().min(5).max(1000),
    default: 80,
    isOfWordsAlone: true,
    about: 'The word limit of a statement; what is longer than twice as much is cut there.',
    says: (words) => `A statement has at most ${words} words.`,
  }),
  honesty: rule({
    schema: z.enum(['unsaid', 'permitted', 'required', 'forbidden']),
    default: 'unsaid',
    isOfWordsAlone: true,
    about: 'What the rules say about lying.',
    says: (stance) => honestySentences[stance],
  }),
  coaching: rule({
    schema: z.enum(['none', 'paper']),
    default: 'none',
    isOfWordsAlone: true,
    about: 'Whether players get advice for their role, in the spirit of the papers.',
    says: () => null, // given to each player beside the role
  }),
  choiceTemperature: rule({
    schema: temperature,
    default: null,
    isOfWordsAlone: true,
    about:
      'The temperature for bids, votes and night acts where the model string sets none; null: the provider decides.',
    says: () => null,
  }),
  talkTemperature: rule({
    schema: temperature,
    default: null,
    isOfWordsAlone: true,
    about: 'The temperature for everything else where the model string sets none; null: the provider decides.',
    says: () => null,
  }),
};

type CommonRules = {
  readonly [K in keyof typeof commonRules]: (typeof commonRules)[K] extends Rule<infer V> ? V : never;
};

/** The rules of a match in full; options that roles bring are found by name. */
export type Rules = CommonRules & { readonly [option: string]: RuleValue };
