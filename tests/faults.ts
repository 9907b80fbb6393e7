// Every way in which a model's server can fail a call, with the expected reaction.
import { failure, type Scripted } from './openai-server.ts';
import type { Question } from './question.ts';

export interface Fault {
  /** Returns the server's reply in place of the legal answer. */
  does: (legal: Readonly<Record<string, unknown>>, question: Question) => Scripted;
  /**
   * The expected reaction. `retry`: the call is repeated after a wait; `question`: the question is asked again with the
   * error.
   */
  brings: 'retry' | 'question' | 'refusal';
  /** First wait in milliseconds, if the jitter is 1; it then doubles. Default: 1,000. */
  wait?: number;
  /** Returns whether the fault is possible for this question. Default: always. */
  fits?: (question: Question) => boolean;
}

/** Seconds for which the server asks clients to wait. */
const patience = 7;

const json = (value: unknown) => JSON.stringify(value);

const listChoices = ({ fields }: Question) =>
  Object.keys(fields).filter((name) => ['choice', 'subset'].includes(fields[name]!.kind));

export const faults: Readonly<Record<string, Fault>> = {
  '429': {
    brings: 'retry',
    wait: 625,
    does: () => ({ status: 429, body: failure('Slow down.', 'rate_limit_exceeded') }),
  },
  '429 with Retry-After': {
    brings: 'retry',
    wait: patience * 1050,
    does: () => ({ status: 429, body: failure('Slow down.'), headers: { 'retry-after': String(patience) } }),
  },
  '500': { brings: 'retry', does: () => ({ status: 500, body: failure('Oops.') }) },
  '503': { brings: 'retry', does: () => ({ status: 503, body: '<html>Service unavailable</html>' }) },
  'a dropped connection': { brings: 'retry', does: () => ({ drop: 'before' }) },
  'a connection dropped in the middle': { brings: 'retry', does: (legal) => ({ drop: 'within', text: json(legal) }) },
  'no answer ever': { brings: 'retry', does: () => ({ hang: true }) },
  'a body of garbage': {
    brings: 'retry',
    does: () => ({ body: '{"choices": [\ufffd\u0000', headers: { 'content-type': 'application/json' } }),
  },
  garbage: { brings: 'question', does: () => ({ text: '\u0000\ufffd}{ ]]> &#; 01 ;; \\u00' }) },
  'cut JSON': {
    brings: 'question',
    does: (legal) => ({ text: json(legal).slice(0, json(legal).length / 3), finish: 'length' }),
  },
  'a value outside the enum': {
    brings: 'question',
    fits: (question) => listChoices(question).length > 0,
    does: (legal, question) => ({
      text: json({ ...legal, ...Object.fromEntries(listChoices(question).map((name) => [name, 'Zorro'])) }),
    }),
  },
  'an empty choice list': { brings: 'question', does: () => ({ choices: [] }) },
  'a refusal': { brings: 'refusal', does: () => ({ refusal: 'I will not play this.' }) },
  'a content filter': { brings: 'refusal', does: () => ({ text: 'I would', finish: 'content_filter' }) },
};
