// Dropped metrics and their replacements. Plans and command lines may still use the names of dropped metrics; the table
// maps each name to the name to use instead.

const replaced: Readonly<Record<string, string>> = {
  hit_rate: 'paired_detection, or matched_hit_rate beside matched_false_alarm_rate',
  hit_rate_within_side: 'paired_detection, or matched_hit_rate beside matched_false_alarm_rate',
  false_alarm_rate: 'matched_false_alarm_rate',
  false_alarm_rate_within_side: 'matched_false_alarm_rate',
  suspicion_roc_auc_within_side: 'paired_detection',
  suspicion_shift_difference: 'belief_shift',
  suspicion_shift: 'belief_shift',
  belief_shift_difference: 'belief_shift',
  lies_believed_rate: 'lies_called_honest_rate',
};

/**
 * Returns a sentence, with a trailing space, that names the replacement of a dropped metric. Empty for any other name.
 *
 * @example describeReplacement('hit_rate_within_side') // 'It was replaced: name paired_detection, or … '
 */
export const describeReplacement = (name: string): string =>
  Object.hasOwn(replaced, name) ? `It was replaced: name ${replaced[name]}. ` : '';

/** Names of all dropped metrics. */
export const replacedNames: readonly string[] = Object.keys(replaced);
