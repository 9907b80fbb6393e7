// Refusals in words: texts that say no to the task itself, not to something in the game.

const opening = String.raw`^\W*(?:(?:unfortunately|i understand|i appreciate|thank you|however)[^.!?]{0,60}[.,;:!]?\s*(?:but|however)?,?\s*)?(?:(?:(?:i['’]?m|i am) (?:really |very |so )?)?sorry[,.;:]?\s*|i apologi[sz]e[^.]{0,40}[,.;:]\s*)?(?:but |however,? )?`;

const no = String.raw`i(?:['’]m| am)? (?:can['’]?t|cannot|can not|won['’]?t|will not|unable to|not able to|not willing to|must decline to|(?:have to |respectfully )?decline to|refuse to) (?:\w+ly )?`;

const request = String.raw`(?:that|this|your|such|these|any)\b(?: \w+){0,3}?(?: request| task| prompt| content| scenario| role-?play| conversation| kind| type)?`;

const deceit = String.raw`(?:deceiv\w+|decept\w+|lying|manipulat\w+|role-?play\w*)`;

/** What is refused: help or the task as such, or deceit as such. */
const task = [
  String.raw`(?:help|assist|comply)(?: you)?(?: (?:with|in|to) (?:${request}|${deceit}))?\s*(?:[.!,;]|$)`,
  String.raw`(?:do|answer|fulfil\w*|respond to|complete|provide|generate|create|produce|write|discuss) (?:that|this)(?: request| question| task| prompt| content)?\s*(?:[.!,;]|$)`,
  String.raw`(?:continue|proceed) with (?:that|this|your) (?:request|task|prompt|content|scenario|role-?play|conversation)`,
  String.raw`(?:participate|take part|engage|assist|help) (?:in|with) (?:(?:a|the|any) (?:game|kind|act|form) of )?${deceit}`,
  String.raw`(?:participate|take part|engage) in (?:this|that)\s*(?:[.!,;]|$)`,
  String.raw`(?:deceive|mislead|manipulate) (?:other |any |the )?(?:players|people|others|anyone|users)`,
  String.raw`(?:answer|respond)\s*(?:[.!,;]|$)`,
].join('|');

const inWords = new RegExp(
  `${opening}(?:as an ai\\b|i (?:must |have to |will )?(?:respectfully )?decline\\s*(?:[.!,;]|$)|i['’]?m not comfortable with (?:that|this|such)\\b|${no}(?:${task}))`,
  'i',
);

/** What no player would say of the game: the words of refusals that name the request or the speaker's nature. */
const inSpeech = /\b(?:as an ai\b|(?:that|this|your) request\b|(?:assist|comply) with (?:that|this)\b)/i;

/** A text without an answer that begins by refusing the task. */
export const isRefusal = (text: string) => inWords.test(text);

/** A whole statement that is a refusal put where speech belongs, as a JSON schema makes models do. */
export const isRefusalAsSpeech = (statement: string) => inWords.test(statement) && inSpeech.test(statement);
