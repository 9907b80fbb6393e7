// Reads a prompt as a language model must: who is asked what, and what an answer looks like, from the words alone.
import { powers, roles } from '../state/roles/index.ts';

export interface Message {
  role: string;
  content: string;
}

/** A field of the answer, as the prompt describes it. */
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
  /** The statement that is to be made next, from 1; null where the question is of something else. */
  turn: number | null;
  /** Whose statement is judged; null where none is. */
  speaker: string | null;
  alive: string[];
  /** From 1. */
  attempt: number;
  fields: Shapes;
  messages: readonly Message[];
}

/** Throws where the prompt does not say what every prompt must. */
export function readQuestion(messages: readonly Message[]): Question {
  const [system, user] = [messages[0]!.content, messages[1]!.content];
  const [task, shape] = user.split('\nAnswer with one JSON object of this shape and nothing else:\n') as [
    string,
    string,
  ];
  const [, phase, round, alive] = findMatch(/^It is (night|day) (\d+)\. Still in the game: (.+)\.$/m, task);
  const fields = readShape(shape.split('\n').slice(1, -1));
  const turn = /\bstatement (\d+) of \d+ in today's debate/i.exec(task)?.[1];
  return {
    player: findMatch(/^You are (\p{L}+)$/mu, system)[1]!,
    role: findMatch(/^Your role is (\w+);/m, system)[1]!,
    action: readAction(fields, task),
    phase: phase as Question['phase'],
    round: Number(round),
    turn: turn === undefined ? null : Number(turn),
    speaker: /^(\p{L}+) has just made the statement that stands last above\./mu.exec(task)?.[1] ?? null,
    alive: alive!.split(', '),
    attempt: messages.length / 2,
    fields,
    messages,
  };
}

function findMatch(pattern: RegExp, text: string): RegExpExecArray {
  const match = pattern.exec(text);
  if (!match) throw new Error(`${String(pattern)} is not in the prompt:\n${text}`);
  return match;
}

const acts = [...powers, ...[...roles.values()].flatMap(({ lastAct }) => lastAct ?? [])];

/** The names of fields are an interface: what is asked follows from them, and from the words of the moment. */
function readAction(fields: Shapes, task: string): string {
  const now = task.slice(task.lastIndexOf('\nIt is '));
  const by = (words: Readonly<Record<string, string>>, otherwise: string) =>
    Object.entries(words).find(([part]) => now.includes(part))?.[1] ?? otherwise;
  const onBallot = (action: string) =>
    / explained your vote |explanations of the others/.test(task) ? `ballot_${action}` : action;
  if ('proposal' in fields || 'target' in fields)
    return acts.find(({ question }) => task.includes(`\n${question}`))!.verb;
  if ('bid' in fields) return 'bid';
  if ('stand' in fields) return 'candidacy';
  if ('direction' in fields) return 'speaking_order';
  if ('recommendation' in fields) return 'recommend';
  if ('successor' in fields) return 'pass_badge';
  if ('statement' in fields)
    return by({ 'You stand for Sheriff': 'campaign', 'you are one of the tied': 'pk_debate' }, 'debate');
  if ('vote' in fields)
    return by(
      {
        'If the vote were now': 'synthetic_vote',
        'This is the pseudo-vote': 'pseudo_vote',
        'Whom do you vote for as Sheriff': 'elect',
        'The vote for Sheriff is tied': 'elect',
      },
      'vote',
    );
  if ('summary' in fields) return by({ 'Sum up the debate': 'sum_up' }, 'summarize');
  if (['judgements', 'p_werewolf', 'suspicion'].some((field) => field in fields)) return onBallot('peer_analysis');
  if ('stated_falsehood' in fields || 'p_falsehood' in fields) return onBallot('self_analysis');
  return 'beliefs';
}

function readShape(lines: readonly string[]): Shapes {
  const indent = /^ */.exec(lines[0] ?? '')![0];
  const entries = lines.flatMap((line, index): [string, Shape][] => {
    const [, name, says] = new RegExp(`^${indent}"(\\w+)": (.*)$`).exec(line) ?? [];
    if (name === undefined || says === undefined) return [];
    const inner = lines.slice(index + 2, lines.indexOf(`${indent}  }`, index));
    return [[name, parseShape(says, inner)]];
  });
  return Object.fromEntries(entries);
}

function parseShape(says: string, inner: readonly string[]): Shape {
  const names = /for each of ([\p{L}, ]+):/u.exec(says)?.[1]?.split(', ') ?? [];
  const [, from, to] = /^whole number from (\d+) to (\d+)/.exec(says) ?? [];
  const choices = /, one of: ([\p{L}, ]+)$/u.exec(says)?.[1];
  const subset = /^list of strings, .*, of: ([\p{L}, ]+); else empty$/u.exec(says)?.[1];
  if (subset !== undefined) return { kind: 'subset', of: subset.split(', ') };
  if (says.startsWith('object with an entry')) return { kind: 'entries', of: names, fields: readShape(inner) };
  if (says.startsWith('object with a number')) return { kind: 'fractions', of: names };
  if (from !== undefined) return { kind: 'integer', from: Number(from), to: Number(to) };
  if (says.startsWith('number from 0 to 1')) return { kind: 'fraction' };
  if (says.startsWith('true or false')) return { kind: 'boolean' };
  if (says.startsWith('string'))
    return choices === undefined ? { kind: 'text' } : { kind: 'choice', of: choices.split(', ') };
  throw new Error(`No test can answer a field that is described as "${says}".`);
}
