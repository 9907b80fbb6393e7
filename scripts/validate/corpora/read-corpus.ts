// Reads labeled statements, and the moments of recorded matches at which the statements are made.
import path from 'node:path';
import { z } from 'zod';
import { ClaimType } from '../../../deception/claims/claim.ts';
import { Verdict } from '../../../deception/claims/verify-claim.ts';
import { listSeats } from '../../../deception/record/match-record.ts';
import { getDisk } from '../../../models/machine/machine.ts';
import { readNdjson, RecordError } from '../../../models/record/ndjson.ts';
import { readManifest } from '../../../models/record/recorder.ts';
import { Cause, GameEvent, isEventOfType } from '../../../state/events.ts';
import { findEndOfGroup, type PublicStatement, readPublicStatement } from '../../../state/public-statements.ts';
import type { Manifest } from '../../../state/record.ts';
import { Team } from '../../../state/teams.ts';
import { flattenToOneLine } from '../../../state/text.ts';

/**
 * Names of the corpora. `voices`: written in the styles of five kinds of models, as guidelines.md describes. `table`:
 * said by models in matches. `verdicts`: an older corpus of shorter statements, with its own guidelines and verdicts.
 */
export const corpusNames = ['voices', 'verdicts', 'table'] as const;
export type CorpusName = (typeof corpusNames)[number];

export const CorpusSplit = z.enum(['development', 'test']);
export type CorpusSplit = z.infer<typeof CorpusSplit>;

/** A line of `situations.ndjson`: a moment of a match, and the statements written for it. */
const Situation = z.strictObject({
  id: z.string(),
  /** Folder of the match in `matches/`. */
  match: z.string(),
  /** Number of earlier events of the match. */
  events: z.number().int().positive(),
  round: z.number().int().positive(),
});
type Situation = z.infer<typeof Situation>;

/** A line of `statements.ndjson`. */
const WrittenStatement = z.strictObject({
  id: z.string(),
  writer: z.string().optional(),
  situation: z.string(),
  by: z.string(),
  kind: z.enum(['debate', 'ballot']),
  text: z.string().min(1),
  split: CorpusSplit,
});

/** A line of `recorded.ndjson`: a match whose statements by language models are part of the corpus. */
const RecordedMatch = z.strictObject({ match: z.string(), split: CorpusSplit });

/**
 * A labeled claim. Fields are absent if the statement does not say them. By default `polarity` is true, and `hedged`
 * and `presupposed` are false.
 */
export const LabelledClaim = z.strictObject({
  type: ClaimType,
  subject: z.string(),
  object: z.string().optional(),
  role: z.string().optional(),
  team: Team.optional(),
  polarity: z.boolean().optional(),
  when: z.number().int().positive().optional(),
  cause: Cause.optional(),
  /** Verb of an act. */
  verb: z.string().optional(),
  hedged: z.boolean().optional(),
  presupposed: z.boolean().optional(),
  /** Verdict of the claim. Absent if the labels have no verdicts; the verdict is then derived from the claim. */
  verdict: Verdict.optional(),
});
export type LabelledClaim = z.infer<typeof LabelledClaim>;

/** A line of `labels-first.ndjson` or `labels-second.ndjson`. */
const Label = z.strictObject({
  /** Id of the statement; `<match>:<id in the record>` for a recorded one. */
  id: z.string(),
  claims: z.array(LabelledClaim),
  /**
   * Gravest verdict of all claims except promises. Null for a statement without such claims. Absent if the labels have
   * no verdicts.
   */
  verdict: Verdict.nullable().optional(),
});
export type Label = z.infer<typeof Label>;

/** A match that contains statements of the corpus. */
export interface CorpusMatch {
  name: string;
  manifest: Manifest;
  events: readonly GameEvent[];
}

/** A labeled statement, with the moment at which it is said. */
export interface CorpusStatement {
  /** Id in the corpus. */
  id: string;
  corpus: CorpusName;
  /** Author of the statement: a style of writing, or the label of the model that said it. */
  writer: string;
  split: CorpusSplit;
  match: CorpusMatch;
  /** Unit of resampling: the situation, or the match of a recorded statement. */
  moment: string;
  /** Number of earlier events of the match. */
  before: number;
  said: PublicStatement;
  /** Whether the match's record contains the statement. */
  isRecorded: boolean;
}

export type LabelPass = 'first' | 'second';

export interface Corpus {
  name: CorpusName;
  statements: readonly CorpusStatement[];
  /** Pass → the statement's labels; null if nobody labeled the statement in that pass. */
  labels: Readonly<Record<LabelPass, readonly Label[] | null>>;
}

/** Folder of the corpora. */
export const corporaFolder = import.meta.dirname;

/**
 * Reads a corpus. Throws a RecordError for a damaged file, a missing match, or a statement without its situation.
 *
 * @example const { statements, labels } = readCorpus('voices');
 */
export function readCorpus(name: CorpusName, root = corporaFolder): Corpus {
  const folder = path.join(root, name);
  const readRows = <Row>(file: string, schema: z.ZodType<Row>): Row[] | null =>
    getDisk().exists(path.join(folder, file)) ? readNdjson(path.join(folder, file), schema).rows : null;
  const matches = new Map<string, CorpusMatch>();
  const openMatch = (match: string): CorpusMatch => {
    const known = matches.get(match) ?? readMatch(folder, match);
    matches.set(match, known);
    return known;
  };
  const situations = new Map((readRows('situations.ndjson', Situation) ?? []).map((one) => [one.id, one]));
  const written = (readRows('statements.ndjson', WrittenStatement) ?? []).map((one): CorpusStatement => {
    const situation = situations.get(one.situation);
    if (!situation)
      throw new RecordError(
        `${path.join(folder, 'statements.ndjson')}: statement "${one.id}" is of situation "${one.situation}", which is not in situations.ndjson.`,
      );
    const match = openMatch(situation.match);
    return {
      ...{ id: one.id, corpus: name, writer: one.writer ?? name, split: one.split, match, isRecorded: false },
      ...{ moment: situation.id, before: situation.events, said: createSaid(one, situation, match) },
    };
  });
  const recorded = (readRows('recorded.ndjson', RecordedMatch) ?? []).flatMap(({ match, split }) =>
    listRecorded(openMatch(match)).map((one): CorpusStatement => ({ ...one, corpus: name, split })),
  );
  return {
    name,
    statements: [...written, ...recorded],
    labels: { first: readRows('labels-first.ndjson', Label), second: readRows('labels-second.ndjson', Label) },
  };
}

function readMatch(folder: string, name: string): CorpusMatch {
  const place = path.join(folder, 'matches', name);
  if (!getDisk().exists(place))
    throw new RecordError(`The corpus has statements from ${place}, but that file does not exist.`);
  const { rows: events } = readNdjson(path.join(place, 'events.ndjson'), GameEvent);
  return { name, manifest: readManifest(path.join(place, 'manifest.json')), events };
}

/** Formats a statement in one line, as matches store it. */
function createSaid(
  { id, by, kind, text }: z.infer<typeof WrittenStatement>,
  { round }: Situation,
  { events }: CorpusMatch,
): PublicStatement {
  const ballot = events.filter(isEventOfType('ballot')).find((event) => event.round === round && event.by === by);
  const target = kind === 'ballot' ? (ballot?.target ?? null) : null;
  return { id, round, by, text: flattenToOneLine(text), kind, target, isCut: false, isAfterTie: false };
}

/** Lists what language models said in the match. */
function listRecorded(match: CorpusMatch): Omit<CorpusStatement, 'corpus' | 'split'>[] {
  const { name, manifest, events } = match;
  const models = new Map(
    listSeats(manifest).flatMap((seat) => (seat.isBot ? [] : [[seat.name, seat.model.split('?')[0]!] as const])),
  );
  const found: Omit<CorpusStatement, 'corpus' | 'split'>[] = [];
  for (let before = 0; before < events.length; before = findEndOfGroup(events, before)) {
    const group = events.slice(before, findEndOfGroup(events, before));
    for (const said of group.flatMap((event) => readPublicStatement(event) ?? [])) {
      const writer = said.text === '' ? undefined : models.get(said.by);
      if (writer !== undefined)
        found.push({ id: `${name}:${said.id}`, writer, match, moment: name, before, said, isRecorded: true });
    }
  }
  return found;
}
