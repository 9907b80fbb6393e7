// Codes of statements for style, emotion and manipulation tactics, after Werewolf Arena, section 5.2.1. A statement may
// have any number of codes. They depend only on the statement's words, not on its speaker.

/** Groups of codes. */
export const codeGroups = ['style', 'emotion', 'tactic'] as const;
export type CodeGroup = (typeof codeGroups)[number];

/** Codes with the definition that a coder reads. */
export const statementCodes = {
  formal: { group: 'style', means: 'whole, careful sentences, as in a meeting or a letter' },
  informal: { group: 'style', means: 'as in a chat: slang, clipped sentences, exclamations, contractions throughout' },
  collaborative: {
    group: 'style',
    means:
      'presents the speaker and the others as working together: proposes joint steps ("let us", "we should"), asks for views, sums up agreement',
  },
  indirect: {
    group: 'style',
    means: 'hints, or asks, in place of saying outright whom or what the speaker suspects or wants',
  },
  strong_emotion: {
    group: 'emotion',
    means: 'any feeling that is said or shown with force: anger, fear, joy, despair',
  },
  humor: { group: 'emotion', means: 'means to amuse' },
  sarcasm: { group: 'emotion', means: 'says the opposite of what is meant, in mockery' },
  frustration: { group: 'emotion', means: 'is annoyed, or tired of being asked or doubted' },
  suspicion: { group: 'emotion', means: 'shows distrust of a player as a feeling, beyond naming reasons' },
  seeding_doubt: {
    group: 'tactic',
    means:
      'makes others doubt a named player without accusing: "did anyone else notice how Mason seemed particularly keen on proving himself?"',
  },
  appealing_to_consensus: {
    group: 'tactic',
    means:
      'presents a view as what many think or could agree on, to move the others: "just thinking out loud here, but could it be someone felt too cornered by Mason?"',
  },
  creating_distrust: {
    group: 'tactic',
    means:
      'makes all distrust each other, naming nobody: "could we be dealing with someone cleverly orchestrating these eliminations?"',
  },
} as const satisfies Readonly<Record<string, { group: CodeGroup; means: string }>>;

export type StatementCode = keyof typeof statementCodes;
export const statementCodeNames = Object.keys(statementCodes) as StatementCode[];

/**
 * Lists the codes of a group, in the order of the scheme.
 *
 * @example listCodes('tactic') // ['seeding_doubt', 'appealing_to_consensus', 'creating_distrust']
 */
export const listCodes = (group: CodeGroup): StatementCode[] =>
  statementCodeNames.filter((name) => statementCodes[name].group === group);
