// `npm run pool -- find`: shows the entries that a player of a finished match would remember, with scores.
import { renderEntry } from '../../deception/experience/entry-text.ts';
import { getEntryId, isGoodEntry } from '../../deception/experience/pool-entry.ts';
import { resolveSeatReference } from '../../deception/experience/seat-references.ts';
import { describeSituation } from '../../deception/experience/situation.ts';
import { type AskedMoment, gatherMoments } from '../../graph/pool/gather-entries.ts';
import { findExperiences, getRetrieverKind, openPool, selectSettings } from '../../graph/experience/open-experience.ts';
import { dropUndefined } from '../../models/model-options.ts';
import { formatWhole, pluralize, sanitizeLines } from '../../report/format.ts';
import {
  type ExperienceMoment,
  type ExperienceRetriever,
  ExperienceSettings,
  type ExperienceSource,
} from '../../state/experience-setup.ts';
import { UsageError } from '../../state/usage-error.ts';
import { type CommandIO, exitCodes } from '../command/command-line.ts';
import { resolveMatchFolder } from '../command/match-folder.ts';
import { readFinishedRecord } from '../report/match-inventory.ts';

export interface FindFlags {
  player: string;
  round: number;
  moment: ExperienceMoment;
  k?: number;
  threshold?: number;
  from?: ExperienceSource;
  retriever?: ExperienceRetriever;
  embedder?: string;
  json?: boolean;
}

/**
 * Prints the entries that the player would remember. Throws a UsageError for a player who is not in the match, or who
 * was not asked this question in that round.
 */
export async function findEntries(
  [poolFolder, named]: readonly [string, string],
  { player, round, moment, k, threshold, from, retriever, embedder, json = false }: FindFlags,
  { stdout, env }: CommandIO,
): Promise<number> {
  const { reward } = openPool(poolFolder).pool;
  const folder = resolveMatchFolder(named);
  const { setup, tournament } = readFinishedRecord(folder).manifest;
  const names = setup.players.map(({ name }) => name);
  const me = resolveSeatReference(player, names);
  if (me === null) throw new UsageError(`Nobody in this match is called "${player}". Players: ${names.join(', ')}.`);
  const moments = await gatherMoments(folder, me);
  const asked = moments.find((one) => one.moment === moment && one.view.round === round);
  if (!asked)
    throw new UsageError(
      `${me} made no decision of the kind ${moment} in round ${round}. Decisions: ${listMoments(moments)}.`,
    );
  const { view } = asked;
  const { experience } = setup;
  const settings = ExperienceSettings.parse({
    ...(experience && selectSettings(experience)),
    ...dropUndefined({ k, threshold, from }),
  });
  const table = { env, setup, models: setup.models, entrants: tournament?.entrants, tournament: tournament?.sha256 };
  const kind = retriever ?? (experience ? getRetrieverKind(experience.retriever) : 'bm25');
  const found = await findExperiences(poolFolder, table, { view, moment, settings, embedder, retriever: kind });
  const situation = describeSituation(view, moment);
  const entries = found.pairs.map(({ entry, score, partner }) => ({
    ...{ id: getEntryId(entry), score, good: isGoodEntry(entry, reward), text: renderEntry(entry) },
    shuffled: getEntryId(partner),
  }));
  if (json) {
    const { all, ofKind, ofSource } = found;
    const counts = { entries: all, of_kind: ofKind, of_source: ofSource };
    stdout.write(
      `${JSON.stringify({ player: me, round, moment, retriever: found.retriever, settings, ...counts, situation, found: entries }, null, 2)}\n`,
    );
    return exitCodes.done;
  }
  const lines = [
    `${me}, ${moment} of round ${round}, knows:`,
    situation.replace(/^/gm, '  '),
    `${formatWhole(found.ofKind)} of ${pluralize(found.all, 'entry', 'entries')} have the same role, board, rules and kind of decision but another deal; ${formatWhole(found.ofSource)} of these match from: ${settings.from}.`,
    `${formatWhole(entries.length)} of k: ${settings.k} found by ${found.retriever}, threshold ${settings.threshold}.${entries.length < settings.k ? ` ${explainFew(found)}` : ''}`,
    ...entries.map(
      ({ id, score, good, text, shuffled }) =>
        `\n${id} score ${score}, ${good ? 'good' : 'not good'}; the arm shuffled gets ${shuffled} instead\n${text.replace(/^/gm, '  ')}`,
    ),
  ];
  stdout.write(`${sanitizeLines(lines.join('\n'))}\n`);
  return exitCodes.done;
}

const listMoments = (moments: readonly AskedMoment[]) =>
  moments.map(({ moment, view }) => `${moment} in round ${view.round}`).join(', ') || 'none';

/** Explains why fewer than `k` entries were found. */
function explainFew({ ofKind, ofSource }: { ofKind: number; ofSource: number }): string {
  if (ofKind === 0)
    return 'The pool has no entry for such a decision: build it from more matches with this board and these rules.';
  if (ofSource === 0)
    return 'No entry is from that source: build the pool from matches of this model, or try --from any.';
  return 'At most one entry per deal is returned. It must reach the threshold, share a word with the situation and have a partner for the control arm.';
}
