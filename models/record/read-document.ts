// Reads the files of a record that hold a single JSON document: the manifest and the summary.
import { readTextOrExplain } from './ndjson.ts';

/**
 * Size limit in bytes of a manifest or summary. Real files have less than a tenth of it. A command reads the same
 * manifest several times, so with a larger limit a forged manifest would take that much memory several times.
 */
const largestDocument = 4 * 1024 * 1024;

/**
 * Returns the text of a manifest or summary. Throws RecordError if it is not a file, or larger than 4 MB.
 *
 * @example parseJson(readDocument('runs/classic-8-7-1a2b3c4d/manifest.json'));
 */
export const readDocument = (file: string): string => readTextOrExplain(file, largestDocument);
