// Metrics that are no more: names that plans and command lines may still have, with what to name instead.

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
 * What stands in place of a metric that was dropped, as a sentence with a space after it; empty for any other name.
 *
 * @example describeReplacement('hit_rate_within_side') // 'It was replaced: name paired_detection, or … '
 */
export const describeReplacement = (name: string): string =>
  Object.hasOwn(replaced, name) ? `It was replaced: name ${replaced[name]}. ` : '';

/** The names of all metrics that were dropped. */
export const replacedNames: readonly string[] = Object.keys(replaced);
