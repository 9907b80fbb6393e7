// Names of commands in messages: as this process was started. In files they are always the same.
import { afterEach, describe, expect, it } from '@jest/globals';
import { formatCommandInFile } from '../../state/command-in-file.ts';
import {
  type CommandPrefix,
  formatCommand,
  nameCommand,
  nameCommandsAsStarted,
  setCommandPrefix,
} from '../../state/command-name.ts';

afterEach(() => setCommandPrefix(undefined));

describe('a command in a message', () => {
  it.each<[CommandPrefix | undefined, string, string, string]>([
    [undefined, 'npm run view', "npm run report -- 'my runs' --judge X", 'npm run pool -- build'],
    ['npm run', 'npm run view', "npm run report -- 'my runs' --judge X", 'npm run pool -- build'],
    ['wolfgraph', 'wolfgraph view', "wolfgraph report 'my runs' --judge X", 'wolfgraph pool build'],
    ['npx wolfgraph', 'npx wolfgraph view', "npx wolfgraph report 'my runs' --judge X", 'npx wolfgraph pool build'],
  ])('is named as the process was started: %s', (prefix, alone, quoted, begun) => {
    setCommandPrefix(prefix);
    expect(formatCommand('view')).toBe(alone);
    expect(formatCommand('report', 'my runs', '--judge', 'X')).toBe(quoted);
    expect(`${nameCommand('pool')} build`).toBe(begun);
  });

  it('keeps npm silent where a program reads the output', () => {
    expect(formatCommand('match', '--json')).toBe('npm run --silent match -- --json');
    setCommandPrefix('wolfgraph');
    expect(formatCommand('match', '--json')).toBe('wolfgraph match --json');
  });

  it('leaves a place for a value as it is', () => {
    expect(formatCommand('match', '--max-cost', '…')).toBe('npm run match -- --max-cost …');
  });
});

describe('a command in a file', () => {
  it.each<CommandPrefix>(['npm run', 'wolfgraph', 'npx wolfgraph'])('is the same for a process of %s', (prefix) => {
    setCommandPrefix(prefix);
    expect(formatCommandInFile('show', "runs/Ann's")).toBe("npx wolfgraph show 'runs/Ann'\\''s'");
    expect(formatCommandInFile('view')).toBe('npx wolfgraph view');
  });
});

describe('a command of a page that a terminal shows', () => {
  it.each<[CommandPrefix, string]>([
    ['npm run', '12 left: `npm run report -- runs --judge X` resumes. See npm run view.'],
    ['wolfgraph', '12 left: `wolfgraph report runs --judge X` resumes. See wolfgraph view.'],
    ['npx wolfgraph', '12 left: `npx wolfgraph report runs --judge X` resumes. See npx wolfgraph view.'],
  ])('is named as the process was started: %s', (prefix, shown) => {
    setCommandPrefix(prefix);
    const text = `12 left: \`${formatCommandInFile('report', 'runs', '--judge', 'X')}\` resumes. See ${formatCommandInFile('view')}.`;
    expect(nameCommandsAsStarted(text)).toBe(shown);
  });
});
