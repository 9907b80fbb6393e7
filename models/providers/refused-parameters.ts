// Sends a request again without a parameter that its server refuses, and no further one with it: for parameters that the
// user has not asked for, such as a temperature of the rules.

export interface OptionalParameter<Request> {
  name: string;
  /** How servers speak of it. */
  words: RegExp;
  omit: (request: Request) => Request;
}

/** A temperature that a request can do without. */
export const optionalTemperature = {
  name: 'temperature',
  words: /\btemperature\b/i,
  omit: <Request extends { temperature?: unknown }>(request: Request) =>
    ({ ...request, temperature: undefined }) as Request,
};

/** Server and model → names of parameters that were refused in this process. */
const refused = new Map<string, Set<string>>();

/** Whether a server refuses this of a request, and not something else in it. */
function isRefused(error: unknown, { name, words }: { name: string; words: RegExp }): boolean {
  const { status, param, message } = error as { status?: unknown; param?: unknown; message?: unknown };
  return (status === 400 || status === 422) && (param === name || words.test(String(message)));
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
