// The labels of a statement as notes beside it: the speaker's own, and what the others made of it.
import { mean } from '../deception/ratios.ts';
import { flagsOf, isFlaggedByMajority, suspicionsOf, type Statement } from '../deception/statements.ts';
import { isType, type Assessment, type GameEvent } from '../state/event.ts';
import { briefly } from './marks.ts';
import { decimal } from './numbers.ts';

/** One line for the self-report, one for the peers, one for what is missing; none for what was not asked. */
export function reactionLines(statement: Statement | undefined, events: readonly GameEvent[]): string[] {
  if (!statement) return [];
  const { selfReport, peers, id } = statement;
  const missing = events.filter(isType('missing')).filter(({ statements }) => statements.includes(id));
  return [
    ...(selfReport ? [`own report: ${reportText(selfReport)}`] : []),
    ...(peers.length > 0 ? [`peers: ${peersText(statement)}`] : []),
    ...(missing.length > 0 ? [`missing: ${missing.map(({ by, mark }) => `${by}${briefly(mark)}`).join(', ')}`] : []),
  ];
}

function reportText({ deceptive, deception_type, stated_falsehood, confidence }: Assessment) {
  const falsehood = stated_falsehood ? ', with a stated falsehood' : '';
  return `${deceptive ? 'deceptive' : 'not deceptive'} (${deception_type})${falsehood}, confidence ${decimal(confidence)}`;
}

function peersText(statement: Statement) {
  const flags = flagsOf(statement);
  const by = flags.map(
    ({ by, deception_type, suspicion }) => `${by} (${deception_type}, ${decimal(suspicion ?? null)})`,
  );
  const majority = isFlaggedByMajority(statement) ? ', a majority' : '';
  return `${flags.length} of ${statement.peers.length} flag it${majority}; mean suspicion ${decimal(mean(suspicionsOf(statement)))}${by.length === 0 ? '' : `; ${by.join(', ')}`}`;
}
