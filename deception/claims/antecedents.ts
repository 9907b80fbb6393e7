// Words that stand for a role named before: "Dan is no wolf, and I am not one either".

/** A code and its place in the text. */
export interface Token {
  code: string;
  from: number;
  to: number;
}

const role = /^#[wvt]s?\d+$/;
const being = ['am', 'is', 'are', 'was', 'were', 'be', 'been'];
const between = [
  'not',
  'never',
  'certainly',
  'definitely',
  'also',
  'obviously',
  'clearly',
  'surely',
  'indeed',
  'simply',
  'just',
];
/** What may follow "one" where it stands alone, not "one of us", "one who", "one thing". */
const closing = /^(?:[.,;:!?—)…]|either|too|myself|himself|herself|as|and|but|because|so|neither)$/;

/** The codes of a statement's sentences, with the role in place of a "one" that means it. */
export function withAntecedents(sentences: readonly (readonly Token[])[]): Token[][] {
  let last: string | null = null;
  let age = 0;
  return sentences.map((tokens) => {
    age += 1;
    return tokens.map((token, at) => {
      if (role.test(token.code)) {
        last = token.code.replace('s', '');
        age = 0;
      }
      return last !== null && age <= 2 && token.code === 'one' && isRole(tokens, at) ? { ...token, code: last } : token;
    });
  });
}

function isRole(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]?.code;
  if (next !== undefined && !closing.test(next)) return false;
  const verb = tokens.slice(0, at).findLast(({ code }) => !between.includes(code));
  return verb !== undefined && being.includes(verb.code);
}
