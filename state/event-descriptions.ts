// Descriptions of all event types: who may see the event, its meaning, the question it answers, and whether it is a
// moment of its own. `npm run docs` prints audiences and meanings into docs/reference/data.md.
import type { EventOf, GameEvent, Occasion } from './events.ts';

/** Possible audiences of an event type, as docs/reference/data.md words them. */
export const audienceKinds = {
  everyone: 'everyone',
  /** No player ever sees it: the event is only in the record. */
  moderator: 'moderator',
  /** Only the player in the field `by`. */
  actor: 'the player',
  /** Only the player in the field `player`. */
  subject: 'the player',
  /** Everybody who was dealt to the Werewolves, alive or dead. */
  team: 'the Werewolves',
  /**
   * Only the one player who is about to be asked to use a rescuing power. If several players hold it, each gets an
   * event of their own.
   */
  rescuer: 'the players who may still save',
  /** `everyone` or `actor`, depending on the rule `ballots`. */
  ballots: 'everyone, or the player if ballots are secret',
} as const;
export type AudienceKind = keyof typeof audienceKinds;

/** Identifies the question in a record that an event answers. */
export interface AnsweredQuestion {
  action: string;
  /** Action of the question in matches whose rules ask no question with `action`. */
  otherwise?: string;
  /** Step of the question. If absent, the event answers the player's next question with that action in the round. */
  step?: number;
  /** Set if this one event answers the questions with that action that all players were asked. */
  isOfAll?: true;
}

interface EventDescription<Event> {
  /** Who may see the event. */
  audience: AudienceKind;
  /** Meaning of the event in words. Names every field except the fields that all events have. */
  tells: string;
  /** The question to the player in `by` that the event answers; null if it answers none. */
  answers: ((event: Event) => AnsweredQuestion) | null;
  /** Whether the event is a moment of its own. If not, it belongs to the moment before or after it. */
  isMoment: boolean;
}

/** Action under `turn=draft` in which each bidder gives a bid and a statement. */
export const draftAction = 'draft';

/** Occasion of a statement → action of the question whose answer becomes the statement. */
export const speechActions = {
  debate: 'debate',
  campaign: 'campaign',
  recommendation: 'recommend',
  pk: 'pk_debate',
} as const satisfies Record<Occasion | 'debate', string>;

/** Reads the step from a statement's id: `2.3` is said at step 2 and analyzed at step 3. Returns null for ballots. */
function readStep(id: string | undefined): number | null {
  const [, step] = /^\d+\.(\d+)$/.exec(id ?? '') ?? [];
  return step === undefined ? null : Number(step);
}

const answersTurn = ({ id, occasion }: { id: string; occasion?: Occasion | undefined }): AnsweredQuestion => ({
  action: speechActions[occasion ?? 'debate'],
  step: readStep(id)! - 1,
});

/** Identifies the question that an event answers if the event's type equals the question's action. */
const answersAtStep = ({ type, step }: { type: string; step: number }): AnsweredQuestion => ({ action: type, step });

const answersVerb = ({ verb }: { verb: string }): AnsweredQuestion => ({ action: verb });

const answersAction = (action: string) => (): AnsweredQuestion => ({ action });

/**
 * Descriptions by event type. The compiler reports a type that is missing.
 *
 * @example eventDescriptions.bid.audience // 'actor': a bid is known to nobody but the bidder
 */
export const eventDescriptions: { readonly [Type in GameEvent['type']]: EventDescription<EventOf<Type>> } = {
  dealt: { audience: 'subject', tells: '`player` was dealt `role`', answers: null, isMoment: false },
  acquainted: {
    audience: 'team',
    tells: '`players` learned that they are on the same `team`',
    answers: null,
    isMoment: false,
  },
  round_started: { audience: 'everyone', tells: 'night fell', answers: null, isMoment: true },
  thought: {
    audience: 'actor',
    tells: 'private `reasoning` of `by` for `action` at `step`; none for analyses and synthetic votes',
    answers: null,
    isMoment: false,
  },
  remembered: {
    audience: 'actor',
    tells:
      '`by` was given `entries` (`id`, `text`) of a [pool](experience.md), for all decisions of the kind `moment` (`debate`, `ballot`, `night`) in the round',
    answers: null,
    isMoment: false,
  },
  proposal: {
    audience: 'team',
    tells: '`by` proposed `verb` on `target` with `reason`, in round of proposals `ballot` (1 or 2); `mark`',
    answers: answersVerb,
    isMoment: true,
  },
  pick: {
    audience: 'team',
    tells: 'their joint choice: `verb`, `target`; `mark` if every proposal was random',
    answers: ({ verb }) => ({ action: verb, isOfAll: true }),
    isMoment: true,
  },
  acted: {
    audience: 'actor',
    tells: '`by` used the power `verb` on `target`; `mark`',
    answers: answersVerb,
    isMoment: true,
  },
  passed: {
    audience: 'actor',
    tells: '`by` could use the power or last act `verb` and did not; `mark`',
    answers: answersVerb,
    isMoment: true,
  },
  attacked: { audience: 'rescuer', tells: "`player` is this night's victim", answers: null, isMoment: true },
  learned: {
    audience: 'actor',
    tells: '`by` learned the `role` or the `team` of `about`',
    answers: null,
    isMoment: true,
  },
  death: {
    audience: 'everyone',
    tells:
      "`player` left; `cause` is `night`, `exile` or `last_act` (another's); `role` or `team` if the rules reveal it",
    answers: null,
    isMoment: true,
  },
  quiet_night: { audience: 'everyone', tells: 'nobody was removed in the night', answers: null, isMoment: true },
  last_act: {
    audience: 'everyone',
    tells: '`by`, who just left, did `verb` to `target`, who leaves next; `mark`',
    answers: answersVerb,
    isMoment: true,
  },
  candidacy: {
    audience: 'everyone',
    tells: 'whether `by` `stands` for Sheriff; `mark`',
    answers: answersAction('candidacy'),
    isMoment: true,
  },
  badge_ballot: {
    audience: 'everyone',
    tells: '`by` voted for `target` as Sheriff, in `ballot` 1 or 2; `mark`',
    answers: answersAction('elect'),
    isMoment: true,
  },
  elected: {
    audience: 'everyone',
    tells: '`player` is Sheriff; `how`: `unopposed`, `vote` or `draw`',
    answers: null,
    isMoment: true,
  },
  no_sheriff: { audience: 'everyone', tells: 'nobody stood', answers: null, isMoment: true },
  badge: {
    audience: 'everyone',
    tells: '`by` left as Sheriff and passed the badge `to` a player or tore it (null); `mark`',
    answers: answersAction('pass_badge'),
    isMoment: true,
  },
  speaking_order: {
    audience: 'everyone',
    tells: '`by`, the Sheriff, sends the debate `up` or `down` the seats (`direction`); `mark`',
    answers: answersAction('speaking_order'),
    isMoment: true,
  },
  pseudo_ballot: {
    audience: 'everyone',
    tells: '`by` voted for `target` in the first ballot, without effect; `mark`',
    answers: answersAction('pseudo_vote'),
    isMoment: true,
  },
  tie: { audience: 'everyone', tells: 'tied `players`, who speak once more', answers: null, isMoment: true },
  bid: {
    audience: 'actor',
    tells: '`by` bid `bid` for the turn at `step`; null if unreadable; `mark`',
    answers: ({ step }) => ({ action: 'bid', otherwise: 'draft', step }),
    isMoment: false,
  },
  draft: {
    audience: 'moderator',
    tells: '`by` would have said `text` in turn `id` (rule `turn=draft`); `cut` as below',
    answers: null, // the event of the bid describes the question
    isMoment: false,
  },
  statement: {
    audience: 'everyone',
    tells:
      '`by` said `text`; `id`; `cut` if it was too long; `occasion` outside the debate; `recommends`: whom the Sheriff recommends to exile',
    answers: answersTurn,
    isMoment: true,
  },
  silence: {
    audience: 'everyone',
    tells: '`by` had turn `id` and said nothing readable; `occasion`, `mark`',
    answers: answersTurn,
    isMoment: true,
  },
  ballot: {
    audience: 'ballots',
    tells:
      '`by` voted for `target`; `id`; `explanation` if ballots are public; `cut` as above; `mark` (chosen at random, without explanation)',
    answers: answersAction('vote'),
    isMoment: true,
  },
  exile_survived: {
    audience: 'everyone',
    tells: '`player` was voted out, shows `role` and stays without a vote',
    answers: null,
    isMoment: true,
  },
  no_exile: {
    audience: 'everyone',
    tells: 'nobody was exiled; `reason` is `no majority` or `tie`',
    answers: null,
    isMoment: true,
  },
  summary: {
    audience: 'actor',
    tells:
      "`by`'s notes on the round or, if `before` is `vote`, on the debate before the vote (rule `voteSummary`): `text`; `mark`",
    answers: ({ before }) => ({ action: before === undefined ? 'summarize' : 'sum_up' }),
    isMoment: false,
  },
  synthetic_vote: {
    audience: 'moderator',
    tells: 'whom `by` would vote for after the statement at `step`: `target`; no effect; `mark`',
    answers: answersAtStep,
    isMoment: false,
  },
  assessment: {
    audience: 'moderator',
    tells: 'an analysis, see below',
    answers: ({ kind, statement, by, about }) => {
      const whose = by === about ? 'self_analysis' : 'peer_analysis';
      return kind === 'ballot' ? { action: `ballot_${whose}` } : { action: whose, step: readStep(statement)! };
    },
    isMoment: false,
  },
  beliefs: {
    audience: 'moderator',
    tells: '`p_werewolf`: how likely `by` thinks each other living player a Werewolf, at `step`',
    answers: answersAtStep,
    isMoment: false,
  },
  missing: {
    audience: 'moderator',
    tells: 'missing analysis or belief for which `by` was asked: `action`, ids of `statements`, `mark`',
    answers: ({ action, statements: [first] }) => {
      const step = readStep(first);
      return { action, ...(step !== null && { step }) };
    },
    isMoment: false,
  },
  ended: {
    audience: 'everyone',
    tells:
      '`winner` (`villagers`, `werewolves` or null) and `reason`: `no Werewolf left`, `Werewolves at parity`, `Werewolves in the majority`, `no special role left`, `no plain villager left`, `round limit`',
    answers: null,
    isMoment: true,
  },
};
