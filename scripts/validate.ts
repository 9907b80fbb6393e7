// Compares an extractor's claims with labeled statements: `wolfgraph validate --claims`. The validation of the
// statistics is a developers' tool, `tools/validate.ts`.
import { nameCommand } from '../state/command-name.ts';
import { UsageError } from '../state/usage-error.ts';
import { type CommandIO, createCommand, runScript } from './command/command-line.ts';
import { addClaimsOptions, type ClaimsFlags, checkClaimsOptions, validateByLabels } from './validate/claims-options.ts';

const about =
  'Measure how accurately the rules or a judge extract claims, against labeled statements. See docs/evidence/accuracy.md.';

export async function runValidate(argv: readonly string[], io: CommandIO): Promise<void> {
  const program = createCommand('validate', about, io)
    .option('--claims', 'required: measure how accurately the rules or a judge extract claims')
    .option('--out <file>', 'file for the errors that `report --errors` reads; without it nothing is written');
  addClaimsOptions(program)
    .addHelpText(
      'after',
      `
Examples:
  ${nameCommand('validate')} --claims --split development
  ${nameCommand('validate')} --claims --judge openai:gpt-4o --corpus voices,table --out judge-errors.json
  ${nameCommand('report')} runs --judge openai:gpt-4o --errors judge-errors.json

Exit codes: 0 measured, 2 wrong usage; with a judge also 3 provider failure,
4 budget reached, 129 and above stopped by a signal.`,
    )
    .parse(argv, { from: 'user' });
  const { claims: isOfClaims = false, ...typed } = program.opts<ClaimsFlags & { claims?: boolean }>();
  if (!isOfClaims) {
    checkClaimsOptions(program);
    throw new UsageError(
      'Add --claims to measure how accurately claims are extracted. The validation of the statistics needs a clone of the repository, where it is the npm script “validate”.',
    );
  }
  return validateByLabels(typed, io);
}

if (import.meta.main) await runScript(runValidate);
