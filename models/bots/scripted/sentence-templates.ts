// Phrases: what a bot may say. Slots in braces: T is the target, S somebody who spoke before, aR a role, n a number.

const list = (text: string): readonly string[] => text.split('|').map((phrase) => phrase.trim());

export const phrases = {
  accuse: list(`I suspect {T}. | My suspicion falls on {T}. | I think {T} is {aWolf}. | {T} looks like {aWolf} to me. |
    {T} worries me more than anybody else. | I do not trust {T}. | I keep coming back to {T}. |
    {T} is the one I would send away today. | {T} does not add up for me. | {T} is at the top of my list. |
    Something about {T} seems off to me. | For now, {T} is my main suspect. | {T}, I think you are {aWolf}.`),
  urge: list(`We should exile {T} today. | {T} has to go today. | Let us not waste this day: {T} must go. |
    I will vote for {T}, and I hope most of us do.`),
  vote: list(`I vote for {T}. | My vote goes to {T}. | My vote is for {T}. | Today I vote for {T}. |
    I vote to exile {T}. | I give my vote to {T}.`),
  second: list(`I agree with {S} about {T}. | {S} is right about {T}. | Like {S}, I suspect {T}. |
    I come to the same place as {S}: I would vote for {T}. | With {S}, I say we should exile {T}.`),
  defend: list(`I trust {T}. | I do not think {T} is {aWolf}. | {T} sounds honest to me. | I believe {T}. |
    I would not vote for {T} today. | Leave {T} alone; there are better candidates. | I side with {T} here. |
    I doubt that {T} is {aWolf}. | To me, {T} seems sincere.`),
  ask: list(`{T}, whom do you suspect? | {T}, where do you stand? | I would like to hear from {T}. |
    {T}, who would get your vote now? | {T}, what is your reading of the table? | {T}, what is on your mind? |
    {T}, is there anything you have noticed? | {T}, what do you say to all this?`),
  askBack: list(`{T}, what did I do to deserve that? | {T}, which words of mine do you mean? |
    {T}, what exactly have you seen me do?`),
  deny: list(`I am not {aWolf}. | I am no {wolf}. | I am on the side of the village. | I am with the village. |
    I have nothing to hide.`),
  denyTo: list(`{S}, you are wrong about me. | {S}, I say it plainly: I am not {aWolf}. |
    You are wrong about me, {S}. | {S}, I understand the doubt, but I am on the side of the village.`),
  answer: list(`Exiling me would cost us a day. | Ask me anything and I will answer. | It is not what you think. |
    That is a lot to build on so little. | A feeling should not decide a vote. | Tell me what I did, not how it felt.`),
  undecided: list(`{S}, I have not made up my mind yet. | {S}, ask me again when I have heard more.`),
  claim: list(`I am {aR}. | It is time to say it: I am {aR}. | Before you vote, know this: I am {aR}. |
    I did not want to say it, but I am {aR}. | I have to show my hand: I am {aR}.`),
  dispute: list(`{S} is lying: I am {aR}. | I am {aR}, so {S} must be lying. |
    What {S} says can not be, because I am {aR} and {S} is lying.`),
  werewolves: list(`I checked {T}: {wolf}. | I checked {T}: {T} is {aWolf}. | My check of {T} showed {aWolf}. |
    I have checked {T}. The answer was {wolf}.`),
  villagers: list(`I checked {T}: {T} is not {aWolf}. | My check of {T} showed no {wolf}. |
    I have checked {T}, who is not {aWolf}. | I checked {T} and found no {wolf}.`),
  follow: list(`A vote has to go somewhere: {T}. | I follow the others, who name {T}. | One name is enough: {T}.`),
  stand: list(`I stand for Sheriff. | I stand for Sheriff because I listen before I judge. |
    With the badge, I will weigh every voice. | Elect me, and each of our debates will be summed up fairly.`),
  // Why somebody is accused.
  reported: list(`{S} checked {T} and found {aWolf}. | The check of {S} speaks a clear language. |
    {S} has told us what {T} is.`),
  feeling: list(`It is only a feeling, but it will not go away. | I have nothing firm yet. | Call it instinct. |
    We have little to go on, so I go by the tone. | It is early, but let me put a name on the table. |
    There is no proof, but we must choose somebody. | Somebody has to be first, so I say it openly.`),
  remark: list(`Let us hear everybody before we vote. | A split vote helps only the {wolves}. |
    I would rather hear reasons than names. | Let us stay with what can be checked: votes and words. |
    There are {n} of us left, and every vote counts. | With {n} of us left, we cannot afford a mistake. |
    Somebody here knows more than they say. | Let us listen to each other today.`),
};
