// A thread of a validation: one cell of the grid.
import { parentPort, workerData } from 'node:worker_threads';
import type { Effort, GridCell } from './validate-cell.ts';
import { validateCell } from './validate-cell.ts';

const { cell, effort } = workerData as { cell: GridCell; effort: Effort };
const findings = await validateCell(cell, effort, () => parentPort?.postMessage('match'));
parentPort?.postMessage(findings);
