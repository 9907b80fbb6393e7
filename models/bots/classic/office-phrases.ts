// Phrases around the Sheriff and around ties, in the manner of `phrases.ts`; n is a number of votes.

export const officePhrases = {
  /** As a candidate. */
  stand: [
    'I stand for Sheriff because I listen before I judge.',
    'I stand for Sheriff because somebody has to hold us together.',
    'I stand for Sheriff because a village without a lead scatters its votes.',
    'I stand for Sheriff because I want every day to end with a decision.',
    'I ask for the badge because I will give a reason for every name.',
    'I would like to be Sheriff and to sum up our debates fairly.',
    'Elect me, and each of our debates will be summed up fairly.',
    'With the badge in my hands, every voice will be weighed.',
    'The badge should go to somebody with patience, and patience I have.',
    'Our Sheriff needs a steady hand, so I offer mine.',
  ],
  standBriefly: 'I stand for Sheriff.',
  pledge: [
    'What I recommend, I will explain.',
    'If I err, hold it against me.',
    'Nobody will be named by me before everybody has been heard.',
    'A Sheriff should answer for what the village does, and I will.',
  ],
  /** What the first ballot shows. */
  leads: ['{X} leads the first ballot with {n} votes.', 'With {n} votes, {X} is ahead in the first ballot.'],
  level: ['The first ballot leaves it open between {X} and {Y}.', '{X} and {Y} are level in the first ballot.'],
  scattered: [
    'The first votes are scattered, and no name stands out.',
    'The first ballot shows that we do not agree yet.',
  ],
  /** Hardly anybody has voted. */
  empty: ['The first ballot tells us next to nothing.', 'There is little to see in the first ballot.'],
  /** Once more, being tied. */
  plead: [
    'Ask me anything and I will answer.',
    'Before this is decided, remember who said what and when.',
    'Weigh us by what we did and not by the noise.',
    'Take a moment before this is final.',
  ],
} as const;
