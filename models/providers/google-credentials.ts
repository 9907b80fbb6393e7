// Whether Google's application default credentials can be expected to be found, as far as that shows without a call.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../../state/usage-error.ts';
import type { Environment, ModelSpec } from '../model.ts';

/** Set where Google's own servers hold the credentials, or by who says so. */
const hosts = [
  'GOOGLE_CLOUD_PROJECT',
  'GCLOUD_PROJECT',
  'GCE_METADATA_HOST',
  'GCE_METADATA_IP',
  'K_SERVICE',
  'CLOUD_RUN_JOB',
  'FUNCTION_TARGET',
  'GAE_SERVICE',
];

/** Throws a UsageError that says what to set where nothing speaks for credentials, or a file that is named is not there. */
export function expectCredentials(env: Environment, { provider, model }: ModelSpec): void {
  const file = env['GOOGLE_APPLICATION_CREDENTIALS'];
  if (file) {
    if (existsSync(file)) return;
    throw new UsageError(
      `GOOGLE_APPLICATION_CREDENTIALS names "${file}", which is not there: ${provider}:${model} needs it.`,
    );
  }
  if (hosts.some((name) => env[name])) return;
  const login = loginFile(env);
  if (login && existsSync(login)) return;
  throw new UsageError(
    `No credentials for ${provider}:${model}: set GOOGLE_API_KEY, or set GOOGLE_APPLICATION_CREDENTIALS to a key file, or run "gcloud auth application-default login", or, on a machine of Google Cloud, set GOOGLE_CLOUD_PROJECT.`,
  );
}

/** Where gcloud leaves the credentials of a login. */
function loginFile(env: Environment): string | undefined {
  const { CLOUDSDK_CONFIG: config, APPDATA: windows, HOME: home } = env;
  const folder = config || (windows ? path.join(windows, 'gcloud') : home && path.join(home, '.config', 'gcloud'));
  return folder ? path.join(folder, 'application_default_credentials.json') : undefined;
}
