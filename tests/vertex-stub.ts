// Replaces Vertex AI in tests without a network: replaces fetch, answers by a script and stores every request.

export interface VertexRequest {
  url: string;
  headers: Headers;
  body: {
    contents: { role: string; parts: { text: string }[] }[];
    systemInstruction?: { parts: { text: string }[] };
    generationConfig: Record<string, unknown>;
  };
}

/** The body of a response (texts unchanged), its status and body, or the error with which fetch rejects. */
export type VertexScripted =
  { body: object | string; status?: number; headers?: Record<string, string> } | { error: Error };

export interface VertexStub {
  requests: VertexRequest[];
  restore: () => void;
}

/**
 * Answers every fetch by the script: a list of replies, of which the last is repeated; or a function of the request.
 * Open models only after this.
 */
export function stubVertex(...script: VertexScripted[] | [(request: VertexRequest) => VertexScripted]): VertexStub {
  const real = globalThis.fetch;
  const requests: VertexRequest[] = [];
  globalThis.fetch = (url, init) => {
    const request = {
      url: url as string,
      headers: new Headers(init?.headers),
      body: JSON.parse(init?.body as string) as VertexRequest['body'],
    };
    const next = script[Math.min(requests.length, script.length - 1)]!;
    const scripted = typeof next === 'function' ? next(request) : next;
    requests.push(request);
    if (init?.signal?.aborted) return Promise.reject(init.signal.reason as Error);
    if ('error' in scripted) return Promise.reject(scripted.error);
    const { body, status = 200, headers = {} } = scripted;
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } });
    // Errors of Node's fetch would belong to another realm than the tests.
    return Promise.resolve(Object.assign(response, { json: async () => Promise.resolve(JSON.parse(text) as unknown) }));
  };
  return { requests, restore: () => void (globalThis.fetch = real) };
}

/** Gemini's answer of one candidate. */
export const createGeminiReply = (...parts: { text: string; thought?: boolean }[]) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
  modelVersion: 'gemini-2.5-pro',
});
