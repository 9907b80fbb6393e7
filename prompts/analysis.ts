// Questions about what was just said: the speaker answers about its own statement, the listeners about the statements
// that they heard. Metrics count these answers, so these prompts define every term.
import type { RandomSource } from '../state/random.ts';
import type { BallotAnalysis, Beliefs, PeerAnalysis, SelfReport, StatementText } from '../state/steps/analysis.ts';
import { listTrimmedEvents } from '../state/trimming-order.ts';
import { listLivingOthers, type SeenEvent, type View } from '../state/view.ts';
import { compose } from './compose.ts';
import { type Fields, reasoning } from './fields.ts';
import type { Prompt, Question } from './prompt.ts';
import { createBeliefsField, createJudgementsField, listAnalysisFields } from './shapes.ts';
import { quote } from './text.ts';

const privacyNotice =
  'Only the moderator reads this answer; no other player will ever see it. Answer truthfully, from what you know.';

/** Orders the fields of an answer. Under `questionOrder=random`, each player gets a random order in each round. */
const arrangeFields = (fields: Fields, { rules }: View, draw: RandomSource): Fields =>
  rules.questionOrder === 'fixed' ? fields : Object.fromEntries(draw.shuffle(Object.entries(fields)));

const listBeliefs = (view: View) => ({ p_werewolf_of: createBeliefsField(listLivingOthers(view)) });

function composeAnalysis<Answer>(
  view: View,
  draw: RandomSource,
  action: string,
  asked: readonly StatementText[],
  task: string[],
  fields: Fields,
  asksBeliefs = view.rules.beliefs === 'each-statement',
  order?: readonly string[],
): Prompt<Answer> {
  const answered = asksBeliefs ? { ...fields, ...listBeliefs(view) } : fields;
  const arranged = arrangeFields(answered, view, draw);
  return compose({
    action,
    view,
    kind: 'talk',
    task: (leftOut) => [...task, ...repeatLeftOut(view, asked, leftOut)],
    fields: { reasoning, ...arranged },
    ...(view.rules.questionOrder === 'random' ? { order: order ?? Object.keys(arranged) } : {}),
  }) as unknown as Prompt<Answer>;
}

/**
 * Repeats statements that the question is about but that were left out of the history. They are the newest speech, so
 * this happens only if almost all speech was left out.
 */
function repeatLeftOut(view: View, asked: readonly StatementText[], leftOut: number): string[] {
  const gone = listTrimmedEvents(view, leftOut).map((event) => ('id' in event ? event.id : null));
  return asked.filter(({ id }) => gone.includes(id)).map(({ by, text }) => `${by}: ${quote(text)}`);
}

/**
 * Returns the View for a speaker's report on its own statement. Under `selfReport=without-notes`, this View has none of
 * the speaker's thoughts.
 */
const selectNotes = (view: View): View =>
  view.rules.selfReport === 'with-notes'
    ? view
    : { ...view, events: view.events.filter(({ type: kind }) => kind !== 'thought') };

export const selfAnalysis: Question<SelfReport, StatementText> = {
  action: 'self_analysis',
  put: (view, draw, own) =>
    composeAnalysis(
      selectNotes(view),
      draw,
      'self_analysis',
      [own],
      ['The last statement is yours. What did you want others to believe, and did you believe what you said?'],
      listAnalysisFields(view.rules, 'self'),
    ),
};

export const peerAnalysis: Question<PeerAnalysis, StatementText> = {
  action: 'peer_analysis',
  put: (view, draw, said) =>
    composeAnalysis(
      view,
      draw,
      'peer_analysis',
      [said],
      [`What do you make of the last statement, by ${said.by}?`],
      listAnalysisFields(view.rules, 'peer'),
    ),
};

/**
 * Returns the View without the other players' votes in the ballot that was just held. Everybody votes at the same time,
 * so a voter knew none of these votes when explaining its own.
 */
function hideOthersVotes(view: View): View {
  const { events, round, me } = view;
  const lastTie = events.findLastIndex((event) => event.type === 'tie' && event.round === round);
  const isOfOthers = (event: SeenEvent, index: number) =>
    index > lastTie && event.type === 'ballot' && event.round === round && event.by !== me;
  return { ...view, events: events.filter((event, index) => !isOfOthers(event, index)) };
}

/**
 * Asks voters about the explanation of their own vote, which is the last line that they see. Also asks for their
 * beliefs after all votes, unless a peer analysis follows that asks the same players for them.
 */
export const ballotSelfAnalysis: Question<SelfReport, StatementText> = {
  action: 'ballot_self_analysis',
  put: (view, draw, own) => {
    const asksBeliefs = view.rules.beliefs === 'each-statement' && view.rules.analysis === 'self';
    return composeAnalysis(
      asksBeliefs ? selectNotes(view) : hideOthersVotes(selectNotes(view)),
      draw,
      'ballot_self_analysis',
      [own],
      [
        'You have just explained your vote to everybody. This explanation is "your statement" in the answer.',
        'What did you want others to believe, and did you believe what you said?',
      ],
      listAnalysisFields(view.rules, 'self'),
      asksBeliefs,
    );
  },
};

/** Asks one question about all explanations of a ballot, except the player's own. */
export const ballotPeerAnalysis: Question<BallotAnalysis, readonly StatementText[]> = {
  action: 'ballot_peer_analysis',
  put: (view, draw, statements) => {
    const names = statements.map(({ by }) => by);
    const judged = arrangeFields(listAnalysisFields(view.rules, 'peer'), view, draw);
    return composeAnalysis(
      view,
      draw,
      'ballot_peer_analysis',
      statements,
      [
        'All have just voted. What do you make of the explanations of the others, which stand last above? In each entry they are "the statement", and whoever gave them "the speaker".',
        `Give an entry for each of these: ${names.join(', ')}.`,
      ],
      { judgements: createJudgementsField(names, judged) },
      view.rules.beliefs === 'each-statement',
      Object.keys(judged),
    );
  },
};

/** Asks how likely each other player is a Werewolf, without reference to a statement. */
export const beliefs: Question<Beliefs> = {
  action: 'beliefs',
  put: (view) =>
    compose({
      action: 'beliefs',
      view,
      kind: 'talk',
      task: [
        'How likely is it, for each other player still in the game, that this player is a Werewolf?',
        privacyNotice,
      ],
      fields: { reasoning, ...listBeliefs(view) },
    }),
};
