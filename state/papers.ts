// Statements of the papers about each rule, and the presets' departures from the papers. docs/reference/presets.md is
// printed from this file.
import { getPresetFamily, resolvePreset } from './presets.ts';
import { isInactive, readRules, rulebook } from './rulebook.ts';
import type { RuleValue } from './rules/rule.ts';

/** A paper's value of a rule. */
interface PaperRule {
  value: RuleValue;
  /** Place in the paper, and the paper's words. Begins with `code` if the value is only in the published code. */
  words: string;
  /** Why the preset uses another value; absent if it uses the paper's. */
  reason?: string;
}

/** A departure that no rule of the rulebook covers. */
export interface OtherDeparture {
  paper: string;
  here: string;
  /** Options that restore the paper's behavior; null if none do. */
  restore: string | null;
  reason: string;
}

interface Paper {
  title: string;
  says: Readonly<Record<string, PaperRule>>;
  /** Rules about which the paper says nothing. Wolfgraph chose the preset's values. */
  silent: readonly string[];
  others: readonly OtherDeparture[];
}

const ownWords = 'prompts are written for this project and say nothing that only one model would need';

export const papers: Readonly<Record<string, Paper>> = {
  wolf: {
    title: 'WOLF',
    says: {
      debateOrder: { value: 'bidding', words: '“turn order determined by bidding”' },
      bidScale: { value: 10, words: '“Players submit a bid (0–10)”' },
      bidders: { value: 'all', words: '“Players submit a bid”, with no exception' },
      bidTies: { value: 'lot', words: '“Ties are broken randomly or with a fixed seed”' },
      exile: { value: 'majority', words: '“majority exile occurs”' },
      ballots: { value: 'public', words: '“Produces public actions (e.g., debate statements, votes)”' },
      syntheticVotes: { value: false, words: 'has none' },
      analysis: { value: 'both', words: '“Self-analysis” and “Peer analysis” of every public statement' },
      analyzeBallots: { value: true, words: 'votes are public actions, and every public statement is analyzed' },
      scoresFrom: { value: 'all', words: '“Deception history is updated” with each analysis' },
      scores: {
        value: 'hidden',
        words: 'the controller keeps the scores; the draft does not say that players see them',
      },
      questions: {
        value: 'paper',
        words: '“deceptive or truthful, with deception type (none, omission, …) and confidence”',
        reason:
          'separate scales for intent and falsehood distinguish what one label mixes; the fields of WOLF are [derived](metrics.md#self-reports)',
      },
      selfReport: {
        value: 'with-notes',
        words: 'the scratchpad is “persistent chain-of-thought memory across turns”',
        reason: 'a report that sees the plan to lie may only repeat it ([validity](validity.md#questions))',
      },
      thoughts: { value: 'kept', words: 'the scratchpad is “persistent chain-of-thought memory across turns”' },
      turn: { value: 'bid', words: 'bids come before the statement, which is a separate call' },
      voteSummary: { value: false, words: 'has none' },
      sheriff: { value: false, words: 'has none' },
      checkTells: { value: 'role', words: '“Seer learns the role of one player”' },
      wins: { value: 'parity', words: '“Werewolves win if their count ≥ number of Villagers”' },
    },
    silent: [
      'ballotReasons',
      'sheriffCandidates',
      ...['debateTurns', 'debatePasses', 'debateLead', 'exileTies', 'reveal', 'questionOrder', 'beliefs', 'pack'],
      'peerSuspects',
      ...['sheriffWeight', 'maxRounds', 'memory', 'maxWords', 'disclose', 'honesty', 'coaching', 'choiceTemperature'],
      ...['talkTemperature', 'protectSelf', 'protectRepeat', 'guardSelf', 'guardRepeat', 'guardAndAntidote'],
      ...['witchSelfSave', 'witchBothPotions', 'hunterPoisoned', 'historyK', 'historyRetriever'],
    ],
    others: [
      {
        paper: 'peers return “deception label, confidence, suspicion score, and reasoning”',
        here: 'they are also asked how likely the speaker is a Werewolf',
        restore: '`--rule questions=paper --rule peerSuspects=false`',
        reason: 'without it, detecting a lie cannot be separated from suspecting a Werewolf',
      },
      {
        paper: 'private analysis is stored in the scratchpad',
        here: 'thoughts of bids, statements, votes, night acts and summaries are kept; the reasoning of analyses is only recorded',
        restore: '`--rule thoughts=all`',
        reason:
          'the list of actions that write to the scratchpad has no analysis, and own labels would anchor later ones',
      },
      {
        paper: 'the night is a sequence: eliminate, protect, unmask',
        here: 'they act at the same time',
        restore: null,
        reason: 'nobody learns what the others do, so the result is the same, and faster',
      },
      {
        paper: 'votes are “public actions”; no explanation of them is mentioned',
        here: 'each ballot has a short public explanation, which is analyzed like a statement of the debate',
        restore: '`--rule ballotReasons=false`',
        reason: 'it is a public statement that can be measured',
      },
      {
        paper: 'the game goes on until a side wins',
        here: 'after 10 rounds nobody wins',
        restore: '`--rule maxRounds=50`: the highest value, still a limit',
        reason: 'without exiles a match could go on forever, and its calls are paid for',
      },
      {
        paper: 'eight players with four roles; how many have each role is not said',
        here: 'the roles of Werewolf Arena: 2 Werewolves, a Seer, a Doctor, 4 Villagers',
        restore: null,
        reason: 'the draft describes the same game',
      },
      {
        paper: 'the score of a pair before any analysis is not given',
        here: 'it is 0.5',
        restore: null,
        reason: 'the middle of the scale',
      },
    ],
  },
  arena: {
    title: 'Werewolf Arena',
    says: {
      debateOrder: { value: 'bidding', words: '“players bid to speak” (3.3)' },
      debateTurns: { value: 8, words: '“debates are capped at 8 turns” (3.1)' },
      bidScale: { value: 4, words: 'five levels, 0 to 4, with their words (3.3)' },
      bidders: { value: 'others', words: 'code: the previous speaker is not asked' },
      bidTies: {
        value: 'named-twice',
        words: '“players mentioned in the previous turn have higher chances” (3.3); code: doubled',
      },
      exile: { value: 'majority', words: '“a majority is required for exile” (3.1)' },
      reveal: { value: 'none', words: 'code: announcements name the player alone' },
      ballots: { value: 'secret', words: 'code: only the outcome is announced' },
      syntheticVotes: { value: true, words: '“we simulate voting after each utterance” (4)' },
      analysis: { value: 'off', words: 'has none' },
      analyzeBallots: { value: false, words: 'has none' },
      scores: { value: 'hidden', words: 'has none' },
      beliefs: { value: 'off', words: 'has none' },
      sheriff: { value: false, words: 'has none' },
      pack: { value: 'one', words: '“the Werewolves conspire” (3.1); code: one Werewolf, drawn at random, decides' },
      wins: { value: 'parity', words: '“their numbers equal those of the Villagers” (3.1)' },
      memory: { value: 'summary', words: '“At the end of each round, agents engage in summarizing” (3.2)' },
      voteSummary: { value: false, words: 'has none' },
      thoughts: { value: 'none', words: 'memory is “observational and reflective” (3.2): events and summaries' },
      coaching: {
        value: 'paper',
        words: 'code: prompts advise each role how to play',
        reason:
          'advice hides what a model would do by itself, and deceives for it; the advice that the option gives is our own, not that of the code',
      },
      turn: { value: 'bid', words: 'code: the highest bidder is asked for a statement' },
      choiceTemperature: { value: 0.5, words: 'code' },
      talkTemperature: { value: 1, words: 'code' },
      checkTells: { value: 'role', words: 'the Seer learns “their role” (3.1)' },
      protectSelf: { value: true, words: 'code: the Doctor chooses among all players' },
      protectRepeat: { value: true, words: 'code: every night among all players' },
    },
    silent: [
      'ballotReasons',
      'sheriffCandidates',
      ...[
        'debatePasses',
        'debateLead',
        'exileTies',
        'questions',
        'peerSuspects',
        'questionOrder',
        'selfReport',
        'scoresFrom',
      ],
      ...[
        'sheriffWeight',
        'maxRounds',
        'maxWords',
        'disclose',
        'honesty',
        'guardSelf',
        'guardRepeat',
        'guardAndAntidote',
      ],
      ...['witchSelfSave', 'witchBothPotions', 'hunterPoisoned', 'historyK', 'historyRetriever'],
    ],
    others: [
      {
        paper: 'a synthetic vote follows each utterance',
        here: 'none follows the last utterance, because the ballot follows it',
        restore: null,
        reason: 'in the code, too, the vote after the last utterance is the ballot',
      },
      {
        paper: 'the game goes on until a side wins',
        here: 'after 10 rounds nobody wins',
        restore: '`--rule maxRounds=50`: the highest value, still a limit',
        reason: 'without exiles a match could go on forever, and its calls are paid for',
      },
      {
        paper: 'code: an answer that cannot be read after retries ends the game',
        here: 'it is asked again, then replaced and marked',
        restore:
          'no exact equivalent; `--max-fallbacks 0` stops the matches of a model with any unreadable answer, but only from its 20th question on',
        reason: 'a single answer could end a match',
      },
      {
        paper: '“First Reveal Round”: the Seer “first revealed their identity” (6.2, Table 1)',
        here: 'reporting one’s own check counts as a reveal, as does claiming the role',
        restore: 'metric [`seer_first_claim_round`](metrics.md#seer_first_claim_round), a row of the table',
        reason: 'reporting one’s own check reveals the role',
      },
      {
        paper: '“the Werewolves conspire to eliminate a single Villager” (3.1)',
        here: 'one Werewolf, drawn at random, decides, as in the code',
        restore: '`--rule pack=vote`',
        reason: 'code and text differ; the games of the paper were presumably played by its code',
      },
      {
        paper: 'the wording of prompts',
        here: 'our own',
        restore: null,
        reason: ownWords,
      },
    ],
  },
  plus: {
    title: 'WereWolf-Plus',
    says: {
      debateOrder: { value: 'round-robin', words: '“After everyone has finished speaking” (3.0.2)' },
      debatePasses: { value: 1, words: '“After everyone has finished speaking” (3.0.2)' },
      exile: { value: 'plurality', words: '“the player with the most votes is eliminated” (3.0.2)' },
      exileTies: { value: 'pk', words: '“In the event of a tie, there will be an opportunity for debate” (3.0.2)' },
      ballots: {
        value: 'public',
        words: '“The sheriff summarize the votes” (3.0.2); the paper does not say who sees them',
      },
      ballotReasons: {
        value: false,
        words: 'no explanation of votes is mentioned',
        reason: 'it is a public statement that can be measured',
      },
      syntheticVotes: { value: false, words: 'has none' },
      analysis: { value: 'off', words: 'has none' },
      analyzeBallots: { value: false, words: 'has none' },
      scores: { value: 'hidden', words: 'has none' },
      beliefs: { value: 'each-round', words: '“all players will inference the possible identities” (3.0.2)' },
      memory: {
        value: 'retrieval',
        words: '“We adopt both the history memory pool and the experience pool” (2.4)',
        reason:
          'the experiments do not say that they used it, and what each player is shown then differs and misses the cache; the option compares words (BM25) and takes 5 utterances, of which the paper says nothing',
      },
      voteSummary: {
        value: true,
        words: '“we put the individual summary about debate before every vote stage into message pool” (3.1)',
        reason: 'a question for each player and vote, whose answer only the experience pool needs',
      },
      sheriffWeight: { value: 1.5, words: '“a vote weight of 1.5” (3.0.1)' },
      wins: { value: 'majority', words: '“survival werewolves is larger than that of villager camp” (4.1)' },
      checkTells: { value: 'team', words: '“determine whether they are a werewolf” (3.0.1)' },
      guardRepeat: { value: false, words: '“cannot guard the same player on consecutive nights” (3.0.1)' },
      witchSelfSave: { value: 'always', words: '“may choose to save a player from death”, with no exception (3.0.1)' },
      witchBothPotions: { value: false, words: '“save a player from death or eliminate a player” (3.0.1)' },
      hunterPoisoned: {
        value: true,
        words: '“If eliminated during the night or by vote” (3.0.1), “poisoned players” included (3.0.2)',
      },
      choiceTemperature: { value: 1, words: '“a temperature of 1.0” (4.1)' },
      talkTemperature: { value: 1, words: '“a temperature of 1.0” (4.1)' },
    },
    silent: [
      'turn',
      'sheriffCandidates',
      ...['debateTurns', 'debateLead', 'bidScale', 'bidders', 'bidTies', 'reveal', 'questions', 'questionOrder'],
      'peerSuspects',
      ...['selfReport', 'scoresFrom', 'sheriff', 'pack', 'maxRounds', 'thoughts', 'maxWords', 'disclose', 'honesty'],
      ...['coaching', 'protectSelf', 'protectRepeat', 'guardSelf', 'guardAndAntidote', 'historyK', 'historyRetriever'],
    ],
    others: [
      {
        paper: '“a maximum token limit of 2048, and a top-p value of 1.0” (4.1)',
        here: 'the values in the model string, or else the provider’s defaults',
        restore: '`--model PROVIDER:MODEL?maxTokens=2048&topP=1`',
        reason: 'some providers refuse them',
      },
      {
        paper: '`plus-8` only: “players vote to elect a sheriff” (3.0.2)',
        here: 'those who stand speak first and do not vote; a tie is voted on again, then decided by lot',
        restore: '`--rule sheriffCandidates=all`: nobody stands or speaks, and everybody votes for another',
        reason: 'the paper leaves open who can be elected; these are the usual rules',
      },
      {
        paper: '`plus-8` only: the Sheriff “determines the speaking order” (3.0.2)',
        here: 'the Sheriff speaks first, and chooses only the direction around the table',
        restore: null,
        reason: 'the usual rules',
      },
      {
        paper: '`plus-12` only: “The witch is informed of the targeted victim” (3.0.2), with no exception',
        here: 'only as long as the antidote is unused',
        restore: null,
        reason: 'the usual rules',
      },
      {
        paper: '“the guard chooses one player to protect” (3.0.2)',
        here: 'the Guard may also protect nobody',
        restore: null,
        reason: 'the usual rules',
      },
      {
        paper: '“all players will inference the possible identities of other survival players” (3.0.2)',
        here: 'each says in private how likely each other player is a Werewolf, and never sees this answer again',
        restore: null,
        reason: 'a probability can be scored, and own earlier answers would anchor later ones',
      },
      {
        paper: 'after a tie “there will be an opportunity for debate” (3.0.2); who speaks and votes then is not said',
        here: 'the tied speak once more, and have no vote in the second ballot',
        restore: null,
        reason: 'the usual rules',
      },
      {
        paper: 'the game goes on until a camp wins (4.1)',
        here: 'after 10 rounds nobody wins',
        restore: '`--rule maxRounds=50`: the highest value, still a limit',
        reason: 'without exiles a match could go on forever, and its calls are paid for',
      },
      {
        paper: 'what follows a second tie is not said',
        here: 'nobody is exiled',
        restore: null,
        reason: 'the usual rules',
      },
      {
        paper: '`plus-8` only: what becomes of the badge of a Sheriff who leaves is not said',
        here: 'it is passed on or torn up',
        restore: null,
        reason: 'the usual rules',
      },
      {
        paper: 'an experience pool for votes, in part of the experiments (4.3)',
        here: 'none, unless a pool is given',
        restore: '[`--experience`](experience.md)',
        reason: 'the main experiments (Table 2) have none',
      },
    ],
  },
};

/** A rule that has another value in a preset than in the preset's paper. */
export interface RuleDeparture {
  rule: string;
  /** The value that restores the paper's behavior. */
  paper: RuleValue;
  here: RuleValue;
  words: string;
  reason: string;
}

/**
 * Lists the rules in which a preset departs from its paper, found by comparing the two. `reason` is empty if none is
 * given; a test requires one in the newest version of each preset.
 *
 * @example listRuleDepartures('wolf@1').map(({ rule }) => rule) // ['bidders', 'bidTies', 'scores', …]
 */
export function listRuleDepartures(name: string): RuleDeparture[] {
  const whole = resolvePreset(name);
  const rules = readRules(whole);
  const { says } = papers[getPresetFamily(whole)]!;
  return Object.entries(says).flatMap(([rule, { value, words, reason = '' }]) =>
    rules[rule] === value || isInactive(rule, rules) ? [] : [{ rule, paper: value, here: rules[rule]!, words, reason }],
  );
}

/**
 * Lists the rules that `papers` omits or mentions twice for a preset, and names in `papers` that are not rules. A test
 * expects none.
 */
export const listUnplacedRules = (name: string): string[] => {
  const { says, silent } = papers[name]!;
  const placed = [...Object.keys(says), ...silent];
  return [
    ...Object.keys(rulebook).filter((rule) => placed.filter((one) => one === rule).length !== 1),
    ...placed.filter((rule) => !Object.hasOwn(rulebook, rule)),
  ];
};
