// What a model made of recorded statements afterwards, from the view of those who heard them.
import type { Assessment, Mark } from '../../state/event.ts';

/** What an analysis says; of a speaker without suspicions, of a listener without `stated_falsehood`. */
export type Opinion = Pick<
  Assessment,
  'deceptive' | 'deception_type' | 'confidence' | 'stated_falsehood' | 'suspicion' | 'p_werewolf' | 'reasoning'
>;

/** An annotator's judgement of a statement from the view of a listener. */
export interface Annotation {
  statement: string;
  /** Whose view it was given. */
  observer: string;
  /** The annotator's model string. */
  model: string;
  /** From 1. */
  repeat: number;
  attempt: number;
  /** Null where none could be had. */
  opinion: Opinion | null;
  mark?: Mark | undefined;
}
