// What each event tells, and to whom, in the words of docs/data.md.
import type { GameEvent } from './events.ts';

interface EventDescription {
  /** Who may know of it. */
  audience: string;
  /** What happened, naming every field but those that all events have. */
  tells: string;
}

/** Every type of event: one that is left out does not compile. */
export const eventDescriptions: Readonly<Record<GameEvent['type'], EventDescription>> = {
  dealt: { audience: 'the player', tells: '`player` was dealt `role`' },
  acquainted: { audience: 'the Werewolves', tells: '`players` learned that they are on the same `team`' },
  round_started: { audience: 'everyone', tells: 'night fell' },
  thought: {
    audience: 'the player',
    tells:
      'private `reasoning` of `by` for `action` at `step`; kept in the scratchpad. None for analyses and synthetic votes',
  },
  proposal: {
    audience: 'the Werewolves',
    tells:
      '`by` proposed to use the power `verb` on `target`, with `reason`, in round `ballot` (1 or 2) of proposals; `mark`',
  },
  pick: {
    audience: 'the Werewolves',
    tells: 'what they settled on: `verb`, `target`; `mark` where every proposal was drawn',
  },
  acted: { audience: 'the player', tells: '`by` used the power `verb` on `target`; `mark`' },
  passed: { audience: 'the player', tells: '`by` had the power or last act `verb` and used it on nobody; `mark`' },
  attacked: { audience: 'who may still save', tells: '`player` is the victim of this night' },
  learned: { audience: 'the player', tells: '`by` learned the `role` or the `team` of `about`' },
  death: {
    audience: 'everyone',
    tells:
      '`player` left the game, `cause` is `night`, `exile` or `last_act` (of another who has left); `role` or `team` where the rules reveal it',
  },
  quiet_night: { audience: 'everyone', tells: 'nobody was removed in the night' },
  last_act: { audience: 'everyone', tells: '`by`, who has just left, did `verb` to `target`, who leaves next; `mark`' },
  candidacy: { audience: 'everyone', tells: 'whether `by` `stands` for Sheriff; `mark`' },
  badge_ballot: { audience: 'everyone', tells: '`by` voted for `target` as Sheriff, in `ballot` 1 or 2; `mark`' },
  elected: { audience: 'everyone', tells: '`player` is Sheriff; `how`: `unopposed`, `vote` or `draw`' },
  no_sheriff: { audience: 'everyone', tells: 'nobody stood' },
  badge: {
    audience: 'everyone',
    tells: '`by` left as Sheriff and passed the badge `to` a player, or tore it (null); `mark`',
  },
  speaking_order: {
    audience: 'everyone',
    tells: '`by`, the Sheriff, lets the debate go `up` or `down` the order of seats (`direction`); `mark`',
  },
  pseudo_ballot: {
    audience: 'everyone',
    tells: '`by` voted for `target` in the first ballot, which exiles nobody; `mark`',
  },
  tie: { audience: 'everyone', tells: 'the `players` who are tied and speak once more' },
  bid: {
    audience: 'the player',
    tells: '`by` bid `bid` for the turn at `step`; null where it could not be read; `mark`',
  },
  statement: {
    audience: 'everyone',
    tells:
      '`by` said `text`; `id`; `cut` is true where it was longer than the rules allow; `occasion` outside the debate; `recommends`: whom the Sheriff recommends to exile',
  },
  silence: {
    audience: 'everyone',
    tells: '`by` had the turn `id` and said nothing that could be read; `occasion`, `mark`',
  },
  ballot: {
    audience: 'everyone, or the player where ballots are secret',
    tells:
      '`by` voted for `target`; `id`; `explanation` where ballots are public, `cut` as above; `mark` (then drawn, without explanation)',
  },
  exile_survived: {
    audience: 'everyone',
    tells: '`player` was voted to be exiled, shows the `role` and stays in the game without a vote',
  },
  no_exile: { audience: 'everyone', tells: 'nobody was exiled; `reason` is `no majority` or `tie`' },
  summary: { audience: 'the player', tells: 'what `by` noted of the round: `text`; `mark`' },
  synthetic_vote: {
    audience: 'moderator',
    tells: 'whom `by` would have voted for after the statement at `step`: `target`; `mark`. Changes nothing',
  },
  assessment: { audience: 'moderator', tells: 'an analysis that was obtained, see below' },
  beliefs: {
    audience: 'moderator',
    tells: '`p_werewolf`: for each other living player, how likely `by` thinks that player a Werewolf, at `step`',
  },
  missing: {
    audience: 'moderator',
    tells:
      'an analysis or belief that was asked for and not obtained: `by`, `action`, the ids of the `statements` it was about, `mark`',
  },
  ended: {
    audience: 'everyone',
    tells:
      '`winner` (`villagers`, `werewolves` or null) and `reason`: `no Werewolf left`, `Werewolves at parity`, `Werewolves in the majority`, `no special role left`, `no plain villager left`, `round limit`',
  },
};
