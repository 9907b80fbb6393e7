// The labels of a statement as notes beside it: the speaker's own, and what the others made of it.
import { isFlaggedByMajority, listFlags, listSuspicions, type Statement } from '../deception/statements.ts';
import { mean } from '../deception/statistics/sums.ts';
import { type Assessment, type GameEvent, isType } from '../state/events.ts';
import { formatDecimal } from './format.ts';
import { formatBriefMark } from './game-text.ts';

/** One line for the self-report, one for the peers, one for what is missing; none for what was not asked. */
export function listReactions(statement: Statement | undefined, events: readonly GameEvent[]): string[] {
  if (!statement) return [];
  const { selfReport, peers, id } = statement;
  const missing = events.filter(isType('missing')).filter(({ statements }) => statements.includes(id));
  return [
    ...(selfReport ? [`own report: ${describeSelfReport(selfReport)}`] : []),
    ...(peers.length > 0 ? [`peers: ${describePeers(statement)}`] : []),
    ...(missing.length > 0
      ? [`missing: ${missing.map(({ by, mark }) => `${by}${formatBriefMark(mark)}`).join(', ')}`]
      : []),
  ];
}

function describeSelfReport({ deceptive, deception_type, stated_falsehood, confidence }: Assessment) {
  const falsehood = stated_falsehood ? ', with a stated falsehood' : '';
  return `${deceptive ? 'deceptive' : 'not deceptive'} (${deception_type})${falsehood}, confidence ${formatDecimal(confidence)}`;
}

function describePeers(statement: Statement) {
  const flags = listFlags(statement);
  const by = flags.map(
    ({ by, deception_type, suspicion }) => `${by} (${deception_type}, ${formatDecimal(suspicion ?? null)})`,
  );
  const majority = isFlaggedByMajority(statement) ? ', a majority' : '';
  return `${flags.length} of ${statement.peers.length} flag it${majority}; mean suspicion ${formatDecimal(mean(listSuspicions(statement)))}${by.length === 0 ? '' : `; ${by.join(', ')}`}`;
}
