// What a prompt is: messages, the shape of the answer and the legal choices, made from a View by a pure function.
import { z } from 'zod';
import type { Draw } from '../state/random.ts';
import type { View } from '../state/view.ts';

export interface Prompt<Answer = unknown> {
  action: string;
  /** All that it was made from; `view.me` is the player who is asked. */
  view: View;
  /** Tells it from others of the same action in the same round: see `View.step`. */
  step: number;
  /** Rules and role: the same in all prompts of a player. */
  system: string;
  /** What the player has seen (append-only within a round), then the task. */
  user: string;
  /** `user` without so many of the events that the player has seen: see `listTrimmedEvents`. */
  without(count: number): string;
  /** Reads the answer. */
  answer: z.ZodType<Answer>;
  /** The same as a JSON schema, strict: every property required, no others. */
  schema: Record<string, unknown>;
  /** Legal targets in seat order; empty where the answer names nobody. */
  choices: readonly string[];
  /** Whether the answer decides something or is speech; the rules may set a temperature for each. */
  kind: 'choice' | 'talk';
  /** What is put in place of an answer that could not be read, always marked; absent: the answer is missing. */
  fallback?: (draw: Draw) => Answer;
}

/**
 * How the prompt of an action is made from a View. `Matter` is what else it is about, e.g. the statement to analyse.
 *
 * @example vote.put(createView(game, 'Ginger'), draw(seed, 'options', 'Ginger')).user
 */
export interface Question<Answer, Matter = void> {
  action: string;
  /** `draw` orders the options, so that no place in a list is favoured. */
  put(view: View, draw: Draw, matter: Matter): Prompt<Answer>;
}

/** An answer of any shape, where only the act of asking matters. */
export type AnyPrompt = Prompt<unknown>;

/**
 * SHA-256 over the words of sample prompts of every action and role, which tests render and hold to this value: it
 * stands in the manifest, so that matches played with other words can be told apart.
 */
export const templatesHash = 'c6c2019d5f04922fc6db62da548cebdebcdd03c0099612a064ac756e641a50da';
