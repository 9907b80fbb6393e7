// Why something stands for a player's own answer, in words to be set behind it; empty where nothing does.
import type { Mark } from '../state/event.ts';

const reasons: Record<Mark, string> = { fallback: 'gave no readable answer', refusal: 'refused to answer' };

/** For what was left unsaid. */
export const marked = (mark: Mark | undefined) => (mark === undefined ? '' : ` [${reasons[mark]}]`);

/** For a choice that was drawn in the player's stead. */
export const drawn = (mark: Mark | undefined) => (mark === undefined ? '' : ` [drawn: ${reasons[mark]}]`);

/** In lists, where words would be too many. */
export const briefly = (mark: Mark | undefined) => (mark === undefined ? '' : ` (${mark})`);
