// The option that shows figures of an incomplete study.

/** The option without which figures of an incomplete study are not shown. */
export const soFarOption = [
  '--so-far',
  'show figures of an incomplete study with a fixed sample, which are otherwise hidden; they are marked, are not for decisions, and nothing is compared',
] as const;
