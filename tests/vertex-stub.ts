// Vertex AI for tests without a network: stands in the place of fetch, answers by a script and keeps every request.

export interface VertexRequest {
  url: string;
  headers: Headers;
  body: {
    contents: { role: string; parts: { text: string }[] }[];
    systemInstruction?: { parts: { text: string }[] };
    generationConfig: Record<string, unknown>;
  };
}

/** An answer's body, or its status and body, or what fetch rejects with. */
export type VertexScripted = { body: object; status?: number; headers?: Record<string, string> } | { error: Error };

export interface VertexStub {
  requests: VertexRequest[];
  restore: () => void;
}

/** Every fetch is answered by the script, whose last entry is repeated. Models must be opened after this. */
export function stubVertex(...script: VertexScripted[]): VertexStub {
  const real = globalThis.fetch;
  const requests: VertexRequest[] = [];
  globalThis.fetch = (url, init) => {
    const scripted = script[Math.min(requests.length, script.length - 1)]!;
    requests.push({
      url: url as string,
      headers: new Headers(init?.headers),
      body: JSON.parse(init?.body as string) as VertexRequest['body'],
    });
    if (init?.signal?.aborted) return Promise.reject(init.signal.reason as Error);
    if ('error' in scripted) return Promise.reject(scripted.error);
    const { body, status = 200, headers = {} } = scripted;
    return Promise.resolve(Response.json(body, { status, headers }));
  };
  return { requests, restore: () => void (globalThis.fetch = real) };
}

/** Gemini's answer of one candidate. */
export const createGeminiReply = (...parts: { text: string; thought?: boolean }[]) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
  usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
  modelVersion: 'gemini-2.5-pro',
});
