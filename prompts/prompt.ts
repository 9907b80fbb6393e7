// A prompt: messages, the shape of the answer and the legal choices, made from a View by a pure function.
import { z } from 'zod';
import { draw, type RandomSource } from '../state/random.ts';
import type { View } from '../state/view.ts';
import type { Family } from './shapes.ts';

export interface Prompt<Answer = unknown> {
  action: string;
  /** The View from which the prompt was made. `view.me` is the player who is asked. */
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
  /** Strict JSON schema of the answer: every property is required, and no others are allowed. */
  schema: Record<string, unknown>;
  /** Description of the answer's shape. Absent if it is the last part of the prompt. */
  shape?: string;
  /**
   * The question's family: one JSON schema for the answers to all its questions, and the system messages that go with
   * this schema. Absent for a question that is not part of a match, or whose fields have a special order.
   */
  family?: {
    name: Family;
    schema: Record<string, unknown>;
    /** System message for models that read the schema, without the shapes that the schema describes. */
    system: string;
    /** System message for models that may not read the schema, with the shapes of the schema. */
    described: string;
    /**
     * Names that fields have in the schema of the family → names in this question. Only names that differ are listed.
     */
    names: Readonly<Record<string, string>>;
  };
  /** Names of the answer's fields that other players hear or read. */
  heard: readonly string[];
  /** Legal targets in seat order; empty if the answer names nobody. */
  choices: readonly string[];
  /** Whether the answer is a decision or a speech. The rules may set a temperature for each kind. */
  kind: 'choice' | 'talk';
  /** Whether a fork has told the player to be honest in this answer; see `addHonestInstruction`. */
  isHonest?: true;
  /**
   * Draws a replacement for an unreadable answer; the record always marks it. If absent, the answer is recorded as
   * missing.
   */
  fallback?: (draw: RandomSource) => Answer;
}

/**
 * Makes the prompt of an action from a View. `Matter`: what else the question is about, e.g. the statement to analyze.
 *
 * @example vote.put(createView(game, 'Ginger'), draw(seed, 'options', 'Ginger')).user
 */
export interface Question<Answer, Matter = void> {
  action: string;
  /** Composes the prompt. `draw` orders the options at random, so that no place in a list has an advantage. */
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

/** A prompt, for code that does not need the type of its answer. */
export type AnyPrompt = Prompt<unknown>;

/**
 * SHA-256 over the words of sample prompts of every action and role; a test compares it with the current prompts.
 * Manifests store it, so that matches with different wording can be recognized.
 */
export const templatesHash = '15d35a9cb630665dbf7e8dd3dcc41eaddcbf2bc1ca2c301ecabcde27855c9f15';
