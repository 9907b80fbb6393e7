// Validates forks by simulation. In some studies, players' draws depend on every word of their prompts, but not on the
// meaning. In others, players follow an accusation at a planted rate.
import { createHash } from 'node:crypto';
import { estimateEffects } from '../../deception/forks/estimate-effects.ts';
import { readForkOutcome } from '../../deception/forks/fork-outcome.ts';
import type { ForkedStatement } from '../../deception/forks/forked-statement.ts';
import type { OutcomeName } from '../../deception/forks/outcome-measures.ts';
import { drawLegalAnswer } from '../../models/bots/random.ts';
import type { ModelClient } from '../../models/model-client.ts';
import { matchNodes } from '../../nodes/index.ts';
import type { AnyPrompt, Prompt } from '../../prompts/prompt.ts';
import { readBoard } from '../../state/boards.ts';
import { createGame, deal } from '../../state/deal.ts';
import type { GameEvent } from '../../state/events.ts';
import { addEvents, defaultPlan, type Game, type Setup } from '../../state/game.ts';
import { transitions } from '../../state/phases.ts';
import { draw } from '../../state/random.ts';
import type { Manifest } from '../../state/record.ts';
import { readRules } from '../../state/rulebook.ts';
import type { GameChange } from '../../state/steps/step.ts';
import { chooseNextSpeaker } from '../../state/steps/debate.ts';
import { testWithinBounds, promisedBounds } from './measurement-validation.ts';

/** A planted effect, and the number of studies that estimate it. */
export interface ForkTrial {
  /** Probability with which a listener votes for the player whom the first statement accuses. */
  p: number;
  /** Number of statements in a study. Each statement comes from a different deal. */
  statements: number;
  repetitions: number;
  seed: number;
}

/** How often an outcome's interval contains the planted effect. */
export interface ForkFinding extends ForkTrial {
  outcome: OutcomeName;
  /** Means, over all studies, of the planted effect and of the estimates. */
  planted: number;
  found: number;
  covered: number;
  /** Number of studies without an interval. */
  without: number;
}

const board = readBoard(defaultPlan.board);
const neutral = 'Let us first hear what the others think.';

/** Rules with few questions: the statement, then the vote. Nothing is analyzed. */
const quickRules = { analysis: 'off', beliefs: 'off', debateTurns: 1, exile: 'plurality', maxRounds: 1 } as const;

/**
 * Creates a client whose answers depend on the hash of all words of a prompt. A share `p` of ballots is for the accused
 * player instead.
 */
function createHashClient(seed: number, p: number, said: { statement: string; accused: string } | null): ModelClient {
  const answer = (prompt: AnyPrompt): Record<string, unknown> => {
    const words = createHash('sha256').update(prompt.system).update(prompt.user).digest('hex');
    const chance = draw(seed, 'hash of the prompt', words, prompt.view.me);
    const isMoved = chance.fraction() < p;
    const drawn = drawLegalAnswer(prompt.schema, chance);
    if (said !== null && 'statement' in drawn && prompt.step === 0) return { ...drawn, statement: said.statement };
    const isFollowed = isMoved && prompt.action === 'vote' && said !== null && prompt.choices.includes(said.accused);
    return isFollowed ? { ...drawn, vote: said.accused } : drawn;
  };
  return {
    recall: () => Promise.resolve([]),
    ask: <Answer>(prompt: Prompt<Answer>) => Promise.resolve({ value: answer(prompt) as Answer }),
  };
}

interface Played {
  game: Game;
  events: readonly GameEvent[];
  /** The nodes that run next. */
  wave: readonly string[];
}

/** Plays until the given node is next. */
async function playUntil(from: Played, client: ModelClient, end: string): Promise<Played> {
  let { game, wave } = from;
  const events = [...from.events];
  while (!wave.includes(end)) {
    const before = game;
    const outcomes = await Promise.all(wave.map(async (node) => matchNodes[node]?.(before, client)));
    for (const outcome of outcomes) {
      if (outcome === undefined) continue;
      events.push(...outcome.events);
      game = addEvents(applyChange(game, outcome.change), outcome.events);
    }
    wave = transitions[wave[0] ?? '']?.next(game).toSorted() ?? [end];
  }
  return { game, events, wave };
}

const applyChange = (game: Game, { intents, ...change }: GameChange): Game => ({
  ...game,
  ...(change as Partial<Game>), // nothing is analyzed, so only the list of intents grows
  intents: [...game.intents, ...((intents ?? []) as Game['intents'])],
});

const createManifest = (setup: Setup): Pick<Manifest, 'setup'> & { id: string } => ({
  id: `deal-${setup.seed}`,
  setup: { ...setup, honesty_sentence: null, models: {}, bots: [], cut_after_round: 1 },
});

/** The match of each deal up to its first statement. All studies share these, so they are played once. */
const mornings = new Map<number, Promise<Played>>();

const findMorning = (seed: number): Promise<Played> => {
  const setup = deal({ board, rules: readRules('wolf', quickRules, { board }), seed });
  const start: Played = { game: createGame(setup), events: [], wave: ['start_round'] };
  const morning = mornings.get(seed) ?? playUntil(start, createHashClient(seed, 0, null), 'debate');
  mornings.set(seed, morning);
  return morning;
};

/**
 * Forks the first statement of a deal: one fork accuses a player, the other is a neutral sentence. `salt`: key of all
 * players' draws. Returns null if nobody speaks. `planted`: the planted effect p(1 − q), where q is the probability of
 * a vote for the target without the accusation.
 */
async function forkOnce(
  seed: number,
  salt: number,
  p: number,
): Promise<{ statement: ForkedStatement; planted: number } | null> {
  const morning = await findMorning(seed);
  const { setup } = morning.game;
  const { game, events } = morning;
  const speaker = chooseNextSpeaker(game);
  const others = game.alivePlayers.filter((name) => name !== speaker);
  const target = draw(salt, 'accused').pick(others);
  const seat = setup.players.find(({ name }) => name === speaker);
  if (seat === undefined) return null;
  const manifest = createManifest(setup) as Manifest;
  const play = async (said: string, accused: string | null) => {
    const client = createHashClient(salt, accused === null ? 0 : p, { statement: said, accused: accused ?? '' });
    const played = await playUntil({ game, events, wave: ['debate'] }, client, 'check_winner_day');
    return readForkOutcome({ manifest, events: played.events }, '1.1');
  };
  const arms = [
    { arm: 'keep', kind: 'keep', outcome: await play(`${target} is lying to us.`, target) },
    { arm: 'neutral', kind: 'neutral', outcome: await play(neutral, null) },
  ] as const;
  return {
    planted: p * (1 - 1 / (game.alivePlayers.length - 1)),
    statement: {
      ...{ match: manifest.id, folder: '', statement: '1.1', deal: manifest.id, round: 1, speaker, role: seat.role },
      ...{
        team: seat.team,
        model: 'simulated',
        text: '',
        verdict: null,
        claims: ['accusation'],
        target,
        unknowing: null,
      },
      forks: arms.map((one) => ({ ...one, copy: 1, hasLied: null })),
    },
  };
}

/** Lists the outcomes that the studies of a trial measure. */
const listOutcomes = ({ p }: ForkTrial): readonly OutcomeName[] =>
  p === 0 ? ['votes_against_target', 'votes_against_speaker', 'speaker_exiled'] : ['votes_against_target'];

/**
 * Simulates studies, and counts the studies whose interval contains the planted effect.
 *
 * @example (await measureForkStudies({ p: 0, statements: 30, repetitions: 100, seed: 1 }))[0]!.covered // about 95
 */
export async function measureForkStudies(
  trial: ForkTrial,
  onStudy: () => void = () => undefined,
): Promise<ForkFinding[]> {
  const found = listOutcomes(trial).map((outcome): ForkFinding => ({
    ...{ ...trial, outcome, planted: 0, found: 0, covered: 0, without: 0 },
  }));
  for (let study = 0; study < trial.repetitions; study++) {
    const statements: ForkedStatement[] = [];
    let planted = 0;
    for (let place = 0; place < trial.statements; place++) {
      const salt = draw(trial.seed, 'fork study', study, place).integer(2 ** 30);
      const one = await forkOnce(place + 1, salt, trial.p);
      if (one === null) continue;
      statements.push(one.statement);
      planted += one.planted / trial.statements;
    }
    const { effects } = estimateEffects(statements);
    for (const finding of found) {
      const effect = effects.find(({ outcome }) => outcome === finding.outcome);
      finding.planted += planted / trial.repetitions;
      finding.found += (effect?.effect ?? 0) / trial.repetitions;
      if (effect?.low == null || effect.high === null) finding.without += 1;
      else if (effect.low <= planted && planted <= effect.high) finding.covered += 1;
    }
    onStudy();
  }
  return found;
}

/** Whether coverage is below the promise, by an exact test at 5%. */
export const isForkPromiseBroken = ({ covered, repetitions, without }: ForkFinding): boolean =>
  testWithinBounds(covered, repetitions - without, promisedBounds.coverage) < 0.05;

/** Lists the trials of a validation. */
export const listForkTrials = (repetitions: number): ForkTrial[] =>
  [0, 0.4].map((p) => ({ p, statements: 30, repetitions, seed: 1 }));

/** Renders the findings as a page of Markdown. */
export function renderForkValidation(findings: readonly ForkFinding[], [first]: readonly ForkTrial[]): string {
  const rows = findings.map(
    ({ p, outcome, planted, found, covered, repetitions, without }) =>
      `| ${p === 0 ? 'null' : `p = ${p}`} | ${outcome} | ${planted.toFixed(3)} | ${found.toFixed(3)} | ${((100 * covered) / (repetitions - without)).toFixed(1)} % |`,
  );
  return `## Forks

Made by \`npm run validate -- --forks --out FOLDER\`: ${first?.repetitions ?? 0} simulated studies of each kind, of ${first?.statements ?? 0} statements of as many deals. Players draw their answers by a hash of every word of the prompt, so that any other statement gives other draws. In the null studies they have no preference for what a prompt says: the effect is 0. In the planted studies a listener votes for the player whom the statement accuses with probability p, otherwise as before: the effect is p(1 − q), with q the chance of that vote without the accusation. Coverage is the share of 95 % intervals that hold the planted effect; promised are 94 % to 96 %.

| Players | Outcome | Planted | Mean estimate | Coverage |
| :-- | :-- | --: | --: | --: |
${rows.join('\n')}
`;
}
