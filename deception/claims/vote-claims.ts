// Finds claims about votes: past votes, and votes that the speaker promises.
import { everybody } from '../../state/player-names.ts';
import type { ClaimDraft } from './claim.ts';
import {
  type DiscourseContext,
  buildWordPattern,
  extractDrafts,
  findRoundNear,
  insertedWordsPattern,
  isOfTomorrow,
  objectPattern,
  type PatternMatch,
  resolvePlayers,
} from './discourse-context.ts';

const against = '(?:for|against|out|on|onto|to (?:exile|remove|eliminate|vote out|send away|banish|lynch))';
const aside = `(?:have|has|had|all|did|do|both|was the (?:first|last|only) (?:one )?(?:to|who)|(?:am|was|were) (?:among |one of )?(?:the |those )?(?:few |two |three |four |five |six |seven )?(?:one|ones|person|people|player|players)? ?(?:who|that)|, like (?:most|all) of you ,|, ${'@[\\d+]+'} ,|${insertedWordsPattern}) `;
const ballot = '(?:vote|votes|ballot|ballots)';
const all = '(?:we all|all of us|we|everyone|everybody|every (?:living )?(?:one|person|player)(?: here)?)';
const voter = `(?<subject>i|you|he|she|they|@[\\d+]+|${all})(?: ,? ?(?:who|that))?`;
const adjective = '(?:(?!lean|would|is |was |and |for )[a-z]+ ){0,2}';

const casting = `(?<verb>voted|vote|votes|(?:cast|casting|gave|put|placed|threw|tossed|used) (?:my|his|her|their|your|a|the|out)(?: [a-z]+)? ${ballot}|(?:put|wrote) (?:my|his|her|their|your) name)`;
const count = '(?:one|two|three|four|five|six|seven|eight|nine|ten|\\d+)';
const some = '(?:votes|ballots|hands|of us|vote|ones|people|players|voters)';
const tellers =
  '(?:, )?(?:: |— |were |are |was |is |namely |among them |by |cast by |belonged to |came from |those of )(?:all |both |those of |that of |from )*';
const owner = "(?<subject>my|my own|his|her|your|@[\\d+]+ 's)";
interface VoteForm {
  pattern: RegExp;
  /** Whether the words presuppose the vote instead of stating it. */
  isNoun?: true;
  /** Whether the words mean a vote only in a text about votes. */
  isBare?: true;
}

const voting: readonly VoteForm[] = [
  { pattern: buildWordPattern(`${voter} (?<between>(?:${aside}|alone |not |never )*)${casting} (?:with the group |with me |in the end |straight )?(?:${against} |to |at )?(?:that same |this |poor |our |their |my )*${objectPattern}`) },
  { pattern: buildWordPattern(`${owner} ${adjective}(?<verb>${ballot}) (?<between>(?:not )?)(?:(?:which )?(?:was|were|went|fell|landed|stood) (?:cast |given |placed |recorded |both )*(?:for|against|on|to|with)|went (?:to|for)) ${objectPattern}`) },
  { pattern: buildWordPattern(`${owner} ${adjective}${ballot} (?:for|against|on|to exile) ${objectPattern}`), isNoun: true },
  { pattern: buildWordPattern(`${owner} ${objectPattern} ${ballot}`), isNoun: true },
  { pattern: buildWordPattern(`${ballot}(?: (?:of|from|by))? (?<subject>@[\\d+]+) (?:for|against|on) ${objectPattern}`), isNoun: true },
  // Matches "Five votes on Dan: Leah, Paul and me".
  { pattern: buildWordPattern(`(?:(?:the|those|all|other|our) )*(?:${some}|${count}(?= on )) (?:(?!would)[a-z]+ ){0,5}?(?:on|upon|against|for|to|voted|removed|exiled|put|named|which) (?<object>@\\d+|him|her|me)(?: ,? ?(?!who )[a-z ]{0,40}?)? ${tellers}(?<subject>@[\\d+]+)`) },
  // Matches "Dan got five votes: Leah, Paul and me".
  { pattern: buildWordPattern(`(?<object>@\\d+) (?:[a-z]+ |, |\\d+ ){0,8}?(?:${some}|(?:got|had|received) ${count}) (?:[a-z]+ ){0,2}${tellers}(?<subject>@[\\d+]+)`) },
  // Matches "Dan was exiled with six votes, mine among them".
  { pattern: buildWordPattern(`(?<object>@\\d+) (?:[^@.;]{0,60} )?(?:votes|ballots|of us) (?:[^@.;]{0,20} )?, (?<subject>my own|mine|me|myself) (?:included|among them|one of them|too)`) },
  { pattern: buildWordPattern(`(?:vote|votes|one) (?:(?:was|were|given|went|cast) )*(?:to|for|on|against) (?<object>@\\d+) by (?<subject>@[\\d+]+)`) },
  { pattern: buildWordPattern(`(?<subject>@[\\d+]+|i|me|he|she|my own|mine) (?:, )?(?:(?:was|were|was also|were also) (?:alone |the only (?:one|ones|two) |one of the ${count} |both |with @[\\d+]+ )?on|both on|→|:|on) (?:the )?${objectPattern}(?: (?:wagon|pile|train))?`), isBare: true },
  { pattern: buildWordPattern(`(?<between>(?:not )?)(?:on|for|against|onto) (?<object>@\\d+) (?:: |, ?|— |it was |were |there were (?:eight|seven|six|five|four|three) of us , )+(?<subject>@[\\d+]+)`), isBare: true },
  { pattern: buildWordPattern(`(?<subject>my|your|@[\\d+]+ 's|i|@\\d+) (?:votes(?: , in full)?(?: were| have been| are)?(?: as follows)? (?::|—)|(?:led|lead|leading|joined|started|pushed) the) ${objectPattern}(?: (?:vote|wagon|pile))?`) },
  { pattern: buildWordPattern(`(?:why|reason|after|for|made|what made) (?:(?:did|have) )?(?<subject>you|@\\d+|i) (?:vote|voted) (?:${against} )?${objectPattern}`), isNoun: true },
  { pattern: buildWordPattern(`(?<subject>)unanimous(?:ly)? (?:vote|votes|voted|exile)? ?(?:on|for|against) ${objectPattern}`) },
]; // prettier-ignore

const office =
  /^ ?(?:as|for|to be|to become) (?:the |our )?(?:sheriff|badge|leader)|^ ?'s (?!vote)|^ ?(?:sheriff|as (?:the )?sheriff)/;
/** Words after a name which show that the name begins a clause. Such a name is not the target of a vote. */
const followed = /^ ?(?:was|is|were|has|had) /;
const followedNoun = /^ (?:lean|should|must|would|could|will|can|gets?|stands|stays)/;
const casts =
  /(?:^| )(?:cast|casting|giv(?:e|ing)|put(?:ting)?|plac(?:e|ing)|lock(?:ing)?|commit\w*|keep(?:ing)?)(?: in)? $/;
const ofVotes =
  /(?:^| )(?:vot\w+|ballots?|tally|wagon|record|dissent\w*|alone|exile[ds]?|hands?|of us)(?: |$)|(?:^| )(?:on|for) @/;

/** Finds claims about votes: "I voted for Dan yesterday", "Leah did not vote for Will", "Dan/Leah on Will". */
export function extractVotes(reading: DiscourseContext): ClaimDraft[] {
  return voting.flatMap(({ pattern, isNoun = false, isBare = false }) =>
    extractDrafts(
      reading,
      pattern,
      (found) => {
        const { groups, frame, place, sentence, start, end } = found;
        const { between = '', verb = '', subject = '' } = groups;
        const after = sentence.code.slice(end);
        const isNone = isNoun
          ? followedNoun.test(after) || casts.test(sentence.code.slice(0, start)) || office.test(after)
          : isBare
            ? !isAmongVotes(found)
            : !isOfThePast(verb, between, subject) || followed.test(after) || office.test(after);
        if (
          isNone ||
          isOfOffice(found) ||
          (/^(?:we all|all|every)/.test(subject) && / (?:who|that) /.test(found.match[0]))
        )
          return [];
        const isDenied = /\b(?:not|never) /.test(between) !== frame.isDenied;
        const also = isDenied || isNoun ? [] : resolveFollowers(found);
        const further = verb === 'voted' && !isDenied ? listFurtherObjects(found) : [];
        const objects = [{ object: groups['object']!, when: findRoundNear(found, false) }, ...further];
        return objects.flatMap(({ object, when }) =>
          [...resolveVoters(subject, found), ...also]
            .filter((by) => !isThisBallot(by, when, reading))
            .flatMap((by) =>
              resolvePlayers(object, place)
                .filter((whom) => whom !== by)
                .map((whom) => ({
                  ...{ type: 'vote' as const, subject: by, object: whom, when },
                  ...{ hedged: frame.isHedged, polarity: !isDenied, ...(isNoun ? { presupposed: true } : {}) },
                })),
            ),
        );
      },
      { isPresupposing: isNoun, isOfRecord: true },
    ),
  );
}

const joinedObject =
  /^[^@.;:—!]*?(?:,|and|then|but)(?: (?!not|never|who|suspi)[a-z]+| ,){0,5} (?:for|against|on|then) (?<object>@[\d+]+)(?= (?:[.,;:!—]|and|in turn|then)|$)/;

/** Lists the further targets that follow the first: "I voted for Dan, then for Leah and on the third day for Paul". */
function listFurtherObjects({ sentence, end }: PatternMatch) {
  const found: { object: string; when: number | null }[] = [];
  let from = end;
  for (
    let next = joinedObject.exec(sentence.code.slice(from));
    next;
    next = joinedObject.exec(sentence.code.slice(from))
  ) {
    const to = from + next[0].length;
    if (office.test(sentence.code.slice(to))) break;
    const object = next.groups!['object']!;
    found.push({ object, when: findRoundNear({ sentence, start: to - object.length, end: to }, false) });
    from = to;
  }
  return found;
}

/** Whether the vote is for the badge, and not for exile. */
const isOfOffice = ({ sentence, place: { reading, index } }: PatternMatch) =>
  /(?:^| )(?:sheriff|badge|pseudo - vote|pseudo vote)(?: |$)/.test(sentence.code) ||
  reading.sentences.slice(Math.max(0, index - 2), index).some(({ code }) => electing.test(code));
const electing = /(?:^| )(?:chose|elect\w*|ran|badge|candida\w*) (?:[^.]* )?(?:sheriff|badge)(?: |$)/;

const isOfThePast = (verb: string, between: string, subject: string) =>
  !/^(?:vote|votes|put|cast|is|are)\b/.test(verb) ||
  / (?:vote|ballot|name)/.test(verb) ||
  between.includes('did ') ||
  /^my$|'s$/.test(subject) ||
  (verb === 'votes' && subject !== 'i');

const following =
  /(?:^ |^(?: [a-z\d]+){0,5}(?: ,)? (?:(?:and|but|as) )?)(?:(?:so )?did|(?:, )?(?:together |along )?with(?= @\d+\+)) (?<also>i|you|he|she|@[\d+]+)(?= |$)/;
const likeAll = /^ ?,? (?:like|as) (?:all of (?:us|you)|everyone|everybody|the rest of us)(?: |$)/;

/** Finds the players who voted the same way: "… and so did I", "… with Dan and Leah", "… as all of you did". */
function resolveFollowers({ sentence, place, end }: PatternMatch): string[] {
  const behind = sentence.code.slice(end);
  const joined = [...behind.matchAll(/ so did (?<also>i|you|he|she|@[\d+]+)(?= |$)/g), following.exec(behind)];
  const named = joined.flatMap((found) => (found ? resolvePlayers(found.groups!['also']!, place) : []));
  return [...new Set(named), ...(likeAll.test(behind) ? [everybody] : [])];
}

function resolveVoters(subject: string, { place }: PatternMatch): string[] {
  if (/^(?:my|mine)/.test(subject)) return resolvePlayers('i', place);
  if (subject === 'your') return resolvePlayers('you', place);
  if (subject === '' || /^(?:we all|all of us|every)/.test(subject)) return [everybody];
  return subject === 'we' ? [] : resolvePlayers(subject.replace(/ 's$/, ''), place);
}

/**
 * Returns whether the sentence, its heading or the sentence before is about votes, and the clause holds nothing else.
 */
function isAmongVotes({ sentence, start, place: { reading, index }, match }: PatternMatch): boolean {
  const { code, heading, times } = sentence;
  const earlier = reading.sentences[index - 1]?.code ?? '';
  return (
    reading.statement.round > 1 &&
    /(?:^|[;:,.—] |(?:and|while|then|when|with) )$/.test(code.slice(0, start)) &&
    (/^(?:on|for|against)| (?:→|on) /.test(match[0]) || !/ : /.test(match[0])) &&
    !/(?:^| )(?:plan|propose|let us|should)(?: |$)/.test(code) &&
    !times.some(({ kind }) => ['today', 'tomorrow', 'night', 'unclear'].includes(kind)) &&
    [code, heading, earlier.slice(-200)].some((near) => ofVotes.test(near))
  );
}

/** Returns whether the words are about the ballot that the statement itself explains: "I vote for Dan because …". */
const isThisBallot = (who: string, when: number | null, { statement: { kind, by, round } }: DiscourseContext) =>
  kind === 'ballot' && who === by && (when === null || when === round);

const will =
  '(?:will|shall|am going to|intend to|plan to|am|be|have decided to|am ready to|can promise to|promise to|am going to be|definitely|proudly|, as promised ,|, of course ,|just|simply|only)';
const target = '(?<object>@\\d+|you|him|her|them)';
const promising = [
  buildWordPattern(`i (?:(?:${will}|not|never) )*(?:vote|voting|(?:putting|casting|giving|placing|locking(?: in)?|committing|keeping|(?<=(?:will|to|shall) )(?:put|cast|give|place|lock(?: in)?|keep)) my (?:vote|ballot)|committing|locking(?: in)?(?: on)?|(?<=will |shall )(?:follow|join) [^.,;:—]* and vote) (?:${against} |on |to |with |in on )*${target}`),
  buildWordPattern(`(?<!(?:gave|cast|put|threw) )my (?:[a-z]+ )?vote (?!lean|for |on |, )(?:(?!was|went|fell|were|had|has|lean\\w*|would|should|could|might|may|can|if|that|helped|and)(?:[a-z]+|,) ){1,8}?(?:for |on |against |to |with |in on )?${target}(?! 's [^t])`),
  buildWordPattern(`my vote (?:for|on|against) ${target} (?:stands|stays|remains|is (?:locked|final|firm))`),
  buildWordPattern(`vote (?:for )?${target} (?:with|alongside) me`),
  buildWordPattern(`(?:my |final |locked )?vote : ${target}`),
  buildWordPattern(`(?<object>@\\d+|you|he|she) (?:gets|has|is getting|receives|remains|is) my (?:vote|ballot)`),
  buildWordPattern(`i (?:am|will be|stay|am staying|remain) (?:locked )?on ${target}(?= (?:[.,;!—]|and)|$)`),
]; // prettier-ignore

/**
 * Extracts promises of a vote: "I will vote for Dan", "Vote: Dan". The explanation of a ballot makes no promise,
 * because it announces that same ballot. A campaign speech makes none either, because it concerns other votes.
 */
export function extractPromises(reading: DiscourseContext): ClaimDraft[] {
  const { kind, occasion, by, round } = reading.statement;
  if (kind === 'ballot' || occasion === 'campaign') return [];
  return promising.flatMap((pattern) =>
    extractDrafts(
      reading,
      pattern,
      (found) => {
        const { groups, frame, place, sentence, end, match } = found;
        const after = sentence.code.slice(end);
        if (office.test(after) || frame.isHedged || frame.isPresupposed || conditional.test(after)) return [];
        const isDenied = /\b(?:not|never|in no case) /.test(match[0]) !== frame.isDenied;
        if (isDenied && /^ (?:just|because|yet|before|until|over|on(?! any)|for)(?: |$)/.test(after)) return [];
        return resolvePlayers(groups['object']!, place)
          .filter((whom) => whom !== by)
          .map((whom) => ({
            type: 'promise' as const,
            subject: by,
            object: whom,
            when: isOfTomorrow(found) ? round + 1 : round,
            polarity: !isDenied,
          }));
      },
      { isOfRecord: true },
    ),
  );
}

/** Words that make a promise conditional. "Unless" is not one of them. */
const conditional =
  /^[^.]*? (?:if (?!not|you ask|you want)|provided|should (?:i|he|she|they|nothing|nobody|no|@\d+)|before that)(?: |$)/;
