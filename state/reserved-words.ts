// Words that no player may be called: a sentence with such a name in it could be read another way.

/** By what they are for. The names of roles are known to boards alone; first names (Will, May, Grant) are not here. */
const words = {
  pronouns: [
    'I', 'Me', 'My', 'Mine', 'Myself', 'You', 'Your', 'Yours', 'Yourself', 'He', 'Him', 'His', 'Himself', 'She', 'Her', 'Hers',
    'Herself', 'It', 'Its', 'Itself', 'We', 'Us', 'Our', 'Ours', 'Ourself', 'They', 'Them', 'Their', 'Theirs', 'Themself',
    'Who', 'Whom', 'Whose', 'Which', 'What', 'Self',
  ],
  quantifiers: [
    'All', 'Any', 'Some', 'Each', 'Every', 'Both', 'Either', 'Neither', 'Many', 'Much', 'Most', 'More', 'Less', 'Few', 'Several',
    'Half', 'Such', 'Same', 'Other', 'Another', 'Else', 'None', 'Nothing', 'Anything', 'Everything', 'Something', 'Noone',
    'Nobody', 'Anybody', 'Anyone', 'Everybody', 'Everyone', 'Somebody', 'Someone', 'Zero', 'One', 'Two', 'Three', 'Four',
    'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten', 'First', 'Second', 'Third', 'Last', 'Next',
  ],
  determinersAndConjunctions: [
    'The', 'An', 'This', 'That', 'These', 'Those', 'And', 'Or', 'Nor', 'But', 'If', 'So', 'As', 'Than', 'Then', 'Because', 'Except',
    'Instead', 'Without', 'Unless', 'Only', 'With', 'For', 'Of', 'By', 'To', 'From',
  ],
  answers: [
    'Yes', 'No', 'Not', 'Never', 'Maybe', 'True', 'False', 'Null', 'Undefined', 'Unknown', 'Unsure', 'Abstain', 'Abstention',
    'Skip', 'Random', 'Choice', 'Option', 'Answer', 'Target', 'Vote', 'Ballot', 'Bid', 'Tie', 'Tied', 'Majority',
  ],
  theTable: [
    'Wolf', 'Town', 'Townsfolk', 'Village', 'Pack', 'Team', 'Side', 'Role', 'Player', 'Speaker', 'Voter', 'Candidate', 'Sheriff',
    'Badge', 'Victim', 'Dead', 'Alive', 'Living', 'Survivor', 'Ghost', 'Game', 'Table', 'Seat', 'Round', 'Night', 'Day',
    'Today', 'Tonight', 'Yesterday', 'Tomorrow', 'Debate', 'Statement', 'Summary', 'Exile',
  ],
  likeRolesAndSides: [
    'Werwolf', 'Lycan', 'Sherif', 'Sherrif', 'Sherriff', 'Docter', 'Villain', 'Villian', 'Mafia', 'Mafioso', 'Townie', 'Citizen',
    'Civilian', 'Evil', 'Good', 'Bad', 'Innocent', 'Guilty', 'Enemy', 'Suspect', 'Traitor', 'Killer', 'Murderer',
  ],
  // Said is a first name too, but every statement has it before its words.
  verbsOfTheHistory: [
    'Left', 'Said', 'Thought', 'Voted', 'Proposed', 'Picked', 'Chose', 'Learned', 'Exiled', 'Elected', 'Passed', 'Told', 'Is', 'Was',
    'Were', 'Has', 'Had',
  ],
  whoIsNoPlayer: [
    'Moderator', 'Mod', 'Gamemaster', 'Master', 'Gm', 'Announcer', 'Dealer', 'Umpire', 'Narrator', 'God', 'Host', 'Referee',
    'Storyteller', 'Observer', 'System', 'Server', 'Admin', 'Assistant', 'User', 'Human', 'Tool', 'Developer', 'Model', 'Agent',
    'Bot', 'Name',
  ],
} as const; // prettier-ignore

/** A word and its plural: Day and Days, Ballot and Ballots, Candidacy and Candidacies, Wolf and Wolves. */
const withPlural = (word: string) => [
  word,
  `${word}s`,
  `${word}es`,
  ...(/[^aeiou]y$/.test(word) ? [word.replace(/y$/, 'ies')] : []),
  ...(/lf$/.test(word) ? [word.replace(/f$/, 'ves')] : []),
];

/** Words that prompts use for others than a player, or that would turn an answer around ("not Ginger"), with plurals. */
export const reservedWords: readonly string[] = [
  ...Object.values(words).flat().flatMap(withPlural),
  ...['Werewolve', 'Werewolfs'], // the right plural is the role's
];
