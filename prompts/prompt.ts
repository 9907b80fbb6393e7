// What a prompt is: messages, the shape of the answer and the legal choices, made from a View by a pure function.
import { z } from 'zod';
import type { Draw } from '../state/random.ts';
import type { View } from '../state/view.ts';

export interface Prompt<Answer = unknown> {
  action: string;
  /** Whose eyes it was made from; `view.me` is who is asked. */
  view: View;
  /** Of the same action in the same round, the one that is meant: see `View.step`. */
  step: number;
  /** Rules and role: the same in all prompts of a player. */
  system: string;
  /** What the player has seen (append-only within a round), then the task of the moment. */
  user: string;
  /** `user` shortened by so many pieces of what the player has seen: see `listTrimmedEvents`. */
  without(count: number): string;
  answer: z.ZodType<Answer>;
  /** JSON schema of the answer, strict: every property required, no others. */
  schema: Record<string, unknown>;
  /** Legal targets in seat order; empty where the answer names nobody. */
  choices: readonly string[];
  /** Whether the answer decides something or is speech; the rules may set a temperature for each. */
  kind: 'choice' | 'talk';
  /** What stands in for an answer that could not be had, always marked; absent: the answer is missing. */
  fallback?: (draw: Draw) => Answer;
}

/** A kind of prompt. `Matter` is what else the question is about, e.g. the statement to analyse. */
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
export const templatesHash = 'f08ee642ae615aa8744cec86c354ab681e443c3b54d443860026be020b6b90fd';
