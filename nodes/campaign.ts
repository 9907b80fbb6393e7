// One of those who stand for Sheriff speaks.
import { campaign as question } from '../prompts/election.ts';
import { campaigners } from '../state/election.ts';
import type { Node } from './node.ts';
import { speak } from './speak.ts';

export const campaign: Node = (game, door) =>
  speak(game, door, { speaker: campaigners(game)[0]!, question, occasion: 'campaign' });
