// What the dev server asks about each request before it does anything: who may ask, for what, and what a client may not
// decide. langgraph.json names it.
import path from 'node:path';
import { parse, v5 as hashUuid } from '@langchain/core/utils/uuid';
import { getDisk } from '../models/machine/machine.ts';
import { checkConfigurable, readRecordFolder } from './service-settings.ts';

/** The origins that langgraph.json lets read answers: Studio's, and pages of this machine. */
const readAllowedOrigins = () => {
  const file = path.join(import.meta.dirname, '../langgraph.json');
  const { http } = JSON.parse(getDisk().readText(file)) as { http: { cors: { allow_origin_regex: string } } };
  return new RegExp(http.cors.allow_origin_regex);
};

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** All that clients need. The server has more: `/internal/truncate` forgets all threads, `/store` keeps what nobody reads. */
const served = /^\/(?:assistants|threads|runs)(?:\/|$)|^\/ok$/;

/** The assistant that the server makes of the graph itself: whoever plays by the graph's name plays by it. */
const ownAssistant = hashUuid('match', parse('6ba7b821-9dad-11d1-80b4-00c04fd430c8'));

/** Answers with status 403. */
const createRefusal = (words: string) => Object.assign(new Error(words), { status: 403, headers: {} });

/** A run as a client asks for it. */
interface AskedRun {
  webhook?: unknown;
  feedback_keys?: unknown;
  config?: AskedConfig;
}

type AskedConfig = { configurable?: Readonly<Record<string, unknown>> | undefined } | undefined;

/** Refuses what a configuration may not hold, of a run or of the assistant that runs name. */
function refuseConfiguration(config: AskedConfig): void {
  const fault = checkConfigurable(config?.configurable ?? {});
  if (fault !== null) throw createRefusal(fault);
}

function refuseOwnAssistant({ assistant_id: id }: { assistant_id?: unknown }): void {
  if (id === ownAssistant)
    throw createRefusal(
      'The assistant "match" is the server\'s own and stays as it is. Create another one of the graph.',
    );
}

/**
 * What the dev server asks about each request, in the form of LangGraph's `Auth`. Any page of the internet can send
 * requests to this machine, also under a name of its own that it makes point here: served are only requests of Studio, of
 * pages of this machine and of programs, to a loopback name or the one that `--host` told.
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
      return Promise.reject(createRefusal('This server serves assistants, threads and runs, and nothing else.'));
    },
    callbacks: {
      /**
       * Asked before a run is kept, whichever way it was sent. The server posts what a run gave to its `webhook`, from inside
       * the operator's network and also to itself; for `feedback_keys` it asks LangSmith with the operator's key.
       */
      'threads:create_run': ({ value }: { value: { kwargs?: AskedRun } }): void => {
        const { webhook, feedback_keys: feedback, config } = value.kwargs ?? {};
        if (webhook != null)
          throw createRefusal('A run cannot name a webhook: this server posts to no address that a client gives.');
        if (feedback != null)
          throw createRefusal(
            "A run cannot name feedback_keys: the operator's LangSmith is not for clients to write to.",
          );
        refuseConfiguration(config);
      },
      /** Asked before a thread is changed. A change of its state is the one that names neither an action nor metadata. */
      'threads:update': ({ value }: { value: object }): void => {
        if ('metadata' in value || 'action' in value || readRecordFolder(process.env) === null) return;
        throw createRefusal(
          'This server records its matches: the state of a thread cannot be changed, or the record would hold what nobody played.',
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
