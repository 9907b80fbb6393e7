// Sends a request again without a parameter that its server refuses, and no further one with it: for parameters that the
// user has not asked for, such as a temperature of the rules.

export interface OptionalParameter<Request> {
  name: string;
  /** How servers speak of it. */
  words: RegExp;
  /** Whether its name alone is enough; for others only the words tell an unknown parameter from an unusable value. */
  isKnownByName?: boolean;
  /** The request without it, or with another in its place. */
  omit: (request: Request) => Request;
}

/** A temperature that a request can do without. */
export const optionalTemperature = {
  name: 'temperature',
  words: /\btemperature\b/i,
  isKnownByName: true,
  omit: <Request extends { temperature?: unknown }>(request: Request) =>
    ({ ...request, temperature: undefined }) as Request,
};

const unknown = String.raw`(?:not supported|unsupported|not permitted|not allowed|unrecogni[sz]ed|unknown|deprecated|extra inputs?)`;

const createRename = (name: string, other: string): OptionalParameter<Readonly<Record<string, unknown>>> => ({
  name,
  words: new RegExp(`\\b${name}\\b[^.]{0,80}${unknown}|${unknown}[^.]{0,60}\\b${name}\\b|use\\W+${other}\\b`, 'i'),
  omit: ({ [name]: limit, ...rest }) => ({ ...rest, [other]: limit }),
});

/** The limit of tokens has two names, and a server may know only one of them. */
const tokenLimits = [
  createRename('max_tokens', 'max_completion_tokens'),
  createRename('max_completion_tokens', 'max_tokens'),
];

/** The parameters of a request that can be named otherwise. */
export const listRenamable = <Request extends object>(request: Request): OptionalParameter<Request>[] =>
  (tokenLimits as unknown as OptionalParameter<Request>[]).filter(({ name }) => name in request);

/** Server and model → names of parameters that were refused in this process. */
const refused = new Map<string, Set<string>>();

/** Whether a server refuses this of a request, and not something else in it. */
function isRefused(
  error: unknown,
  { name, words, isKnownByName = false }: Pick<OptionalParameter<never>, 'name' | 'words' | 'isKnownByName'>,
): boolean {
  const { status, param, message } = error as { status?: unknown; param?: unknown; message?: unknown };
  return (status === 400 || status === 422) && ((isKnownByName && param === name) || words.test(String(message)));
}

/**
 * Sends a request without those of its `optional` parameters that `server` is known to refuse, and again without each
 * that it refuses now. Throws what `send` throws for any other reason.
 *
 * @example
 * const optional = [{ name: 'temperature', words: /temperature/, omit: ({ temperature, ...rest }) => rest }];
 * await sendWithoutRefused('https://api.openai.com/v1 o3', { temperature: 1, model: 'o3' }, optional, send);
 */
export async function sendWithoutRefused<Request, Answer>(
  server: string,
  request: Request,
  optional: readonly OptionalParameter<Request>[],
  send: (request: Request) => Promise<Answer>,
): Promise<Answer> {
  const known = refused.get(server) ?? new Set<string>();
  refused.set(server, known);
  for (;;) {
    const sent = optional.filter(({ name }) => !known.has(name)); // calls beside this one may add to those known
    const left = optional.filter((parameter) => !sent.includes(parameter));
    try {
      return await send(left.reduce((rest, { omit }) => omit(rest), request));
    } catch (error) {
      const culprit = sent.find((parameter) => isRefused(error, parameter));
      if (!culprit) throw error;
      known.add(culprit.name);
    }
  }
}
