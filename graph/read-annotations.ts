// Reads what models made of recorded statements afterwards.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { MatchRecord } from '../deception/match-record.ts';
import { statementsOf } from '../deception/statements.ts';
import type { Annotation } from '../deception/tables/annotation.ts';
import { readKept, type KeptAnswer } from '../models/record/kept-answers.ts';
import { RecordError } from '../models/record/record-error.ts';
import { peerAnalysis } from '../prompts/analysis.ts';
import { DeceptionType } from '../state/event.ts';
import { analysisWords, cutAt } from '../state/words.ts';

const share = z.number().min(0).max(1);

const Judgement = z.object({
  deceptive: z.boolean(),
  type: DeceptionType,
  confidence: share,
  suspicion: share,
  p_werewolf: share,
});
const OfOne = Judgement.extend({ reasoning: z.string() });
const OfBallot = z.object({ reasoning: z.string(), judgements: z.record(z.string(), Judgement) });

const annotationFile = /^annotations\..+\.ndjson$/;

/**
 * All that models have made of a record afterwards, as it is kept in its folder; of the same asked again, what was
 * answered last. Throws RecordError for a file that is damaged or of another match.
 */
export function readAnnotations(folder: string, record: MatchRecord): Annotation[] {
  const said = new Map(statementsOf(record.events).map(({ id, by }) => [id, by]));
  const files = readdirSync(folder)
    .filter((name) => annotationFile.test(name))
    .sort();
  return files.flatMap((name) => {
    const file = path.join(folder, name);
    const ended = readKept(file).filter(({ error, mark }) => error === undefined || mark !== undefined);
    const key = ({ round, step, action, player, repeat }: KeptAnswer) =>
      JSON.stringify([round, step, action, player, repeat]);
    const last = [...Map.groupBy(ended, key).values()].map((lines) => lines.at(-1)!);
    return last.flatMap((line) => annotationsIn(line, said, file));
  });
}

function annotationsIn(line: KeptAnswer, said: ReadonlyMap<string, string>, file: string): Annotation[] {
  const { statements, player: observer, model, repeat, attempt, mark } = line;
  const opinions = opinionsIn(line);
  return statements.map((statement) => {
    const by = said.get(statement);
    if (by === undefined)
      throw new RecordError(
        `${file} judges statement "${statement}", which is not in the record beside it: the record or this file is damaged. Keep both: with an undamaged copy of the other, the answers count again.`,
      );
    const opinion = opinions(by);
    return { statement, observer, model, repeat, attempt, opinion, ...(opinion ? {} : { mark: mark ?? 'fallback' }) };
  });
}

/** By speaker; null where there is none. */
function opinionsIn({ answer, action }: KeptAnswer): (speaker: string) => Annotation['opinion'] {
  const opinion = (reasoning: string, { type, ...judgement }: z.infer<typeof Judgement>) => ({
    ...judgement,
    deception_type: type,
    reasoning: cutAt(reasoning, analysisWords).text,
  });
  if (action === peerAnalysis.action) {
    const read = OfOne.safeParse(answer);
    if (!read.success) return () => null;
    const { reasoning, ...judgement } = read.data;
    return () => opinion(reasoning, judgement);
  }
  const read = OfBallot.safeParse(answer);
  if (!read.success) return () => null;
  const { reasoning, judgements } = read.data;
  return (speaker) => (judgements[speaker] ? opinion(reasoning, judgements[speaker]) : null);
}
