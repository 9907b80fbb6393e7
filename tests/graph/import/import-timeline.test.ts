// Games of Kaggle's Game Arena: their events, their differences from the project's rules, commands that read them, and
// files that are refused.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { listAnnotationItems } from '../../../graph/annotation/annotate-statements.ts';
import { listJudgeItems, listStatementMoments } from '../../../graph/annotation/llm-judge-items.ts';
import { importMatches } from '../../../graph/import/import-match.ts';
import { buildConversation } from '../../../models/context-trimming.ts';
import { readKeptAnswers } from '../../../models/record/annotation-log.ts';
import { readRecord } from '../../../models/record/recorder.ts';
import { GameEvent, isEventOfType } from '../../../state/events.ts';
import { createGame } from '../../../state/deal.ts';
import { addEvents } from '../../../state/game.ts';
import { createView } from '../../../state/view.ts';
import { openOpenaiServer } from '../../openai-server.ts';
import { legally, reaching } from '../../scripts/local-model.ts';
import { run } from '../../scripts/process.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';
import { createPublished, days, nights, tellDay, tellEnd, tellNight, whole } from './published-game.ts';
import { itLong } from '../../it-long.ts';

const out = createTemporaryFolder();
let folders = 0;

/** A folder of files; values that are not strings become JSON. */
function writeFolder(files: Readonly<Record<string, unknown>>): string {
  const folder = path.join(out, `games-${++folders}`);
  mkdirSync(folder);
  for (const [name, contents] of Object.entries(files))
    writeFileSync(path.join(folder, name), typeof contents === 'string' ? contents : JSON.stringify(contents));
  return folder;
}

const importOne = (game: unknown) => importMatches('kaggle-timeline', [writeFolder({ '1.json': game })], 0).matches[0]!;

const importTold = (timeline: readonly unknown[], winner = 'Werewolves') =>
  importOne(createPublished(timeline, { winner }));

const listTexts = ({ report }: ReturnType<typeof importOne>) =>
  report.differences.map(({ round, phase, kind, text }) => `${round} ${phase} ${kind}: ${text}`);

describe('a game that followed the rules', () => {
  const match = importOne(whole);
  const { events, manifest, report } = match;

  it('has nothing that is different', () => {
    expect(report).toMatchObject({ format: 'kaggle-timeline', source: '1', differences: [], uncounted_ballots: [] });
    expect(Object.keys(report.files)).toEqual(['1.json']);
  });

  it('gives events as a match has them, with night 0 in round 1', () => {
    for (const event of events) expect(GameEvent.parse(event)).toEqual(event);
    const skipped = new Set(['dealt', 'acquainted', 'thought', 'ballot', 'statement']);
    expect(
      events.filter(({ type }) => !skipped.has(type)).map(({ type, round }) => `${round} ${type}`),
    ).toEqual([
      ...['1 round_started', '1 proposal', '1 proposal', '1 pick', '1 acted', '1 acted', '1 learned', '1 death', '1 death'],
      ...['2 round_started', '2 proposal', '2 proposal', '2 pick', '2 acted', '2 acted', '2 learned'],
      ...['2 quiet_night', '2 death', '3 round_started', '3 pick', '3 acted', '3 death', '3 death', '3 ended'],
    ]); // prettier-ignore
    expect(
      events.filter(isEventOfType('death')).map(({ round, cause, player, role }) => [round, cause, player, role]),
    ).toEqual([
      [1, 'night', 'Ginger', 'Villager'],
      [1, 'exile', 'Scott', 'Villager'],
      [2, 'exile', 'Paul', 'Werewolf'],
      [3, 'night', 'Dan', 'Seer'],
      [3, 'exile', 'Leah', 'Werewolf'],
    ]);
    expect(events.filter(isEventOfType('learned')).map(({ by, about, role }) => [by, about, role])).toEqual([
      ['Dan', 'Paul', 'Werewolf'],
      ['Dan', 'Leah', 'Werewolf'],
    ]);
    expect(events.at(-1)).toMatchObject({ winner: 'villagers', reason: 'no Werewolf left' });
  });

  it('has every statement on one line and every ballot in the order in which it was cast', () => {
    const [first] = events.filter(isEventOfType('statement'));
    expect(first).toMatchObject({
      id: '1.1',
      by: 'Harold',
      text: 'Good morning. - Ginger is gone.',
      audience: 'everyone',
    });
    const ballots = events.filter(isEventOfType('ballot')).filter(({ round }) => round === 1);
    expect(ballots.map(({ by }) => by)).toEqual(['Harold', 'Jacob', 'Paul', 'Leah', 'Isaac', 'Dan', 'Scott']);
    expect(new Set(ballots.map(({ audience }) => audience))).toEqual(new Set(['everyone']));
  });

  it('has models in their seats, and the rules nearest to those of the original', () => {
    expect(manifest.setup.models).toMatchObject({ Ginger: 'model', Paul: 'wolf-model' });
    expect(manifest.setup.board.name).toBe('classic-8');
    expect(manifest.setup.rules).toMatchObject({
      ...{ exile: 'plurality', exileTies: 'random', reveal: 'role', ballots: 'public', pack: 'vote' },
      ...{ debateOrder: 'round-robin', debatePasses: 1, protectSelf: false, protectRepeat: false, memory: 'full' },
    });
    expect(manifest.imported).toEqual({ format: 'kaggle-timeline', source: '1' });
  });

  it('allows what the Doctor did', () => {
    const again = createPublished([
      ...tellNight(0, { heals: 'Isaac', kills: { Paul: 'Isaac' } }),
      ...tellNight(1, { heals: 'Isaac', kills: { Leah: 'Isaac' } }),
      ...tellDay(1, [], { Ginger: 'Paul' }),
      ...tellDay(2, [], { Ginger: 'Leah' }),
      tellEnd(2, 'Villagers', ['Ginger', 'Scott', 'Harold', 'Jacob', 'Isaac', 'Dan']),
    ]);
    const { manifest: of, report: said } = importOne(again);
    expect(of.setup.rules).toMatchObject({ protectSelf: true, protectRepeat: true });
    expect(said.differences).toEqual([]);
  });
});

it.each([
  ['himself once', ['Isaac', 'Dan', 'Jacob'], { protectSelf: true, protectRepeat: false }],
  ['somebody twice in a row, once', ['Dan', 'Jacob', 'Jacob'], { protectSelf: false, protectRepeat: true }],
  ['somebody twice, but not in a row', ['Dan', 'Jacob', 'Dan'], { protectSelf: false, protectRepeat: false }],
])('where the Doctor protected %s, the rules allow that and no more', (_what, healed, allowed) => {
  const told = healed.flatMap((heals, night) => [
    ...tellNight(night, { heals, kills: { Paul: heals, Leah: heals } }),
    ...tellDay(night + 1, [], { Ginger: ['Scott', 'Paul', 'Leah'][night]! }),
  ]);
  const { manifest } = importTold(
    [...told, tellEnd(3, 'Villagers', ['Ginger', 'Harold', 'Jacob', 'Isaac', 'Dan'])],
    'Villagers',
  );
  expect(manifest.setup.rules).toMatchObject(allowed);
});

it('a game of other roles gets a board of its own', () => {
  const players = whole.players.map((one) => (one.role === 'Doctor' ? { ...one, role: 'Villager' } : one));
  const timeline = [...tellNight(0, { kills: { Paul: 'Dan' } }), ...tellDay(1, [], { Paul: 'Isaac', Jacob: 'Isaac' })];
  const { manifest } = importOne(createPublished(timeline, { players, winner: 'Werewolves' }));
  expect(manifest.setup.board).toEqual({
    name: 'kaggle-timeline-8',
    roles: { Villager: 5, Werewolf: 2, Seer: 1 },
  });
});

describe('what is private', () => {
  const { events, manifest } = importOne(whole);
  /** Lists the players whose secrets a value contains. */
  const findOwners = (value: unknown) => [
    ...new Set([...JSON.stringify(value).matchAll(/Secret([A-Z][a-z]+)/g)].map(([, by]) => by!)),
  ];

  it('is all kept, each as a thought of its own player', () => {
    const thoughts = events.filter(isEventOfType('thought'));
    const listSecrets = (value: unknown) =>
      JSON.stringify(value)
        .match(/Secret\w+/g)!
        .sort();
    expect(listSecrets(thoughts)).toEqual(listSecrets(whole.timeline));
    for (const thought of thoughts)
      expect([findOwners(thought), thought.audience]).toEqual([[thought.by], [thought.by]]);
    expect(findOwners(events.filter((event) => event.type !== 'thought'))).toEqual([]);
  });

  it("stands in nobody else's view, and in no prompt of an annotator or a judge", () => {
    const game = addEvents(createGame(manifest.setup), [...events]);
    for (const { name } of manifest.setup.players)
      expect(findOwners(createView(game, name)).filter((owner) => owner !== name)).toEqual([]);
    const record = { manifest, events, answers: [] };
    const asked = [
      ...listAnnotationItems(record, { listeners: 'all' }),
      ...listJudgeItems(listStatementMoments(record)),
    ];
    expect(asked.length).toBeGreaterThan(20);
    for (const { prompt } of asked)
      expect(findOwners(buildConversation(prompt, 0)).filter((owner) => owner !== prompt.view.me)).toEqual([]);
    for (const { prompt } of listJudgeItems(listStatementMoments(record)))
      expect(findOwners(buildConversation(prompt, 0))).toEqual([]);
  });
});

describe('where a game left the rules or its files are unclear', () => {
  const survivors = ['Harold', 'Jacob', 'Isaac'];

  it('an act that stands under a night that never was is of the one before', () => {
    const { events, report } = importTold([
      ...tellNight(0, { kills: { Paul: 'Ginger', Leah: 'Ginger' } }),
      ...tellDay(1, [['Dan', 'Hello.']], { Dan: 'Scott', Isaac: 'Scott' }),
      ...tellNight(1, { kills: { Paul: 'Harold' } }),
      ...tellNight(2, { kills: { Leah: 'Harold' }, picked: null }),
      ...tellDay(2, [], { Paul: 'Jacob', Leah: 'Jacob', Dan: 'Jacob' }),
      tellEnd(2, 'Werewolves', ['Paul', 'Leah', 'Isaac', 'Dan']),
    ]);
    expect(report.differences.map(({ round, kind, text }) => [round, kind, text])).toEqual([
      [2, 'date', "The original lists Leah's act (eliminate) under night 2; it is imported as an act of night 1."],
    ]);
    expect(events.filter(isEventOfType('proposal')).map(({ round, by }) => `${round} ${by}`)).toEqual(
      ['1 Paul', '1 Leah', '2 Paul', '2 Leah'],
    ); // prettier-ignore
  });

  it('of two acts of a player in one night the first is of the night before', () => {
    const late = nights[1]!.map((entry) => (entry['player'] === 'Leah' ? { ...entry, day: 2 } : entry));
    const { report } = importOne(
      createPublished([...nights[0]!, ...late, ...days.flat(), ...nights[2]!, tellEnd(3, 'Villagers', survivors)]),
    );
    expect(report.differences.map(({ round, kind }) => [round, kind])).toEqual([[2, 'date']]);
  });

  it('a pack that differed picks whom the moderator announced', () => {
    const differing = tellNight(0, { kills: { Paul: 'Ginger', Leah: 'Jacob' }, picked: 'Ginger', heals: 'Dan', checks: 'Paul' }); // prettier-ignore
    const match = importOne(
      createPublished([...differing, ...nights[1]!, ...nights[2]!, ...days.flat(), tellEnd(3, 'Villagers', survivors)]),
    );
    expect(listTexts(match)).toEqual([
      '1 night act: The Werewolves disagreed (Paul Ginger, Leah Jacob) and did not propose a second time, as the rules require. Recorded as picked: Ginger.',
    ]);
    expect(match.events.filter(isEventOfType('pick'))[0]).toMatchObject({
      target: 'Ginger',
      audience: ['Paul', 'Leah'],
    });
    expect(match.events.filter(isEventOfType('death'))[0]).toMatchObject({ player: 'Ginger', cause: 'night' });
  });

  it.each(['Scott', 'Harold'])('of two who were tied the one is exiled who was not there afterwards (%s)', (gone) => {
    const stays = gone === 'Scott' ? 'Harold' : 'Scott';
    const match = importTold([
      ...tellNight(0, { kills: { Paul: 'Ginger', Leah: 'Ginger' } }),
      ...tellDay(1, [], { Dan: 'Scott', Isaac: 'Harold' }),
      ...tellNight(1, { kills: { Paul: 'Dan', Leah: 'Dan' } }),
      ...tellDay(2, [[stays, 'Hello.']], { [stays]: 'Jacob' }),
      tellEnd(2, 'Werewolves', ['Paul', 'Leah', 'Isaac', stays]),
    ]);
    expect(listTexts(match)).toEqual([]);
    expect(match.events.filter(isEventOfType('death'))[1]).toMatchObject({ player: gone, cause: 'exile' });
  });

  it('acts, statements and ballots of players who had left do not count, and are told', () => {
    const announce = (day: number, phase: string, data: object) => ({ type: 'announcement', day, phase, data });
    const match = importTold([
      ...tellNight(0, { kills: { Paul: 'Dan' } }),
      announce(0, 'Night', { eliminated_player_id: 'Dan' }),
      ...tellDay(1, [], { Jacob: 'Harold', Scott: 'Isaac', Dan: 'Isaac', Paul: 'Isaac', Leah: 'Harold' }),
      announce(1, 'Day', { elected_player_id: 'Isaac' }),
      ...tellNight(1, { checks: 'Paul', kills: { Paul: 'Ginger' } }),
      ...tellDay(2, [['Isaac', 'I still talk.']], { Isaac: 'Paul', Jacob: 'Harold', Paul: 'Harold' }),
      tellEnd(2, 'Werewolves', ['Scott', 'Jacob', 'Paul', 'Leah']),
    ]);
    expect(listTexts(match)).toEqual([
      '2 night act: Left out: unmask by Dan on Paul, since Dan had left.',
      '2 day act: Left out: a statement by Isaac, who was no longer in the game.',
    ]);
    expect(match.report.uncounted_ballots).toEqual([
      { round: 1, by: 'Dan', target: 'Isaac', cast_in_round: 1 },
      { round: 2, by: 'Isaac', target: 'Paul', cast_in_round: 2 },
    ]);
  });

  it('deaths that nothing recorded explains, and others left in the end, are told', () => {
    const match = importTold([
      ...tellNight(0, { heals: 'Ginger', kills: { Paul: 'Ginger' } }),
      ...tellDay(1, [], { Jacob: 'Isaac', Paul: 'Isaac' }),
      ...tellDay(2, [['Isaac', 'I still talk.']], {}),
      tellEnd(2, 'Werewolves', ['Scott', 'Jacob', 'Paul', 'Leah']),
    ]);
    expect(listTexts(match)).toEqual([
      '1 night death: Recorded as removed: Ginger; by the rules: nobody. The record does not explain the difference.',
      '1 day exile: Recorded as exiled: nobody; by the rules: Isaac. The record does not explain the difference.',
      '2 day death: Survivors by the record: Scott, Jacob, Paul and Leah; by the events: Scott, Harold, Jacob, Paul, Leah, Isaac and Dan.',
      '2 day winner: Recorded as the winner: the Werewolves; by the rules: nobody.',
    ]);
  });

  it('a game that went on after it was over, and another winner, are told', () => {
    const match = importTold([...nights[0]!, ...nights[1]!, ...nights[2]!, ...days.flat()], 'Werewolves');
    expect(listTexts(match)).toEqual([
      '3 day winner: Recorded as the winner: the Werewolves; by the rules: the village.',
    ]);
  });

  it('a game that went on after its last Werewolf was exiled is told', () => {
    const match = importOne(
      createPublished([
        ...tellNight(0, { heals: 'Isaac', kills: { Paul: 'Isaac' } }),
        ...tellNight(1, { heals: 'Isaac', kills: { Leah: 'Isaac' } }),
        ...tellDay(1, [], { Ginger: 'Paul' }),
        ...tellDay(2, [], { Ginger: 'Leah' }),
        ...tellNight(2, { heals: 'Isaac', kills: {} }),
        ...tellDay(3, [], { Ginger: 'Scott' }),
        tellEnd(3, 'Villagers', ['Ginger', 'Harold', 'Jacob', 'Isaac', 'Dan']),
      ]),
    );
    expect(listTexts(match)).toContain('2 day winner: By the rules, the village had won here; the original continued.');
  });
});

describe('npm run import --format kaggle-timeline', () => {
  const runs = path.join(out, 'runs');
  const again = { ...whole, id: 'invented-2' };
  let imported: Awaited<ReturnType<typeof run>>;
  let games: string;
  beforeAll(async () => {
    games = writeFolder({ 'one.json': whole, 'two.json': again, 'labels.json': { sha: {} }, 'README.md': 'Games.' });
    imported = await run('import', ['--format', 'kaggle-timeline', '--out', runs, games]);
  });

  it('imports every game of a folder and says which files are none', () => {
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    expect(imported.stdout.split('\n')).toEqual([
      `${path.join(games, 'labels.json')} is no game and is left out`,
      ...[path.join(runs, 'one'), path.join(runs, 'two'), ''],
    ]);
    expect(readdirSync(runs).sort()).toEqual(['one', 'two']);
    expect(readRecord(path.join(runs, 'one'))).toMatchObject({ isFinished: true, answers: [] });
  });

  it('makes what show and report read', async () => {
    const to = path.join(out, 'report');
    const [show, report] = await Promise.all([
      run('show', [path.join(runs, 'one')]),
      run('report', [runs, '--out', to, '--no-tables', '--no-baselines']),
    ]);
    expect([show.code, show.stderr, report.code]).toEqual([0, '', 0]);
    expect(show.stdout).toContain('Leah (Werewolf) is exiled with 3 of 4 votes');
    const { metrics } = JSON.parse(readFileSync(path.join(to, 'report.json'), 'utf8')) as Report;
    const findValue = (name: string) =>
      metrics.find((metric) => metric.name === name)!.figures.find(({ cell }) => Object.keys(cell).length === 0)!;
    expect(findValue('vss_days')).toMatchObject({ value: 2 / 3, opportunities: 6 });
    expect(findValue('irp_votes')).toMatchObject({ value: 20 / 24, opportunities: 24 });
    expect(findValue('lie_statement_rate').value).toBeGreaterThan(0);
  });

  itLong('makes what any model annotates and judges, with the answers kept beside the record', async () => {
    const two = path.join(runs, 'two');
    const annotator = await openOpenaiServer(legally);
    const annotated = await run('annotate', [two, '--model', 'openai:local', '--quiet'], reaching(annotator));
    await annotator.close();
    expect(annotated).toMatchObject({ code: 0, stderr: '' });
    const kept = readKeptAnswers(path.join(two, 'annotations.openai-local.ndjson'));
    expect([kept.length, annotator.requests.length]).toEqual([5, 5]);
    const judge = await openOpenaiServer([{ text: '{"claims":[],"count":0}' }]);
    const to = path.join(out, 'judged');
    const judged = await run(
      'report',
      [two, '--judge', 'openai:local', '--out', to, '--no-baselines'],
      reaching(judge),
    );
    await judge.close();
    expect(judged.code).toBe(0);
    expect(judge.requests.length).toBeGreaterThan(0);
    expect(readdirSync(two).filter((name) => name.includes('openai-local'))).toHaveLength(2);
    expect(readFileSync(path.join(to, 'details/perception.md'), 'utf8')).toContain('source openai:local');
  });

  it('writes none of the matches where one is there already', async () => {
    const more = writeFolder({ 'new.json': { ...whole, id: 'invented-3' }, 'one.json': whole });
    const { code, stderr } = await run('import', ['--format', 'kaggle-timeline', '--out', runs, more]);
    expect([code, readdirSync(runs).sort()]).toEqual([2, ['one', 'two']]);
    expect(stderr).toContain(`${path.join(runs, 'one')} already exists. Remove it, or choose another --out.`);
  });

  it('is named in --help beside the other formats', async () => {
    expect((await run('import', ['--help'])).stdout).toMatch(
      /choices:\s+"arena",\s+"dsgbench",\s+"kaggle-episode",\s+"kaggle",\s+"kaggle-timeline",\s+"aiwolf"/,
    );
  });
});

interface Report {
  metrics: { name: string; figures: { cell: object; value: number; opportunities: number }[] }[];
}

describe('a file', () => {
  const change = (index: number, more: Record<string, unknown>) =>
    createPublished(whole.timeline.map((entry, at) => (at === index ? { ...(entry as object), ...more } : entry)));
  const [chat, vote] = ['chat', 'vote'].map((type) => whole.timeline.findIndex((entry) => (entry as { type: string }).type === type)); // prettier-ignore

  it.each<[what: string, game: unknown, said: RegExp]>([
    ['that is torn', '{"players": [', /1\.json is damaged: it is not JSON/],
    ['without players', { timeline: whole.timeline }, /1\.json is not a published game.*\n[^]*→ at players/],
    ['without a winner', createPublished(whole.timeline, { winner: undefined }), /→ at winner/],
    ['without a field of an entry', change(chat!, { message: undefined }), /→ at timeline\[10\]\.message/],
    ['with a day 0', change(chat!, { day: 0 }), /days are numbered from 1\n.*→ at timeline\[10\]\.day/],
    ['with an unknown entry', change(0, { type: 'bid' }), /these types: night_action, announcement, chat, vote\n.*→ at timeline\[0\]\.type/],
    ['with an unknown action', change(0, { action: 'Poison' }), /1\.json, timeline\[0\]\.action: unknown action "Poison"\. Known actions: Inspect, Heal/],
    ['with an action of another role', change(0, { player: 'Ginger' }), /timeline\[0\]\.action: "Inspect" is an action of the Seer, and Ginger is a Villager/],
    ['with an unknown player', change(chat!, { player: 'Zed' }), /timeline\[10\]\.player: "Zed" is not at the table\. At the table: Ginger, Scott/],
    ['with an unknown target', change(vote!, { target: 'Zed' }), /timeline\[13\]\.target: "Zed" is not at the table/],
    ['with an unknown name announced', change(4, { data: { elected_target_player_id: 'Zed' } }), /timeline\[4\]\.data\.elected_target_player_id: "Zed"/],
    ['with two winners', { ...whole, winner: 'Werewolves' }, /data\.winner_team: "Villagers" is not the winner of the game, "Werewolves"/],
    ['of an unfinished game', createPublished(whole.timeline, { winner: 'Tie' }), /the winner "Tie", not one of villagers, werewolves: only games that were played/],
    ['with an unknown role', { ...whole, players: whole.players.map((one, at) => (at === 2 ? { ...one, role: 'Fool' } : one)) }, /players\[2\]\.role: unknown role "Fool"\. Known roles:/],
    ['with a player twice', { ...whole, players: [...whole.players, whole.players[0]] }, /players\[8\]\.id: two players have the name "Ginger"/],
    ['with a name that cannot be seated', JSON.stringify(whole).replaceAll('Ginger', 'Moderator'), /1\.json: Not a board: /],
    ['with a ballot twice', createPublished([...whole.timeline, whole.timeline[vote!]]), /timeline\[\d+\]: Harold votes twice on day 1; the other entry is timeline\[13\]/],
    ['with an act twice', createPublished([whole.timeline[0], ...whole.timeline]), /timeline\[1\]: Dan acts twice in night 0/],
    ['with a round missing', createPublished([...nights[0]!, ...days[0]!, ...tellDay(3, [['Dan', 'Hi.']], {})]), /1\.json has no entry for night 1 and day 2 in its timeline/],
  ])('%s is refused', (_what, game, said) => {
    expect(() => importOne(game)).toThrow(said);
  }); // prettier-ignore

  it('that is the same game as another is named and left out, and a folder without games is refused', () => {
    const twice = importMatches('kaggle', [writeFolder({ 'a.json': whole, 'b.json': whole })], 0);
    expect(twice.matches.map(({ report }) => report.source)).toEqual(['a']);
    expect(twice.damaged.map(({ name }) => path.basename(name))).toEqual(['b.json']);
    expect(twice.damaged[0]!.error.message).toMatch(/a\.json and .*b\.json are the same game, invented-1\. Remove one/);
    expect(() => importMatches(null, [writeFolder({ 'a.json': [1] })], 0)).toThrow(
      /contains no game of a known format\. Known formats: /,
    );
    expect(() => importMatches(null, [path.join(out, 'gone')], 0)).toThrow(/gone does not exist/);
  });

  it('that is damaged is named, and the others are imported', async () => {
    const mixed = writeFolder({ 'a.json': whole, 'b.json': change(0, { action: 'Poison' }) });
    const { code, stdout, stderr } = await run('import', ['--format', 'kaggle-timeline', '--out', path.join(out, 'some'), mixed]); // prettier-ignore
    expect({ code, written: readdirSync(path.join(out, 'some')) }).toEqual({ code: 1, written: ['a'] });
    expect(stderr).toMatch(/^Left out: .*b\.json\. .*unknown action "Poison"/);
    expect(stdout).toContain(path.join(out, 'some', 'a'));
  });

  it('that is damaged and alone leaves nothing written', async () => {
    const bad = writeFolder({ 'b.json': change(0, { action: 'Poison' }) });
    const { code, stderr } = await run('import', ['--format', 'kaggle-timeline', '--out', path.join(out, 'none'), bad]);
    expect([code, existsSync(path.join(out, 'none'))]).toEqual([1, false]);
    expect(stderr).toContain('unknown action "Poison"');
  });

  it('may be given in place of its folder', () => {
    const folder = writeFolder({ 'a.json': whole });
    expect(importMatches(null, [path.join(folder, 'a.json')], 0).matches).toHaveLength(1);
  });
});
