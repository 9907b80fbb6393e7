// Phrases for small talk. The slots are those of `phrases.ts`; n is how many are left, m how many votes are needed.

/** Remarks that accuse nobody, by what must have happened for them to be true. */
export const remarks = {
  victim: [
    'We lost {X} in the night. Who gains from that?',
    'Ask yourselves why it was {X} who left in the night.',
    '{X} is gone; let us look again at what {X} told us.',
  ],
  quiet: [
    'Nobody left in the night, so somebody was well protected.',
    'A night without a loss gives us one more day to think.',
  ],
  spared: [
    '{Day} we exiled nobody; today we should agree on one name.',
    'A second day without an exile would be a gift to the {wolves}.',
  ],
  majority: [
    'There are {n} of us left, and it takes {m} votes to exile anybody.',
    '{m} of {n} votes are needed; scattered votes decide nothing.',
  ],
  ballots: ['Look at the votes of {day}, not only at the speeches.', 'The votes of {day} tell us more than the talk.'],
  firstDay: [
    'It is the first day, and there is little on the table yet.',
    'Somebody has to begin, so let us collect first impressions.',
  ],
  always: [
    'Let us hear everybody before we vote.',
    'A split vote helps only the {wolves}.',
    'I would rather hear reasons than names.',
    'Let us stay with what can be checked: votes and words.',
  ],
} as const;
