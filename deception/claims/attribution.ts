// Attribution: whether a speaker asserts the words found in a sentence, hedges them, denies them or ascribes them to
// somebody else.

export interface Attribution {
  /** Said as an opinion. */
  isHedged: boolean;
  /** The frame denies what follows: "I do not think that …". */
  isDenied: boolean;
  /** Where in the sentence's code the words begin that make it so. */
  from: number;
}

const time =
  'last night|tonight|tomorrow|yesterday|today|earlier|now|(?:on |in |during )?(?:the )?(?:very )?(?:first|second|third|fourth|previous|last|other|opening) (?:night|day|round|vote|ballot)|(?:on |in |during )?(?:night|day|round) (?:\\d+|one|two|three|four)|during the night|overnight|that (?:same )?(?:night|day)|the (?:night|day) before(?: last)?|(?:two|three|four|2|3|4) (?:nights|days|rounds) ago|(?:in|at|during) the (?:runoff|tie|revote|tiebreak|final vote|vote|end|election)|(?:both|all|most) (?:nights|days|times)|on both (?:nights|days)|this (?:morning|round)';

const surely =
  'i (?:(?:can|must|have to|will|do|now|want to|need to|should|also|hereby|already|can now|am here to|am ready to|will now|only|have|had|just|openly|clearly|am going to|am happy to|am proud to|am prepared to|might as well|may as well|can only|can personally|personally) )*(?:know for a fact|know for sure|know for certain|know|confirm|swear|promise|assure you|assure everyone|tell you|tell you all|tell everyone|inform you|inform everyone|am telling you|admit|confess|reveal|say|share|declare|announce|state|repeat|claim|insist|found out|found|learned|discovered|maintain|worked out|figured out|realised|realized|said|told you|told you all|told everyone|explained|mentioned)(?: (?:now|clearly|plainly|openly|again|it|it plainly|this|so|as much|it before|it yesterday|yesterday|before|earlier|already|once more|out loud|to you all|to you|all|everyone|to everyone|to the village|with you|with you all|with certainty|with confidence))*(?: that)?|i (?:would |will |can |could )?(?:swear|stake my life|stake my name)(?: to you| to you all| on my life| on everything i (?:have|hold dear|own)| on it)*(?: that)?|i am (?:absolutely |completely |very |quite |totally |now )*(?:sure|certain|convinced|positive|confident)(?: of it)?(?: that)?';

const openers = [
  'well', 'unlike you', 'unlike some', 'as for me', 'for my part', 'ask me', 'period', 'full stop', 'right', 'sure', 'fine', 'very well', 'exactly', 'look here', 'very simple', 'it is simple', 'simple', 'not to mention', 'as it happens', 'as it turns out', 'it turns out', 'it turns out that', 'turns out', 'as we know', 'as we all know', 'as everyone knows', 'as you all know', 'either way', 'whatever you say', 'whatever happens', 'on balance', 'the point is', 'the point is that', 'fact is', 'fact', 'news flash', 'newsflash', 'there', 'there it is', 'once and for all', 'one more time', 'no question', 'make no mistake', 'do not forget', 'do not forget that', 'let us not forget', 'let us not forget that', 'never forget that', 'in short', 'long story short', 'meanwhile',   'likewise', 'similarly', 'besides that', 'in other words', 'i am sorry', 'sorry', 'forgive me', 'seriously', 'personally', 'plus', 'listen up', 'thank you', 'thanks', 'naturally', 'sadly', 'unfortunately', 'luckily', 'fortunately', 'sure enough', 'in the meantime', 'good', 'great', 'true', 'whatever else', 'for what it is worth', 'like it or not', 'not that it matters', 'listen',  'look', 'everyone', 'everybody', 'friends', 'folks', 'villagers', 'all', 'okay', 'ok', 'yes', 'no', 'now', 'again', 'finally',
  'first', 'firstly', 'second', 'secondly', 'honestly', 'frankly', 'truthfully', 'in fact', 'in truth', 'the truth is', 'the fact is', 'simply put',
  'to be clear', 'to be honest', 'to be frank', 'let me be clear', 'let me be honest', 'it is time to say it', 'it is time to reveal', 'it is time',
  'here it is', 'for the record', 'you should know', 'you should all know', 'you need to know', 'you all need to know', 'know this', 'know that', 'just', 'also', 'still', 'indeed',
  'of course', 'obviously', 'clearly', 'certainly', 'definitely', 'undoubtedly', 'surely', 'remember', 'remember that', 'however', 'moreover',
  'furthermore', 'besides', 'additionally', 'it is clear that', 'it is clear to me that', 'it is obvious that', 'it is certain that', 'it is true that',
  'there is little doubt left that', 'there is little doubt that', 'there is no doubt that', 'there is no doubt', 'no doubt', 'this means',
  'this means that', 'that means', 'that means that', 'which means', 'which means that', 'meaning', 'meaning that', 'and', 'but', 'so', 'because', 'since', 'therefore', 'thus',
  'hence', 'both', 'as you know', 'as i said', 'please', 'trust me', 'believe me', 'hear me', 'mark my words', 'hi', 'hello', 'good morning', 'fellow', 'my friends',
  'not only that', 'what is more', 'above all', 'after all', 'actually', 'really', 'truly', 'all i am is what most of us are', 'before you vote', 'i did not want to say it',
  'i have to show my hand', 'the reason is that', 'the reason is', 'given that', 'that is why', 'that is because', 'i voted as i did because', 'we know', 'we know that', 'we all know that', 'the result', 'even though', 'although', 'though', 'while', 'i repeat', 'it is important to note that', 'it is worth noting that', 'it is important to know that', 'note that', 'keep in mind that', 'believe it or not', 'trust me when i say that', 'trust me when i say', 'believe me when i say', 'believe me when i say that', 'take it from me', 'let me state plainly that', 'let me say plainly that', 'let me say that', 'you will see that', 'i already told you that', 'i have already told you that', 'i already said that', 'i have already said that', 'i have information that', 'i have proof that', 'for the last time', 'if you must know', 'if you want to know', 'if you want the truth', 'if you really want to know', 'it was', 'it is', 'i have evidence that', 'as', 'i have confirmed that', 'as i have said',
]; // prettier-ignore

const leans =
  '(?:i (?:am going to|will|would|have to) go out on a limb (?:here )?and say|i (?:(?:happen to|still|really|do|strongly|honestly|also|now|firmly|personally|genuinely|truly|would|just|have to|must|can only|am inclined to|am starting to|am beginning to|tend to) )*(?:think|believe|suspect|feel|guess|suppose|assume|fear|imagine|reckon|conclude|sense)(?: strongly)?|i would (?:say|guess)|i am (?:fairly|pretty|almost|quite|reasonably|inclined to|leaning towards|more and more|increasingly|nearly|somewhat|mostly)[a-z ]{0,24}|i think (?:that )?we can (?:all )?agree|we can (?:all )?agree|i have (?:a|the) (?:strong |growing |gut )?(?:feeling|suspicion|hunch|sense)|i have (?:every |good |strong )?reason to (?:believe|think|suspect)|it (?:seems|looks|appears|feels)(?: to me)?(?: like)?|my (?:best |main |strongest |first |gut |own )*(?:guess|feeling|suspicion|theory|gut|instinct|read|reading|impression|conclusion|bet|view|opinion) (?:is|says|tells me)|in my (?:opinion|view|eyes|book)|(?<=(?:^|, ))(?:to|for) me(?= ,)|probably|most likely|likely|apparently|presumably|chances are|as i see it|as far as i can (?:tell|see)|the way i see it|from where i (?:sit|stand))(?: that)?';

const denies =
  'i (?:(?:do|can|could|still|really|honestly|simply|would) )*(?:not|never) (?:(?:really|even|actually|for a moment|for a second) )*(?:think|believe|say|suspect|see how|buy)(?: that)?|i (?:(?:still|really|strongly|seriously|highly) )*doubt(?: that)?|i am not (?:sure|certain|convinced)(?: that)?';
const refutes =
  'it is (?:simply |just |plainly )?(?:not true|not the case|false|a lie|untrue|wrong)(?: to say| to claim)?(?: that)?';

const capacity = 'as (?:the|your|our|an?) (?:(?:real|only|true|plain|simple) )*#\\S+';
const plain = new RegExp(`^(?:(?:${[time, surely, capacity, ...openers, '@[\\d+]+', '[,—:]'].join('|')}) )*$`);
const longestFirst = openers.toSorted((one, other) => other.length - one.length);
const opening = new RegExp(`(?<= |^)(?:${longestFirst.join('|')}) (?:: |, )?`, 'g');
const opinion = new RegExp(`(?<= |^)(?:${leans})(?: ,)? `, 'g');
const denial = new RegExp(`(?<= |^)(?:${denies}) $`);
const refutation = new RegExp(`(?<= |^)(?:${refutes}) $`);
const sure = new RegExp(`(?<= |^)(?:${surely}) `, 'g');

/** Nothing that stands behind one of these in a sentence is asserted. */
const supposed =
  /(?:^| )(?:in that case|for example|for instance|option|scenario|logic|theory|if|unless|suppose|supposing|assuming|assume we|imagine|whether|whoever|pretend|in case|had i|were i|should i|let us say|say that i|even if|as if|as though|until|once|when|wish|would have|could have|might have|should have|perhaps|maybe|possibly|hypothetically|what if|the possibility|possible that|chance that|rather than|instead of|without) /;

/** Who says, thinks or wants it is not the speaker. */
const attributed =
  /(?:^| )(?:said|says|say|saying|claims?|claimed|claiming|think|thinks|thought|thinking|believes?|believed|believing|told|tells|tell|telling|argues?|argued|suggest(?:s|ed|ing)?|accus\w+|insists?|insisted|according to|pretend(?:s|ed|ing)?|wants?|hears?|heard|asks?|asked|wonder\w*|convince[sd]?|convincing|implie[sd]|implying|impl(?:y|ies)|means?|meant|rumou?rs?|idea|assumption|theory|feels?|felt|suspects?|suspected|calls?|called|hopes?|hoping|doubts?|doubted|denie[sd]|know|knows|knew|assumes?|assumed|prove[sd]?|proof|reason to|paint\w*|made it (?:look|seem)|stated|announced|declared|revealed|alleg\w+|supposedly|allegedly|hint(?:s|ed|ing)?) /;

/** Ends what was given to others or supposed. */
const resets = [
  ' ; ',
  ' — ',
  ' , but ',
  ' but ',
  ' , so ',
  ' , because ',
  ' , yet ',
  ' , however ',
  ' ! ',
  ' , which is why ',
];
/** Behind it the speaker speaks of the own deeds again. */
const ownTurn = new RegExp(` , and (?=(?:(?:${time}|also|besides|as for me|personally) (?:, )?)*i )`, 'g');
/** "Let me be blunt:", "here is what you should think about:". */
const announcing =
  /^(?:[^:;@]*[ ,])?(?:let (?:me|us)|here is|here are|i will|i have to|i want to|i am going to|you want|ask me|the facts?|(?:(?:my |a )?(?:full |hard |official )?claim)|my (?:record|story|confession|position))(?: [^:;@#]*)? : /;

/**
 * How the speaker stands to what follows `before`, the beginning of a sentence's code; null where it is not the
 * speaker who says so, where it is supposed, or where the frame is not understood: precision comes first. What is said
 * in a relative clause ("…, who is the …") stands whatever its main clause says.
 */
export function parseAttribution(before: string, isRelative = false): Attribution | null {
  const turns = [...`${before}i `.matchAll(ownTurn)].map(({ index, 0: turn }) => index + turn.length);
  const start = Math.max(
    announcing.exec(before)?.[0].length ?? 0,
    ...turns.filter((turn) => turn <= before.length),
    ...resets.map((reset) => findMarkEnd(before, reset)),
  );
  const own = before.slice(start);
  const isRefuted = refutation.test(own);
  const isDenied = isRefuted || denial.test(own);
  const said = own.replace(isRefuted ? refutation : denial, '').replace(sure, '');
  const bare = said.replace(opinion, '');
  if (
    supposed.test(` ${before.slice(findMarkEnd(before, ' ; '))}`.replace(opinion, '').replace(opening, '')) ||
    attributed.test(` ${bare.replace(opening, '')}`)
  )
    return null;
  const clause = bare.slice(findClauseStart(bare));
  if (!isRelative && !plain.test(clause)) return null;
  const isHedged = bare !== said || (isDenied && !isRefuted);
  return { isHedged, isDenied, from: isHedged || isDenied ? start + findClauseStart(own) : before.length };
}

const findMarkEnd = (text: string, mark: string) => {
  const at = text.lastIndexOf(mark);
  return at < 0 ? 0 : at + mark.length;
};

/** Where the last clause begins: behind punctuation, or a word that joins two of them. */
function findClauseStart(text: string): number {
  const joints = /(?:^| )(?:[,;:—!().…]|and|but|so|because|since|while|although|though|yet|therefore|thus|hence) /g;
  return Math.max(0, ...[...text.matchAll(joints)].map(({ index, 0: joint }) => index + joint.length));
}

const closing =
  /^ ?(?:$|[.,;:!—()…]|(?:and|but|so|because|since|who|whom|too|also|as well|as you|for sure|for certain|this|these|myself|himself|herself|itself|in|on|to me|of this|of the village|of our|among|here|now|today|from|that|trying|working|on the|with|yet|after all|again|at all|then|which|while|although|though|hiding|last|yesterday|during|just|like|unlike|all along|all night|all this time|all day|the whole|all of (?:us|you)|both times|both days|both nights|twice|again|right|earlier|until the (?:end|last|very end)|more than|either|anyway|instead of|rather than|thank|thanks|if you must know|if you want to know|whatever|no matter|not|hence|however|indeed|happily|silently|quietly|out|alone|before|after|throughout|from|plus|along|every|tomorrow|first|as i|as everyone|as everybody|as we|as planned|as promised|despite|given|myself|once|the (?:night|day) before|all the same|the (?:very|same|next|first|second|other|whole|entire|following)|two|three|(?:#[wvt]s?\d+ )?and nothing|and always|in plain|through|for (?:the|it|all|a|my|his|her|their|good|now|what|saying|being|that|this|one|reasons|no|her|him)|alongside|together|only|if you|therefore|we|let|vote|beyond|without|i)(?: |$))/;

/** Whether what stands behind the words leaves them as they are: not "a Werewolf's target", not "the Seer or …". */
export const isClosed = (after: string) =>
  closing.test(after) && !supposing.test(after) && !behindElsewhere.test(after);

const elsewhere =
  '(?:(?:last|previous|prior|past|earlier|other|another|different|many|several|most|every|each) (?:[a-z]+ )?(?:games?|match|matches|life|lives)|(?:last|first|previous) time (?:we|i) (?:all )?played)';
const behindElsewhere = new RegExp(
  `^ ?(?:(?:,|once|twice|before|already|too|also|back|and) )*(?:(?:in|during|from|over|of) )?(?:(?:my|our|your|his|her|their|the|a|an|one|some) )*${elsewhere}(?: |$)`,
);
const earlierElsewhere = new RegExp(`(?:^| )${elsewhere}(?: |$)`);

/** "In my last game I was the Seer": not of this game, for which somebody is, or has always been. */
export const isOfOtherGame = (code: string, start: number, end: number) =>
  earlierElsewhere.test(
    code.slice(Math.max(0, ...resets.map((reset) => findMarkEnd(code.slice(0, start), reset))), start),
  ) && !/ (?:am|is|are|have|has) /.test(` ${code.slice(start, end)} `);

/** Words behind "if" that set no condition: "if you must know". Some make an opinion of what is said, see `isHedgedBehind`. */
const noCondition =
  'you ask me|you (?:must|need to|(?:really )?want to) (?:know|hear)|you (?:really )?want the truth|i (?:remember|recall)|i may say so|anything|only because|that is where this is (?:heading|going)';

/** What may stand between the words and the "if" that supposes them: "Dan is a Werewolf too, if …". */
const beforeIf =
  '(?:, )?(?:(?:but )?only|too|also|as well|again|then|for sure|for certain|of course|today|tomorrow|tonight|last night|yesterday|i think|i believe|in my opinion)';

const supposing = new RegExp(
  `^ ?(?:(?:${beforeIf} )*(?:, )?if(?! (?:${noCondition})(?: |$))|,? ?(?:unless|or|as far as anyone|according to|supposedly|allegedly|as @\\S+ (?:said|says|claim\\w*)|at least in|in (?:@\\S+|your|his|her|their) (?:eyes|opinion|view|mind)))(?: |$)`,
);

/** An opinion that is added behind: ", I think". */
export const isHedgedBehind = (after: string) =>
  /^ ?,? ?(?:i (?:think|believe|guess|suspect|suppose)|in my (?:opinion|view|eyes|book|mind|judge?ment|estimation)|to me|to my mind|as i see it|the way i see it|from where i (?:sit|stand)|if you ask me|if i (?:remember|recall)|probably|most likely)(?: |$)/.test(
    after,
  );
