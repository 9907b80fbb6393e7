// Small talk: questions and remarks that accuse nobody, each true at the moment it is made.
import type { Draw } from '../../../state/draw.ts';
import { remarks } from './remark-phrases.ts';
import { dayName } from './reasons.ts';
import type { Scene } from './scene.ts';
import { question, remark, type Part } from './parts.ts';

/** A remark about the state of the game. */
export function observation(scene: Scene, draw: Draw): Part {
  const { view, testimony } = scene;
  const last = view.round - 1;
  const victim = testimony.deaths.findLast(({ cause, round }) => cause === 'night' && round === view.round);
  const day = dayName(last, view);
  const slots = {
    n: String(view.alive.length),
    m: String(Math.floor(view.alive.length / 2) + 1),
    day,
    Day: day[0]!.toUpperCase() + day.slice(1),
    ...(victim ? { X: victim.player } : {}),
  };
  const fitting = [
    ...remarks.always,
    ...(victim ? remarks.victim : []),
    ...(testimony.quietNights.includes(view.round) ? remarks.quiet : []),
    ...(testimony.spared.includes(last) ? remarks.spared : []),
    ...(view.rules.exile === 'majority' && scene.sheriff === null ? remarks.majority : []),
    ...(view.rules.ballots === 'public' && last > 0 ? remarks.ballots : []),
    ...(view.round === 1 ? remarks.firstDay : []),
  ];
  return remark(draw.shuffle(fitting).slice(0, 6), slots);
}

/**
 * A question to somebody who has something to answer: the silent, the accused, or somebody about a vote or a player.
 * Nobody in `except` is asked, nor who has just spoken.
 */
export function inquiry(scene: Scene, draw: Draw, except: readonly string[] = []): Part {
  const { view, todays, testimony } = scene;
  const open = scene.others.filter((name) => !except.includes(name) && name !== todays.at(-1)?.by);
  const all = open.length > 0 ? open : scene.others;
  const silent = all.filter((name) => !todays.some(({ by }) => by === name));
  const named = all.filter((name) => scene.accusersOf(name).length > 0);
  const target = draw.pick(silent.length > 0 && draw.fraction() < 0.7 ? silent : named.length > 0 ? named : all);
  const vote = testimony.votes.findLast(({ by, round }) => by === target && round < view.round);
  if (vote && vote.target !== scene.me && vote.target !== target && draw.fraction() < 0.35)
    return question(target, 'askVote', { X: vote.target, day: dayName(vote.round, view) });
  if (named.includes(target) && silent.includes(target)) return question(target, 'askNamed');
  if (silent.includes(target) && todays.length >= 3 && view.rules.debateOrder === 'bidding')
    return question(target, 'askSilent');
  const topics = scene.others.filter((name) => name !== target && scene.accusersOf(name).length > 0);
  return topics.length > 0 && draw.fraction() < 0.6
    ? question(target, 'askAbout', { X: draw.pick(topics) })
    : question(target, 'ask');
}
