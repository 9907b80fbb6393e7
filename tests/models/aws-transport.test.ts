// Requests by Amazon's package to a real local server.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awsTransport } from '../../models/providers/aws-transport.ts';

const answer = '{"output":{"message":{"role":"assistant","content":[{"text":"fertig, Ōlga"}]}}}';
const received: { url: string | undefined; method: string | undefined; signature: unknown; body: string }[] = [];

async function respond(question: IncomingMessage) {
  const { url, method, headers } = question;
  received.push({ url, method, signature: headers.authorization, body: await text(question) });
}

const server = createServer((question, reply) => {
  void respond(question).then(() => reply.writeHead(418, { 'x-amzn-requestid': '7' }).end(answer));
});

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => void server.close());

describe('the transport of Bedrock', () => {
  const body = '{"messages":[]}';
  const request = () => ({
    ...{ protocol: 'http:', hostname: '127.0.0.1', port: (server.address() as AddressInfo).port, method: 'POST' },
    path: '/model/anthropic.claude%3A0/converse',
    query: { trace: null, part: ['1', '2'] },
    headers: { authorization: 'AWS4-HMAC-SHA256 signed', 'content-length': String(body.length) },
    body,
  });

  it('sends path, query, headers and body as they were signed, and returns the answer as a stream', async () => {
    const { response } = await awsTransport.handle(request());
    expect(received).toEqual([
      {
        url: '/model/anthropic.claude%3A0/converse?trace=&part=1&part=2',
        method: 'POST',
        signature: 'AWS4-HMAC-SHA256 signed',
        body,
      },
    ]);
    expect(response).toMatchObject({ statusCode: 418, headers: { 'x-amzn-requestid': '7' } });
    expect(await text(response.body)).toBe(answer);
  });

  it('sends nothing once the attempt is over', async () => {
    const asked = received.length;
    await expect(awsTransport.handle(request(), { abortSignal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
    expect(received).toHaveLength(asked);
  });
});
