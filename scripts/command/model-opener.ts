// Opens one model for records of many matches.
import { openModel, readModelSpec } from '../../models/index.ts';
import type { Environment, PlayerModel } from '../../models/model.ts';

/**
 * Opens the model once for each temperature that the rules of matches ask for. Throws a UsageError for a model string
 * that cannot be read; the function as `openModel` does.
 */
export function modelOpener(spec: string, env: Environment): (temperature: number | null) => Promise<PlayerModel> {
  readModelSpec(spec);
  const opened = new Map<number | null, Promise<PlayerModel>>();
  return (temperature) => {
    const model = opened.get(temperature) ?? openModel(spec, { temperature, env });
    opened.set(temperature, model);
    return model;
  };
}

/** The environment with made-up keys where there are none: an estimate calls nobody. */
export function withSomeKeys(spec: string, env: Environment): Environment {
  const { apiKeyEnv } = readModelSpec(spec).options;
  const names = ['OPENAI_API_KEY', 'GOOGLE_API_KEY', ...(apiKeyEnv === undefined ? [] : [apiKeyEnv])];
  return { ...env, ...Object.fromEntries(names.filter((name) => !env[name]).map((name) => [name, 'none'])) };
}
