// HTTP requests to OpenAI and compatible servers, against real local servers.
import { execFile } from 'node:child_process';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fetchOverHttp } from '../../models/providers/http.ts';
import { itLong } from '../it-long.ts';

let httpServers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  httpServers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Echoes the request. */
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

describe('requests over HTTP', () => {
  afterEach(() => {
    for (const server of httpServers) server.close().closeAllConnections();
    httpServers = [];
  });

  describe('a request', () => {
    it('brings method, headers and body, and the answer its status, headers and body', async () => {
      const answer = await fetchOverHttp(`${await serve(echo)}/v1/chat`, question);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('x-limit')).toBe('9, 10');
      expect(await answer.json()).toEqual({ method: 'POST', url: '/v1/chat', key: 'Bearer k', body: '{"who":"Ōlga"}' });
    });

    it.each([204, 304])('is answered without a body where the status is %i', async (status) => {
      const url = await serve((_request, response) => response.writeHead(status).end());
      const answer = await fetchOverHttp(url, question);
      expect(answer).toMatchObject({ status, body: null });
      expect(await answer.text()).toBe('');
    });

    it('goes where the server sends it on the same host, and to no other: neither key nor prompt leaves it', async () => {
      let met = 0;
      const other = await serve((request, response) => {
        met += 1;
        echo(request, response);
      });
      const first = await serve((request, response) =>
        request.url === '/there'
          ? echo(request, response)
          : response.writeHead(307, { location: request.url === '/far' ? `${other}/v1` : '/there' }).end(),
      );
      expect(await (await fetchOverHttp(`${first}/near`, question)).json()).toMatchObject({
        url: '/there',
        key: 'Bearer k',
        body: question.body,
      });
      const far = await fetchOverHttp(`${first}/far`, question);
      expect([far.status, met]).toEqual([307, 0]);
      expect(await far.json()).toEqual({
        error: {
          message: `The server redirects to ${other}/v1; the prompt was not sent there. If that address is right, give it as baseUrl.`,
        },
      });
    });

    it('that is sent in a circle comes to an end', async () => {
      let met = 0;
      const url = await serve((_request, response) => {
        met += 1;
        response.writeHead(308, { location: '/' }).end();
      });
      expect((await fetchOverHttp(url, question)).status).toBe(308);
      expect(met).toBe(6);
    });

    itLong('waits for a slow answer, and for the rest of a slow body', async () => {
      const pause = () => new Promise((resume) => setTimeout(resume, 1200)); // the shortest timeouts of undici take a second
      const url = await serve((request, response) => {
        const begin = () => response.writeHead(200).write('{');
        const end = () => response.end('}');
        if (request.url === '/begins') begin();
        void pause().then(() => {
          if (request.url === '/waits') begin();
          end();
        });
      });
      const answers = await Promise.all(['/begins', '/waits'].map((at) => fetchOverHttp(`${url}${at}`, question)));
      expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['{}', '{}']);
    });

    it('fails with what happened to the connection', async () => {
      const gone = await serve(echo);
      httpServers.pop()!.close();
      await expect(fetchOverHttp(gone, question)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      const cut = await serve((_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"who');
        setImmediate(() => response.destroy());
      });
      await expect(fetchOverHttp(cut, question)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
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
      await expect(fetchOverHttp(url, question)).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' });
    });

    it('asks for no compression, and says so where the answer is compressed all the same', async () => {
      let asked: unknown;
      const url = await serve((request, response) => {
        asked = request.headers['accept-encoding'];
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{}'));
      });
      await expect(fetchOverHttp(url, question)).rejects.toThrow(
        /answers with the encoding "gzip", which was not requested\.$/,
      );
      expect(asked).toBe('identity');
    });

    it('ends when it is aborted, also in the middle of the answer', async () => {
      const stop = new AbortController();
      const url = await serve((_request, response) => {
        response.writeHead(200).write('{"who');
        setImmediate(() => stop.abort(new Error('enough')));
      });
      await expect(fetchOverHttp(url, { ...question, signal: stop.signal })).rejects.toThrow(/enough|aborted/);
    });

    itLong('goes by way of a proxy where the environment names one', async () => {
      const home = await serve(echo);
      const asked: string[] = [];
      const proxy = await serve((request, response) => {
        asked.push(request.url!);
        echo(request, response);
      });
      httpServers.at(-1)!.on('connect', ({ url }: { url: string }, socket: Duplex) => {
        asked.push(url);
        const there = connect(Number(new URL(home).port), '127.0.0.1');
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        there.pipe(socket).pipe(there);
      });
      const program = `import { fetchOverHttp } from ${JSON.stringify(path.resolve('models/providers/http.ts'))};
      const answer = await fetchOverHttp('http://models.example/v1', { method: 'POST', body: '{}' });
      process.stdout.write((await answer.json()).body, () => process.exit());`;
      const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
        env: { PATH: process.env['PATH'], HTTP_PROXY: proxy },
      });
      expect(stdout).toBe('{}');
      expect(asked).toEqual([expect.stringContaining('models.example')]);
    });
  });
});
