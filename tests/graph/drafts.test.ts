// `turn=draft`: bid and statement in one answer. The highest bidder's statement is made; other players never learn the
// rest.
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { buildBidRows } from '../../deception/tables/game-rows.ts';
import { buildTables } from '../../deception/tables/match-tables.ts';
import { listEventsBefore, readForkPoints } from '../../graph/fork/fork-point.ts';
import { nameFork } from '../../graph/fork/fork-record.ts';
import { createForks, createForkSet, type PlannedFork } from '../../graph/fork/fork-set.ts';
import { replayMatch } from '../../graph/play-match.ts';
import { playMatches } from '../../graph/play-matches.ts';
import { readRecord } from '../../models/record/recorder.ts';
import { isTurn } from '../../state/steps/debate.ts';
import { createCalibratedBot } from '../../models/bots/calibrated.ts';
import { selectSeen } from '../../report/viewer/perspective.ts';
import { buildViewedMatch } from '../../report/viewer/viewed-match.ts';
import { renderTranscript } from '../../report/transcript.ts';
import { type GameEvent, isEventOfType } from '../../state/events.ts';
import type { Setup } from '../../state/game.ts';
import { recordFiles } from '../../state/record.ts';
import { canaries } from '../canaries.ts';
import { plusSetup } from '../plus-table.ts';
import { copyUnfinished, rewrite } from '../record-folder.ts';
import { listRulesBroken } from '../referee.ts';
import { createLegalAnswer, createScript, ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, play, playNodes, traceDeal } from '../table.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { recordWaves } from '../waves.ts';
import { itLong } from '../it-long.ts';

const middle = createBoard(2, 1, 1, 4);
const rule = { turn: 'draft', debateTurns: 3, maxRounds: 2 };
const setup = dealTable({ board: middle, rule, seed: 2 });

const listDrafts = (events: readonly GameEvent[]) => events.filter(isEventOfType('draft'));
const listDebate = (events: readonly GameEvent[]) =>
  events.filter(isEventOfType('statement')).filter(({ occasion }) => occasion === undefined);

describe('a match of drafts', () => {
  const { script, heard } = canaries();
  const model = new ScriptedModel(script);
  let events: readonly GameEvent[];
  beforeAll(async () => {
    ({ events } = await playNodes(setup, model));
  });

  it('has a statement of the highest bidder in each turn, in the words of the draft', () => {
    const statements = listDebate(events);
    expect(statements.length).toBeGreaterThan(3);
    for (const { id, by, round, text } of statements) {
      const bids = events.filter(isEventOfType('bid')).filter((bid) => `${bid.round}.${bid.step + 1}` === id);
      const highest = Math.max(...bids.map(({ bid }) => bid ?? -1));
      expect(bids.find((bid) => bid.by === by)!.bid).toBe(highest);
      expect(bids.length).toBeGreaterThan(3);
      const drafted = model.asked.filter(({ action, player }) => action === 'draft' && player === by);
      expect(drafted.some((question) => question.round === round)).toBe(true);
      expect(text).toMatch(/Canary/);
    }
    expect(model.asked.filter(({ action }) => ['bid', 'debate'].includes(action))).toEqual([]);
    expect(listRulesBroken(setup, events)).toEqual([]);
  });

  it('records what others would have said for the moderator alone', () => {
    const drafts = listDrafts(events);
    expect(drafts.length).toBeGreaterThan(10);
    for (const { audience, id, by } of drafts) {
      expect(audience).toBe('moderator');
      expect(events.filter(isEventOfType('statement')).find((said) => said.id === id)?.by).not.toBe(by);
    }
  });

  it('shows no draft that was not spoken to anybody, not even to its author', () => {
    const spoken = listDebate(events)
      .map(({ text }) => text)
      .join('\n');
    const unspoken = new Set(listDrafts(events).flatMap(({ text }) => text.match(/Canary\d+End/g) ?? []));
    expect(unspoken.size).toBeGreaterThan(10);
    for (const word of unspoken) expect(spoken).not.toContain(word);
    const shown = model.asked.map(({ messages }) => messages.map(({ content }) => content).join('\n')).join('\n');
    expect([...unspoken].filter((word) => shown.includes(word))).toEqual([]);
    expect(model.asked.flatMap(heard).some(({ action, field }) => action === 'draft' && field === 'statement')).toBe(
      true,
    );
  });

  it('asks for the bid before the statement, so that no text anchors it', () => {
    const { fields } = model.asked.find(({ action }) => action === 'draft')!;
    expect(Object.keys(fields)).toEqual(['reasoning', 'bid', 'statement']);
  });
});

it('waits for T + 4 answers a round, one more for ballots', async () => {
  const circle = createScript({
    vote: ({ player, alive }) => ({ vote: alive[(alive.indexOf(player) + 1) % alive.length] }),
  });
  for (const debateTurns of [1, 4]) {
    const one: Setup = dealTable({ board: createBoard(1, 1, 1, 3), rule: { ...rule, debateTurns }, seed: 2 });
    const { waves } = await recordWaves((model) => playNodes(one, model), circle);
    expect(waves.filter(([question]) => question!.round === 1)).toHaveLength(debateTurns + 4 + 1);
  }
});

it('draws among all bidders if no draft can be read, and whoever is drawn is silent', async () => {
  const broken = new ScriptedModel((question) => (question.action === 'draft' ? 'Hm.' : createLegalAnswer(question)));
  const { events } = await playNodes(dealTable({ board: middle, rule: { ...rule, maxRounds: 1 } }), broken);
  const silences = events.filter(isEventOfType('silence'));
  expect(silences).toHaveLength(3);
  for (const { mark } of silences) expect(mark).toBe('fallback');
  expect(listDrafts(events)).toEqual([]);
});

it('a Sheriff opens each debate without a bid, and the other turns are drafted', async () => {
  const rules = { ...plusSetup.rules, debateOrder: 'bidding', debateTurns: 2, turn: 'draft' } as Setup['rules'];
  const model = new ScriptedModel((question) => createLegalAnswer(question));
  const { events, steps } = await traceDeal({ ...plusSetup, rules }, model);
  expect(events.some(({ type }) => type === 'elected')).toBe(true);
  expect(steps.join(' ')).toMatch(/debate \S*draft\S* speak/);
});

it('bots draft as they bid and speak, the record plays again, and the table of bids has the drafts', async () => {
  const played = await play({ model: 'bot:classic', rules: 'wolf', rule, seed: 3 });
  const drafts = listDrafts(played.events);
  expect(drafts.length).toBeGreaterThan(3);
  const again = await play({ model: 'bot:classic', rules: 'wolf', rule, seed: 3 });
  expect(again.events).toEqual(played.events);
  const record = { manifest: played.manifest, events: played.events, answers: played.lines };
  const rows = buildBidRows(record);
  expect(rows.filter((row) => !row.is_speaker && row.draft !== null)).toHaveLength(drafts.length);
  expect(rows.filter((row) => row.is_speaker).every((row) => row.draft === null)).toBe(true);
});

it('viewer and transcript show what others would have said, to whoever sees everything and to no player', async () => {
  const played = await play({ model: 'bot:classic', rules: 'wolf', rule, seed: 3 });
  const record = { manifest: played.manifest, events: played.events, answers: played.lines };
  const match = buildViewedMatch(record);
  const drafts = listDrafts(played.events);
  const shown = match.steps.flatMap(({ id, drafts: own = [] }) =>
    own.map(({ player, text }) => ({ id, player, text })),
  );
  expect(shown).toEqual(drafts.map(({ id, by, text }) => ({ id, player: by, text })));
  for (const viewer of ['public', ...match.players.map(({ name }) => name)])
    expect(match.steps.flatMap((step) => selectSeen(step, viewer)?.drafts ?? [])).toEqual([]);
  const text = renderTranscript(record);
  for (const { by, text: words } of drafts) expect(text).toContain(`${by} would have said: “${words}”`);
});

it('an unfinished match resumes from its recorded drafts and ends as it would have', async () => {
  const out = createTemporaryFolder();
  const plan = {
    board: createBoard(1, 1, 1, 3),
    rules: 'wolf',
    rule: { ...rule, maxRounds: 1 },
    seed: 3,
    model: 'bot:classic',
  };
  const whole = await play({ ...plan, out, id: 'whole' });
  const folder = copyUnfinished(whole.folder!, path.join(out, 'half'));
  rewrite(folder, recordFiles.answers, (text) => {
    const lines = text.trimEnd().split('\n');
    const first = lines.findIndex((line) => line.includes('"action":"draft"'));
    return `${lines.slice(0, first + 2).join('\n')}\n`; // some bidders of the first turn have answered
  });
  const { events, live, lines } = await play({ ...plan, out, id: 'half' });
  expect(events).toEqual(whole.events);
  expect(lines.length - live.length).toBeGreaterThan(2);
  expect(live.filter(({ action }) => action === 'draft').length).toBeGreaterThan(3);
});

itLong(
  'is forked at a draft: what the others drafted and the bid stay, and only the speaker’s words change',
  async () => {
    const out = createTemporaryFolder();
    const plan = {
      board: createBoard(1, 1, 1, 3),
      rules: 'wolf',
      rule: { ...rule, maxRounds: 1 },
      seed: 3,
      model: 'bot:classic',
    };
    const { folder, events } = await play({ ...plan, out, id: 'drafted' });
    const [statement] = listDebate(events).slice(1);
    const { by, id } = statement!;
    const [point] = await readForkPoints(folder!, [id]);
    expect([point!.prompt.view.me, point!.prompt.action, point!.answered[0].player]).toEqual([by, 'draft', by]);
    const beside = point!.before.filter(({ action, step }) => action === 'draft' && step === point!.answered[0].step);
    expect(beside.map(({ player }) => player).sort()).toEqual(
      listDrafts(events).filter((draft) => draft.id === id).map((draft) => draft.by).sort(), // prettier-ignore
    );
    const forks = (['keep', 'say', 'silence', 'honest', 'resample'] as const).map((arm): PlannedFork => ({
      of: { match: 'drafted', statement: id, arm, ...(arm === 'say' && { text: 'I am, in fact, calm.' }), copy: 1 },
      ...{ folder: folder!, isCut: true },
    }));
    const [first, ...others] = forks;
    await createForks(forks, out, { env: {}, now: 0, nameModel: (model) => model });
    await playMatches(
      createForkSet([first!, ...others], (model) => model),
      { out, env: {} },
    );
    const beginning = listEventsBefore(events, id);
    const bid = events
      .filter(isEventOfType('bid'))
      .find((one) => one.by === by && `${one.round}.${one.step + 1}` === id);
    for (const { of } of forks) {
      const fork = readRecord(path.join(out, nameFork(of)));
      expect(fork.manifest.fork_of?.draft).toEqual({ by, bid: bid!.bid });
      expect(listEventsBefore(fork.events, id)).toEqual(beginning);
      expect(beginning).toContainEqual(bid);
      const turn = fork.events.find((event) => isTurn(event) && event.id === id);
      expect(turn).toMatchObject({ by, type: of.arm === 'silence' ? 'silence' : 'statement' });
      if (turn?.type === 'statement' && of.arm === 'keep') expect(turn.text).toBe(statement!.text);
      if (turn?.type === 'statement' && of.arm === 'say') expect(turn.text).toBe(of.text);
      expect(listDrafts(fork.events).filter((draft) => draft.id === id)).toEqual(
        listDrafts(events).filter((draft) => draft.id === id),
      );
      const asked = fork.answers.filter(({ forked }) => forked === undefined);
      expect(
        asked.filter(({ action, step, round }) => action === 'draft' && `${round}.${step + 1}` === id),
      ).toHaveLength(of.arm === 'honest' || of.arm === 'resample' ? 1 : 0);
      await replayMatch(path.join(out, nameFork(of)));
    }
  },
);

it.each([0, 1])(
  'planted lies at a rate of %i are found in what was said, and drafts are no statements',
  async (lie) => {
    const rates = { lie, chatter: 0, hit: 1, falseAlarm: 0, admission: 0, missing: { lie: 0, other: 0 }, icc: 0 };
    const model = createCalibratedBot(rates, 5, () => lie === 1);
    const played = await play({
      model,
      rules: 'wolf@1',
      rule: { ...rule, maxRounds: 1, analyzeBallots: false },
      seed: 5,
    });
    const drafts = listDrafts(played.events);
    expect(drafts.length).toBeGreaterThan(10);
    const { statements } = buildTables({ manifest: played.manifest, events: played.events, answers: played.lines });
    const said = statements.filter(({ kind }) => kind === 'debate');
    expect(said).toHaveLength(3);
    const hasSpecialRole = ({ role }: (typeof said)[number]) => role !== 'Villager';
    expect(said.filter((row) => hasSpecialRole(row) || lie === 1).every((row) => row.is_lie === (lie === 1))).toBe(
      true,
    );
  },
);
