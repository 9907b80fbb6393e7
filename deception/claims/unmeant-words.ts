// Blanks the words of a statement that its speaker does not mean as facts of this game, before the rules read it:
// quoted blocks, retractions, jokes, figures of speech and lines for others to say. Every other character keeps its
// position.
import { createNameCache, getNameSource, listLongestFirst } from '../../state/name-reader.ts';

/** Blanks words that are not meant, and removes quotation marks around a single name. `players`: names at the table. */
export function hideUnmeant(text: string, players: readonly string[]): string {
  const { quoted, reported, takesOut } = findPatterns(players);
  const named = text.replace(quoted, ' $1 ');
  const own = named.replace(blockQuote, blank).replace(lineForOthers, blankFromSecond);
  const taken = blankTakenBack(own);
  return splitSentences(taken.replace(reported, blankFromSecond))
    .map((sentence) => (isUnmeant(sentence) || takesOut.test(sentence) ? blank(sentence) : sentence))
    .join('');
}

const findPatterns = createNameCache((players) => {
  const names = listLongestFirst(players).map(getNameSource).join('|');
  return {
    quoted: new RegExp(`["“”„«»'‘’](${names})["“”«»'‘’]`, 'g'),
    reported: new RegExp(othersReport.replaceAll('NAME', names), 'g'),
    takesOut: new RegExp(allButOne.replaceAll('NAME', names), 'i'),
  };
});

/** Replaces characters with spaces. Line breaks are kept, because they end sentences and lists. */
const blank = (words: string) => words.replace(/[^\n]/g, ' ');

/** Keeps the first group of a match and blanks the second. */
const blankFromSecond = (_all: string, first: string, second: string) => `${first}${blank(second)}`;

/** A quoted block: from ">" to the end of the line. */
const blockQuote = /(?<=^|\n|[.!?:…]["'”]?\s{1,3})[ \t]*>(?!=)[^\n]*/g;

/** A line that others are to say, up to the end of the line: "Repeat after me: …", "A liar would say: …". */
const lineForOthers =
  /(\b(?:repeat after (?:me|us)|say (?:it |this |that )?(?:after me|with me|along|out loud with me)|all together now|(?:every(?:one|body)|all of you|you all|let us all|let['’]s all|please|now) (?:repeat|chant)|imagine (?:somebody|someone|anybody|me|us) (?:saying|say)|try saying|practi[cs]e (?:saying|this)|(?:my|the|your|a) (?:line|script|motto|slogan|chant|lyrics?) (?:is|reads|says|goes|would be)|(?:a|any|every) (?:wolf|werewolf|liar|villager|seer|doctor|player) (?:would|might|could) (?:say|claim|write)|as the (?:song|saying|joke|poem|movie|story) goes|fill in the blanks?|the (?:joke|song|poem|meme) (?:is|goes))\b[^:.!?\n]{0,30}[:,—–-])([^\n]*)/gi;

/**
 * A report of another player's view, up to the end of the sentence or bracket: "Alex's report: Jamie is a Wolf.", "her
 * theory (Kai is the Doctor)".
 */
const othersReport = String.raw`(\b(?:(?:NAME)['’]s?|(?:his|her|their|your|the|that|this|a) (?=(?:[\w-]+ ){0,2}(?:theory|rumou?r|narrative|tale|hypothesis)))\s(?:[\w-]+ ){0,2}(?:report|claim|story|theory|check|result|statement|accusation|version|account|words|case|argument|point|list|notes?|message|post|line|view|opinion|narrative|tale|rumou?r|hypothesis|conclusion|read|suspicion|verdict|logic|reasoning|pitch|speech|summary|guess)\s*(?:(?:is|was|reads|goes|says|said|amounts to|boils down to)\s*)?(?:that\s)?[(:\[—–]\s*)([^.!?\n)\]]*)`;

/**
 * Words about everybody with an exception: "Everyone voted for Jamie except Kai" claims neither a vote by all nor a
 * vote by Kai.
 */
const allButOne = String.raw`\b(?:every(?:one|body)|we all|all(?: of us)?|nobody|no[ -]?one|the (?:rest|others))\b(?:[^.!?\n]{0,50}\b(?:except(?:ing)?(?: for)?|apart from|aside from|besides|other than|save(?: for)?|minus|excluding|barring)|,? but)\s+(?:NAME|me|you|him|her|myself|one)\b`;

/** Splits a text into sentences with their final punctuation. */
const splitSentences = (text: string): string[] => text.match(/[^.!?…\n]*(?:[.!?…]+["'”’)\]]*\s*|\n|$)/g) ?? [];

/** A sentence that retracts the words before it. "Kidding aside" and "no kidding" retract nothing. */
const takingBack =
  /^[\s"'“(*_—–-]*(?:(?:ha)+|lol|lmao|rofl|haha\w*|heh)?[\s,.!]*(?:(?:i(?:['’]m| am)|was|only|just|obviously|of course|totally|clearly|nah|no|ok|okay|well|relax|sorry|but)[\s,]*)*(?:(?<!no |not )(?:kidding|joking|teasing|messing with you|pulling your leg|trolling)(?! aside| apart)|jk|j\/k|psych|sike|(?:that was |it was |it['’]s |was )?(?:a |only a |just a |all a )+(?:joke|jest|prank|bluff|test|lie|fib)|(?:that |this |it )?(?:was|is) (?:not true|untrue|a lie|made up|sarcasm|irony)|i made (?:that|it) up|as if|yeah,? right|in my dreams|(?<!do |did )not really|i wish|april fools|got you|gotcha|fooled you|or am i|not(?=[!.\s]*$))\b/i;
const takingBackOpposite =
  /\b(?:no|not|never|without|isn['’]t|ain['’]t|wasn['’]t|aren['’]t) (?:a |just |even )?(?:kidding|joking|jok|trolling|bluff|lie|test)/i;

/** Replaces a retraction with spaces, together with all words before it in the same line. */
function blankTakenBack(text: string): string {
  const sentences = splitSentences(text);
  const last = sentences.findLastIndex(
    (sentence) => takingBack.test(sentence) && !takingBackOpposite.test(sentence) && sentence.trim().length < 60,
  );
  return sentences.map((sentence, place) => (place <= last ? blank(sentence) : sentence)).join('');
}

/** Returns whether nothing in a sentence is meant as a fact of this game. */
const isUnmeant = (sentence: string) =>
  unmeant.some((pattern) => pattern.test(sentence)) && !/\bin this game\b/i.test(sentence);

const unmeant: readonly RegExp[] = [
  // Words that nobody said, or words about everything in general.
  /\b(?:said|says|say|claimed|thought|admitted|wrote) (?:(?:no|not a single|not one|nobody|no[ -]?one|none|literally no)\b|every(?:one|body)?\b[^,;.!?\n]{0,25} ever\b)|\b(?:nobody|no[ -]?one) (?:has |had )?ever (?:said|claimed|thought|admitted|wrote|written|put it)\b/i,
  /\b(?:and|then|or|if so,?) (?:i(?:['’]m| am) (?:the )?(?:pope|queen|king|president|santa|elvis|napoleon|batman|easter bunny|tooth fairy)|pigs (?:can |will )?fly)\b|\bwhen pigs fly\b|\bin (?:my|your|his|her|their) dreams?\b/i,
  /[,;(—–-]\s*(?:(?:just|only) (?:kidding|joking)|kidding|jk|joking|not|as if|yeah,? right|lol no|sure,? sure)\s*[.!…]*["')]*[.!…]*\s*$/i,
  // Words about another game.
  /\b(?:in real life|irl|in (?:another|a past|a previous|my (?:other|past|previous)|his|her|their) life|outside (?:of )?(?:this|the) game|away from (?:this|the) table|by (?:profession|trade|training|day)|for a living|(?:at|in) (?:my|his|her|their|your) (?:day )?job|at work|in the (?:hospital|office|clinic|movies?|films?|fairy tales?|storybooks?|books?)|on (?:tv|television|the internet)|in (?:medical|med) school)\b/i,
  /\b(?:metaphorically|figuratively|so to speak|in spirit|at heart|deep down|symbolically|proverbial(?:ly)?|in a manner of speaking|as it were|in a sense)\b/i,
  // Figures of speech.
  /\bdead (?:to (?:me|us|him|her|them|the world)|wrong|right|tired|silent|quiet|last|set|serious|certain|sure|on|against|inside|calm|easy|honest|weight|end|heat|giveaway|in the water|in (?:this|that|the) (?:argument|debate|discussion|exchange))\b/i,
  /\b(?:killed|died|slain|slaughtered|buried|destroyed|eliminated|murdered|executed|shot|hanged|lynched|dead|lost|eaten|torn apart|taken out|finished)\b[^.!?\n]{0,20} (?:in|from|by|during|after|with|under) (?:the|that|this|an?|our|his|her|their|its|your|my|\w+['’]s) (?:[\w'’-]+ ){0,2}(?:arguments?|debates?|discussions?|exchanges?|conversations?|chats?|talks?|threads?|disputes?|rhetoric|logic|words?|questions?|questioning|cross-examination|glance|look|stare|sarcasm|one-liner|comeback|rebuttal|jokes?|laughter|boredom|shame|embarrassment|speech|pressure|silence)\b/i,
  /\b(?:killed (?:it|the (?:mood|vibe|joke|conversation|momentum|discussion|argument|debate|case|idea|plan))|killing (?:it|me|time)|die[ds]? (?:laughing|inside|of (?:laughter|boredom|shame|embarrassment|curiosity)|on (?:that|this|the) hill|down)|dying (?:to|of|on)|lone wolf|cr(?:y|ies|ied|ying) wolf|wolf(?:ed|s|ing)? down|wolf whistle|spin doctor|witch[ -]?hunt|bargain hunter|doctor(?:ed|s|ing)? (?:the|his|her|their|a) |village idiot|just what the doctor ordered)\b/i,
  // A possibility mentioned only at the end of the sentence.
  /[,;—–(-]\s*(?:just )?(?:maybe|perhaps|possibly|potentially|hopefully|conceivably|theoretically|who knows|could be|might be|or not|or maybe not|idk|dunno|i (?:do not|don['’]t) know|not sure|i(?:['’]m| am) not sure|unsure|hard to say|no idea|just a (?:hunch|thought|theory|hypothesis|possibility)|in theory|if anything)\b[^,;.!?…\n]{0,25}[)]?[.!?…]*["')]*\s*$/i,
];
