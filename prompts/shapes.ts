// The shapes of all answers that a match may ask for, by the family of the question: play or analysis. Every prompt of
// a family begins with these shapes, before any name, so that providers can cache them.
import { DeceptionType } from '../state/events.ts';
import { powers, lastActs } from '../state/roles/index.ts';
import { passChoice } from '../state/roles/role.ts';
import { hasBallotReasons, type Rules } from '../state/rules/common-rules.ts';
import { destroyBadgeChoice } from '../state/sheriff.ts';
import { teams } from '../state/teams.ts';
import type { PublicSetup } from '../state/view.ts';
import {
  createChoiceField,
  createFieldsForEach,
  createHeardField,
  createIntegerField,
  createNameField,
  createProbabilitiesField,
  createProbabilityField,
  createSubsetField,
  createTextField,
  createYesNoField,
  describeBesideType,
  describeInFamily,
  type Field,
  type Fields,
} from './fields.ts';
import { renderAnalysisTerms } from './rules-text.ts';

/**
 * Family of questions; prompts of one family begin alike. Only `analysis` includes the definitions of deception:
 * players who speak, bid or vote do not learn what they will be asked about a statement.
 */
export type Family = 'play' | 'analysis';

/**
 * How a prompt describes the shapes of answers. `prompt`: as in the schemas of the questions. `family`: as in the
 * schema of the family. `schema`: as in the schema of the family, without the parts that a model reads in that schema.
 */
export type ShapesPlace = 'prompt' | 'family' | 'schema';

// Fields of questions of play.

export const createBidField = ({ bidScale }: Pick<Rules, 'bidScale'>) =>
  createIntegerField(0, bidScale, 'how much you want to speak next');

/**
 * Meaning of each bid, by the highest bid of the scale. The scale 0–4 uses the words of section 3.3 of the Werewolf
 * Arena paper. The scale 0–10 states only a degree, so that a player who was addressed may still want to be silent, and
 * other players may still find it urgent to speak.
 */
const bidMeanings = {
  4: [
    '0: I would like to observe and listen for now.',
    '1: I have some general thoughts to share with the group.',
    '2: I have something critical and specific to contribute to this discussion.',
    '3: It is absolutely urgent for me to speak next.',
    '4: Someone has addressed me directly and I must respond.',
  ],
  10: [
    '0: Not now, even if addressed.',
    '1 to 3: General thoughts, or an answer that can wait.',
    '4 to 6: Something specific, or an answer to give.',
    '7 to 9: Urgent, addressed or not.',
    '10: Nothing else matters as much.',
  ],
} as const;

/** Creates the field for words that all players will read. */
export const createStatementField = ({ maxWords }: Pick<Rules, 'maxWords'>) =>
  createHeardField(`what you say to everybody, at most ${maxWords} words`, { familyName: 'text' });

/** Creates the fields of an answer that has both a bid and a statement, in this order. */
export const createDraftFields = (rules: Pick<Rules, 'bidScale' | 'maxWords'>) => ({
  bid: createBidField(rules),
  statement: createStatementField(rules),
});

/** Description of a reason. The question says who will read the reason. */
const reasonNote = 'why, in one or two sentences';

export const createExplanationField = ({ maxWords }: Pick<Rules, 'maxWords'>) =>
  createHeardField(`why, in one or two sentences of at most ${maxWords} words; all players read it`, {
    note: reasonNote,
    familyName: 'reason',
  });

export const summaryField = createTextField('your private summary, at most 150 words', { familyName: 'text' });

/** Names that may be chosen, and the order in which the prompt shows them. */
type Names = readonly [choices: readonly string[], shown?: readonly string[]];

export const createVoteField = (...names: Names) => createNameField(names[0], 'the player you vote for', names[1]);
export const createChosenField = (...names: Names) => createNameField(names[0], 'the player you choose', names[1]);
export const createRecommendationField = (...names: Names) =>
  createNameField(names[0], 'the player you recommend to exile', names[1]);
export const createSuccessorField = (...names: Names) => createNameField(names[0], 'the new Sheriff', names[1]);

export const createProposalReasonField = (members: string) =>
  createHeardField(`why, in one or two sentences; only the other ${members} read it`, {
    ...{ note: reasonNote, familyName: 'reason' },
  });

export const standField = createYesNoField('do you stand for Sheriff?');

export const directions = ['up', 'down'] as const;
export const createDirectionField = (shown: readonly (typeof directions)[number][] = directions) =>
  createChoiceField(directions, 'the direction', shown);

export const createBeliefsField = (names: readonly string[]) =>
  createProbabilitiesField(names, 'each other player still in the game: how likely that player is a Werewolf');

// Fields of analyses.

// Fields of WOLF's paper.

const typeField = createChoiceField(DeceptionType.options, 'the type of deception that fits best');
const confidence = createProbabilityField('how sure you are of this answer');

const paperFields = {
  self: {
    stated_falsehood: createYesNoField('did you say something that you knew or believed to be false?'),
    deceptive: createYesNoField('did you want anyone to believe something false, by whatever you said or left out?'),
    type: typeField,
    confidence,
  },
  peer: {
    deceptive: createYesNoField(
      'did the speaker want anyone to believe something false, by whatever was said or left out?',
    ),
    type: typeField,
    confidence,
    suspicion: createProbabilityField('how far you take the statement to be deceptive: 0 not at all, 1 completely'),
    p_werewolf: createProbabilityField('how likely the speaker is a Werewolf'),
  },
};

// Intent and words have the same scale but separate fields. The terms above the fields define both.

/** Description of the probabilities in the schema of the family. The terms in the prompt define both. */
const probabilityNote = 'probability from 0 to 1';

/**
 * Fields for speaker and listeners. Speakers know whether their own statement is true, so the definitions above the
 * fields say what 0 and 1 mean for speakers.
 */
const gradedField = {
  p_deceptive: createProbabilityField('how likely the statement is deceptive', probabilityNote),
  p_falsehood: createProbabilityField('how likely it holds a falsehood', probabilityNote),
  types: createSubsetField(
    DeceptionType.options.filter((each) => each !== 'none'),
    'the types of deception in it, the main one first',
    { isDefined: true },
  ),
};

const gradedFields = {
  self: gradedField,
  peer: {
    ...gradedField,
    p_werewolf: createProbabilityField('how likely the speaker is a Werewolf, by all that you know'),
  },
};

/** Lists the fields of an analysis under the rules of a match. `self`: by the speaker. `peer`: by a listener. */
export function listAnalysisFields(
  { questions, peerSuspects }: Pick<Rules, 'questions' | 'peerSuspects'>,
  who: 'self' | 'peer',
): Fields {
  const { p_werewolf: belief, ...others }: Fields = (questions === 'paper' ? paperFields : gradedFields)[who];
  return belief === undefined || !peerSuspects ? others : { ...others, p_werewolf: belief };
}

export const createJudgementsField = (names: readonly string[], fields: Fields): Field<Record<string, unknown>> =>
  createFieldsForEach(
    names,
    fields,
    `object with an entry for each named player: your judgement of that explanation, each entry an object with the fields of "peer_analysis" from "${Object.keys(fields)[0]}" on`,
    null, // no description: the question says which explanations are judged
  );

const privacyNotice = 'Only the moderator reads these answers. Answer truthfully, from what you know.';

// The register of shapes.

/** Possible answers to a question. */
interface AnswerShape {
  family: Family;
  /** Returns whether a match of this set-up can ask the question. */
  isAsked: (setup: PublicSetup) => boolean;
  /** Returns the fields of the answer after the reasoning. Includes the names of all players if any field is a name. */
  fields: (setup: PublicSetup) => Fields;
}

const hasSheriff = ({ rules }: PublicSetup) => rules.sheriff;
const asksSelf = ({ rules }: PublicSetup) => rules.analysis === 'both' || rules.analysis === 'self';
const asksPeer = ({ rules }: PublicSetup) => rules.analysis === 'both' || rules.analysis === 'peer';
const asksBallots = ({ rules }: PublicSetup) => hasBallotReasons(rules) && rules.analyzeBallots;
const hasCandidates = ({ rules }: PublicSetup) => rules.sheriff && rules.sheriffCandidates === 'volunteers';

const isDrafting = ({ rules }: PublicSetup) => rules.debateOrder === 'bidding' && rules.turn === 'draft';

const listBeliefs = ({ rules, players }: PublicSetup): Fields =>
  rules.beliefs === 'each-statement' ? { p_werewolf_of: createBeliefsField(players) } : {};

const play = (fields: AnswerShape['fields'], isAsked: AnswerShape['isAsked'] = () => true): AnswerShape => ({
  ...{ family: 'play', isAsked, fields },
});
const analysis = (fields: AnswerShape['fields'], isAsked: AnswerShape['isAsked']): AnswerShape => ({
  ...{ family: 'analysis', isAsked, fields },
});

const speech = ({ rules }: PublicSetup): Fields => ({ statement: createStatementField(rules) });
const privateVote = ({ players }: PublicSetup): Fields => ({ vote: createVoteField(players) });

/** Action → possible answers. */
const shapes: Readonly<Record<string, AnswerShape>> = {
  bid: play(
    ({ rules }) => ({ bid: createBidField(rules) }),
    ({ rules }) => rules.debateOrder === 'bidding' && rules.turn === 'bid',
  ),
  draft: play(({ rules }) => createDraftFields(rules), isDrafting),
  debate: play(speech, (setup) => !isDrafting(setup) || setup.rules.sheriff), // the Sheriff opens without a bid
  campaign: play(speech, hasCandidates),
  pk_debate: play(speech, ({ rules }) => rules.exile === 'plurality' && rules.exileTies === 'pk'),
  vote: play((setup) => ({
    ...privateVote(setup),
    ...(hasBallotReasons(setup.rules) ? { explanation: createExplanationField(setup.rules) } : {}),
  })),
  synthetic_vote: play(privateVote, ({ rules }) => rules.syntheticVotes),
  pseudo_vote: play(privateVote, hasSheriff),
  elect: play(privateVote, hasSheriff),
  ...Object.fromEntries(
    powers.map(({ verb, role, actor, mayPass }) => [
      verb,
      play(
        ({ players, rules, board }) =>
          actor === 'team'
            ? {
                proposal: createChosenField(players),
                ...(rules.pack === 'vote' && (board.roles[role.name] ?? 0) > 1
                  ? { proposal_reason: createProposalReasonField(teams[role.team].members) }
                  : {}),
              }
            : { target: createChosenField(mayPass ? [...players, passChoice] : players) },
        ({ board }) => (board.roles[role.name] ?? 0) > 0,
      ),
    ]),
  ),
  ...Object.fromEntries(
    lastActs.map(({ verb, role }) => [
      verb,
      play(
        ({ players }) => ({ target: createChosenField([...players, passChoice]) }),
        ({ board }) => (board.roles[role.name] ?? 0) > 0,
      ),
    ]),
  ),
  candidacy: play(() => ({ stand: standField }), hasCandidates),
  speaking_order: play(
    () => ({ direction: createDirectionField() }),
    ({ rules }) => rules.sheriff && rules.debateOrder === 'round-robin',
  ),
  recommend: play(
    (setup) => ({ ...speech(setup), recommendation: createRecommendationField(setup.players) }),
    hasSheriff,
  ),
  pass_badge: play(
    ({ players }) => ({ successor: createSuccessorField([...players, destroyBadgeChoice]) }),
    hasSheriff,
  ),
  beliefs: play(
    ({ players }) => ({ p_werewolf_of: createBeliefsField(players) }),
    ({ rules }) => rules.beliefs === 'each-round',
  ),
  sum_up: play(
    () => ({ summary: summaryField }),
    ({ rules }) => rules.voteSummary,
  ),
  summarize: play(() => ({ summary: summaryField })),
  self_analysis: analysis((setup) => ({ ...listAnalysisFields(setup.rules, 'self'), ...listBeliefs(setup) }), asksSelf),
  peer_analysis: analysis((setup) => ({ ...listAnalysisFields(setup.rules, 'peer'), ...listBeliefs(setup) }), asksPeer),
  ballot_self_analysis: analysis(
    (setup) => ({
      ...listAnalysisFields(setup.rules, 'self'),
      ...(setup.rules.analysis === 'self' ? listBeliefs(setup) : {}),
    }),
    (setup) => asksSelf(setup) && asksBallots(setup),
  ),
  ballot_peer_analysis: analysis(
    (setup) => ({
      judgements: createJudgementsField(setup.players, listAnalysisFields(setup.rules, 'peer')),
      ...listBeliefs(setup),
    }),
    (setup) => asksPeer(setup) && asksBallots(setup),
  ),
};

/** Returns the family of a question; null if it is asked outside of matches. */
export const findFamily = (action: string): Family | null =>
  Object.hasOwn(shapes, action) ? (shapes[action]?.family ?? null) : null;

/**
 * Returns whether a match of this set-up can ask the question. Other questions are asked about records, e.g. by an
 * annotator.
 */
export const isAskedIn = (setup: PublicSetup, action: string): boolean => shapes[action]?.isAsked(setup) ?? false;

/**
 * Lists the shapes of a family that a match can ask for, without the reasoning; actions with equal fields share one.
 * `asked`: an action that is always included.
 */
export function listBranches(
  family: Family,
  setup: PublicSetup,
  asked?: string,
): { kinds: string[]; fields: Fields }[] {
  const branches: { kinds: string[]; fields: Fields; key: string }[] = [];
  for (const [action, shape] of Object.entries(shapes)) {
    if (shape.family !== family || !(shape.isAsked(setup) || action === asked)) continue;
    const fields = shape.fields(setup);
    const key = JSON.stringify(Object.entries(fields).map(([name, { says, takes }]) => [name, says, takes]));
    const same = branches.find((branch) => branch.key === key);
    if (same) same.kinds.push(action);
    else branches.push({ kinds: [action], fields, key });
  }
  return branches.map(({ kinds, fields }) => ({ kinds, fields }));
}

/**
 * Returns whether the schema of a family describes its fields. The schema of `play` does not, because one of its
 * branches serves several kinds of answers. The prompt says which kind of answer has which fields.
 */
export const isDescribedInSchema = (family: Family): boolean => family === 'analysis';

/**
 * Renders the part below the rules that all prompts of a family share, without names: the terms and the shapes of all
 * answers. With `schema`, shapes that the family's schema describes are left out.
 */
export const renderFamily = (
  family: Family,
  setup: PublicSetup,
  { asked, shapes: place, word }: { asked?: string | undefined; shapes: ShapesPlace; word: (text: string) => string },
): string[] => [
  ...(family === 'analysis' ? [...renderAnalysisTerms(setup.rules), privacyNotice] : []),
  ...(family === 'play' && ['bid', 'draft'].some((action) => isAskedIn(setup, action) || asked === action)
    ? ['What bids mean:', ...bidMeanings[setup.rules.bidScale]]
    : []),
  ...(place === 'prompt' ? ['', ...renderShapes(family, setup, asked)] : []),
  ...(place === 'family' || (place === 'schema' && !isDescribedInSchema(family))
    ? [
        '',
        ...renderKinds(family, setup, {
          asked,
          describe: (says) => (place === 'family' ? describeInFamily : describeBesideType)(says, word),
        }),
      ]
    : []),
];

/**
 * Describes which kind of answer has which fields, by the names that they have in the schema of the family; kinds with
 * the same description are listed together.
 */
function renderKinds(
  family: Family,
  setup: PublicSetup,
  { asked, describe }: { asked: string | undefined; describe: (says: string) => string },
): string[] {
  const described = listBranches(family, setup, asked).map(({ kinds, fields }) => ({
    kinds,
    lines: Object.entries(fields).map(([name, { familyName = name, says }]) => `  "${familyName}": ${describe(says)}`),
  }));
  return [
    'Every answer is one JSON object: first "reasoning", your thoughts in a few sentences, which no other player ever sees, then "answer", with the "kind" that the question asks for and the fields of that kind:',
    ...[...Map.groupBy(described, ({ lines }) => lines.join('\n'))].flatMap(([lines, alike]) => [
      `${alike
        .flatMap(({ kinds }) => kinds)
        .map((kind) => `"${kind}"`)
        .join(', ')}:`,
      lines,
    ]),
  ];
}

const renderShapes = (family: Family, setup: PublicSetup, asked: string | undefined): string[] => [
  'Every answer is one JSON object and nothing else: first "reasoning", your thoughts in a few sentences, which no other player ever sees, then by its kind:',
  ...listBranches(family, setup, asked).flatMap(({ kinds, fields }) => [
    `${kinds.map((kind) => `"${kind}"`).join(', ')}:`,
    ...Object.entries(fields).map(([name, { says }]) => `  "${name}": ${says}`),
  ]),
];
