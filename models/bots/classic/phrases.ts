// Phrases: the sentences a bot may say, several for each thing it can do. Slots stand in braces: T is the target,
// S somebody who spoke before, X and Y others, R a role, aR the role with its article, day the day meant.
// The second form of a pair is said to the target's face, after the name and a comma.

export const phrases = {
  accuse: [
    'I suspect {T}.',
    'My suspicion falls on {T}.',
    'I think {T} is {aWolf}.',
    '{T} looks like {aWolf} to me.',
    'I would vote for {T} today.',
    '{T} worries me more than anybody else.',
    'I do not trust {T}.',
    'I keep coming back to {T}.',
    '{T} is the one I would send away today.',
    'We should keep an eye on {T}.',
    '{T} does not add up for me.',
    '{T} is at the top of my list.',
    'Of everybody here, {T} seems the most suspicious to me.',
    'Something is wrong here, and {T} seems off to me.',
    'For now, {T} is my main suspect.',
  ],
  accuseToFace: [
    'I do not trust you.',
    'I think you are {aWolf}.',
    'You are at the top of my list.',
    'You look suspicious to me.',
    'You worry me more than anybody else.',
    'Right now you are my main suspect.',
  ],
  accuseSurely: [
    'I am convinced that {T} is {aWolf}.',
    '{T} is {aWolf}, I am sure of it.',
    'We should exile {T} today.',
    '{T} has to go today.',
    'There is little doubt left that {T} is {aWolf}.',
  ],
  /** After a fact that speaks for itself. */
  urge: [
    'We should exile {T} today.',
    '{T} has to go today.',
    'Let us not waste this day: {T} must go.',
    'I will vote for {T}, and I hope most of us do.',
  ],
  vote: [
    'I vote for {T}.',
    'My vote goes to {T}.',
    'My vote is for {T}.',
    'Today I vote for {T}.',
    'I vote to exile {T}.',
    'I give my vote to {T}.',
  ],
  /** After a reason. */
  voteThen: [
    'So I vote for {T}.',
    'That is why I vote for {T}.',
    'Hence my vote is for {T}.',
    'Reason enough: I vote for {T}.',
  ],
  second: [
    'I agree with {S} about {T}.',
    '{S} is right about {T}.',
    'Like {S}, I suspect {T}.',
    '{S} said it before me: {T} is our best candidate today.',
    'I come to the same place as {S}: I would vote for {T}.',
    'With {S}, I say we should exile {T}.',
  ],
  defend: [
    'I trust {T}.',
    'I do not think {T} is {aWolf}.',
    '{T} sounds honest to me.',
    'I would not vote for {T} today.',
    'Leave {T} alone; there are better candidates.',
    'I believe {T}.',
    'I side with {T} here.',
    'I doubt that {T} is {aWolf}.',
    'To me, {T} seems sincere.',
  ],
  believe: ['I believe {S}.', '{S} sounds credible to me.', 'I take {S} at face value: I believe {S}.'],
  believeAlone: [
    'Nobody else claims what {S} claims, so I trust {S}.',
    'I believe {S}; nobody has said otherwise.',
    'As long as nobody disputes it, I trust {S}.',
  ],
  believeOver: [
    'Between {S} and {Y}, I believe {S}.',
    'I have listened to both, and I believe {S}.',
    'I weighed {S} against {Y}: I trust {S}.',
  ],
  ask: [
    '{T}, whom do you suspect?',
    '{T}, where do you stand?',
    'I would like to hear from {T}.',
    '{T}, who would get your vote now?',
    '{T}, what is your reading of the table?',
    '{T}, is there anything you have noticed?',
  ],
  askNamed: [
    '{T}, you have been named; what do you say to it?',
    'Before we decide, I would like to hear from {T}.',
    '{T}, this is the moment to speak: what is your side of it?',
  ],
  askSilent: [
    '{T}, we have heard nothing from you today. What is on your mind?',
    '{T}, you have let the others talk; what do you make of it?',
    'I would like to hear from {T}, who has been listening all day.',
  ],
  askAbout: ['{T}, what do you make of {X}?', '{T}, how do you see {X}?', '{T}, where do you place {X}?'],
  askVote: ['{T}, why did you vote for {X} {day}?', '{T}, what was behind your vote for {X} {day}?'],
  askBack: [
    '{T}, what did I do to deserve that?',
    '{T}, which words of mine do you mean?',
    '{T}, what exactly have you seen me do?',
  ],
  deny: [
    'I am not {aWolf}.',
    'I am no {wolf}.',
    'I am on the side of the village.',
    'I am with the village.',
    'I have nothing to hide.',
  ],
  denyTo: [
    '{S}, you are wrong about me.',
    '{S}, I can only say it plainly: I am not {aWolf}.',
    'You are wrong about me, {S}.',
    '{S}, I understand the doubt, but I am on the side of the village.',
  ],
  answerSilence: [
    'I listen before I speak, that is all.',
    'I speak when I have something to say.',
    'Not talking all the time is no crime.',
  ],
  answerVote: [
    'I voted as I saw it at that time.',
    'My vote was a guess like many others, and I stand by having made one.',
    'With what we had, that vote was reasonable.',
  ],
  answerCheck: ['That check is made up.', 'Whoever tells you of such a check is telling a story.'],
  answerFeeling: [
    'There is no fact behind that, only a feeling.',
    'A feeling should not decide a vote.',
    'Tell me what I did, not how it felt.',
  ],
  answerOther: [
    'Exiling me would cost us a day.',
    'Ask me anything and I will answer.',
    'That is a lot to build on so little.',
    'One can read that in more ways than one.',
    'I understand how it looks, but it is not what you think.',
  ],
  noOpinion: [
    'About {T} I have made up no opinion yet.',
    'I can not read {T} so far.',
    'On {T} I would need to hear more.',
  ],
  deflect: [
    'That proves nothing about me.',
    'That is a thin reason to name me.',
    'One could say the same of half the table.',
    'Naming me is the easy way out.',
    'It takes more than my name to make a case.',
  ],
  claim: [
    'I am {aR}.',
    'It is time to say it: I am {aR}.',
    'Before you vote, know this: I am {aR}.',
    'I did not want to say it so early, but I am {aR}.',
    'I have to show my hand: I am {aR}.',
  ],
  claimPlain: ['I am just {aR}.', 'I am a plain {R}, nothing more.', 'All I am is what most of us are: I am {aR}.'],
  counterclaim: [
    '{S} is lying: I am {aR}.',
    'I am {aR}, so {S} must be lying.',
    'What {S} says can not be, because I am {aR} and {S} is lying.',
  ],
  foundPack: [
    'I checked {T}: {T} is {aWolf}.',
    'Last night I checked {T}, and {T} is {aWolf}.',
    'My check of {T} showed {aWolf}.',
    'I have checked {T}. The answer was {wolf}.',
  ],
  foundPackEarlier: [
    'I checked {T}: {T} is {aWolf}.',
    'My check of {T} showed {aWolf}.',
    'I have checked {T}. The answer was {wolf}.',
  ],
  foundVillage: [
    'I checked {T}: {T} is not {aWolf}.',
    'My check of {T} showed no {wolf}.',
    'I have checked {T}, who is not {aWolf}.',
    'I checked {T} and found no {wolf}.',
  ],
  follow: [
    'I go with the others: {T}.',
    'I join the majority: {T}.',
    'I follow the others, who have named {T}.',
    'I side with the others on {T}.',
  ],
  followNobody: ['A vote has to go somewhere: {T}.', 'We need a majority, and one name is enough: {T}.'],
} as const;

/** Remarks that accuse nobody, by what must have happened for them to be true. */
export const remarks = {
  victim: [
    'We lost {X} in the night. Who gains from that?',
    'Ask yourselves why it was {X} who left in the night.',
    '{X} is gone; let us look again at what {X} told us.',
  ],
  quiet: [
    'Nobody left in the night, so somebody was well protected.',
    'A night without a loss gives us one more day to think.',
  ],
  spared: [
    '{Day} we exiled nobody; today we should agree on one name.',
    'A second day without an exile would be a gift to the {wolves}.',
  ],
  majority: [
    'There are {n} of us left, and it takes {m} votes to exile anybody.',
    '{m} of {n} votes are needed; scattered votes decide nothing.',
  ],
  ballots: ['Look at the votes of {day}, not only at the speeches.', 'The votes of {day} tell us more than the talk.'],
  firstDay: [
    'It is the first day, and there is little on the table yet.',
    'Somebody has to begin, so let us collect first impressions.',
  ],
  always: [
    'Let us hear everybody before we vote.',
    'A split vote helps only the {wolves}.',
    'I would rather hear reasons than names.',
    'Let us stay with what can be checked: votes and words.',
  ],
} as const;

export type ReasonKind = keyof typeof reasons;

/** Reasons to suspect somebody: of them, and to their face. */
export const reasons = {
  reported: {
    of: [
      '{S} checked {T} and found {aWolf}.',
      'The check of {S} speaks a clear language.',
      '{S} has named what {T} is, and nothing contradicts it.',
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
  survivor: {
    of: ['{T} claims to be {aR}, and yet no night has touched {T}.'],
    to: ['you claim to be {aR}, and yet no night has touched you.'],
  },
  crowd: {
    of: [
      '{T} has been named by more than one of us.',
      'Several of us arrived at {T} on their own.',
      'When so many look the same way, I look there too.',
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

/** The shortest way to say each thing, for boards with few words. */
export const shortest = {
  accuse: 'I suspect {T}.',
  defend: 'I trust {T}.',
  ask: '{T}, your thoughts?',
  askAbout: '{T}, what about {X}?',
  follow: 'I follow the others: {T}.',
  claim: 'I am {aR}.',
  deny: 'I am no {wolf}.',
  deflect: 'That proves nothing about me.',
  foundPack: 'I checked {T}: {wolf}.',
  foundVillage: 'I checked {T}: innocent.',
  remark: 'Let us hear everybody.',
} as const;
