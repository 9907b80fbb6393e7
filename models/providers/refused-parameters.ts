// Repeats a request without a parameter that its server rejects, and leaves the parameter out from then on. Only for
// parameters that the user did not ask for, such as a temperature of the rules.

export interface OptionalParameter<Request> {
  name: string;
  /** Pattern of the parameter in servers' messages. */
  words: RegExp;
  /**
   * Whether an error code that names the parameter is enough to show that the server rejects it. For other parameters,
   * only the message distinguishes an unknown parameter from an unusable value.
   */
  isKnownByName?: boolean;
  /** Returns the request without the parameter, or with a replacement. */
  omit: (request: Request) => Request;
}

/** The temperature, as a parameter that a request can omit. */
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

/** The token limit has two names, and a server may know only one of them. */
const tokenLimits = [
  createRename('max_tokens', 'max_completion_tokens'),
  createRename('max_completion_tokens', 'max_tokens'),
];

/** Lists the parameters of a request for which another name is known. */
export const listRenamable = <Request extends object>(request: Request): OptionalParameter<Request>[] =>
  (tokenLimits as unknown as OptionalParameter<Request>[]).filter(({ name }) => name in request);

/** Server and model → names of parameters that were rejected in this process. */
const refused = new Map<string, Set<string>>();

/** Returns whether a server rejects this parameter of a request, rather than another part. */
function isRefused(
  error: unknown,
  { name, words, isKnownByName = false }: Pick<OptionalParameter<never>, 'name' | 'words' | 'isKnownByName'>,
): boolean {
  const { status, param, message } = error as { status?: unknown; param?: unknown; message?: unknown };
  return (status === 400 || status === 422) && ((isKnownByName && param === name) || words.test(String(message)));
}

/**
 * Sends a request without the `optional` parameters that `server` is known to reject. If the server rejects another
 * optional parameter, repeats the request without that one too. Rethrows errors of `send` for any other reason.
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
    const sent = optional.filter(({ name }) => !known.has(name)); // concurrent calls may add to `known`
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
