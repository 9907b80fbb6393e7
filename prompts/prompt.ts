// What a prompt is: messages, the shape of the answer and the legal choices, made from a View by a pure function.
import { z } from 'zod';
import { draw, type RandomSource } from '../state/random.ts';
import type { View } from '../state/view.ts';
import type { Family } from './shapes.ts';

export interface Prompt<Answer = unknown> {
  action: string;
  /** All that it was made from; `view.me` is the player who is asked. */
  view: View;
  /** Tells it from others of the same action in the same round: see `View.step`. */
  step: number;
  /** Rules, terms and shapes of answers, then names and role: the same in all prompts of a player and a family. */
  system: string;
  /** What the player has seen (append-only within a round), what is remembered of earlier matches, then the question. */
  user: string;
  /** `user` without so many of the events that the player has seen: see `listTrimmedEvents`. */
  without(count: number): string;
  /** Reads the answer. */
  answer: z.ZodType<Answer>;
  /** The same as a JSON schema, strict: every property required, no others. */
  schema: Record<string, unknown>;
  /** The shape of the answer in words, where it is not the last part of the prompt. */
  shape?: string;
  /**
   * The family of the question, with one JSON schema for the answers to all its questions, and `system` without the shapes that
   * stand in that schema; absent for a question that is not of a match, or whose fields stand in an order of their own.
   */
  family?: {
    name: Family;
    schema: Record<string, unknown>;
    system: string;
    /** Names in the schema of the family → names of the question's own fields, where they differ. */
    names: Readonly<Record<string, string>>;
  };
  /** Names of the fields of the answer that other players hear or read. */
  heard: readonly string[];
  /** Legal targets in seat order; empty where the answer names nobody. */
  choices: readonly string[];
  /** Whether the answer decides something or is speech; the rules may set a temperature for each. */
  kind: 'choice' | 'talk';
  /** What is put in place of an answer that could not be read, always marked; absent: the answer is missing. */
  fallback?: (draw: RandomSource) => Answer;
}

/**
 * How the prompt of an action is made from a View. `Matter` is what else it is about, e.g. the statement to analyse.
 *
 * @example vote.put(createView(game, 'Ginger'), draw(seed, 'options', 'Ginger')).user
 */
export interface Question<Answer, Matter = void> {
  action: string;
  /** `draw` orders the options, so that no place in a list is favoured. */
  put(view: View, draw: RandomSource, matter: Matter): Prompt<Answer>;
}

/**
 * The draw that orders the options of a player's questions. It is the same for a whole round: an order of names is part of
 * the answer's schema, which servers prepare once for each.
 *
 * @example drawOptions(1, 2, 'Ginger').shuffle(['Dan', 'Leah'])
 */
export const drawOptions = (seed: number, round: number, player: string): RandomSource =>
  draw(seed, 'options', round, player);

/** An answer of any shape, where only the act of asking matters. */
export type AnyPrompt = Prompt<unknown>;

/**
 * SHA-256 over the words of sample prompts of every action and role, which tests render and hold to this value: it
 * stands in the manifest, so that matches played with other words can be told apart.
 */
export const templatesHash = '0e4a9a0a0037533be95958d4a1f4993a9076d2435ca22d9789395fa1806832b6';
