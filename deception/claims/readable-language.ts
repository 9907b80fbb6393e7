// Whether the rules can read a statement: it must be in English and not too long. Claims of an unreadable statement
// count as missing, not as absent.

/**
 * Maximum number of characters that the rules read. Longer statements are skipped, because players may write statements
 * to attack the reader.
 */
export const longestReadable = 10_000;

const english = new Set(
  `a an the i me my mine myself you your yours yourself he him his she her hers it its we us our ours they them their theirs this that these those
  who whom whose which what when where why how is are was were be been being am do does did done have has had will would shall should can could may might must
  not no yes nobody nothing none never and or but so if because as than then there here to of in on at by for from with without about into onto over under
  out up down off again all any some every each both either neither one two three four five first last next more most less least much many few other another
  just only very too also now today yesterday tomorrow tonight night day still yet already always ever maybe think say said says know see saw seen look looks let
  lets go goes went come came get got make made take took give gave tell told want need trust believe suspect vote voted votes voting agree hear heard ask asked
  speak quiet loud claim claims claimed check checked save saved protect protected guard kill killed dead died wolf wolves werewolf werewolves villager villagers village
  seer doctor hunter witch idiot town innocent good bad guilty sure right wrong die war son van men sent hello hi hey ok okay please well pass truth true lie lying lies`.split(
    /\s+/,
  ),
);

/** Frequent short words of other languages, except those that are English too. */
const foreign = new Set(
  `ich bin bist ist sind war und der die das den dem ein eine einen nicht kein keine wir ihr sie er es mich dich uns euch mir dir auf mit von zu für aber oder weil wenn dass auch nur noch schon heute gestern nacht haben habe hat wurde wird glaube denke nein ja
  yo soy eres es somos son el la los las un una unos unas y o pero porque que de del en con por para no sí mi tu su nosotros ellos anoche hoy ayer creo está estoy fue muy también
  je suis tu es il elle nous sommes vous êtes ils sont le les une et ou mais parce dans avec pour pas ne ce cette mon ton son hier aujourd hui nuit crois pense très aussi oui est du des au
  io sono sei siamo lo gli uno ed ma perché che di nel nella per non mio tuo suo noi voi loro ieri oggi notte credo penso anche molto è della
  eu sou você ele ela são um uma e mas porque em com não meu teu seu nós eles ontem hoje noite acho também muito está foi os ao
  ik ben jij hij zij wij zijn het een en of maar omdat niet geen mijn jouw gisteren vandaag nacht denk ook heel van naar
  jag är du han hon vi ni de och eller men inte min din igår idag natt tror också det som på
  jeg er og ikke min din i går dag nat tror også på av til
  ja jestem jest są i ale nie mój twój wczoraj dzisiaj noc myślę też się na
  ben sen o biz siz onlar ve ama değil bir bu dün bugün gece bence çok
  minä olen sinä hän me te he ja tai mutta ei eilen tänään yö luulen myös
  saya aku kamu dia kami kita mereka adalah dan atau tetapi tidak kemarin hari malam`.split(/\s+/),
);
for (const word of english) foreign.delete(word);

/** Whether a word says nothing about the language. Names and numbers look the same in many languages. */
const isNeutral = (word: string, names: ReadonlySet<string>) => names.has(word) || /^\d+$/.test(word);

/**
 * Returns whether a statement is in English and short enough for the rules. `players`: names at the table.
 *
 * @example isReadableByRules('Ich bin die Seherin.', ['Kai']) // false
 */
export function isReadableByRules(text: string, players: readonly string[]): boolean {
  if (text.length > longestReadable) return false;
  const names = new Set(players.flatMap((name) => name.toLowerCase().split(/[^\p{L}\p{N}]+/u)));
  const parts = text.split(/[.!?…\n。！？]+/);
  return isEnglish(text, names, 1) && parts.every((part) => isEnglish(part, names));
}

/**
 * Returns whether a text is in English. `fewest`: number of foreign words from which a text without any English word
 * counts as foreign. It is 2 for sentences, because an English statement may contain a sentence with one foreign word:
 * "Mon dieu!"
 */
function isEnglish(text: string, names: ReadonlySet<string>, fewest = 2): boolean {
  const words = (text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => !isNeutral(word, names));
  const strange = words.filter((word) => /[^\p{Script=Latin}\p{M}\p{N}]/u.test(word)).join('');
  if (strange.length >= 2) return false;
  const known = words.filter((word) => english.has(word)).length;
  const others = words.filter((word) => foreign.has(word)).length;
  if (others >= 2 && others > known) return false;
  if (others >= fewest && known === 0 && words.length >= 2) return false;
  return words.length < 6 || known > 0;
}
