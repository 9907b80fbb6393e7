// The judge `bot:meant` reads the meaning that built-in bots record with their statements, so that studies of bots have
// a known truth.
import { z } from 'zod';
import { getRole } from '../../state/roles/index.ts';
import { readPublicStatement, type PublicStatement } from '../../state/public-statements.ts';
import { Team } from '../../state/teams.ts';
import { UsageError } from '../../state/usage-error.ts';
import type { PublicSetup } from '../../state/view.ts';
import { createAnswerFinder, listSeats, type MatchRecord, statementActions } from '../record/match-record.ts';
import type { Claim } from './claim.ts';
import { createLexicon } from './lexicon.ts';

/** Model string of the judge that reads the bots' own record of what they meant and asks no model. */
export const meantJudge = 'bot:meant';

/** The acts that a bot recorded as the meaning of its statement. Questions and agreement make no claim. */
const Account = z.object({
  acts: z.array(
    z.union([
      z.object({ kind: z.literal(['accuse', 'defend']), target: z.string() }),
      z.object({ kind: z.literal('claim'), role: z.string() }),
      z.object({ kind: z.literal('report'), target: z.string(), team: Team }),
      z.object({ kind: z.literal('deny') }),
      z.object({ kind: z.literal(['ask', 'follow']) }),
    ]),
  ),
});
type Act = z.infer<typeof Account>['acts'][number];

/** Bots that always use the same words and make no claim. */
const silentBots: readonly string[] = ['bot:random'];

/**
 * Maps each statement to the claims that its bot meant; null if the record does not say what the bot meant. A bot does
 * not record which words make a claim, so each claim covers the whole statement. Throws a UsageError if a language
 * model played.
 *
 * @example readMeantClaims(readRecord('runs/a'), table).get('1.2')
 */
export function readMeantClaims(record: MatchRecord, table: PublicSetup): ReadonlyMap<string, Claim[] | null> {
  const { manifest, events, answers } = record;
  checkMeantSeats(manifest.id, listSeats(manifest));
  const findAnswer = createAnswerFinder(answers);
  const checks = listCheckVerbs(table);
  return new Map(
    events.flatMap((event) => {
      const said = readPublicStatement(event);
      if (!said) return [];
      const line = findAnswer(said.id, said.by, said.kind === 'ballot' ? ['vote'] : statementActions);
      if (line?.meant === undefined && silentBots.includes(line?.model.split('?')[0] ?? '')) return [[said.id, []]];
      const account = Account.safeParse(line?.meant);
      return [[said.id, account.success ? createMeantClaims(account.data.acts, said, checks) : null]];
    }),
  );
}

/**
 * Throws a UsageError if a language model played in the match, because models do not record what they mean.
 *
 * @example checkMeantSeats('wolf-7', listSeats(manifest))
 */
export function checkMeantSeats(id: string, seats: readonly { name: string; model: string; isBot: boolean }[]): void {
  const stranger = seats.find(({ isBot }) => !isBot);
  if (stranger)
    throw new UsageError(
      `${meantJudge} cannot judge ${id}: ${stranger.model} plays ${stranger.name}, and only built-in bots record what they mean. Name a language model as the judge.`,
    );
}

const createMeantClaims = (acts: readonly Act[], said: PublicStatement, checks: readonly string[]): Claim[] =>
  acts
    .flatMap((act) => createMeaning(act, said.by, checks) ?? [])
    .map((meaning, index) => ({
      id: `${said.id}#${index + 1}`,
      ...{ statement: said.id, by: said.by, round: said.round },
      ...meaning,
      ...{ cause: null, when: null, hedged: false, presupposed: false },
      words: { from: 0, to: said.text.length, text: said.text },
    }));

type Meaning = Pick<Claim, 'type' | 'subject' | 'object' | 'role' | 'team' | 'verbs' | 'polarity'>;

/** Converts an act to the form in which judges state a claim. Null for questions and for agreement. */
function createMeaning(act: Act, by: string, checks: readonly string[]): Meaning | null {
  const bare = { object: null, role: null, team: null, verbs: [], polarity: true };
  switch (act.kind) {
    case 'accuse':
      return { ...bare, type: 'accusation', subject: act.target, team: 'werewolves' };
    case 'defend':
      return { ...bare, type: 'defence', subject: act.target, team: 'werewolves', polarity: false };
    case 'deny':
      return { ...bare, type: 'own_role', subject: by, team: 'werewolves', polarity: false };
    case 'claim': {
      const { team } = getRole(act.role);
      const what = team === 'werewolves' ? { team } : { role: act.role };
      return { ...bare, ...what, type: 'own_role', subject: by };
    }
    case 'report':
      return { ...bare, type: 'check', subject: by, object: act.target, team: act.team, verbs: [...checks] };
    case 'ask':
    case 'follow':
      return null;
  }
}

/** Lists the verbs of this board's powers that reveal a player's role or side. */
export const listCheckVerbs = (table: PublicSetup): string[] =>
  createLexicon(table).register.flatMap(({ powers }) =>
    powers.filter(({ aim }) => aim === 'learn').map(({ verb }) => verb),
  );
