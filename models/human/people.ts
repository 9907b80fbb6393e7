// The people who play in a match, and the table that asks them. A table sees Views, never whole games.
import type { AnyPrompt } from '../../prompts/prompt.ts';
import type { View } from '../../state/view.ts';

/** A question to a person. */
export interface PersonQuestion {
  prompt: AnyPrompt;
  /** Seconds for the answer, counted from the moment at which the question is shown; null without a limit. */
  seconds: number | null;
  /** Signal that is aborted when nobody waits for the answer any more. */
  signal: AbortSignal;
}

/**
 * A person's answer, which follows the schema of its prompt. `shownMs`: milliseconds for which the question was shown.
 */
export interface PersonAnswer {
  answer: Readonly<Record<string, unknown>>;
  shownMs: number;
}

/** A seat that a person plays. `spec`: the person in records, e.g. `human:alice`. */
export interface PersonSeat {
  player: string;
  spec: string;
}

/** Asks people, and shows each person what the player in that seat may know. */
export interface People {
  /**
   * Opens the table before a match is played. Called once for each match. Throws a UsageError for seats that it cannot serve, before
   * anything is written.
   */
  open(seats: readonly PersonSeat[]): void | Promise<void>;
  /** Shows the owner of the View what has happened since the last View. */
  show(view: View): void;
  /**
   * Asks the player of the prompt's View. Questions to one player are asked one after another. Returns null if the time
   * is over. Rejects with the signal's reason.
   */
  ask(question: PersonQuestion): Promise<PersonAnswer | null>;
  /** Ends the match. The roles may then be shown. `roles`: player → role; null if the match was only stopped. */
  close(roles: Readonly<Record<string, string>> | null): void | Promise<void>;
}

/** The call option `person`, a function that asks the person. */
export type PersonCall = (seconds: number | null, signal: AbortSignal) => Promise<PersonAnswer | null>;
