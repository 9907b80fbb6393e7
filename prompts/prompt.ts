// A prompt: messages, the shape of the answer and the legal choices, made from a View by a pure function.
import { z } from 'zod';
import { draw, type RandomSource } from '../state/random.ts';
import type { View } from '../state/view.ts';
import type { Family } from './shapes.ts';

export interface Prompt<Answer = unknown> {
  action: string;
  /** The View from which it was made; `view.me` is the player who is asked. */
  view: View;
  /** Distinguishes prompts with the same action in the same round: see `View.step`. */
  step: number;
  /**
   * System message: rules, terms and shapes of answers, then names and role. Equal in all prompts of a player and a
   * family.
   */
  system: string;
  /**
   * User message: what the player has seen (append-only within a round), experiences of earlier matches, then the
   * question.
   */
  user: string;
  /** The question alone, one string per line, as a person reads it; absent for questions outside of matches. */
  task?: readonly string[];
  /** Returns `user` without this many of the events that the player has seen: see `listTrimmedEvents`. */
  without(count: number): string;
  /** Parses the answer. */
  answer: z.ZodType<Answer>;
  /** The answer's strict JSON schema: every property required, no others. */
  schema: Record<string, unknown>;
  /** The shape of the answer in words, if it is not the last part of the prompt. */
  shape?: string;
  /**
   * The question's family, with one JSON schema for the answers to all its questions, and `system` without the shapes
   * in that schema. Absent for a question that is not part of a match, or whose fields have a special order.
   */
  family?: {
    name: Family;
    schema: Record<string, unknown>;
    system: string;
    /** Names in the schema of the family → names of the question's own fields, if they differ. */
    names: Readonly<Record<string, string>>;
  };
  /** Names of the answer's fields that other players hear or read. */
  heard: readonly string[];
  /** Legal targets in seat order; empty if the answer names nobody. */
  choices: readonly string[];
  /** Whether the answer is a decision or speech; the rules may set a temperature for each. */
  kind: 'choice' | 'talk';
  /** Whether a fork has told the player to be honest in this answer; see `addHonestInstruction`. */
  isHonest?: true;
  /**
   * Draws the replacement of an unreadable answer, which is always marked. If absent, the answer is recorded as
   * missing.
   */
  fallback?: (draw: RandomSource) => Answer;
}

/**
 * Makes the prompt of an action from a View. `Matter`: further subject of the question, e.g. the statement to analyze.
 *
 * @example vote.put(createView(game, 'Ginger'), draw(seed, 'options', 'Ginger')).user
 */
export interface Question<Answer, Matter = void> {
  action: string;
  /** `draw` orders the options, so that no place in a list is favored. */
  put(view: View, draw: RandomSource, matter: Matter): Prompt<Answer>;
}

/**
 * Returns the draw that orders the options of a player's questions. It is constant for a round: the order of names is
 * part of the answer's schema, and servers prepare each schema once.
 *
 * @example drawOptions(1, 2, 'Ginger').shuffle(['Dan', 'Leah'])
 */
export const drawOptions = (seed: number, round: number, player: string): RandomSource =>
  draw(seed, 'options', round, player);

/** A prompt with any answer, where only the asking matters. */
export type AnyPrompt = Prompt<unknown>;

/**
 * SHA-256 over the words of sample prompts of every action and role. Tests compare it with the current prompts. The
 * manifest stores it, so that matches played with other words can be recognized.
 */
export const templatesHash = '00d55a926fe0508b2d1d9dcbd1f2398f047b028b4babbc581020c300b1f7b938';
