// Notes in a report on matches in which a file of the judge's answers is damaged.

/** Maximum number of files that a note names. All further files are only counted. */
const mostNamed = 5;

/**
 * Lists the notes on damaged files. Figures use only the readable part of such a file, so readers must know what is
 * lost. `faults`: for each match, a sentence that names the file and the lost part; null if nothing is lost.
 *
 * @example listJudgeFileNotes(['runs/a/claims.x.ndjson: 1 of its 9 lines cannot be read.', null])
 */
export function listJudgeFileNotes(faults: readonly (string | null)[]): string[] {
  const found = faults.filter((fault) => fault !== null);
  if (found.length === 0) return [];
  const rest = found.length - mostNamed;
  const more = rest > 0 ? ` And ${rest} more.` : '';
  return [
    `The judge's answers about ${found.length} ${found.length === 1 ? 'match' : 'matches'} are damaged, and what is left of them counts. Statements whose answer is lost count as not read. ${found.slice(0, mostNamed).join(' ')}${more} Restore these files from a copy, or name the judge with --judge to ask again what is lost.`,
  ];
}
