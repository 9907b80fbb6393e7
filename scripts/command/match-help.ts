// What stands below the options in the help of `npm run match`: models, every rule, files, examples.
import { z } from 'zod';
import { describeModels } from '../../models/providers/index.ts';
import { ModelOptions } from '../../models/providers/model-options.ts';
import { rulebook } from '../../state/rules/all-options.ts';
import { presets } from '../../state/rules/presets.ts';
import { MatchFile } from './match-file.ts';

/** As wide as the list of options above it. */
const width = 80;

export const formatMatchHelp = (): string => `
Models are named PROVIDER:MODEL?option=value&…, the narrowest choice wins:
${describeModels()
  .map(({ name, about }) => wrap(about, `  ${name.padEnd(22)}`, ' '.repeat(24)))
  .join('\n')}
${wrap(`Options of models: ${Object.keys(ModelOptions.shape).join(', ')}.`)}

Rules, with their default in the preset wolf:
${Object.entries(rulebook)
  .map(([name, { schema, default: fallback, about }]) =>
    wrap(`${name}=${formatValues(schema)} (${String(fallback)})  ${about}`, '  ', '      '),
  )
  .join('\n')}
${wrap(`The preset arena: ${formatSettings(presets['arena']!)}.`)}

${wrap(`A YAML file takes ${Object.keys(MatchFile.shape).join(', ')}; a seat may have a persona:`)}
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
const formatSettings = (rules: object) =>
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
function formatValues(schema: z.ZodType): string {
  const words = ({ type, enum: listed, anyOf, minimum, maximum }: JsonSchema): string => {
    if (anyOf) return anyOf.map(words).join('|');
    if (listed) return listed.map(String).join('|');
    if (type === 'boolean') return 'true|false';
    return minimum === undefined ? String(type) : `${minimum}…${maximum}`;
  };
  return words(z.toJSONSchema(schema) as JsonSchema);
}

/** `indent` before the first line, `hanging` before the others. */
function wrap(text: string, indent = '', hanging = indent): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length + word.length > width) {
      lines.push(line.trimEnd());
      line = hanging;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}
