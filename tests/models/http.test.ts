// How requests go out, against real local HTTP servers.
import { afterEach, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { httpFetch } from '../../models/providers/http.ts';

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) server.close().closeAllConnections();
  servers = [];
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Answers with what it was sent. */
const echo: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.writeHead(200, { 'content-type': 'application/json', 'x-limit': ['9', '10'] });
    response.end(JSON.stringify({ method, url, key: headers.authorization ?? null, body }));
  });
};

const question = { method: 'POST', headers: { authorization: 'Bearer k' }, body: '{"who":"Ōlga"}' };

describe('a request', () => {
  it('brings method, headers and body, and the answer its status, headers and body', async () => {
    const answer = await httpFetch(`${await serve(echo)}/v1/chat`, question);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-limit')).toBe('9, 10');
    expect(await answer.json()).toEqual({ method: 'POST', url: '/v1/chat', key: 'Bearer k', body: '{"who":"Ōlga"}' });
  });

  it.each([204, 304])('is answered without a body where the status is %i', async (status) => {
    const url = await serve((_request, response) => response.writeHead(status).end());
    const answer = await httpFetch(url, question);
    expect(answer).toMatchObject({ status, body: null });
    expect(await answer.text()).toBe('');
  });

  it('goes where the server sends it, with its body, and its key stays with the server it is for', async () => {
    const other = await serve(echo);
    const first = await serve((request, response) =>
      request.url === '/there'
        ? echo(request, response)
        : response.writeHead(307, { location: request.url === '/far' ? `${other}/v1` : '/there' }).end(),
    );
    expect(await (await httpFetch(`${first}/near`, question)).json()).toMatchObject({
      url: '/there',
      key: 'Bearer k',
      body: question.body,
    });
    expect(await (await httpFetch(`${first}/far`, question)).json()).toMatchObject({
      url: '/v1',
      key: null,
      body: question.body,
    });
  });

  it('fails with what happened to the connection', async () => {
    const gone = await serve(echo);
    servers.pop()!.close();
    await expect(httpFetch(gone, question)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const cut = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"who');
      setImmediate(() => response.destroy());
    });
    await expect(httpFetch(cut, question)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
  });

  it('fails where the answer never ends, before it fills the memory', async () => {
    const url = await serve((_request, response) => {
      const piece = Buffer.alloc(2 ** 20, 'x');
      const more = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', more);
      more();
    });
    await expect(httpFetch(url, question)).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
  });

  it('asks for no compression, and says so where the answer is compressed all the same', async () => {
    let asked: unknown;
    const url = await serve((request, response) => {
      asked = request.headers['accept-encoding'];
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}'));
    });
    await expect(httpFetch(url, question)).rejects.toThrow(/answers in the coding "gzip", which was not asked for\.$/);
    expect(asked).toBe('identity');
  });

  it('ends when it is aborted, also in the middle of the answer', async () => {
    const stop = new AbortController();
    const url = await serve((_request, response) => {
      response.writeHead(200).write('{"who');
      setImmediate(() => stop.abort(new Error('enough')));
    });
    await expect(httpFetch(url, { ...question, signal: stop.signal })).rejects.toThrow(/enough|aborted/);
  });

  it('goes by way of a proxy where Node is told to heed the environment', async () => {
    const home = await serve(echo);
    const asked: string[] = [];
    const proxy = await serve((request, response) => {
      asked.push(request.url!);
      echo(request, response);
    });
    servers.at(-1)!.on('connect', ({ url }: { url: string }, socket: Duplex) => {
      asked.push(url);
      const there = connect(Number(new URL(home).port), '127.0.0.1');
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      there.pipe(socket).pipe(there);
    });
    const program = `import { httpFetch } from ${JSON.stringify(path.resolve('models/providers/http.ts'))};
      const answer = await httpFetch('http://models.example/v1', { method: 'POST', body: '{}' });
      process.stdout.write((await answer.json()).body, () => process.exit());`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      env: { PATH: process.env['PATH'], NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy },
    });
    expect(stdout).toBe('{}');
    expect(asked).toEqual([expect.stringContaining('models.example')]);
  });
});
