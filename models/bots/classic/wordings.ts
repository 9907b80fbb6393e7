// How English accuses, trusts, claims and reports: the word lists and patterns that hearing goes by.
// All patterns read the form that `sentences.ts` makes; every repetition is bounded, so no text can stall them.

const any = (words: string) =>
  `(?:${words
    .trim()
    .split(/\s*\|\s*/)
    .join('|')})`;

/** Words that may stand between a name and what is said of it; "not" and its like turn the meaning round. */
const filler =
  any(`is | are | be | being | been | has | have | must | to | could | might | may | can | would | will | seems | seem |
  appears | looks | look | sounds | sound | feels | feel | acts | acting | behaving | strikes | me | us | as | if | turns | out |
  like | likely | well | really | actually | clearly | certainly | definitely | obviously | probably | quite | most |
  very | so | too | rather | pretty | fairly | a bit | a little | bit | little | awfully | unusually | suspiciously |
  strangely | extremely | remarkably | oddly | surprisingly | somewhat | possibly | perhaps | maybe | indeed | surely | also | still | just | simply |
  almost | for sure | in fact | all but | certain | sure | a | an | the | our | your | one | of | another | second | other | last | remaining |
  part | among | with | hidden | secret | dangerous | true | real | only | not | no | never | hardly | notably | noticeably | more | quick | today | again`);
const fillers = `((?:${filler} ){1,8}?)`;
const name = '(@[\\d+]+)';

export const negation = /\b(?:not|no|never|hardly)\b/;

/** "… is a Werewolf", with what stands between. */
export const isPack = new RegExp(`${name} ${fillers}#w\\d+`, 'g');
/** "… is the X" of the village, "… is innocent". */
export const isVillage = new RegExp(
  `${name} ${fillers}(?:#v\\d+|innocent|trustworthy|honest|sincere|genuine|credible|clean|cleared|reliable|truthful|on our side|on the side of the village|on the village's side|one of us|telling the truth|with the village|village\\b)`,
  'g',
);
const bad =
  any(`suspicious | suspect | lying | a liar | liar | hiding | shady | evasive | dishonest | guilty | deflecting |
  dodging | quiet | silent | fishy | off\\b | odd | strange | inconsistent | contradictory | deceptive | untrustworthy | bluffing |
  manipulating | manipulative | misleading | steering | stalling | defensive | a red flag | concerning | worrying |
  noticeable | convenient | telling\\b(?! the truth) | trying to (?:avoid | steer | deflect | hide | mislead | divert | manipulate | control | blend | distract | confuse | deceive)`);
export const isSuspicious = new RegExp(`${name} ${fillers}${bad}`, 'g');
/** "…'s silence is a red flag". */
export const hasSuspicious = new RegExp(
  `${name}'s (?:[a-z']+ ){1,5}?(?:is|are|feels|seems|looks|sounds|raises) ((?:${filler} ){0,4})(?:${bad}|red flags?|alarms?)`,
  'g',
);
/** "… does not add up", "… worries me". */
export const doesSuspicious = new RegExp(
  `${name}(?:'s [a-z]+)? (?:does not (?:add up|fit)|worries me|bothers me|troubles me|raises (?:a |some )?(?:red flag|suspicion|question|concern)|makes me (?:uneasy|suspicious|nervous)|lied|lies\\b|has lied|has something to hide|contradicts|(?:is|stays|remains) (?:at )?(?:the top of|top of|first on|high on) my list|has to go|should go|must go|needs to go)`,
  'g',
);
/** "wonder if … is trying to hide", "… what if …": a suspicion put as a question. */
export const wondering =
  /\b(?:wonder(?:ing)?(?: if| whether)?|what if|could it be that|could|might) (@[\d+]+) (?:is |might be |may be |could be |be |has been )?(?:a #w|trying to|hiding|lying|deflecting|covering|the #w|one of the #w|just trying|actually trying)/g;

/** The one who speaks, as far as nobody else is named in between, or an order at the beginning. */
const speaker = "(?:^(?:[a-z' ]{0,30}, |so |and |then |now |please |today )?|\\b(?:i|we|us|my|our|me|all of us) )";
const gap = "((?:(?!(?:i|we|but|because|so|they|who|someone|somebody|anyone|people|others) )[a-z'-]+,? ){0,9}?)";
const verb = (words: string, after = '') =>
  new RegExp(`${speaker}${gap}${any(words)} (?:the |on |at )?${name}${after}`, 'g');
const noClause =
  "(?!'s (?!claim|story|word|report)| (?:is|are|was|would|could|might|has|had|did|does|will|must|seems|looks|said|says|to) )";

export const against = [
  verb(`suspect | suspecting | suspicious of | suspicion is on | suspicion is | suspicion falls on | suspicion stays with | accuse | accusing | mistrust | distrust |
    vote for | vote out | voting for | voting out | vote against | voting against | vote to exile | vote goes to | give my vote to | vote is | vote is for | vote will go to | vote is likely to go to | vote would go to |
    vote belongs to | exile | exiling | banish | remove | send away | get rid of | keep an eye on | eye on | eyes on | look closely at | look hard at | look harder at | look more closely at | look again at |
    pressure on | concerned about | worried about | wary of | uneasy about | careful with | careful about | coming back to | bad feeling about | point at | point to | name | go after | scrutinize | watch`),
  verb('doubt', noClause),
  /\b(?:right|agree with @[\d+]+|point) about (@[\d+]+)/g,
  /\b(?:question|questions about|doubts about|wary of) (@[\d+]+)'s (?:own |true |real )?(?:motives?|intentions?|motivations?|role|story|claim)/g,
  /\bthe one (?:i|who|that|we) [a-z' ]{1,60} is (@[\d+]+)/g,
  /(@[\d+]+) (?:is|would be|remains|stays) (?:the one i|my (?:main |first |top |strongest |prime |number one )?(?:suspect|choice|candidate|vote|pick)|our (?:best |first |safest )?(?:choice|candidate|vote|pick|exile))/g,
];
export const infavour = [
  verb(
    'trust | believe | vouch for | stand by | stand with | side with | have faith in | faith in | confidence in | believe in | defend | speak for',
    noClause,
  ),
  /\bwrong about (@[\d+]+)/g,
  /\bleave (@[\d+]+) (?:alone|in peace|be)\b/g,
  /\b(?:nothing|no case|no evidence|no reason) against (@[\d+]+)/g,
];

/** "I am the X": the speaker's role, and what turns it round. */
export const claims = [
  /\bi (?:am|was dealt|claim|claim to be|have to be|must be) ((?:(?:really|actually|indeed|in fact|just|only|simply|also|truly|here|as|not|no|never|the|an?|your|our|one|of|real|true|plain|ordinary|simple|honest|loyal|humble|fellow|village|mere|claiming|to be) ){0,5})#([wv])(\d+)/g,
  /\bmy (?:true |real |actual )?(?:role|identity) (?:is|as) ((?:(?:really|actually|not|the|an?|that of) ){0,3})#([wv])(\d+)/g,
  /\b(?:speaking )?as ((?:the |an? |your )(?:(?:real|true|only|plain|fellow|ordinary) ){0,2})#([wv])(\d+),? (?=i\b|my\b)/g,
  /(?:^|, )((?:the |an? )?)#([wv])(\d+) here\b/g,
];
/** "I protected …": a power is claimed by its use. */
export const deeds = {
  shield:
    /\b(?:i (?:have |had |also )?(saved|protected|guarded|shielded|healed) (?:@|myself|someone|somebody)|(?:person|one|player) i (?:have |had )?(saved|protected|guarded|shielded|healed))\b/,
  harm: /\b(?:i (?:have |had |also )?(?:used my poison on|(poisoned)) (?:@|someone|somebody)|(?:person|one|player) i (?:have |had )?(poisoned))\b/,
};
/** After "I vote for …": the vote is one for Sheriff. */
export const forOffice = /^,? (?:as|for|to be|to become) (?:the |our |your |a )?(?:sheriff|badge)\b/;
export const denials =
  /\bi am (?:(?:really|certainly|definitely|honestly|just|all|fully|firmly) )?(?:innocent|on (?:your|our|@[\d+]+'s) side|on the side of the village|on the village's side|with the village|for the village|one of (?:us|the village|the good)|village\b)|\bwrong about me\b|\bi have nothing to hide\b/;
export const deflections =
  /\bproves nothing about me\b|\bsays (?:little|nothing) about me\b|\breason to name me\b|\b(?:same|as much) of (?:half|most of|anyone at|anybody at) the table\b|\bnaming me is\b|\bpointing at me is\b|\blook elsewhere\b|\bmore than my name\b/;
export const follows =
  /\b(?:follow|join|go with|going with|side with) (?:the )?(?:majority|others|rest|most)\b|\b(?:go|going) with @[\d+]+ on\b|\ba vote has to go somewhere\b|\bone name is enough\b/;

/** "I checked …", "my check of …": what was learned stands further on. */
export const checks =
  /\bi (?:have |had |already |also |then |did |secretly ){0,2}(?:checked|check|investigated|investigate|unmasked|examined|inspected|looked into|looked at|peeked at|scanned|learned about|learned that|found that|found out that|found|saw that|saw|know for certain that|used my (?:power|ability|check) on|received a vision (?:of|about|that)|discovered that|discovered|identified)(?: last night| on the first night)?(?: that| both| and found| and)? (@[\d+]+)|\bmy (?:check|checks|vision|investigation|result|results|power|reading)(?: of| on| for| about| into| shows?| showed| tells| told| says| revealed| reveals| last night| was| me| that|,)* (@[\d+]+)/g;
export const verdicts = {
  bad: /#w\d+/,
  notBad: /\b(?:not|no|never)(?: [a-z']+){0,3} #w\d+/,
  role: /#v(\d+)/,
  good: /\binnocent\b|\bgood\b|\bclear(?:ed)?\b|\bclean\b|\bon (?:our|the village's) side\b|\bvillage\b|\bone of us\b|\bsafe\b/,
};

/** Before a statement about somebody: what makes it somebody else's words, or a mere supposition. */
export const supposed =
  /(?:\bif|\bwhile|\balthough|\bone of|\bwhether|\bunless|\bsuppose|\bassuming|\bimagine|(?:@[\d+]+|\bwho|\banyone|\bsomeone|\beveryone|\bnobody|\bthey|\bpeople) (?:[a-z]+ ){0,2}(?:says?|said|claim(?:s|ed)?|thinks?|thought|believes?|insists?|swears?|suggest(?:s|ed)?|argues?|argued|implied|implies|accused?|saying|claiming|thinking|believe)(?: that| of)?)(?: that)? $/;
export const disbelieved =
  /(?:\b(?:do|did|can|could|would|will) not (?:[a-z]+ )?(?:think|believe|see|say|buy|feel|suspect|imagine|accept)|\bdoubt|\bunlikely|\bno reason to (?:think|believe)|\bhard to believe|\bnot sure|\bnot convinced)(?: how| that| why)* $/;
export const unwilling =
  /\b(?:not|never|no need to|no reason to|rather not|refuse to|stop|instead of|why|before we|without|rather than|who)\b/;
/** "What do you think, …?", "I would like to hear from …". */
export const asking = [
  /(?:hear|hearing) (?:more |a word |something |now )?from (@[\d+]+)/g,
  /(@[\d+]+)(?:,| -)? (?:please |could @[\d+]+ |can @[\d+]+ )?(?:tell us|explain|share|speak up|say something|answer)/g,
];
export const questioned = /(@[\d+]+)/;
export const questionedAbout =
  /\b(?:make of|what about|think (?:of|about)|feel about|opinion (?:of|on|about)|view (?:of|on)|take on|thoughts (?:on|about)|see|place|trust|suspect) (@[\d+]+)/;
