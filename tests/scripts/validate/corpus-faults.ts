// Finds faults of labeled statements: moments outside their match, and labels about players or roles that the match
// does not have.
import { findGravestVerdict, type Verdict } from '../../../deception/claims/verify-claim.ts';
import type {
  Corpus,
  CorpusSplit,
  CorpusStatement,
  Label,
  LabelledClaim,
} from '../../../scripts/validate/corpora/read-corpus.ts';
import { listSurvivors } from '../../../state/night-resolution.ts';
import { everybody } from '../../../state/player-names.ts';
import { getRole } from '../../../state/roles/index.ts';

/** Lists the faults of a corpus, one sentence each. */
export function findFaults({ statements, labels }: Corpus): string[] {
  const faults: string[] = [];
  const expect = (isSo: boolean, fault: string) => void (isSo || faults.push(fault));
  const splits = new Map<string, CorpusSplit>();
  expect(new Set(statements.map(({ id }) => id)).size === statements.length, 'Two statements have the same id.');
  for (const statement of statements) {
    const { id, moment, split } = statement;
    expect((splits.get(moment) ?? split) === split, `${id}: "${moment}" is in both splits.`);
    splits.set(moment, split);
    faults.push(...findMomentFaults(statement));
  }
  for (const all of Object.values(labels)) {
    if (all === null) continue;
    const byId = new Map(all.map((label) => [label.id, label]));
    const known = new Set(statements.map(({ id }) => id));
    expect(byId.size === all.length, 'Two labels are of the same statement.');
    for (const { id } of all) expect(known.has(id), `A label is of "${id}", which nobody said.`);
    for (const statement of statements) {
      const label = byId.get(statement.id);
      expect(label !== undefined, `${statement.id} has no label.`);
      if (label) faults.push(...findLabelFaults(label), ...findTableFaults(statement, label.claims));
    }
  }
  return faults;
}

function findMomentFaults({ id, before, said, match: { manifest, events }, isRecorded }: CorpusStatement): string[] {
  if (isRecorded) return [];
  const { by, kind, round, target } = said;
  const last = events.slice(0, before).at(-1);
  const alive = listSurvivors(
    manifest.setup.players.map(({ name }) => name),
    events.slice(0, before),
  );
  return [
    ...(before < events.length ? [] : [`${id}: the match has only ${events.length} events.`]),
    ...(last?.round === round && last.phase === 'day' ? [] : [`${id}: not a day of that round.`]),
    ...(alive.includes(by) ? [] : [`${id}: ${by} is not among the living (${alive.join(', ')}).`]),
    ...(kind === 'debate' || target !== null ? [] : [`${id}: ${by} casts no ballot in that round.`]),
  ];
}

function findLabelFaults({ id, claims, verdict }: Label): string[] {
  const given = claims.filter((claim) => claim.verdict !== undefined);
  const promises = given.filter(({ type }) => type === 'promise');
  const others = given.filter(({ type }) => type !== 'promise');
  const ofPromises: readonly Verdict[] = ['kept', 'broken', 'moot'];
  const gravest = findGravestVerdict(others.map((claim) => claim.verdict!));
  return [
    ...(verdict === undefined || verdict === gravest ? [] : [`${id}: not the gravest verdict.`]),
    ...(verdict === undefined || given.length === claims.length ? [] : [`${id}: claims without verdicts.`]),
    ...(promises.every((claim) => ofPromises.includes(claim.verdict!)) ? [] : [`${id}: no verdict of a promise.`]),
    ...(others.some((claim) => ofPromises.includes(claim.verdict!)) ? [`${id}: a verdict of promises.`] : []),
    ...claims.filter(({ type, verb }) => (type === 'act') !== (verb !== undefined)).map(() => `${id}: verb and act.`),
    ...claims.filter(({ role, team }) => role && team).map(() => `${id}: a role and a team.`),
  ];
}

function findTableFaults({ id, said: { by }, match }: CorpusStatement, claims: readonly LabelledClaim[]): string[] {
  const { setup } = match.manifest;
  const names = setup.players.map(({ name }) => name);
  const roles = Object.keys(setup.board.roles);
  const verbs = roles.map(getRole).flatMap(({ powers, lastAct }) => [...powers, ...(lastAct ? [lastAct] : [])]);
  const isNobody = (name: string | undefined) => name !== undefined && !names.includes(name);
  const list = (isFault: (claim: LabelledClaim) => boolean, tell: (claim: LabelledClaim) => string) =>
    claims.filter(isFault).map((claim) => `${id}: ${tell(claim)}`);
  return [
    ...list(
      ({ type, subject }) => isNobody(subject) && !(type === 'vote' && subject === everybody),
      ({ subject }) => `nobody is called "${subject}".`,
    ),
    ...list(
      ({ object }) => isNobody(object),
      ({ object }) => `nobody is called "${object}".`,
    ),
    ...list(
      ({ role }) => role !== undefined && !roles.includes(role),
      ({ role }) => `the board has no ${role}.`,
    ),
    ...list(
      ({ verb }) => verb !== undefined && !verbs.some((known) => known.verb === verb),
      ({ verb }) => `nobody on the board can ${verb}.`,
    ),
    ...list(
      ({ type, subject }) => ['own_role', 'promise'].includes(type) && subject !== by,
      ({ type }) => `${type} of another.`,
    ),
    ...list(
      ({ type, subject }) => ['accusation', 'defence', 'role'].includes(type) && subject === by,
      ({ type }) => `${type} of the speaker.`,
    ),
  ];
}
