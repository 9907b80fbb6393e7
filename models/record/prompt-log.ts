// Every prompt of a match in full, kept compressed until the match ends.
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import pLimit from 'p-limit';
import type { CallKey } from '../../state/record.ts';
import type { PromptMessage } from '../call-model.ts';

const gzip = promisify(zlib.gzip);
const brotli = promisify<string, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);
const unbrotli = promisify<Uint8Array, Buffer>(zlib.brotliDecompress);

/** So much is kept uncompressed, in characters: many matches may be in flight. */
const batch = 250_000;

/** Compresses better than gzip would, in an eighth of its time: prompts repeat each other almost in full, but far apart. */
const forNow = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 2 } };

/** One file at a time is put together: all of a match's prompts stand uncompressed in memory then. */
const oneAtATime = pLimit(1);

interface Prompt {
  key: CallKey;
  messages: readonly PromptMessage[];
}

interface Line {
  player: string;
  line: string;
}

function lineOf({ key, messages }: Prompt): Line {
  const { round, step, action, player, attempt } = key;
  return { player, line: JSON.stringify({ round, step, action, player, attempt, messages }) };
}

async function packed(lines: readonly Line[]) {
  const players = lines.map(({ player }) => player);
  const text = await brotli(lines.map(({ line }) => line).join('\n'), forNow);
  return { players, text: new Uint8Array(text) }; // a copy: a Buffer is a part of something larger, which stays with it
}

async function unpacked({ players, text }: Awaited<ReturnType<typeof packed>>): Promise<Line[]> {
  const lines = (await unbrotli(text)).toString().split('\n');
  return players.map((player, index) => ({ player, line: lines[index]! }));
}

/** The prompts of a player stand together: gzip finds again only what lies less than 32 kB back. */
function wholeFile(lines: readonly Line[]): Promise<Buffer> {
  const byPlayer = [...Map.groupBy(lines, ({ player }) => player).values()].flat();
  return gzip(byPlayer.map(({ line }) => `${line}\n`).join(''));
}

export function openPromptLog() {
  const batches: ReturnType<typeof packed>[] = [];
  /** As they are, for many of them still wait for their answers and are in memory anyway. */
  let waiting: Prompt[] = [];
  let length = 0;
  return {
    add: (key: CallKey, messages: readonly PromptMessage[]) => {
      waiting.push({ key, messages });
      for (const { content } of messages) length += content.length;
      if (length < batch) return;
      batches.push(packed(waiting.map(lineOf)));
      waiting = [];
      length = 0;
    },
    /** The whole file, one JSON object a line, gzipped. */
    finish: (): Promise<Buffer> =>
      oneAtATime(async () => {
        const before = await Promise.all(batches.map(async (one) => unpacked(await one)));
        return wholeFile([...before.flat(), ...waiting.map(lineOf)]);
      }),
  };
}
