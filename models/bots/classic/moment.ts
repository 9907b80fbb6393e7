// A moment: one question to the player, with all that it is answered from.
import type { Draw } from '../../../state/draw.ts';
import type { AnyPrompt } from '../../../prompts/prompt.ts';
import type { Meant } from '../../model.ts';
import type { Scene } from './scene.ts';

/** How a bot plays, both 0…1. */
export interface Character {
  /** The share of a Werewolf's statements that are deceptive. */
  lie: number;
  /** The skill of judging others' statements: 1 is all evidence, 0 a toss. */
  detect: number;
}

export interface Moment {
  scene: Scene;
  prompt: AnyPrompt;
  options: Character;
  draw: Draw;
}

/** What a question is answered with; fields that the prompt does not ask for are left out. */
export interface Reply {
  fields: Readonly<Record<string, unknown>>;
  meant?: Meant;
}
