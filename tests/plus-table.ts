// A match with the roles of WereWolf-Plus. On its first day two players stand for Sheriff, and the Hunter is elected,
// tied and exiled, and passes the badge.
import type { Board } from '../state/boards.ts';
import type { Question } from './question.ts';
import { createLegalAnswer, type Answer } from './scripted-model.ts';
import { dealTable } from './table.ts';

export const plusBoard: Board = {
  name: 'plus-table',
  roles: { Werewolf: 2, Seer: 1, Guard: 1, Witch: 1, Hunter: 1, Villager: 3 },
};

export const plusSetup = dealTable({
  board: plusBoard,
  rules: 'plus',
  rule: { sheriff: true, maxRounds: 1, witchBothPotions: true, hunterPoisoned: false },
  seed: 3,
});

export const seated = (role: string, index = 0) =>
  plusSetup.players.filter((player) => player.role === role)[index]!.name;

export const [hunter, rival, victim] = [seated('Hunter'), seated('Werewolf'), seated('Villager')];
const others = plusSetup.players.map(({ name }) => name).filter((name) => ![hunter, rival].includes(name));

/**
 * Returns the answers that lead to this course. In the first night the Witch saves the Werewolves' victim; in the
 * second night there is no victim to save. The Guard protects the Seer.
 */
export function answerPlus(question: Question): Record<string, unknown> {
  const { action, player, round, alive, messages } = question;
  const isPk = messages[1]!.content.includes('The tied players have spoken');
  const first = player === hunter ? others[0] : player === rival ? hunter : chooseFirstBallot(player);
  const course: Record<string, object> = {
    eliminate: { proposal: victim },
    guard: { target: round === 1 ? seated('Seer') : 'pass' },
    save: { target: round === 1 ? victim : 'pass' },
    poison: { target: 'pass' },
    candidacy: { stand: player === hunter || player === rival },
    elect: { vote: hunter },
    speaking_order: { direction: 'down' },
    recommend: round === 1 ? { recommendation: rival } : {},
    vote: { vote: round > 1 ? alive.find((name) => name !== player && name !== rival) : isPk ? hunter : first },
    shoot: { target: rival },
    pass_badge: { successor: seated('Seer') },
  };
  return { ...createLegalAnswer(question), ...course[action] };
}

/**
 * Chooses a first ballot. Each of the two tied players gets three, including the ballots of these two players. Two
 * ballots are for other players; one of them is the Sheriff's.
 */
function chooseFirstBallot(player: string): string {
  const place = others.indexOf(player);
  if (place < 2) return hunter;
  return place < 5 ? rival : others[1]!;
}

/** Creates answers that follow the course, except for what `change` returns. */
export const changePlus =
  (change: (question: Question) => Answer | undefined) =>
  (question: Question): Answer =>
    change(question) ?? answerPlus(question);
