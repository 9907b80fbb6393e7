// The option that shows figures of an incomplete study.

/** The option without which figures of an incomplete study are not shown. */
export const soFarOption = [
  '--so-far',
  'figures so far, not for decisions: of a study with a fixed sample that is not complete, whose figures by model are else not shown; they are marked, and nothing is compared',
] as const;
