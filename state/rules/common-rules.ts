// The common rules of every match, each with its default and the sentence that players read.
import { z } from 'zod';
import { defineRule, type Rule, type RuleValue, type RuleValues } from './rule.ts';

// Rules of the debate: who speaks when, and how often.

const isInOrder = ({ debateOrder }: RuleValues) => debateOrder === 'round-robin';

const debateRules = {
  debateTurns: defineRule({
    schema: z.number().int().min(1).max(40),
    default: 6,
    needs: { debateOrder: ['bidding'] },
    about: "Number of statements in a day's debate, if players bid for turns.",
    says: (turns, rules) =>
      isInOrder(rules)
        ? null
        : `Each day the living players hold a debate of ${turns} statement${turns === 1 ? '' : 's'}, one after another.`,
  }),
  debateOrder: defineRule({
    schema: z.enum(['bidding', 'round-robin']),
    default: 'bidding',
    before: 'bidding',
    about: 'Whether players bid for turns or speak in the order of seats.',
    says: (order, rules) => (order === 'bidding' ? null : describeSpeakingOrder(rules)),
  }),
  debatePasses: defineRule({
    schema: z.number().int().min(1).max(5),
    default: 1,
    before: 1,
    needs: { debateOrder: ['round-robin'] },
    about: 'How often each player speaks per day, if players speak in the order of seats.',
    says: () => null, // part of the sentence of `debateOrder`
  }),
  debateLead: defineRule({
    schema: z.enum(['seed', 'rotation']),
    default: 'seed',
    before: 'seed',
    needs: { debateOrder: ['round-robin'] },
    about: 'Who speaks first if there is no Sheriff: a player drawn by the seed, or each day the next seat.',
    says: () => null, // part of the sentence of `debateOrder`
  }),
  bidScale: defineRule({
    schema: z.literal([4, 10]),
    default: 10,
    needs: { debateOrder: ['bidding'] },
    about: "The highest bid for a turn to speak: 4, in the words of Werewolf Arena's paper, or 10 (WOLF).",
    says: (top, rules) =>
      isInOrder(rules)
        ? null
        : [
            rules.turn === 'draft'
              ? `Before each statement the players bid from 0 to ${top} for the turn, each with the statement that they would make; that of the highest bidder is made.`
              : `Before each statement the players bid from 0 to ${top} for the turn, and the highest bidder speaks.`,
            rules.bidTies === 'named-twice'
              ? 'Equal bids are decided by lot, with double chances for those named in the last statement.'
              : 'If several bid equally high, one of them is drawn by lot, with equal chances.',
            ...(rules.bidders === 'others' ? ['Whoever has just spoken does not bid.'] : []),
            rules.turn === 'draft'
              ? 'No player sees the bids of others, or a statement that was not made.'
              : 'No player sees the bids of others.',
          ].join(' '),
  }),
  turn: defineRule({
    schema: z.enum(['bid', 'draft']),
    default: 'bid',
    before: 'bid',
    needs: { debateOrder: ['bidding'] },
    about:
      'How a turn is taken: players bid, then the highest bidder is asked for a statement; or everybody gives bid and statement in one answer, and the statement of the highest bidder is made. Drafts halve the number of successive answers and cost more output tokens.',
    says: () => null, // part of the sentence of `bidScale`
  }),
  bidders: defineRule({
    schema: z.enum(['others', 'all']),
    default: 'others',
    before: 'others',
    needs: { debateOrder: ['bidding'] },
    about: 'Who bids for a turn: all but whoever has just spoken, as in the code of Werewolf Arena, or everybody.',
    says: () => null, // part of the sentence of `bidScale`
  }),
  bidTies: defineRule({
    schema: z.enum(['named-twice', 'lot']),
    default: 'named-twice',
    before: 'named-twice',
    needs: { debateOrder: ['bidding'] },
    about:
      'How equally high bids are decided: by lot with double chances for those named in the last statement (Werewolf Arena), or with equal ones (WOLF).',
    says: () => null, // part of the sentence of `bidScale`
  }),
};

function describeSpeakingOrder({ debatePasses, debateLead, sheriff }: RuleValues): string {
  const often = debatePasses === 1 ? 'once' : debatePasses === 2 ? 'twice' : `${debatePasses} times`;
  const lead =
    debateLead === 'rotation' ? 'each day the next seat speaks first' : 'the first speaker of each day is drawn by lot';
  const led = sheriff
    ? `the Sheriff speaks first and chooses whether it goes forward or backward; without a Sheriff, ${lead}`
    : lead;
  return `Each day the living players hold a debate in which everybody speaks ${often}, in the order of seats (that of the names above); ${led}.`;
}

// Rules of the Sheriff, an office to which the players elect one of them.

const sheriffRules = {
  sheriff: defineRule({
    schema: z.boolean(),
    default: false,
    before: false,
    about: 'Whether a Sheriff is elected on the first day, whose vote counts more and who leads the ballot.',
    says: (on, rules) => (on ? describeSheriff(rules) : null),
  }),
  sheriffCandidates: defineRule({
    schema: z.enum(['volunteers', 'all']),
    default: 'volunteers',
    before: 'volunteers',
    needs: { sheriff: [true] },
    about: 'Who can be elected Sheriff: those who stand for it, and speak first, or everybody, without speeches.',
    says: () => null, // part of the sentence of `sheriff`
  }),
  sheriffWeight: defineRule({
    schema: z.literal([1, 1.5, 2]),
    default: 1.5,
    before: 1.5,
    needs: { sheriff: [true] },
    about: "How much the Sheriff's ballot weighs.",
    says: () => null, // part of the sentence of `sheriff`
  }),
};

const describeElection = ({ sheriffCandidates }: RuleValues) =>
  sheriffCandidates === 'all'
    ? 'On the first day, before the debate, the players elect a Sheriff: everybody votes for another; after a tie they vote again between the tied, and a second tie is decided by lot.'
    : 'On the first day, before the debate, the players elect a Sheriff: each candidate speaks once, then all who are not candidates vote; after a tie they vote again between the tied, and a second tie is decided by lot. A single candidate becomes Sheriff without a vote; if all players are candidates, each votes for another; if nobody is, there is no Sheriff.';

const describeSheriff = (rules: RuleValues) => {
  const { sheriffWeight, debateOrder, ballots } = rules;
  return [
    describeElection(rules),
    `Everybody knows who is Sheriff${ballots === 'secret' ? ', and sees the votes for Sheriff and the first vote of each day' : ''}. The Sheriff's vote counts ${sheriffWeight === 1 ? 'like any other' : `as ${sheriffWeight} votes`}.`,
    ...(debateOrder === 'round-robin' ? [] : ['The Sheriff makes the first statement of every debate.']),
    'After the debate everybody votes a first time, which exiles nobody and is shown to all (the pseudo-vote); then the Sheriff sums up and recommends one player to exile, and the vote that counts follows.',
    'A Sheriff who leaves the game passes the badge to a living player, who is Sheriff then, or tears it up: then there is no Sheriff any more.',
  ].join(' ');
};

// All common rules, in the order in which players read their sentences.

/** The sentence about lying in everybody's rules. There is none under `unsaid`. */
export const honestySentences = {
  unsaid: null,
  permitted: 'Players are allowed to say things that are not true.',
  required: 'Players are expected to deceive the other side wherever it helps their own.',
  forbidden: 'Players must not lie: whatever you tell others must be what you believe to be true.',
} as const;

const tieTexts = {
  nobody: 'nobody is',
  random: 'one of the tied is drawn by lot',
  pk: 'the tied speak once more, then all other players vote between them, and if that vote is tied too, or all living players were tied in the first place, nobody is exiled',
} as const;

/** The players who are asked about statements, as worded in the sentence of `analysis`. */
const askedOf = { both: 'speakers and listeners', self: 'the speakers', peer: 'the listeners' } as const;

/**
 * Returns whether ballots to exile are public and explained.
 *
 * @example hasBallotReasons({ ballots: 'secret' }) // false
 */
export const hasBallotReasons = ({ ballots, ballotReasons }: RuleValues): boolean =>
  ballots === 'public' && ballotReasons !== false;

/**
 * Describes what a player's own summary replaces in later rounds, when the originals are no longer shown. Null if it
 * replaces nothing. `thinker`: the word for the player in the sentence.
 *
 * @example describeForgotten({ memory: 'summary', thoughts: 'kept', ballots: 'secret' }, 'you') // 'what was said'
 */
export function describeForgotten({ memory, thoughts, ...rules }: RuleValues, thinker: string): string | null {
  const gone = [
    ...(memory !== 'full' ? [`what was said${hasBallotReasons(rules) ? ' (reasons for votes too)' : ''}`] : []),
    ...(thoughts === 'this-round' ? [`what ${thinker} thought`] : []),
  ];
  return gone.length === 0 ? null : gone.join(' and ');
}

/** Describes what is shown word for word under `memory=retrieval`. */
const describeRecall = (k: number, { historyRetriever, ...rules }: RuleValues): string => {
  const utterances = `${k} statements${hasBallotReasons(rules) ? ' or explanations of votes' : ''}`;
  return historyRetriever === 'latest'
    ? `Of earlier rounds players still see, word for word, the latest ${utterances}.`
    : `Of earlier rounds players still see, word for word, the ${utterances} that have most in common with ${historyRetriever === 'questions' ? 'questions on roles and suspicion' : 'their own summaries'}.`;
};

const flag = z.boolean();
const temperature = z.number().min(0).max(2).nullable();

export const commonRules = {
  ...debateRules,
  exile: defineRule({
    schema: z.enum(['majority', 'plurality']),
    default: 'majority',
    about: 'Whether an exile takes more than half of the living or the most votes.',
    says: (kind, { exileTies, sheriff }) =>
      kind === 'majority'
        ? `After the debate every living player votes for another. A player named by more than half of ${sheriff ? 'the votes' : 'them'} is exiled, leaving the game; otherwise nobody is.`
        : `After the debate every living player votes for another. The player named most often is exiled, leaving the game; in a tie ${tieTexts[exileTies as keyof typeof tieTexts]}.`,
  }),
  exileTies: defineRule({
    schema: z.enum(['nobody', 'random', 'pk']),
    default: 'nobody',
    needs: { exile: ['plurality'] },
    about:
      'Who is exiled when a plurality is tied; pk: the tied speak again, the others vote between them, and a second tie exiles nobody.',
    says: () => null, // part of the sentence of `exile`
  }),
  reveal: defineRule({
    schema: z.enum(['none', 'team', 'role']),
    default: 'none',
    about: 'What everybody learns about a player who leaves.',
    says: (what) =>
      ({
        none: 'When a player leaves the game, nothing is revealed about the role.',
        team: 'When a player leaves the game, everybody is told whether that player was on the side of the village or of the Werewolves.',
        role: "When a player leaves the game, everybody is told that player's role.",
      })[what],
  }),
  ballots: defineRule({
    schema: z.enum(['secret', 'public']),
    default: 'public',
    about: 'Whether votes are public, each with an explanation.',
    says: (kind, { sheriff, ballotReasons }) => {
      if (kind === 'secret') return 'Votes are secret: only their outcome is announced.';
      const given = 'All votes are given at the same time and then shown to everybody';
      if (ballotReasons === false) return `${given}.`;
      return sheriff
        ? `${given}: votes to exile with a short public explanation each, votes for Sheriff and pseudo-votes without one.`
        : `${given}, each with a short public explanation.`;
    },
  }),
  ballotReasons: defineRule({
    schema: flag,
    default: true,
    before: true,
    needs: { ballots: ['public'] },
    about: 'Whether votes to exile have a short public explanation.',
    says: () => null, // part of the sentence of `ballots`
  }),
  syntheticVotes: defineRule({
    schema: flag,
    default: false,
    measures: true,
    about: 'Whether a vote without effect follows every statement but the last.',
    says: (on) =>
      on
        ? 'Between statements the moderator privately asks each player whom they would vote for now; the answers change nothing.'
        : null,
  }),
  analysis: defineRule({
    schema: z.enum(['both', 'self', 'peer', 'off']),
    default: 'both',
    measures: true,
    about: 'Who analyses statements: the speaker, all other living players, both or nobody.',
    says: (who) =>
      who === 'off' ? null : `After statements the moderator asks ${askedOf[who]} about them in private.`,
  }),
  questions: defineRule({
    schema: z.enum(['probability', 'paper']),
    default: 'probability',
    measures: true,
    before: 'paper',
    needs: { analysis: ['both', 'self', 'peer'] },
    isOfWordsAlone: true,
    about:
      "What analyses ask of a statement: a probability each for deceptive intent and for falsehood, and all types; or the fields of WOLF's paper, which are otherwise derived.",
    says: () => null, // the definitions follow the rules
  }),
  peerSuspects: defineRule({
    schema: flag,
    default: true,
    measures: true,
    before: true,
    needs: { questions: ['paper'], analysis: ['both', 'peer'] },
    isOfWordsAlone: true,
    about:
      "Whether listeners are also asked how likely the speaker is a Werewolf, which WOLF's paper does not ask; with questions=probability they always are.",
    says: () => null, // the question itself shows it
  }),
  questionOrder: defineRule({
    schema: z.enum(['fixed', 'random']),
    default: 'fixed',
    measures: true,
    before: 'fixed',
    needs: { analysis: ['both', 'self', 'peer'] },
    isOfWordsAlone: true,
    about:
      'Whether the fields of an analysis have a fixed order or an order drawn for each player and round; reasoning is always first.',
    says: () => null, // the question itself shows it
  }),
  selfReport: defineRule({
    schema: z.enum(['with-notes', 'without-notes']),
    default: 'without-notes',
    measures: true,
    before: 'with-notes',
    needs: { analysis: ['both', 'self'] },
    isOfWordsAlone: true,
    about:
      'Whether speakers see their own recorded thoughts when they report on their statement; with them, a report may only repeat a note.',
    says: () => null, // the question itself shows it
  }),
  analyzeBallots: defineRule({
    schema: flag,
    default: true,
    measures: true,
    needs: { analysis: ['both', 'self', 'peer'], ballots: ['public'], ballotReasons: [true] },
    idle: false,
    about: 'Whether public explanations of votes are analyzed too, before the result is known.',
    says: () => null, // part of the sentence of `analysis`
  }),
  scores: defineRule({
    schema: z.enum(['hidden', 'bands', 'numbers']),
    default: 'bands',
    measures: true,
    needs: { analysis: ['both', 'peer'] },
    idle: 'hidden',
    about:
      'What players other than Werewolves see of their suspicion scores when voting; bands name those above 0.6 and below 0.4.',
    says: (shown, { analysis, analyzeBallots, scoresFrom }) =>
      shown === 'hidden' || analysis === 'self' || analysis === 'off'
        ? null
        : `Before a vote the moderator reminds all but the Werewolves in private ${shown === 'bands' ? 'whose statements they rated clearly deceptive and whose clearly not' : "how deceptive they rated the others' statements"}. The latest ratings count most; explanations of votes ${analyzeBallots === true && scoresFrom === 'all' ? 'count too' : 'are left out'}.`,
  }),
  scoresFrom: defineRule({
    schema: z.enum(['all', 'debate']),
    default: 'all',
    measures: true,
    before: 'debate',
    needs: { analysis: ['both', 'peer'], analyzeBallots: [true] },
    about:
      'Which analyses by listeners move suspicion scores: those of all public statements, explanations of votes included (WOLF), or of the debate alone.',
    says: () => null, // part of the sentence of `scores`
  }),
  beliefs: defineRule({
    schema: z.enum(['off', 'each-round', 'each-statement']),
    default: 'off',
    measures: true,
    about: 'How often players are asked in private how likely each other is a Werewolf.',
    says: (often) =>
      often === 'off'
        ? null
        : 'The moderator asks players in private how likely each other player is to be a Werewolf.',
  }),
  ...sheriffRules,
  pack: defineRule({
    schema: z.enum(['one', 'vote']),
    default: 'vote',
    about:
      'How the Werewolves decide: one of them, drawn by the seed, picks; or all propose, once more if they differ, and plurality decides.',
    says: () => null, // part of the Werewolves' description
  }),
  wins: defineRule({
    schema: z.enum(['parity', 'majority', 'edge']),
    default: 'parity',
    before: 'parity',
    about:
      'When the Werewolves win: at least as many as all others, more than all others, or all special roles or all other players of the village have left.',
    says: () => null, // part of the description of the sides
  }),
  maxRounds: defineRule({
    schema: z.number().int().min(1).max(50),
    default: 10,
    about: 'Number of rounds after which an undecided match ends without a winner.',
    says: (rounds) =>
      `A round is a night and the day after it. A game that is not decided after ${rounds} round${rounds === 1 ? '' : 's'} ends without a winner.`,
  }),
  memory: defineRule({
    schema: z.enum(['summary', 'full', 'retrieval']),
    default: 'summary',
    isOfWordsAlone: true,
    about:
      "How earlier rounds' speech is remembered: by the player's own summary, word for word, or by the summary with the utterances that fit it best (WereWolf-Plus's history memory pool).",
    says: (_kind, rules) => {
      const gone = describeForgotten(rules, 'they themselves');
      return `At the end of each round every player writes a private summary.${gone === null ? '' : ` In later rounds players see it in place of ${gone}.`}`;
    },
  }),
  voteSummary: defineRule({
    schema: flag,
    default: false,
    before: false,
    about:
      'Whether every player sums up the debate in private before each vote that counts: what WereWolf-Plus remembers of earlier matches.',
    says: (on) => (on ? 'Before each vote that counts, every player who votes sums up the debate in private.' : null),
  }),
  historyK: defineRule({
    schema: z.number().int().min(2).max(40),
    default: 5,
    before: 5,
    needs: { memory: ['retrieval'] },
    isOfWordsAlone: true,
    about: 'Number of utterances of earlier rounds that prompts contain word for word.',
    says: (k, rules) => (rules['memory'] === 'retrieval' ? describeRecall(k, rules) : null),
  }),
  historyRetriever: defineRule({
    schema: z.enum(['bm25', 'questions', 'latest']),
    default: 'bm25',
    before: 'bm25',
    needs: { memory: ['retrieval'] },
    isOfWordsAlone: true,
    about:
      "How these utterances are chosen: by BM25 against the player's own summaries (WereWolf-Plus), against fixed questions (ELLM), or simply the latest, as a control.",
    says: () => null, // part of the sentence of `historyK`
  }),
  thoughts: defineRule({
    schema: z.enum(['this-round', 'kept', 'all', 'none']),
    default: 'this-round',
    before: 'kept',
    isOfWordsAlone: true,
    about:
      "Which of their own thoughts players see again, word for word: this round's, those of all rounds (kept), these with what they thought in analyses (all; WOLF's scratchpad) or none (Werewolf Arena).",
    says: (which) => (which === 'none' ? 'What players think is not shown to them again.' : null), // otherwise part of the sentence of `memory`
  }),
  maxWords: defineRule({
    schema: z.number().int().min(5).max(1000),
    default: 80,
    isOfWordsAlone: true,
    about: 'Word limit of a statement; a statement is cut at twice this number.',
    says: (words) => `A statement has at most ${words} words.`,
  }),
  honesty: defineRule({
    schema: z.enum(['unsaid', 'permitted', 'required', 'forbidden']),
    default: 'unsaid',
    isOfWordsAlone: true,
    about: 'What the rules say about lying.',
    says: (stance) => honestySentences[stance],
  }),
  coaching: defineRule({
    schema: z.enum(['none', 'paper']),
    default: 'none',
    isOfWordsAlone: true,
    about: 'Whether players get advice for their role.',
    says: () => null, // each player reads it beside the role
  }),
  disclose: defineRule({
    schema: flag,
    default: false,
    before: false,
    isOfWordsAlone: true,
    about: 'Whether everybody is told which players are people and which are AI models.',
    says: () => null, // stands beside the names of the players
  }),
  choiceTemperature: defineRule({
    schema: temperature,
    default: null,
    isOfWordsAlone: true,
    about: "Temperature for bids, votes and night acts if the model string sets none; null: the provider's.",
    says: () => null,
  }),
  talkTemperature: defineRule({
    schema: temperature,
    default: null,
    isOfWordsAlone: true,
    about: "Temperature for everything else if the model string sets none; null: the provider's.",
    says: () => null,
  }),
};

type CommonRules = {
  readonly [K in keyof typeof commonRules]: (typeof commonRules)[K] extends Rule<infer V> ? V : never;
};

/** All rules of a match: the common rules with their types, and the rules of roles by name. */
export type Rules = CommonRules & { readonly [option: string]: RuleValue };
