// Words and patterns that are the same in every match: adverbs that do not change the meaning, verbs that may lack a
// subject, and titles.

export const createWordSet = (list: string) => new Set(list.split(' '));

/** Adverbs that leave the meaning of a sentence unchanged. */
export const droppedSubject: ReadonlySet<string> = createWordSet(
  'also already really actually indeed certainly definitely clearly obviously truly surely simply just personally honestly frankly openly finally even still again once twice quietly proudly gladly happily wisely successfully secretly immediately eventually initially originally later instead too sadly unfortunately correctly rightly wrongly ultimately silently plainly absolutely undoubtedly specifically formally hereby therefore accordingly nonetheless nevertheless then yes yeah yep ok okay thankfully luckily naturally only quickly merely genuinely explicitly publicly consequently thus likewise thereupon further',
);

/** Verbs that lack a subject when they begin a sentence. */
export const leadingVerb =
  /^(?:voted|checked|protected|guarded|saved|investigated|inspected|claimed|accused|called|healed|poisoned|covered|scanned|shot)$/;

/** Words in a bracket after a name that describe the named player. */
export const nounAfterName =
  /^(?:nk|nked|exiled|killed|dead|died|lynched|shot|voted|not|was|is|who|claimed|checked|protected|guarded|revealed|flipped|our|the|a|an|night|nightkilled|removed) ?/;

const sure =
  '(?:confirmed|proven|known|real|true|actual|revealed|dead|late|poor|cleared|obvious|plain|simple|vanilla|an?|the|our|your|another|also|flipped|was|is|just|only|fellow|clear)';
/** A bracket that holds a role or a side. */
export const roleTitle = new RegExp(
  `^(?:${sure} )*(?<identity>#[wvt]s?\\d+|town|village|innocent|clean|clear|cleared|good|bad|evil|guilty)(?: (?:confirmed|dead|flip|flipped|too|as well|also|revealed))?[ ,.]*$`,
);

/** A role before a name: "our Seer Dan", "confirmed town Dan". */
export const titleAhead = new RegExp(
  `^(?:(?:the|our|your|that|this|fellow|confirmed|proven|known|true|real|actual|dead|late|poor|revealed|cleared|innocent|honest|partner) )*(?<identity>#[wv]\\d+|#t\\d+|town|innocent) (?:@\\d+)(?= |$)`,
);
/** Words before a role and a name that show that the role is not a title: "as the Seer Dan should", "a fake Seer". */
export const noTitleAfter =
  /^(?:as|is|am|are|was|were|be|being|been|claim\w*|like|an?|fake|false|supposed|alleged|so|called|flip\w*|not|no|if|or|for|does|did|do|said|says|say|turned|out|plain|simple|mere|the|and|town|#.*)$/;
/** A role after a name, set off by commas or by "the" alone. The match is the title; `roleOfTitle` finds its role. */
export const titleBehind = new RegExp(
  [
    `, (?:the|our|your|an?|another|also an?|himself an?|herself an?) (?:(?:confirmed|proven|true|real|actual|dead|late|poor|honest|innocent|plain|simple|vanilla|ordinary|only) )*#[wvt]\\d+(?= (?:[.;!—)]|, (?!perhaps|maybe|if|or|possibly|probably|supposedly|allegedly|i think|and (?:an?|the) )|and (?!an? |the #))|\\s*$)`,
    `— (?:the|our|your|an?) (?:(?:confirmed|real|true|dead) )*#[wvt]\\d+(?= —)`,
    `, #[wvt]\\d+(?= [.,;!—])`,
    `#w\\d+(?= (?:[.,;!—]|and|in|on|matches|was|is|to|this|%\\S+)|\\s*$)`,
    `the (?:real |true )?#[wv]\\d+(?= (?!'s|or |[a-z]+s? (?:is|was|be)|claim|check|story|hunt))`,
  ]
    .map((form) => `^${form}`)
    .join('|'),
);
export const roleOfTitle = /#[wvt]\d+/;
