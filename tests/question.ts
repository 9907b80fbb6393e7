// Reads a prompt as a language model would: finds the question, the player and the form of the answer from the words
// alone.

export interface Message {
  role: string;
  content: string;
}

/** A field of the answer, as described in the prompt. */
export type Shape =
  | { kind: 'text' | 'fraction' | 'boolean' }
  | { kind: 'choice'; of: string[] }
  | { kind: 'subset'; of: string[] }
  | { kind: 'integer'; from: number; to: number }
  | { kind: 'fractions'; of: string[] }
  | { kind: 'entries'; of: string[]; fields: Shapes };

export type Shapes = Record<string, Shape>;

export interface Question {
  player: string;
  role: string;
  action: string;
  phase: 'night' | 'day';
  round: number;
  /** Number of the statement to be made next, from 1; null for other questions. */
  turn: number | null;
  /** Speaker of the judged statement; null if no statement is judged. */
  speaker: string | null;
  /** Living players in seat order, from the question or from the history. */
  alive: string[];
  /** Number of the attempt, from 1. */
  attempt: number;
  fields: Shapes;
  messages: readonly Message[];
}

/** Throws if the prompt lacks a part that every prompt must have. */
export function readQuestion(messages: readonly Message[]): Question {
  const [system, user] = [messages[0]!.content, messages[1]!.content];
  const last = user.slice(user.search(/^It is (?:night|day) \d+\.(?: Still in the game: .+\.)?$/m));
  const [now] = last.split('\n\nYour earlier answer:\n') as [string]; // some second attempts are sent as one message
  const [, phase, round, living] = findMatch(/^It is (night|day) (\d+)\.(?: Still in the game: (.+)\.)?$/m, now);
  const [, action] = findMatch(/\nAnswer: kind "(\w+)"\.$/, now);
  const turn = /\bstatement (\d+) of \d+(?: in today's debate|\?)/i.exec(now)?.[1];
  const player = findMatch(/^You are (\p{L}+)$/mu, system)[1]!;
  const listed = living?.split(', ') ?? [];
  const seats = findMatch(/^The players are (.+?)\.(?: (?:Humans|All) .+)?$/m, system)[1]!.split(', ');
  const gone = [...user.matchAll(/^- (\p{L}+) (?:left|had to leave) the game\b/gmu)].map(([, name]) => name!);
  const alive = seats.filter((name) => (living === undefined ? !gone.includes(name) : listed.includes(name)));
  const extra = [...now.matchAll(/\bChoose "([^"]+)" to /g)].map(([, choice]) => choice!);
  const told = /^(?:Names to choose from|Give an entry for each of these): (.+)\.$/m.exec(now)?.[1]?.split(', ');
  const named = told ?? [...listed, ...extra];
  const order = /^The order of the fields: (.+)\.$/m.exec(now)?.[1]?.split(', ');
  const table = { system, named, others: alive.filter((name) => name !== player) };
  const shapes: Shapes = { reasoning: { kind: 'text' }, ...readShapes(action!, table) };
  return {
    player,
    role: findMatch(/^Your role is (\w+);/m, system)[1]!,
    action: action!,
    phase: phase as Question['phase'],
    round: Number(round),
    turn: turn === undefined ? null : Number(turn),
    speaker: /^What do you make of the last statement, by (\p{L}+)\?$/mu.exec(now)?.[1] ?? null,
    alive,
    attempt: messages.length / 2,
    fields: order ? orderFields(shapes, order) : shapes,
    messages,
  };
}

/** Puts the fields in this order. If the answer is a list, orders the fields of its entries. */
function orderFields(shapes: Shapes, order: readonly string[]): Shapes {
  if (order.every((name) => name in shapes)) return Object.fromEntries(order.map((name) => [name, shapes[name]!]));
  return Object.fromEntries(
    Object.entries(shapes).map(([name, shape]) => [
      name,
      shape.kind === 'entries' ? { ...shape, fields: orderFields(shape.fields, order) } : shape,
    ]),
  );
}

function findMatch(pattern: RegExp, text: string): RegExpExecArray {
  const match = pattern.exec(text);
  if (!match) throw new Error(`${String(pattern)} is not in the prompt:\n${text}`);
  return match;
}

/** Names that an answer may contain: those that the question lists, or the other living players. */
interface Table {
  system: string;
  named: string[];
  others: string[];
}

/** Reads the fields of a kind of answer from the descriptions below the rules. */
function readShapes(kind: string, table: Table): Shapes {
  const lines = table.system.split('\n');
  const at = lines.findIndex((line) => /^"\w+"(?:, "\w+")*:$/.test(line) && line.includes(`"${kind}"`));
  if (at < 0) throw new Error(`No shape of the kind "${kind}" is in the prompt:\n${table.system}`);
  const entries: [string, Shape][] = [];
  for (const line of lines.slice(at + 1)) {
    const [, name, says] = /^ {2}"(\w+)": (.*)$/.exec(line) ?? [];
    if (name === undefined || says === undefined) break;
    entries.push([name, parseShape(says, table)]);
  }
  return Object.fromEntries(entries);
}

const deceptionTypes = ['omission', 'distortion', 'fabrication', 'misdirection'];

function parseShape(says: string, table: Table): Shape {
  const [, from, to] = /^whole number from (\d+) to (\d+)/.exec(says) ?? [];
  const choices = /, one of: ([\p{L}, ]+)$/u.exec(says)?.[1];
  if (says.startsWith('list of strings')) return { kind: 'subset', of: deceptionTypes };
  if (/^(?:object|list) with an entry/.test(says)) {
    const { p_werewolf_of: beliefs, ...fields } = readShapes('peer_analysis', table);
    void beliefs;
    return { kind: 'entries', of: table.named, fields };
  }
  if (/^(?:object with a number|list of objects)/.test(says)) return { kind: 'fractions', of: table.others };
  if (from !== undefined) return { kind: 'integer', from: Number(from), to: Number(to) };
  if (says.startsWith('number from 0 to 1')) return { kind: 'fraction' };
  if (says.startsWith('true or false')) return { kind: 'boolean' };
  if (choices !== undefined) return { kind: 'choice', of: choices.split(', ') };
  if (/^string, the (?:player|new Sheriff)/.test(says)) return { kind: 'choice', of: table.named };
  if (says.startsWith('string')) return { kind: 'text' };
  throw new Error(`No test can answer a field that is described as "${says}".`);
}
