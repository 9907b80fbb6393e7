// The command line of scripts that take the folder of a match.
import { Command } from 'commander';

/** Throws a CommanderError for a wrong command line. */
export const recordCommand = (name: string, description: string) =>
  new Command(`npm run ${name} --`)
    .description(description)
    .argument('<folder>', 'the folder of a match, e.g. runs/classic-8-7-1a2b3c4d')
    .allowExcessArguments(false)
    .showHelpAfterError('(--help lists all options)')
    .exitOverride();
