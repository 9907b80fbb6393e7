// Checks each request to the dev server: who may send it, which paths exist, and which settings a client may not
// change. langgraph.json refers to this file.
import path from 'node:path';
import { parse, v5 as hashUuid } from '@langchain/core/utils/uuid';
import { getDisk } from '../models/machine/machine.ts';
import { checkConfigurable, readRecordFolder } from './service-settings.ts';

/** Reads the origins that langgraph.json allows to read answers: Studio's, and pages on this machine. */
const readAllowedOrigins = () => {
  const file = path.join(import.meta.dirname, '../langgraph.json');
  const { http } = JSON.parse(getDisk().readText(file)) as { http: { cors: { allow_origin_regex: string } } };
  return new RegExp(http.cors.allow_origin_regex);
};

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/**
 * Paths that clients need. The server has further paths, which are refused: `/internal/truncate` deletes all threads,
 * `/store` stores data that nobody reads.
 */
const served = /^\/(?:assistants|threads|runs|seats)(?:\/|$)|^\/ok$/;

/** Id of the assistant that the server itself creates for the graph. Runs that name the graph use it. */
const ownAssistant = hashUuid('match', parse('6ba7b821-9dad-11d1-80b4-00c04fd430c8'));

/** Creates an error with status 403. */
const createRefusal = (words: string) => Object.assign(new Error(words), { status: 403, headers: {} });

/** A client's requested run. */
interface AskedRun {
  webhook?: unknown;
  feedback_keys?: unknown;
  config?: AskedConfig;
}

type AskedConfig = { configurable?: Readonly<Record<string, unknown>> | undefined } | undefined;

/** Rejects forbidden settings in the configuration of a run or of an assistant. */
function refuseConfiguration(config: AskedConfig): void {
  const fault = checkConfigurable(config?.configurable ?? {});
  if (fault !== null) throw createRefusal(fault);
}

function refuseOwnAssistant({ assistant_id: id }: { assistant_id?: unknown }): void {
  if (id === ownAssistant)
    throw createRefusal(
      'The assistant "match" belongs to the server and cannot be changed. Create another assistant of the graph.',
    );
}

/**
 * Checks each request to the dev server, in the form of LangGraph's `Auth`. Any web page can send requests to this
 * machine, even under a host name of its own that points to this machine. So the server accepts only requests from
 * Studio, from pages of this machine and from programs. A request must be addressed to a loopback name, or to the name
 * given with `--host`.
 */
export const studioRequestGuard = {
  '~handlerCache': {
    authenticate: (request: Request): Promise<string> => {
      const [host, origin] = [request.headers.get('host') ?? '', request.headers.get('origin')];
      const told = new URL(process.env['LANGGRAPH_API_URL'] ?? 'http://localhost').host;
      const isAllowed =
        (loopback.test(host) || host === told) && (origin === null || readAllowedOrigins().test(origin));
      if (!isAllowed)
        return Promise.reject(
          createRefusal(`This server answers only this machine and LangGraph Studio, not ${origin ?? host}.`),
        );
      const { pathname } = new URL(request.url);
      if (served.test(pathname)) return Promise.resolve('local');
      return Promise.reject(
        createRefusal('This server serves assistants, threads, runs and people’s seats, and nothing else.'),
      );
    },
    callbacks: {
      /**
       * Checks a run before it is stored, however it was sent. For a run's `webhook`, the server would send a request
       * from inside the operator's network, possibly to itself. For `feedback_keys`, the server would call LangSmith
       * with the operator's key.
       */
      'threads:create_run': ({ value }: { value: { kwargs?: AskedRun } }): void => {
        const { webhook, feedback_keys: feedback, config } = value.kwargs ?? {};
        if (webhook != null)
          throw createRefusal('A run cannot name a webhook: this server sends nothing to addresses that clients give.');
        if (feedback != null)
          throw createRefusal("A run cannot name feedback_keys: clients may not write to the operator's LangSmith.");
        refuseConfiguration(config);
      },
      /**
       * Checks a change of a thread. A request that names neither an action nor metadata changes the thread's state.
       */
      'threads:update': ({ value }: { value: object }): void => {
        if ('metadata' in value || 'action' in value || readRecordFolder(process.env) === null) return;
        throw createRefusal(
          'This server records its matches: the state of a thread cannot be changed, because the record would then contain what nobody played.',
        );
      },
      'assistants:create': ({ value }: { value: { config?: AskedConfig } }): void => refuseConfiguration(value.config),
      'assistants:update': ({ value }: { value: { assistant_id?: unknown; config?: AskedConfig } }): void => {
        refuseOwnAssistant(value);
        refuseConfiguration(value.config);
      },
      'assistants:delete': ({ value }: { value: { assistant_id?: unknown } }): void => refuseOwnAssistant(value),
    },
  },
};
