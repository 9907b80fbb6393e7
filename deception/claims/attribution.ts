// Attribution: whether a speaker asserts, hedges, denies or presupposes words in a sentence, or ascribes them to
// somebody else. Words are asserted unless their surroundings say otherwise.
import { listMatches } from '../../state/text.ts';

export interface Attribution {
  /** Whether the words are said as an opinion. */
  isHedged: boolean;
  /** Whether the words before the claim deny it: "I do not think that …". */
  isDenied: boolean;
  /** Whether the words are in a clause of time or reason: "since Dan flipped …". */
  isPresupposed: boolean;
  /** Position in the sentence's code of the words that cause this attribution. */
  from: number;
}

/** Phrases such as "I know that", after which the speaker asserts what follows. */
const surely =
  '(?:i|we)(?: all)? (?:(?:can|must|have to|will|do|want to|need to|should|have|had|am here to|am ready to|am going to|am happy to|am proud to|am prepared to|might as well|may as well) )*(?:know(?: for a fact)?|confirm|swear|promise|assure (?:you|everyone)|tell you|tell everyone|inform (?:you|everyone)|am telling you|admit|concede|grant you|confess|reveal|say|share|declare|disclose|announce|state|repeat|claim|insist|found out|found|learned|discovered|maintain|worked out|figured out|realised|realized|said|told you|told everyone|told (?:the |this )?(?:whole |entire )?(?:town|village|table)|explained|mentioned|confirmed|wish to state|would (?:observe|note|add|point out|remind you|stress)|affirm|assert|maintain|disclose|remind you|remember|recall|see|submit)(?: (?:it|this|so|as much|before|out loud|all|to you|everyone|to everyone|to the village|with you|with certainty|with confidence|for the record|without qualification|for certain|for sure))*(?: that)?|i (?:would |will |can |could )?(?:swear|stake my life|stake my name)(?: to you| to you all| on my life| on everything i (?:have|hold dear|own)| on it)*(?: that)?|i am (?:completely |very |quite |totally )*(?:sure|certain|convinced|positive|confident)(?: of it)?(?: that)?|(?:as )?(?:you|everyone|everybody|you all|we all) (?:should |need to |must |all )*knows?(?: that)?|know (?:this|that)|remember(?: that)?|(?:let us )?(?:not|never|do not) forget(?: that)?|believe me|trust me|believe it or not|if (?:you must know|you want to know|you really want to know|you want the truth)|as i (?:have )?(?:said|told you)|for what it is worth|trust me when i say(?: that)?|believe me when i say(?: that)?|(?:it|which|that|this) (?:means|proves|confirms|shows)(?: that)?|meaning(?: that)?|it is (?:true|clear|certain|obvious|a fact|important to note|worth noting)(?: to me)?(?: that)?|there is no doubt(?: that)?|there is little doubt(?: left)?(?: that)?|the (?:truth|fact|point|reason) is(?: that)?|it (?:turns|turned) out(?: that)?|turns out(?: that)?|the result (?:was|is) that|(?:my|the) (?:check|result|investigation|card|role)s? (?:says?|confirms?|proves?|told me|tells me|shows?|showed|revealed?)(?: that)?|(?:you are|he is|she is|they are|@\\d+ is) (?:completely )?right that|note that|keep in mind that|i have (?:proof|information|evidence) that|(?:i|we) conclude(?: that)?';

const leans =
  '(?:i (?:am going to|will|would|have to) go out on a limb (?:here )?and say|i (?:(?:happen to|really|do|strongly|firmly|would|have to|must|can|am inclined to|am starting to|am beginning to|tend to) )*(?:think|believe|suspect|feel|guess|suppose|assume|fear|imagine|reckon|sense)(?: strongly)?|i would (?:say|guess|argue)|i am (?:fairly|pretty|almost|quite|reasonably|inclined to|leaning towards|more and more|increasingly|nearly|somewhat|mostly)[a-z ]{0,24}|(?:i think (?:that )?)?we can (?:all )?agree|i have (?:a|the) (?:strong |growing |gut )?(?:feeling|suspicion|hunch|sense)|i have (?:every |good |strong )?reason to (?:believe|think|suspect)|it (?:seems|looks|appears|feels)(?: to me)?(?: like)?|my (?:best |main |strongest |first |gut |own )*(?:guess|feeling|suspicion|theory|gut|instinct|reading|impression|conclusion|bet|view|opinion) (?:is|says|tells me)|in my (?:opinion|view|eyes|book|judge?ment)|(?<=(?:^|, ))(?:to|for) me(?= ,)|if you ask me|imo|probably|most likely|likely|apparently|presumably|chances are|as i see it|as far as i can (?:tell|see)|the way i see it|from where i (?:sit|stand))(?: that)?';

const denies =
  'i (?:(?:do|can|could|really|would) )*(?:not|never) (?:(?:really|even|for a moment|for a second) )*(?:think|believe|say|suspect|see how|buy)(?: that)?|i (?:(?:strongly|seriously|highly) )*doubt(?: that)?|i am not (?:sure|certain|convinced)(?: that)?';
const refutes = 'it is (?:not true|not the case|false|a lie|untrue|wrong)(?: to say| to claim)?(?: that)?';

const opinion = new RegExp(`(?<= |^)(?:${leans})(?: ,)? `, 'g');
const denial = new RegExp(`(?<= |^)(?:${denies}) $`);
const refutation = new RegExp(`(?<= |^)(?:${refutes}) $`);
const sure = new RegExp(`(?<= |^)(?:${surely}) (?:: |, )?`, 'g');

/** Words that make everything after them in the sentence a supposition, not an assertion. */
const supposed =
  /(?:^| )(?:in that case|for example|for instance|options?|scenario|logic|theory|if|unless|suppose|supposing|assuming|assume|imagine|whether|whichever|pretend|in case|let us say|say that i|even if|as if|as though|until|wish|should have|perhaps|maybe|possibly|hypothetically|what if|possibility|possible that|chance|odds|rather than|instead of|neither|provided|let us|no world|hard to believe|wonder) /;

/** Words that attribute what follows to somebody other than the speaker. */
const attributed =
  /(?:^| )(?:said|says|say|saying|claims?|claimed|claiming|think|thinks|thought|thinking|believes?|believed|believing|told|tells|tell|telling|argues?|argued|suggest(?:s|ed|ing)?|accus\w+|assert\w*|insists?|insisted|according to|pretend(?:s|ed|ing)?|wants?|hears?|heard|asks?|asked|ask|wonder\w*|convince[sd]?|convincing|implie[sd]|implying|impl(?:y|ies)|means?|meant|rumou?rs?|idea|notion|assumption|assertion|declaration|theory|(?<!(?:^| )(?:my|our) )(?:stor(?:y|ies)|reports?|versions?|accounts?|tales?|narratives?|insistence|suggestion|statement|remark|comment|reasoning)(?: that)?|feels?|felt|suspects?|suspected|suspecting|suspicion|calls?|called|hopes?|hoping|hope|doubts?|doubted|denie[sd]|know|knows|knew|assumes?|assumed|prove|reason to|paint\w*|made it (?:look|seem)|make it (?:look|seem)|stated|states|state|announced|declared|swore|swears|revealed that|alleg\w+|supposedly|hint(?:s|ed|ing)?|conclude[sd]?|figured?|expects?|expected|bet|admits?|admitted|promise[sd]?|remembers?|mentioned|replied|answered|agrees?|agreed|who) /;

/** Words that end the effect of an attribution or a supposition. */
const resets = ' ; | — | , and | but | , so | , because | , yet | , however | ! | . | is why '.split('|');
/** Phrases that announce a statement: "Let me be blunt:", "my claim:". */
const announcing =
  /^(?:[^:;@]*[ ,])?(?:let (?:me|us)|it is time|here is|here are|i will|i have to|i want to|i am going to|you want|ask me|the facts?|claims?|(?:(?:my |a )?(?:full |hard |official )?claim)|my (?:record|story|confession|position)|summary|recap|short|status|proof|bottom line)(?: [^:;@#]*)? : /;

/** Words that turn the clause that contains them into a supposition. */
const supposedHere = /(?:^| )(?:would|could|might|may|must i|should) /;

const timeClause =
  /(?:^| )(?:when|since|after|once|before|now that|given that|while|by the time|ever since|as soon as) (?:[^,;:—]*)$/;

/**
 * Returns how the speaker presents the words that follow `before`, the beginning of a sentence in which marks such as
 * "@3" replace the names of players. Null if the speaker ascribes them to somebody else, or only supposes them. A
 * relative clause ("…, who is the …") is asserted, whatever its main clause says.
 */
export function parseAttribution(before: string, { isRelative = false, isOfRecord = false } = {}): Attribution | null {
  const opened = Math.max(announcing.exec(before)?.[0].length ?? 0, findMarkEnd(before, resets));
  const start = isOfRecord ? Math.max(opened, findClauseStart(before)) : opened;
  const own = before.slice(start);
  const isRefuted = refutation.test(own);
  const isDenied = isRefuted || denial.test(own);
  const said = own.replace(isRefuted ? refutation : denial, '').replace(opinion, '§ ').replace(sure, ''); // prettier-ignore
  const isOpinion = said.includes('§ ') && !own.includes('§ ');
  const bare = isOpinion ? said.replaceAll('§ ', '') : said;
  const whole = before.slice(findMarkEnd(before, [' ; ', ' , but ', ' . '])).replace(sure, '').replace(opinion, ''); // prettier-ignore
  const condition = isOfRecord ? whole.replace(/(?:^| )unless [^,]* ,/, '') : whole;
  if (supposed.test(` ${condition}`) || attributed.test(` ${bare}`)) return null;
  const clause = ` ${bare.slice(findClauseStart(bare))}`;
  if (!isRelative && (supposedHere.test(clause) || governing.test(` ${bare}`))) return null;
  const isHedged = isOpinion || (isDenied && !isRefuted);
  const from = isHedged || isDenied ? start + findClauseStart(own) : before.length;
  return { isHedged, isDenied, isPresupposed: timeClause.test(bare.slice(findClauseStart(bare, false))), from };
}

const findMarkEnd = (text: string, marks: readonly string[]) =>
  Math.max(0, ...marks.filter((mark) => text.includes(mark)).map((mark) => text.lastIndexOf(mark) + mark.length));

/** Finds where the last clause begins: after punctuation, or after a word that joins two clauses. */
function findClauseStart(text: string, isNarrow = true): number {
  const joints = isNarrow
    ? /(?:^| )(?:[,;:—!().…]|and|but|so|because|since|while|although|though|yet|therefore|thus|hence) /g
    : /(?:^| )(?:[,;:—!().…]|but|so|because|although|though|yet|hence) /g;
  return Math.max(0, ...listMatches(joints, text).map(({ index, 0: joint }) => index + joint.length));
}

/** Words directly before the matched words that make these part of another expression: "the one next to", "trust". */
const governing =
  /(?: (?:of|to|for|with|by|like|than|from|about|on|in|between|either|neither|or|nor|as|behind|near|beside|under|over|into|around|towards?|'s|my|your|our|his|her|their|no|not|without|despite|except|against|which|whose|how|why|what|where|whom|trust|vote|exile|find|see|make|makes|made|want|help|helps|protect|guard|save|check|defend|push|follow|should|could|would|does|did|do|had|were|can|blame|support|lynch|hang|leave|keep|watch|question|pressure|a|an|the|this|every|any|some|that i|that we)|(?!indeed|need|agreed|granted)\w*(?:[a-z]{2}ed|[a-z]{2}ing)(?<! (?:being|having|meaning|considering|seeing|during|losing))) $/;

/**
 * Whether the words after the matched words leave their meaning unchanged. The meaning changes in "a Werewolf's target"
 * and "the Seer or …".
 */
export const isClauseClosed = (after: string) =>
  !opening.test(after) && !supposing.test(after) && !behindElsewhere.test(after);

/** Words after a role that change its meaning: a noun or a possessive. */
const opening =
  /^ ?(?:'s|or|§|-|#\S+|is|was|would|seems|hunters?|targets?|claims?|claimed|claiming|claimants?|pretenders?|wannabes?|stor(?:y|ies)|checks?|results?|cards?|teams?|teammates?|partners?|budd(?:y|ies)|allies|ally|packs?|lists?|plays?|moves?|tactics?|behaviou?rs?|agenda|reads?|leans?|vibes?|energy|logic|theor(?:y|ies)|case|candidates?|suspects?|suspicions?|contenders?|favou?rites?|options?|prospects?|possibilit(?:y|ies)|lookalikes?|impersonators?|accusations?|allegations?|rumou?rs?|labels?|hypothes[ie]s|scenarios?|worlds?|explanations?|angles?|acts?|fakes?|bait|games?|win|votes?|wagon|pile|push|deal|protection|saves?|hunt|kills?|shaped|like(?! (?:all|most|everyone|the rest))|thing|talk|language|mentality|move|strategy|info|information|material|path|motive|perspective|pov|ballot|exile|removal|lynch)(?: |$)/;

const elsewhere =
  '(?:(?:last|previous|prior|past|earlier|other|another|different|many|several|most|every|each) (?:[a-z]+ )?(?:games?|match|matches|life|lives)|(?:last|first|previous) time(?: (?:we|i) (?:all )?played|(?= [.,;!—]|$)))';
const behindElsewhere = new RegExp(
  `^ ?(?:(?:,|before|back|and) )*(?:(?:in|during|from|over|of) )?(?:(?:my|our|your|his|her|their|the|a|an|one|some) )*${elsewhere}(?: |$)`,
);
const earlierElsewhere = new RegExp(`(?:^| )${elsewhere}(?: |$)`);

/**
 * Returns whether words are about another game. "In my last game I was the Seer" is about another game; "has been" and
 * the present tense refer to this game.
 */
export const isOfOtherGame = (code: string, start: number, end: number) =>
  earlierElsewhere.test(code.slice(findMarkEnd(code.slice(0, start), resets), start)) &&
  !/ (?:am|is|are|have|has) /.test(` ${code.slice(start, end)} `);

/**
 * Words after "if" that set no condition: "if you must know". Some of these phrases mark an opinion, see
 * `isHedgedBehind`.
 */
const noCondition =
  'you ask me|you (?:must|need to|(?:really )?want to) (?:know|hear)|you (?:really )?want the truth|i (?:remember|recall)|i may say so|anything|because|that is where this is (?:heading|going)|it helps|not @|not i';

const supposing = new RegExp(
  `^(?: (?!but|and|so|because)[^ ;:.—]+){0,7}? ?(?:if(?! (?:${noCondition})(?: |$))|unless|provided|supposedly|allegedly)(?: |$)|^ ?,? ?(?:or|but only if|as far as anyone|according to|as @\\S+ (?:said|says|claim\\w*)|in (?:@\\S+|your|his|her|their) (?:eyes|opinion|view|mind))(?: |$)`,
);

/** Returns whether the words after a claim mark it as an opinion: ", I think". */
export const isHedgedBehind = (after: string) =>
  /^ ?,? ?(?:i (?:think|believe|guess|suspect|suppose)|in my (?:opinion|view|eyes|book|mind|judge?ment|estimation)|to me|to my mind|imo|as i see it|the way i see it|from where i (?:sit|stand)|if you ask me|if i (?:remember|recall)|probably|most likely)(?: |$)/.test(
    after,
  );
