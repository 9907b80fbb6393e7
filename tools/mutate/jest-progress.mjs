// Jest reporter for trying mutants: writes to file descriptor 3 when a suite begins and ends.
import { writeSync } from 'node:fs';

const tell = (line) => writeSync(3, `${JSON.stringify(line)}\n`);

export default class Progress {
  onTestFileStart({ path }) {
    tell({ began: path });
  }

  onTestFileResult({ path }, { numFailingTests, testExecError, testResults }) {
    const failed = testResults.find(({ status }) => status === 'failed');
    tell({ ended: path, isFailed: numFailingTests > 0 || Boolean(testExecError), test: failed?.fullName ?? null });
  }
}
