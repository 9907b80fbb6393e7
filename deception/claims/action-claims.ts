// Finds claims about the use of a power: checks with their results, protections, potions and last shots.
import type { ClaimDraft } from './claim.ts';
import {
  type DiscourseContext,
  buildWordPattern,
  extractDrafts,
  findRoundNear,
  insertedWordsPattern,
  objectPattern,
  type PatternMatch,
  resolvePlayers,
  subjectPattern,
} from './discourse-context.ts';
import { type ActWord, findManner, type ParsedIdentity, parseIdentity, type TableLexicon } from './lexicon.ts';
import { decodePlayers, type NormalSentence } from './normalize-sentences.ts';

// Patterns for reports of a power's use, built from the words that the roles declare.

interface ActPattern {
  pattern: RegExp;
  /** Returns the act that the matched words mean; undefined if they are not an act. */
  deedOf: (groups: Readonly<Record<string, string | undefined>>) => ActWord | undefined;
}

const chosen =
  'chose to|decided to|managed to|opted to|elected to|made sure to|got to|was able to|was sent to|was free to|had the chance to|took the (?:chance|opportunity) to|used (?:my|the|our|his|her) [a-z ]{1,20}? to|used it to|went ahead and|went and';
const presented = '(?:am|was) the (?:one|person|#\\S+) (?:who|that|and)|am a #\\S+ and|am the #\\S+ and';
const aside = `(?:have|has|had|did|do|both|myself|, myself ,|, as the #\\S+ ,|, the #\\S+ ,|${chosen}|${presented}|${insertedWordsPattern}) `;
/** Pattern for the actor, which also matches "it was me who …". */
const doer = subjectPattern.replace('(?<subject>', '(?:it was )?(?<subject>me(?= (?:who|that) )|');
const gap = '…';

const known = new WeakMap<TableLexicon, readonly ActPattern[]>();

/** Builds patterns for acts. In every match of a pattern, the group `between` holds the words in front of the verb. */
function buildActPatterns(words: TableLexicon): readonly ActPattern[] {
  const before = known.get(words);
  if (before) return before;
  const { past, infinitive, gerund } = words;
  const told = new Map([...infinitive, ...past]);
  const patterns = [
    ...[...told.keys()].flatMap((form) => (form.includes(gap) ? [buildActivePattern(form, past, infinitive)] : [])),
    buildActivePattern(joinUnbrokenForms(told.keys()), past, infinitive),
    {
      pattern: buildWordPattern(
        `${doer} (?<between>(?:${aside}|not |never )*)(?:was|were|have been|has been|had been|spent|spent the night|kept busy) (?<late>(?:not |never |busy |indeed |actually |already )*)(?<deed>${joinUnbrokenForms(gerund.keys())}) ${objectPattern}`,
      ),
      deedOf: ({ deed }: Groups) => gerund.get(deed!),
    },
    {
      pattern: buildWordPattern(
        `(?<object>@[\\d+]+|i|you|he|she|they) (?:was|were|has been|have been|had been|got) (?<between>(?:not |never )*)(?<deed>${joinUnbrokenForms(past.keys())}) by (?<subject>@\\d+|me)`,
      ),
      deedOf: ({ deed }: Groups) => past.get(deed!),
    },
  ];
  known.set(words, patterns);
  return patterns;
}

type Groups = Readonly<Record<string, string | undefined>>;
type Forms = TableLexicon['past'];

const joinUnbrokenForms = (forms: Iterable<string>) => [...forms].filter((form) => !form.includes(gap)).join('|');

/**
 * Builds the pattern of an act in the active voice. `form`: the verb's forms, or one verb with a gap for its object.
 */
function buildActivePattern(form: string, past: Forms, infinitive: Forms): ActPattern {
  const [verb, rest] = form.split(` ${gap} `);
  return {
    pattern: buildWordPattern(
      `${doer} (?<between>(?:${aside}|not |never )*)(?<deed>${verb}) ${rest === undefined ? `(?:on |into |out )?${objectPattern}` : `${objectPattern} ${rest}`}`,
    ),
    deedOf: ({ between = '', deed }) => {
      const takesInfinitive = /(?:(?:did|do)(?: not| never)?(?: [a-z]+)?|to) $/.test(between);
      return (takesInfinitive ? infinitive : past).get(rest === undefined ? deed! : `${deed} ${gap} ${rest}`);
    },
  };
}

// Results of checks, read from the words after the check.

/** Creates a check with the result that the words state. `identity` is null if the words state no result. */
const createCheck = (identity: ParsedIdentity | null, { words }: DiscourseContext) => ({
  type: 'check' as const,
  verbs: words.register.flatMap(({ powers }) => powers.filter(({ aim }) => aim === 'learn').map(({ verb }) => verb)),
  role: identity?.role?.name ?? null,
  team: identity && !identity.role ? identity.team : null,
});

const linking = new Set(
  "( ) , : — ; . = → and he she they it the result results answer verdict is was are were found that him her them to be came come comes back up as turned out who learned discovered saw confirmed can confirm say now know showed shows revealed reveals returned gave says said a an one of definitely indeed clearly me i night last yesterday in on first second third round day during really just have has been identity role their his with certainty for sure after tonight this morning true what guess actually therefore so today my check simple plain ordinary regular confirmed tells told us you all 's investigation confirms no not never as positive both neither got get saw see seen shown told turned proved proves lo behold where which whom came moderator reading reads read what's came".split(
    ' ',
  ),
);
const clean = /^(?:clean|clear|cleared|good|safe|not bad|fine|one of us)(?= |$)/;
const bad = /^(?:bad|one of them|on their side)(?= |$)/;

interface CheckResult {
  identity: ParsedIdentity;
  /** Position in the sentence's code where the words of the result end. */
  end: number;
  /** Position in the text where the words of the result end. */
  to: number;
}

/** Finds the result of a check in the words after the check, which ends at `from`. */
function findCheckResult({ place, sentence, groups }: PatternMatch, from: number): CheckResult | null {
  const { reading, index } = place;
  const whom = groups['object']!;
  const title = sentence.attributes.find(({ at, player }) => player === whom && at >= from && at <= from + 1);
  const told = title && parseResultWord(title.identity, reading.words);
  if (title && told) return { identity: told, end: from, to: title.to };
  const here = parseCheckResult(sentence.code.slice(from).trimStart(), whom, reading);
  if (here) {
    const end = from + 1 + here.length;
    return { identity: here.identity, end, to: sentence.span(from, end).to };
  }
  const next = reading.sentences[index + 1];
  if (
    !next ||
    next.isQuestion ||
    !/^(?:he|she|they|it|the (?:result|answer|verdict)|result|@|#|and|a |innocent|not |clean|no )/.test(next.code)
  )
    return null;
  const said = sentence.code.slice(from).split(' ');
  if (said.some((code) => code.startsWith('#') || /^@/.test(code))) return null;
  const there = parseCheckResult(next.code, whom, reading);
  return there ? { identity: there.identity, end: sentence.code.length, to: next.span(0, there.length).to } : null;
}

function parseCheckResult(
  code: string,
  whom: string,
  { words }: DiscourseContext,
): { identity: ParsedIdentity; length: number } | null {
  const tokens = code.split(' ', 24);
  let denials = 0;
  for (let at = 0; at < tokens.length; at++) {
    const length = tokens.slice(0, at).join(' ').length + (at > 0 ? 1 : 0);
    const rest = code.slice(length);
    const found = parseIdentity(rest, findManner(tokens.slice(0, at)), words) ?? parseCheckVerdict(rest);
    if (found) {
      const end = length + found.length;
      if (denials > 1 || /^ (?:or|'s|if|hunter|target|claim)(?: |$)/.test(code.slice(end))) return null;
      if (denials === 0) return { identity: found.identity, length: end };
      const { role, team } = found.identity;
      return role
        ? null
        : { identity: { role, team: team === 'werewolves' ? 'villagers' : 'werewolves' }, length: end };
    }
    const token = tokens[at]!;
    if (['not', 'no', 'never', 'neither'].includes(token)) denials++;
    const isSame =
      token === whom ||
      (token.startsWith('@') && decodePlayers(token, words).join() === decodePlayers(whom, words).join());
    if (!linking.has(token) && !isSame) return null;
  }
  return null;
}

/** Returns the result that a word or its denial states for the checked player; null if the word states none. */
function parseResultWord(code: string, words: TableLexicon): ParsedIdentity | null {
  const denied = /^(?:no|not an?) (.*)/.exec(code)?.[1];
  if (denied !== undefined) return { role: null, team: 'villagers' };
  return (parseIdentity(code, 'plain', words) ?? parseCheckVerdict(code))?.identity ?? null;
}

function parseCheckVerdict(code: string): { identity: ParsedIdentity; length: number } | null {
  const good = clean.exec(code);
  if (good) return { identity: { role: null, team: 'villagers' }, length: good[0].length };
  const evil = bad.exec(code);
  return evil ? { identity: { role: null, team: 'werewolves' }, length: evil[0].length } : null;
}

/** Finds acts that are reported with a verb: "I checked Dan: …", "Leah protected Will last night". */
export function extractActs(reading: DiscourseContext): ClaimDraft[] {
  return buildActPatterns(reading.words).flatMap(({ pattern, deedOf }) =>
    extractDrafts(reading, pattern, (found) => {
      const { groups, sentence, frame, end } = found;
      const deed = deedOf(groups);
      if (!deed) return [];
      if (deed.isShield && !isOfNight(groups['subject']!, sentence, sentence.code.slice(end))) return [];
      const isDenied = /\b(?:not|never) /.test(`${groups['between'] ?? ''}${groups['late'] ?? ''}`) !== frame.isDenied;
      if (!deed.isCheck)
        return createActDrafts(found, groups['subject']!, { verbs: [...deed.verbs], polarity: !isDenied });
      const result = isDenied ? null : findCheckResult(found, end);
      return createCheckDrafts(found, groups['subject']!, result, !isDenied);
    }),
  );
}

type BareDraft = Omit<ClaimDraft, 'from' | 'to'> & { to?: number };

/** Creates a draft for each pair of an actor and a target. */
const createActDrafts = (found: PatternMatch, subject: string, act: Partial<BareDraft>): BareDraft[] =>
  resolvePlayers(subject, found.place).flatMap((by) =>
    resolvePlayers((found.groups['object'] ?? found.groups['whom'])!, found.place).map((whom) => ({
      ...{ type: 'act', subject: by, object: whom, hedged: found.frame.isHedged, when: findRoundNear(found, true) },
      ...act,
    })),
  );

const createCheckDrafts = (
  found: PatternMatch,
  subject: string,
  result: { identity: ParsedIdentity; to?: number } | null,
  polarity = true,
) =>
  createActDrafts(found, subject, {
    ...createCheck(result?.identity ?? null, found.place.reading),
    polarity,
    ...(result?.to === undefined ? {} : { to: result.to }),
  });

/**
 * Whether a shielding verb reports the use of a power at night. Players also "protect" or "save" somebody by a vote or
 * an argument.
 */
const isOfNight = (who: string, { times }: NormalSentence, rest: string) =>
  !/(?:^| )(?:vot\w+|debat\w+|discussion|argu\w+|accus\w+|suspicion\w*|exile\w*|defend\w*|behaviou?r|words?|scrutiny|deflect\w*|distract\w*|covering|attack\w*|attention)(?: |$)/.test(
    ` ${rest} `.split(joint, 1)[0]!,
  ) &&
  (['i', 'me'].includes(who) || times.some(({ kind }) => kind === 'night'));

const joint = / (?:,|;|:|—|but|because|so|when|while|who|although|and (?:i|he|she|they|you|we|nobody|that|last|the)) /;

// Checks and shields that are reported without a verb of their own.

const checkNoun = '(?:check|investigation|inspection|inquiry|vision|scan|reading|peek|result|results)';

/** "My check of Dan": without a stated result, the words presuppose only that the check took place. */
const named = buildWordPattern(`(?<subject>my|the|@\\d+ 's) (?:own |first |second |third |last |latest )*${checkNoun}(?: results?)? (?:of|on|into|for|from|about|against) ${objectPattern}`); // prettier-ignore
/**
 * Pattern of a player with a result, as in "Dan: Werewolf". It counts as a check in a list headed "my checks:" or
 * "Dan's results:". Elsewhere it counts only if a night is stated beside it and the speaker claims a role that checks.
 */
const entry =
  /(?<=^|[.,;:!—→] |(?:^| )and )(?<object>@[\d+]+) (?:(?:is|was|were|are|[=:→—]|came back|came up|,) )?(?:(?:an?|the|as|confirmed) )*(?<what>(?:no|not an?) #ws?\d+|#[wvt]s?\d+|town|innocent|clean|clear|good|bad|evil|guilty)(?: inspect| check)?(?= (?:[.,;:!—)]|and)|$)/g;
/**
 * Patterns of reported checks. The group `what` holds the result. If a pattern has no such group, the result must
 * follow the matched words.
 */
const reports = [
  buildWordPattern(`(?<subject>i) (?:got|have|had|received|found) an? (?<what>#[wvt]\\d+|clean|clear|innocent|good|guilty|bad) (?:(?:check|result|reading|answer|verdict) )?(?:on|for|about|in) (?<object>@\\d+)`),
  buildWordPattern(`(?<subject>@\\d+|i) (?:has |have )?(?<what>cleared) (?<object>@[\\d+]+|me)`),
  entry,
  named,
  buildWordPattern(`(?<subject>my) (?:own )?${checkNoun}s? (?:revealed|showed|shows|confirmed|confirms|found|says|tells me|have|has)(?: that)? (?<object>@[\\d+]+)`),
  /(?<![^ ])(?<object>@[\d+]+)(?= (?:(?:came|has come|comes) (?:back|up)|(?:showed|shows) up as) )/g,
  buildWordPattern(`(?<subject>my) (?:own |first |second |third |last |latest )*${checkNoun}(?: , [^,]{0,30} ,)? (?:was(?: on| of)?|fell on|landed on|went to|were|concerned|is|:)(?: :)? (?<object>@[\\d+]+)`),
  buildWordPattern(`(?<subject>@\\d+) (?:had |has )?(?<object>@\\d+|me)(?= as an? #w)`),
]; // prettier-ignore

/** Finds checks that are reported without the words "I checked": "My check of Dan showed …", "Dan came back as …". */
export function extractReportedChecks(reading: DiscourseContext): ClaimDraft[] {
  return reports.flatMap((pattern) => {
    const isWhole = pattern.source.includes('(?<what>');
    return extractDrafts(
      reading,
      pattern,
      (found) => {
        const { subject = 'my', what } = found.groups;
        const owner = pattern === entry ? findListOwner(found) : subject;
        const identity = what === undefined ? null : parseResultWord(what, reading.words);
        const result = what === undefined ? findCheckResult(found, found.end) : identity && { identity };
        if (owner === null || (!result && (pattern !== named || subject === 'the'))) return [];
        const checker = /^(?:my|the)$/.test(owner) ? 'i' : owner.replace(/ 's$/, '');
        const drafts = createCheckDrafts(found, checker, result);
        return result ? drafts : drafts.map((one) => ({ ...one, presupposed: true }));
      },
      { isComplete: isWhole },
    );
  });
}

const listing =
  /(?:^| )(?:(?<owner>my|his|her|@\d+ 's) (?:own |two |three |only )*(?:checks|results|findings|inspections))(?: |$)/;

/** Finds the player whose checks the surrounding words list; null if they list no player's checks. */
function findListOwner({ place, sentence, start }: PatternMatch): string | null {
  const { sentences } = place.reading;
  const above = sentences.slice(Math.max(0, place.index - 3), place.index).map(({ code }) => code);
  const near = [sentence.code.slice(0, start), sentence.heading, ...above.reverse()];
  const owner = near.flatMap((code) => listing.exec(code)?.groups!['owner'] ?? []).at(0);
  if (owner !== undefined) return /^(?:his|her)$/.test(owner) ? null : owner;
  const isChecker = claimsPower(place.reading, 'learn');
  const isDated =
    findRoundNear({ sentence, start, end: start + 1 }, true) !== null &&
    sentence.times.some(({ kind, at }) => kind === 'night' && at <= start + 12 && at >= start - 12);
  return isChecker && isDated ? 'my' : null;
}

const shields = [
  buildWordPattern(`(?:my|mine) (?:protection|save|shield|watch|guard|cure|antidote|healing potion|potion) (?:, which |was |had been )*(?:went|given|placed|kept|fell|applied|used|spent|lay|on|for)(?: (?:to|on|over|with|for|upon))? ${objectPattern}`),
  buildWordPattern(`(?<object>@\\d+|he|she) (?:was|were|stood|sat) under my (?:protection|shield|watch|guard)`),
  buildWordPattern(`i had ${objectPattern} covered`),
]; // prettier-ignore
/**
 * Patterns of reported shielding: "last night I stayed with Dan". They count only if a night is named and the speaker
 * claims a role with a shielding power.
 */
const watches = [
  buildWordPattern(`i (?:(?!not|never|if|would|could|look\\w*|check\\w*|vot\\w*|think|say|believe|know|agree|thought)[a-z]+ ){1,5}?(?:over|with|beside|by|at|for|on|before|at the side of|picked|chose) (?:the door of )?(?<whom>@\\d+|myself|him|her)`),
  buildWordPattern(`(?<=^|[.,;:!—→] )(?:on|with|over) (?<whom>@\\d+|myself)`),
]; // prettier-ignore

/** Finds shields that are reported as nouns: "My save went to Dan", "Leah was under my protection". */
export function extractProtections(reading: DiscourseContext): ClaimDraft[] {
  const { past } = reading.words;
  const [saving = [], shielding = []] = ['saved', 'protected'].map((word) => past.get(word)?.verbs);
  return [...shields, ...(claimsPower(reading, 'shield') ? watches : [])].flatMap((pattern) =>
    extractDrafts(
      reading,
      pattern,
      (found) => {
        const { groups, sentence, match, end } = found;
        if (groups['whom'] !== undefined && findRoundNear(found, true) === null) return [];
        if (!isOfNight('i', sentence, sentence.code.slice(end))) return [];
        const isCure = / (?:cure|antidote|potion) /.test(match[0]);
        return createActDrafts(found, 'i', { verbs: [...new Set(isCure ? saving : [...shielding, ...saving])] });
      },
      { isComplete: false },
    ),
  );
}

/** Whether the speaker claims a role with this power in the same statement. */
const claimsPower = ({ words, sentences }: DiscourseContext, power: 'learn' | 'shield') =>
  words.register.some(({ powers }, role) => {
    if (!powers.some(({ aim }) => aim === power)) return false;
    const claiming = new RegExp(
      `(?:^| )(?:i am|(?:claim|role) :|i ,|as|office of|^) ?(?:the |your |a )?#v${role}(?: |$)`,
    );
    return sentences.some(({ code }) => claiming.test(code));
  });
