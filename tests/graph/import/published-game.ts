// Builds invented games in the form in which Kaggle's Game Arena is published, one timeline entry at a time.
import { names, players as seats } from './session.ts';

type Entry = Record<string, unknown>;

/** Returns a player's private thought: a word that no public event may contain. */
export const secretOf = (by: string, what: string) => `Secret${by}${what}`;

const night = (day: number, action: string) => (player: string, target: string | null) => ({
  ...{ type: 'night_action', day, phase: 'Night', player, action, target },
  reasoning: `I choose ${target}. ${secretOf(player, `${action}${day}`)}`,
});

interface Night {
  checks?: string;
  heals?: string;
  /** Werewolf → target. */
  kills?: Record<string, string>;
  /** The pick that the moderator announces. Default: the first target; null: no announcement. */
  picked?: string | null;
}

/** Creates the entries of night number `day`, from 0. Dan checks, and Isaac heals. */
export function tellNight(day: number, { checks, heals, kills = {}, picked }: Night): Entry[] {
  const elected = picked === undefined ? Object.values(kills)[0] : picked;
  return [
    ...(checks ? [night(day, 'Inspect')('Dan', checks)] : []),
    ...(heals ? [night(day, 'Heal')('Isaac', heals)] : []),
    ...Object.entries(kills).map(([wolf, target]) => night(day, 'Eliminate')(wolf, target)),
    ...(elected
      ? [
          {
            ...{ type: 'announcement', day, phase: 'Night', event: 'vote_result' },
            description: `Werewolves elected to eliminate player "${elected}".`,
            data: { elected_target_player_id: elected },
          },
        ]
      : []),
  ];
}

/** Creates the entries of day number `day`, from 1: statements, then ballots (voter → target). */
export const tellDay = (day: number, said: readonly [by: string, text: string][], votes: Record<string, string>) => [
  ...said.map(([player, message], turn) => ({
    ...{ type: 'chat', day, phase: 'Day', player, message, threat_level: 'SAFE' },
    reasoning: `I speak.\n${secretOf(player, `Chat${day}Turn${turn}`)}`,
  })),
  ...Object.entries(votes).map(([player, target]) => ({
    ...{ type: 'vote', day, phase: 'DAY_VOTING_AWAIT', player, target },
    reasoning: `It is ${target}. ${secretOf(player, `Vote${day}`)}`,
  })),
];

export const tellEnd = (day: number, winner: string, survivors: readonly string[]): Entry => ({
  ...{ type: 'announcement', day, phase: 'Game Over', event: 'game_end' },
  description: `Game Over: ${winner} Win!\nSurvivors: {${survivors.map((name) => `'${name}': 'Role'`).join(', ')}}\nAll player roles: {${names.map((name) => `'${name}': 'Role'`).join(', ')}}`,
  data: { last_day: day, winner_team: winner },
});

export const createPublished = (timeline: readonly unknown[], more: Record<string, unknown> = {}) => ({
  id: 'invented-1',
  game_number: 1,
  players: names.map((id) => ({ id, model: seats[id]!.model, role: seats[id]!.role, reward: 0 })),
  winner: 'Villagers',
  total_days: 3,
  timeline,
  ...more,
});

/** Three nights and days: Ginger is removed, Scott exiled, Jacob saved, Paul exiled, Dan removed, Leah exiled. */
export const nights = [
  tellNight(0, { checks: 'Paul', heals: 'Dan', kills: { Paul: 'Ginger', Leah: 'Ginger' } }),
  tellNight(1, { checks: 'Leah', heals: 'Jacob', kills: { Leah: 'Jacob', Paul: 'Jacob' } }),
  tellNight(2, { heals: 'Harold', kills: { Leah: 'Dan' } }),
];
export const days = [
  tellDay(
    1,
    [
      ['Harold', 'Good morning.\n- Ginger is gone.'],
      ['Paul', 'I am the Doctor and I protected Dan.'],
      ['Scott', 'Let us wait.'],
    ],
    { Harold: 'Scott', Jacob: 'Paul', Paul: 'Scott', Leah: 'Scott', Isaac: 'Scott', Dan: 'Paul', Scott: 'Paul' },
  ),
  tellDay(2, [['Dan', 'I am the Seer. I checked Paul and Paul is a Werewolf.']], {
    ...{ Harold: 'Paul', Jacob: 'Paul', Paul: 'Dan', Leah: 'Paul', Isaac: 'Paul', Dan: 'Paul' },
  }),
  tellDay(3, [['Isaac', 'Dan said that Leah was next.']], {
    ...{ Harold: 'Leah', Jacob: 'Leah', Isaac: 'Leah', Leah: 'Harold' },
  }),
];

/**
 * The entries in the order of published files: night 1 before day 1 and so on. The entry that ends the game precedes
 * the last day.
 */
export const whole = createPublished([
  ...nights[0]!,
  ...nights[1]!,
  ...days[0]!,
  ...nights[2]!,
  ...days[1]!,
  tellEnd(3, 'Villagers', ['Harold', 'Jacob', 'Isaac']),
  ...days[2]!,
]);
