// Phrases for reasons: what can be held against a player or said for one. The slots are those of `phrases.ts`.

export type ReasonKind = keyof typeof reasons;

/** Reasons to suspect somebody: of them, and to their face. */
export const reasons = {
  reported: {
    of: [
      '{S} checked {T} and found {aWolf}.',
      'The check of {S} speaks a clear language.',
      '{S} has told us what {T} is.',
    ],
    to: ['{S} checked you and found {aWolf}.'],
  },
  rival: {
    of: ['{T} and {S} cannot both be {aR}.', 'Only one of {T} and {S} can be {aR}.'],
    to: ['you and {S} cannot both be {aR}.'],
  },
  ownRole: { of: ['I know that the claim of {T} is false.'], to: ['I know that your claim is false.'] },
  contradicted: {
    of: ['{T} spoke against {X} {day} and then voted for {Y}.', '{Day} {T} talked about {X} and voted for {Y}.'],
    to: ['{day} you spoke against {X} and then voted for {Y}.'],
  },
  votedGood: {
    of: ['{T} voted for {X} {day}, and {X} was no {wolf}.', '{X} was no {wolf}, yet {T} voted for {X} {day}.'],
    to: ['you voted for {X} {day}, and {X} was no {wolf}.'],
  },
  victim: {
    of: [
      '{X} spoke against {T} and was gone the next morning.',
      '{X} had named {T} before the night, and then {X} was removed.',
    ],
    to: ['{X} named you, and the next morning {X} was gone.'],
  },
  hunts: {
    of: [
      '{T} picked {X} of all people.',
      '{T} is pushing against {X}, and I see nothing in it.',
      'What {T} said about {X} was empty.',
    ],
    to: ['you picked {X} of all people.', 'what you said about {X} was empty.'],
  },
  againstMe: {
    of: [
      '{T} was quick to name me.',
      '{T} needed a name and took mine.',
      'When {T} spoke against me, I heard no good reason.',
    ],
    to: ['you were quick to name me.', 'you needed a name and took mine.'],
  },
  stoodUp: {
    of: ['{T} stood up for {X}.', '{T} had a kind word for {X}, of all players.'],
    to: ['you stood up for {X}.'],
  },
  sameSide: {
    of: [
      '{T} and {X} voted the same way {day}.',
      '{Day} {T} and {X} cast the same vote.',
      'If {X} is what I think, then it matters that {T} voted alongside {X} {day}.',
      'Where {X} voted {day}, {T} voted too.',
    ],
    to: ['{day} you cast the same vote as {X}.'],
  },
  alone: {
    of: ['{Day} {T} gave a vote to {X} that helped nobody.', 'While we needed a majority, {T} voted for {X}.'],
    to: ['{day} you gave a vote to {X} that helped nobody.'],
  },
  /** The same where the most votes decide. */
  aloneByMost: {
    of: ['{Day} {T} gave a vote to {X} that helped nobody.', '{T} voted for {X} {day}, and nobody else did.'],
    to: ['{day} you gave a vote to {X} that helped nobody.'],
  },
  survivor: {
    of: ['{T} claims to be {aR}, and yet no night has touched {T}.'],
    to: ['you claim to be {aR}, and yet no night has touched you.'],
  },
  crowd: {
    of: [
      '{T} has been named by more than one of us.',
      'Several of us arrived at {T} on their own.',
      'When so many look the same way, I look there too.',
      'Too many of us have doubts about the same player for it to be chance.',
      'The case has been made by others already, and better than I could.',
      'What others have said about {T} is enough for me.',
    ],
    to: ['several of us have named you.'],
  },
  silent: {
    of: [
      '{T} has not said a word today.',
      'We have heard nothing from {T} today.',
      '{T} sits there and lets the others talk.',
    ],
    to: ['you have not said a word today.', 'we have heard nothing from you today.'],
  },
  sparing: {
    of: ['{T} has spoken less than anybody else so far.', 'So far {T} has kept in the background.'],
    to: ['you have kept in the background so far.'],
  },
  vague: {
    of: [
      '{T} talks and never names anybody.',
      '{T} has said something today, but nothing one could hold on to.',
      '{T} stays on the fence.',
      'I have listened to {T} and still know nothing of what {T} thinks.',
    ],
    to: ['you talk and never name anybody.'],
  },
  echo: {
    of: ['{T} only repeated what {S} had said.', '{T} waited for {S} to go first and then went along.'],
    to: ['you only repeated what {S} had said.'],
  },
  hasty: {
    of: [
      '{T} was the first to name {X}, with nothing to go on.',
      'Naming {X} so early, as {T} did, looks like an attempt to set the tone.',
      'It was {T} who started on {X}, out of nothing.',
    ],
    to: ['you were the first to name {X}, with nothing to go on.'],
  },
  feeling: {
    of: [
      'It is only a feeling, but it will not go away.',
      'I have nothing firm yet.',
      'We have little to go on, so I go by the tone.',
      'Call it instinct.',
      'I may be wrong, but I would rather say it than keep it to myself.',
      'I cannot point at one sentence; it is the whole manner.',
      'There is no proof, but we must choose somebody.',
    ],
    to: ['it is only a feeling, but it will not go away.', 'I cannot point at one sentence, it is your whole manner.'],
  },
  first: {
    of: [
      'Somebody has to be first, so I say it openly.',
      'I will break the silence.',
      'It is early, but let me put a name on the table.',
    ],
    to: ['let me be the first to say it.'],
  },
} as const;

/** Reasons to trust somebody. */
export const trust = {
  cleared: ['{S} checked {T} and found no {wolf}.'],
  hunter: ['{T} spoke against {X} when it mattered.', '{T} was among the few who named {X}.'],
  voter: ['{T} voted for {X} {day}.'],
  baseless: ['Nobody has given a real reason for naming {T}.', 'What has been said against {T} is thin.'],
} as const;
