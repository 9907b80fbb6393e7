// The threads of a report.
import { expect, it } from '@jest/globals';
import type { ReportWorkerSettings } from '../../scripts/report/report-worker.ts';
import { openWorkerPool } from '../../scripts/report/worker-pool.ts';

it('a thread that has failed says so to whoever asks it, each time, and ends nothing else', async () => {
  const unusable = { boards: null } as unknown as ReportWorkerSettings;
  const pool = openWorkerPool(unusable, 2); // the second fails while nobody waits for it
  const worker = pool.workers[0]!;
  const failure = await Promise.resolve(worker.gather()).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'TypeError' });
  await expect(worker.gather()).rejects.toBe(failure);
  await pool.close();
});
