// What stands below the options in the help of `npm run match`: models, every rule, files, examples.
import { z } from 'zod';
import { ModelOptions } from '../../models/providers/model-options.ts';
import { rulebook } from '../../state/rulebook.ts';
import { presets } from '../../state/rules.ts';
import { MatchFile } from './match-file.ts';

/** As wide as the list of options above it. */
const width = 80;

export const matchHelp = (): string => `
Models are named PROVIDER:MODEL?option=value&…, the narrowest choice wins:
  openai:MODEL          OpenAI or a compatible server; reads OPENAI_API_KEY and
                        OPENAI_BASE_URL
  vertexai:MODEL        Gemini on Vertex AI; reads GOOGLE_API_KEY or the
                        application default credentials
  bot:classic           a built-in player without a language model; options lie
                        and detect, 0 to 1
  bot:random            makes uniform legal choices
${wrapped(`Options of models: ${Object.keys(ModelOptions.shape).join(', ')}.`)}

Rules, with their default in the preset wolf:
${Object.entries(rulebook)
  .map(([name, { schema, default: fallback, about }]) =>
    wrapped(`${name}=${valuesOf(schema)} (${String(fallback)})  ${about}`, '  ', '      '),
  )
  .join('\n')}
${wrapped(`The preset arena: ${settings(presets['arena']!)}.`)}

${wrapped(`A YAML file takes ${Object.keys(MatchFile.shape).join(', ')}; a seat may have a persona:`)}
  rule: { debateTurns: 4, honesty: forbidden }
  roles: { Seer: openai:gpt-4o }
  seats: { Ginger: { model: openai:gpt-4o-mini, persona: Speaks little. } }
Paths in it are as seen from where the command is started.

Examples:
  npm run match
  npm run match -- --villagers openai:gpt-4o --werewolves openai:gpt-4o-mini
  npm run match -- --rules arena --rule debateTurns=4 --seed 7 --id first
  npm run match -- --id first                  goes on with it
  npm run match -- runs/first/manifest.json --out again
  npm run --silent match -- --json             nothing but JSON
  npm run match -- --matches 100 --model openai:gpt-4o --max-cost 50
  npm run match -- --matches 100 --model openai:gpt-4o --dry-run

With --matches seeds go from --seed (default 1) up, and each match has a folder
of its own. The same command again plays what is left and nothing twice; --json
prints one line a match, as it ends: id, folder, and summary or error.

Exit codes: 0 played to its end, 2 wrong usage, 3 provider failure, 4 budget
reached, 130 interrupted, 143 terminated (after these four the same command
goes on with the match), 1 anything else. Of several matches that failed the
first counts of 130 or 143, 4, 3, 1.`;

/** As they are given on the command line. */
const settings = (rules: object) =>
  Object.entries(rules)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ');

interface JsonSchema {
  type?: string;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
}

/** The values that a rule can have, e.g. "wolf|arena" or "1…40". */
function valuesOf(schema: z.ZodType): string {
  const words = ({ type, enum: listed, anyOf, minimum, maximum }: JsonSchema): string => {
    if (anyOf) return anyOf.map(words).join('|');
    if (listed) return listed.map(String).join('|');
    if (type === 'boolean') return 'true|false';
    return minimum === undefined ? String(type) : `${minimum}…${maximum}`;
  };
  return words(z.toJSONSchema(schema) as JsonSchema);
}

/** `indent` before the first line, `hanging` before the others. */
function wrapped(text: string, indent = '', hanging = indent): string {
  const lines = [indent];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line.trim() !== '' && line.length + 1 + word.length > width) lines.push(`${hanging}${word}`);
    else lines[lines.length - 1] = line.trim() === '' ? `${line}${word}` : `${line} ${word}`;
  }
  return lines.join('\n');
}
