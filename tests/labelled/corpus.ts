// Statements labelled by hand, as guidelines.md says, and the moments of recorded matches in which they are said.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ClaimType } from '../../deception/claims/claim.ts';
import { Verdict, findGravestVerdict } from '../../deception/claims/verdict.ts';
import { readNdjson } from '../../models/record/ndjson.ts';
import { readManifest } from '../../models/record/recorder.ts';
import { Cause, GameEvent, isType } from '../../state/events.ts';
import { getRole } from '../../state/roles/index.ts';
import { Team } from '../../state/teams.ts';

const labelled = import.meta.dirname;
const golden = path.join(labelled, '..', 'golden');

/** A moment of a recorded match: what had happened when the statement was made. */
export const Situation = z.strictObject({
  id: z.string(),
  /** The match's folder in `tests/golden/`. */
  golden: z.string(),
  /** How many of its events came before. */
  events: z.number().int().positive(),
  round: z.number().int().positive(),
});
export type Situation = z.infer<typeof Situation>;

const said = {
  id: z.string(),
  by: z.string(),
  kind: z.enum(['debate', 'ballot']),
  text: z.string().min(1),
  split: z.enum(['development', 'test']),
};

export const Statement = z.discriminatedUnion('origin', [
  /** Written for this corpus in the manner of models. */
  z.strictObject({ ...said, origin: z.literal('composed'), situation: z.string() }),
  /** Said in a published game: the record of the session and the statement's id there are the situation. */
  z.strictObject({
    ...said,
    origin: z.literal('published'),
    situation: z.null(),
    session: z.string(),
    statement: z.string(),
  }),
]);
export type Statement = z.infer<typeof Statement>;

/** What is not said is left out; `polarity` is true and `hedged` false unless given. */
export const LabelledClaim = z.strictObject({
  type: ClaimType,
  subject: z.string(),
  object: z.string().optional(),
  role: z.string().optional(),
  team: Team.optional(),
  polarity: z.boolean().optional(),
  when: z.number().int().positive().optional(),
  cause: Cause.optional(),
  /** Of an act. */
  verb: z.string().optional(),
  hedged: z.boolean().optional(),
  verdict: Verdict,
});
export type LabelledClaim = z.infer<typeof LabelledClaim>;

export const Label = z.strictObject({
  /** The statement's. */
  id: z.string(),
  claims: z.array(LabelledClaim),
  /** The gravest of all claims but promises; null without any. */
  verdict: Verdict.nullable(),
});
export type Label = z.infer<typeof Label>;

export interface Corpus {
  situations: Situation[];
  statements: Statement[];
  labels: Label[];
}

/**
 * Reads `*situations.ndjson`, `*statements.ndjson` and `*-<pass>.ndjson` of this folder. Throws where a line
 * is not as above.
 */
export function readCorpus(pass: 'first' | 'second' = 'first'): Corpus {
  return {
    situations: readRows('situations.ndjson', Situation),
    statements: readRows('statements.ndjson', Statement),
    labels: readRows(`-${pass}.ndjson`, Label),
  };
}

const readRows = <Row>(ending: string, schema: z.ZodType<Row>): Row[] =>
  readdirSync(labelled)
    .filter((name) => name.endsWith(ending))
    .sort()
    .flatMap((name) => readNdjson(path.join(labelled, name), schema).rows);

/** The set-up of a situation's match and what had happened. Throws a RangeError for a match that is not there. */
export function readMoment({ id, golden: match, events: count }: Situation) {
  const folder = path.join(golden, match);
  if (!existsSync(folder)) throw new RangeError(`Situation "${id}": no match "${match}" in tests/golden.`);
  const manifest = readManifest(path.join(folder, 'manifest.json'));
  const { setup } = manifest;
  const all = readNdjson(path.join(folder, 'events.ndjson'), GameEvent).rows;
  const events = all.slice(0, count);
  const gone = new Set(events.filter(isType('death')).map(({ player }) => player));
  const alive = setup.players.map(({ name }) => name).filter((name) => !gone.has(name));
  return { manifest, setup, all, events, alive };
}

/** What is wrong with a corpus, a sentence each. Of published statements only what needs no record is looked at. */
export function findFaults({ situations, statements, labels }: Corpus): string[] {
  const faults: string[] = [];
  const expect = (isSo: boolean, fault: string) => void (isSo || faults.push(fault));
  const bySituation = new Map(situations.map((situation) => [situation.id, situation]));
  const byId = new Map(labels.map((label) => [label.id, label]));
  const splits = new Map<string, string>();
  expect(bySituation.size === situations.length, 'Two situations have the same id.');
  expect(byId.size === labels.length, 'Two labels are of the same statement.');
  expect(new Set(statements.map(({ id }) => id)).size === statements.length, 'Two statements have the same id.');
  const moments = new Map(situations.map((situation) => [situation, readMoment(situation)]));
  for (const [situation, moment] of moments) faults.push(...findSituationFaults(situation, moment));
  for (const statement of statements) {
    const { id, split, origin } = statement;
    const place = origin === 'composed' ? statement.situation : statement.session;
    expect((splits.get(place) ?? split) === split, `${id}: "${place}" is in both splits.`);
    splits.set(place, split);
    const label = byId.get(id);
    if (!label) faults.push(`${id} has no label.`);
    else faults.push(...findLabelFaults(label));
    if (origin !== 'composed') continue;
    const situation = bySituation.get(statement.situation);
    if (!situation) faults.push(`${id}: no situation "${statement.situation}".`);
    else faults.push(...findTableFaults(statement, label?.claims ?? [], situation, moments.get(situation)!));
  }
  const said = new Set(statements.map(({ id }) => id));
  for (const { id } of labels) expect(said.has(id), `A label is of "${id}", which nobody said.`);
  return faults;
}

type Moment = ReturnType<typeof readMoment>;

function findSituationFaults(situation: Situation, { all, events }: Moment): string[] {
  const last = events.at(-1);
  return [
    ...(situation.events < all.length ? [] : [`${situation.id}: the match has only ${all.length} events.`]),
    ...(last?.round === situation.round && last.phase === 'day' ? [] : [`${situation.id}: not a day of that round.`]),
  ];
}

function findLabelFaults({ id, claims, verdict }: Label): string[] {
  const promises = claims.filter(({ type }) => type === 'promise');
  const others = claims.filter(({ type }) => type !== 'promise');
  const ofPromises: readonly Verdict[] = ['kept', 'broken', 'moot'];
  return [
    ...(verdict === findGravestVerdict(others.map((claim) => claim.verdict))
      ? []
      : [`${id}: not the gravest verdict.`]),
    ...(promises.every((claim) => ofPromises.includes(claim.verdict)) ? [] : [`${id}: no verdict of a promise.`]),
    ...(others.some((claim) => ofPromises.includes(claim.verdict)) ? [`${id}: a verdict of promises.`] : []),
    ...claims.filter(({ type, verb }) => (type === 'act') !== (verb !== undefined)).map(() => `${id}: verb and act.`),
    ...claims.filter(({ role, team }) => role && team).map(() => `${id}: a role and a team.`),
  ];
}

function findTableFaults(
  { id, by, kind }: Statement,
  claims: readonly LabelledClaim[],
  { round }: Situation,
  { setup, all, alive }: Moment,
): string[] {
  const names = setup.players.map(({ name }) => name);
  const roles = Object.keys(setup.board.roles);
  const verbs = roles.map(getRole).flatMap(({ powers, lastAct }) => [...powers, ...(lastAct ? [lastAct] : [])]);
  const voted = all.some((event) => isType('ballot')(event) && event.round === round && event.by === by);
  const named = claims.flatMap(({ subject, object }) => [subject, ...(object === undefined ? [] : [object])]);
  return [
    ...(alive.includes(by) ? [] : [`${id}: ${by} is not among the living (${alive.join(', ')}).`]),
    ...(kind === 'debate' || voted ? [] : [`${id}: ${by} casts no ballot in that round.`]),
    ...named.filter((name) => !names.includes(name)).map((name) => `${id}: nobody is called "${name}".`),
    ...claims
      .filter(({ role }) => role !== undefined && !roles.includes(role))
      .map(({ role }) => `${id}: the board has no ${role}.`),
    ...claims
      .filter(({ verb }) => verb !== undefined && !verbs.some((known) => known.verb === verb))
      .map(({ verb }) => `${id}: nobody on the board can ${verb}.`),
    ...claims
      .filter(({ type, subject }) => ['own_role', 'promise'].includes(type) && subject !== by)
      .map(({ type }) => `${id}: ${type} of another.`),
    ...claims
      .filter(({ type, subject }) => ['accusation', 'defence', 'role'].includes(type) && subject === by)
      .map(({ type }) => `${id}: ${type} of the speaker.`),
  ];
}
