// Compares an extractor's claims with labeled statements: `wolfgraph validate --claims`. The validation of the
// statistics is a developers' tool, `tools/validate.ts`.
import { nameCommand } from '../state/command-name.ts';
import { UsageError } from '../state/usage-error.ts';
import { type CommandIO, createCommand, runScript } from './command/command-line.ts';
import { addClaimsOptions, type ClaimsFlags, checkClaimsOptions, validateByLabels } from './validate/claims-options.ts';

const about =
  'Measures how well claims are extracted, by the rules or by a judge, against labelled statements. See docs/evidence/accuracy.md.';

export async function runValidate(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('validate', about, io)
    .option('--claims', 'required: measure how well claims are extracted, by the rules or by a judge')
    .option('--out <file>', 'the file of errors that `report --errors` takes; without it nothing is written');
  addClaimsOptions(program)
    .addHelpText(
      'after',
      `
Examples:
  ${nameCommand('validate')} --claims --split development
  ${nameCommand('validate')} --claims --judge openai:gpt-4o --corpus voices,table --out judge-errors.json
  ${nameCommand('report')} runs --judge openai:gpt-4o --errors judge-errors.json

Exit codes: 0 measured, 2 wrong usage; of a judge also 3 the provider,
4 the budget, 129 and above stopped by a signal.`,
    )
    .parse(argv, { from: 'user' });
  const { claims: isOfClaims = false, ...typed } = program.opts<ClaimsFlags & { claims?: boolean }>();
  if (!isOfClaims) {
    checkClaimsOptions(program);
    throw new UsageError(
      'Add --claims to measure how well claims are extracted. The validation of the statistics against planted rates needs a clone of the repository: it is the npm script “validate” there.',
    );
  }
  return validateByLabels(typed, io);
}

if (import.meta.main) await runScript(runValidate);
