// The viewer's data of a match: complete for a viewer who may see everything; for each player, exactly the contents of
// that player's prompts.
import { describe, expect, it } from '@jest/globals';
import { buildTables } from '../../deception/tables/match-tables.ts';
import { playMatch } from '../../graph/play-match.ts';
import { renderHistory } from '../../prompts/history.ts';
import { maxMatchPageBytes, renderMatchDocument } from '../../report/viewer/viewer-document.ts';
import { escapeHtml } from '../../report/html-page.ts';
import {
  findKnownRole,
  findSource,
  listCountedBallots,
  listSeen,
  selectSeen,
} from '../../report/viewer/perspective.ts';
import { findRoleLetters, truncateModelNames } from '../../report/viewer/player-parts.ts';
import { listArrows, placeSeats } from '../../report/viewer/table-stage.ts';
import { listTimeline } from '../../report/viewer/timeline.ts';
import { unpackMatch } from '../../report/viewer/truncate-match.ts';
import { buildViewedMatch, listPrompts, type ViewedMatch } from '../../report/viewer/viewed-match.ts';
import { buildViewerScript } from '../../scripts/command/page-script.ts';
import { addPrompts, readPrompts, readViewedMatch } from '../../scripts/view/read-match.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { formatListedCell } from '../../report/viewer/list-page.ts';
import { createUnreadableMatch } from '../../report/viewer/match-list.ts';
import { describeVerdict } from '../../report/viewer/step-details.ts';
import { Verdict } from '../../deception/claims/verify-claim.ts';
import { getRole } from '../../state/roles/index.ts';
import { createInitialState } from '../../state/deal.ts';
import { type GameEvent, isEventOfType, isVisibleTo } from '../../state/events.ts';
import type { Game } from '../../state/game.ts';
import { createPublicView, createView } from '../../state/view.ts';
import { canaries } from '../canaries.ts';
import { called, matchOf, removed, said, silent, voted, votedAgain } from '../deception/match-builder.ts';
import { ScriptedModel } from '../scripted-model.ts';
import { createBoard, dealTable, playDeal } from '../table.ts';
import { buildGoldenTables, goldenNames, readGoldenRecord } from '../golden-records.ts';
import { itLong } from '../it-long.ts';

const records = goldenNames.map((name) => [name, readGoldenRecord(name)] as const);

/**
 * Lists the lines of a history, without headings, without the first words, and without the parts that the viewer shows
 * separately (thoughts, summaries).
 */
const listLines = (history: string) =>
  history
    .split('\n')
    .filter((line) => /^- (?!You thought|Your summary|You are the only one|The other )/.test(line))
    .map((line) => line.slice(2));

describe.each(records)('of %s', (name, record) => {
  const { setup } = record.manifest;
  const match = buildViewedMatch(record, { readings: [{ source: 'rules', tables: buildGoldenTables(name) }] });
  const { board, rules, seed, players } = setup;
  const initial = createInitialState({ board, rules, seed, players });
  const game = (events: readonly GameEvent[]) => ({ ...initial, gameLogs: events }) as unknown as Game;
  const bare = (told: string) => told.replace(/\s+/g, ' ');

  it('every player is told what the own prompts tell, and an onlooker what everybody is', () => {
    for (const { name } of players) {
      const view = { ...createView(game(record.events), name), rules: { ...rules, memory: 'full' } } as ReturnType<
        typeof createView
      >;
      const told = match.steps
        .filter(({ type }) => type !== 'round_started')
        .flatMap(({ tellings, toldToAll }) => tellings[name] ?? toldToAll ?? []);
      expect(told.map(bare)).toEqual(listLines(renderHistory(view)).map(bare));
    }
    const view = {
      ...createPublicView(game(record.events), 'onlooker'),
      rules: { ...rules, memory: 'full' },
    } as ReturnType<typeof createView>;
    const told = match.steps.filter(({ type }) => type !== 'round_started').flatMap(({ toldToAll }) => toldToAll ?? []);
    expect(told.map(bare)).toEqual(listLines(renderHistory(view)).map(bare));
  });

  it('nothing private of anybody else is in what a player or an onlooker sees', () => {
    for (const viewer of ['public', ...players.map(({ name }) => name)]) {
      const foreign = match.steps.flatMap((step) => {
        const seen = selectSeen(step, viewer);
        const { told = null, thoughts = [], bids = [], heard = [], votes = [], asked = [], readings } = seen ?? {};
        const owners = [...thoughts, ...bids, ...heard, ...votes, ...asked].map(({ player }) => player);
        const kept = [seen?.tellings, seen?.beliefs, seen?.suspicion].flatMap((one) => Object.keys(one ?? {}));
        const isToldRightly = told === (step.tellings[viewer] ?? step.toldToAll);
        return [...owners, ...kept, ...(readings || !isToldRightly ? [step.id] : [])].filter((name) => name !== viewer);
      });
      expect(foreign).toEqual([]);
    }
  });

  it('of a player who answered in private, what was answered is in the own view', () => {
    for (const { name } of players) {
      const seen = match.steps.flatMap((step) => selectSeen(step, name) ?? []);
      const count = (type: GameEvent['type']) =>
        record.events.filter((event) => event.type === type && 'by' in event && event.by === name).length;
      expect(seen.flatMap(({ heard = [] }) => heard)).toHaveLength(count('assessment'));
      expect(seen.flatMap(({ votes = [] }) => votes)).toHaveLength(count('synthetic_vote'));
      expect(seen.some(({ beliefs }) => beliefs !== undefined)).toBe(count('beliefs') > 0);
    }
  });

  it('roles are known to whom they were shown or told, from then on', () => {
    const acquainted = record.events.filter(isEventOfType('acquainted'));
    for (const { name: viewer } of players)
      for (const player of match.players) {
        const isAlly = acquainted.some(({ players: team }) => team.includes(viewer) && team.includes(player.name));
        const known = match.steps.map((_step, at) => findKnownRole(player, match, { viewer, at }));
        const shown = record.events
          .filter((event) => isVisibleTo(event, viewer))
          .filter(({ type }) => ['death', 'exile_survived', 'learned'].includes(type))
          .some((event) => {
            const about = event.type === 'learned' ? event.about : 'player' in event ? event.player : null;
            return about === player.name && (('role' in event && event.role) || ('team' in event && event.team));
          });
        if (player.name === viewer || isAlly) expect(new Set(known)).toEqual(new Set([player.role]));
        else expect(known.at(-1) !== null).toBe(shown);
        expect(findKnownRole(player, match, { viewer: 'public', at: 0 })).toBe(null);
      }
  });

  it('every moment stands in one place of the time line, and tells of lies and Werewolves only who knows of them', () => {
    for (const viewer of ['all', 'public', ...players.map(({ name }) => name)]) {
      const cells = listTimeline({ match, at: 0, viewer, source: 'rules' }).flatMap((part) => part.cells);
      expect(cells.flatMap(({ places }) => places)).toEqual(listSeen(match, viewer).map(({ place }) => place));
      if (viewer === 'all') continue;
      const wolves = players.filter(({ role }) => getRole(role).team === 'werewolves').map(({ name }) => name);
      for (const { lies, isByPack, places } of cells) {
        expect(lies).toBe(null);
        const { actor = '' } = match.steps[places[0]!]!;
        const player = match.players.find(({ name }) => name === actor);
        if (isByPack) expect(findKnownRole(player!, match, { viewer, at: places[0]! })).not.toBe(null);
        if (isByPack) expect(wolves).toContain(actor);
      }
    }
  });

  it('arrows of a viewer are of what this one has seen, and accusations as found are of who knows everything', () => {
    for (const viewer of ['public', ...players.map(({ name }) => name)])
      for (const [at, step] of match.steps.entries()) {
        const arrows = listArrows({ match, at, viewer, source: 'rules' });
        const seen = selectSeen(step, viewer);
        const shown = [...(seen?.actor ? [seen.actor] : []), ...listCountedBallots({ match, at, viewer, source: null }, at).map(({ player }) => player)]; // prettier-ignore
        expect(shown).toEqual(expect.arrayContaining(arrows.map(({ from }) => from)));
        expect(['votes', 'acts']).toEqual(expect.arrayContaining(arrows.map(({ how }) => how)));
      }
  });

  it('every question is beside what came of it', () => {
    const asked = match.steps.flatMap((step) => step.asked ?? []);
    const keys = asked.map(({ round, step, action, player }) => JSON.stringify([round, step, action, player]));
    expect(new Set(keys).size).toBe(keys.length);
    const answered = new Set(
      record.answers.map(({ round, step, action, player }) => JSON.stringify([round, step, action, player])),
    );
    const left = [...answered].filter((key) => !keys.includes(key));
    // Missing analyses and an unused power have nothing to show.
    const marked = new Set(
      record.answers
        .filter(({ mark }) => mark !== undefined)
        .map(({ round, step, action, player }) => JSON.stringify([round, step, action, player])),
    );
    expect(left.filter((key) => !marked.has(key))).toEqual([]);
    for (const { type, asked: own = [], actor, id } of match.steps)
      if (type === 'statement' || type === 'silence')
        expect(
          own.find(({ player, action }) => player === actor && !/analysis|bid|vote|beliefs/.test(action))?.step,
        ).toBe(match.steps.length && record.answers.length ? Number(id.split('.')[1]) - 1 : undefined);
  });

  it('every claim stands with its words, and every analysis with its statement', () => {
    const { claims } = buildGoldenTables(name);
    expect(match.steps.flatMap(({ readings }) => readings?.['rules']!.claims ?? [])).toHaveLength(claims.length);
    for (const { text = '', readings } of match.steps)
      for (const { words, from, to } of readings?.['rules']!.claims ?? []) expect(text.slice(from, to)).toBe(words);
    const assessments = record.events.filter(({ type }) => type === 'assessment');
    expect(match.steps.flatMap((step) => step.heard ?? [])).toHaveLength(assessments.length);
  });
});

describe('the ballots that a result rests on', () => {
  const all = [
    { player: 'Will', target: 'Dan' },
    { player: 'Dan', target: 'Leah' },
    { player: 'Leah', target: 'Dan' },
  ];
  const votes = all.map(({ player, target }) => voted(1, player, target));
  const tie: GameEvent = { round: 1, phase: 'day', audience: 'everyone', type: 'tie', players: ['Dan', 'Leah'] };
  const result = removed(1, 'Dan', 'exile');
  const list = (viewer: string, events: readonly GameEvent[], type: GameEvent['type'] = 'death') => {
    const match = buildViewedMatch(matchOf([said('1.1', 'Dan'), ...events]));
    const at = match.steps.findIndex((step) => step.type === type);
    return listCountedBallots({ match, viewer, at, source: null }, at);
  };

  it('are those that were cast just before it, for everybody who saw them', () => {
    for (const viewer of ['all', 'public', 'Will']) expect(list(viewer, [...votes, result])).toEqual(all);
    const twice = [...votes, tie, votedAgain(1, 'Will', 'Leah'), result];
    expect(list('all', twice)).toEqual([{ player: 'Will', target: 'Leah' }]);
    expect(list('all', twice, 'tie')).toEqual(all);
  });

  it('are none for who has not seen all of them, as in a secret vote', () => {
    const secret = all.map(({ player, target }) => voted(1, player, target, { audience: [player] }));
    expect(list('all', [...secret, result])).toEqual(all);
    for (const viewer of ['public', 'Will', 'Dan']) expect(list(viewer, [...secret, result])).toEqual([]);
  });

  it('are none for what no vote decides', () => {
    expect(list('all', [...votes, result], 'statement')).toEqual([]);
    expect(list('all', [...votes, { ...result, phase: 'night' }])).toEqual([]);
  });
});

describe('whose verdicts a link asks for', () => {
  it('are found where they are kept, also where judges are named in another order, and else are none', () => {
    const sources = ['rules', 'openai:a', 'openai:a + openai:b'];
    expect(
      ['openai:a', 'openai:b + openai:a', 'openai:b', 'rules'].map((wanted) => findSource(sources, wanted)),
    ).toEqual(['openai:a', 'openai:a + openai:b', null, 'rules']);
  });
});

describe('what a statement says of others', () => {
  const record = matchOf([
    said('1.1', 'Dan', { text: 'I think Will is a Werewolf. Leah is the Doctor. I am the Seer.' }),
    voted(1, 'Will', 'Dan'),
  ]);
  const match = buildViewedMatch(record, { readings: [{ source: 'rules', tables: buildTables(record) }] });
  const { claims } = match.steps[0]!.readings!['rules']!;

  it('is drawn as arrows: accused, defended, and named by a ballot', () => {
    const look = { match, viewer: 'all', source: 'rules' };
    expect(listArrows({ ...look, at: 0 })).toEqual([
      { from: 'Dan', to: 'Will', how: 'accuses' },
      { from: 'Dan', to: 'Leah', how: 'defends' },
    ]);
    expect(listArrows({ ...look, at: 1 })).toEqual([{ from: 'Will', to: 'Dan', how: 'votes' }]);
    expect(listArrows({ ...look, source: null, at: 0 })).toEqual([]);
  });

  it('has its reason: what the record says, and whether the speaker knew', () => {
    const [, played] = records.find(([name]) => name === 'plus-12-sheriff-bots')!;
    const viewed = buildViewedMatch(played, { readings: [{ source: 'rules', tables: buildTables(played) }] });
    const readings = viewed.steps.flatMap((step) => step.readings?.['rules']?.claims ?? []);
    const find = (words: string) => readings.find((claim) => claim.words === words)!.reason;
    expect(find('I am the Hunter')).toBe('David was dealt Werewolf. David knew it.');
    expect(find('I think you are a Werewolf')).toBe('David was dealt Werewolf. Paul could not know it.');
    expect(find('We lost Leah')).toMatch(/^Leah \(Werewolf\) was removed in the night\. \w+ knew it\.$/);
    expect(
      readings.every(({ reason }) => /(knew|could not know|believed otherwise|cannot decide)( it)?\.$/.test(reason)),
    ).toBe(true);
  });

  it('has a word of its own for each verdict, and a look for what is false, true and undecided', () => {
    const told = (['lie', 'true', 'unverifiable', 'error'] as const).map(describeVerdict);
    expect(told).toEqual([
      { look: 'lie', word: 'lie' },
      { look: 'true', word: 'true' },
      { look: 'undecidable', word: 'not decidable' },
      { look: 'mistaken', word: 'false, not known' },
    ]);
    const all = Verdict.options.map((verdict) => describeVerdict(verdict).word);
    expect(new Set(all).size).toBe(Verdict.options.length);
  });

  it('is marked as not read where whoever extracts claims could not read it', () => {
    const foreign = matchOf([said('1.1', 'Dan', { text: 'x'.repeat(10_001) })]);
    const { steps } = buildViewedMatch(foreign, { readings: [{ source: 'rules', tables: buildTables(foreign) }] });
    expect(steps[0]!.readings!['rules']).toMatchObject({ claims: [], isUnread: true });
    expect(claims.length > 0 && match.steps[0]!.readings!['rules']!.isUnread).toBe(undefined);
  });
});

describe('the list of matches', () => {
  const row = {
    ...createUnreadableMatch('a', ''),
    lies: 0,
    packLies: 0,
    statements: 16,
    unread: 0,
  };
  it.each([
    ['nobody could read anything', { unread: 16 }, 'not read'],
    ['rules found none', {}, 'none found'],
    ['rules found some', { lies: 3 }, 'at least 3'],
    ['a judge read everything', { source: 'openai:x' }, '0'],
    ['a judge left some unread', { source: 'openai:x', lies: 2, unread: 5 }, 'at least 2'],
    ['a judge left all unread', { source: 'openai:x', unread: 16 }, 'not read'],
    ['nothing is known yet', { lies: null, statements: null, unread: null }, '–'],
  ])('says of lies, where %s: %s', (_, change, expected) => {
    expect(formatListedCell({ ...row, ...change }, 'lies')).toBe(expected);
  });
});

describe('the table', () => {
  it('gives every role a letter of its own', () => {
    const [, record] = records.find(([name]) => name === 'plus-12-bots')!;
    const letters = findRoleLetters(buildViewedMatch(record));
    expect(new Set(letters.values()).size).toBe(letters.size);
    expect(letters.get('Werewolf')).toBe('W');
    expect(letters.get('Witch')).toBe('Wi');
  });

  it.each([2, 4, 6, 8, 9, 10, 12, 16])(
    'of %i has a place at its border for everybody, in the order of seats',
    (seats) => {
      const { columns, rows, places } = placeSeats(seats);
      expect(new Set(places.map(({ column, row }) => `${column} ${row}`)).size).toBe(seats);
      for (const { column, row } of places)
        expect(column === 1 || column === columns || row === 1 || row === rows).toBe(true);
      // Angles of the seats around the middle. They grow clockwise from seat to seat.
      const turns = places.map(({ column, row }) => {
        const angle = Math.atan2(row - (rows + 1) / 2, column - (columns + 1) / 2) - Math.atan2(1 - rows, 1 - columns);
        return (angle + 2 * Math.PI + 1e-9) % (2 * Math.PI);
      });
      expect(turns).toEqual(turns.toSorted((one, other) => one - other));
    },
  );

  it('tells models apart whose names are alike', () => {
    const alike = ['pro', 'flash'].map(
      (name) => `vertexai:gemini-2.5-${name}-preview-09-2025?temperature=0&thinking=8192`,
    );
    const names = truncateModelNames(['openai:gpt-4o', 'other:gpt-4o', ...alike]);
    expect(names.get('openai:gpt-4o')).toBe('openai:gpt-4o');
    expect(new Set(names.values()).size).toBe(4);
    for (const name of names.values()) expect(name.length).toBeLessThanOrEqual(36);
  });
});

describe('the file of a match', () => {
  it('keeps whatever was said as data that nothing in it can leave', async () => {
    const hostile = '</script><script>alert(1)</script><!-- \u2028 \u202e {{x}} <img src=x onerror=alert(1)>';
    const match = buildViewedMatch(matchOf([said('1.1', 'Dan', { text: hostile })]));
    const html = renderMatchDocument(match, await buildViewerScript());
    expect(html.match(/<\/script/g)).toHaveLength(2);
    const data = /<script type="application\/json" id="match">(.*)<\/script>/.exec(html)![1]!;
    expect((JSON.parse(data) as ViewedMatch).steps[0]!.text).toBe(hostile);
    expect(html).not.toContain('<img');
    expect(html).toMatch(/script-src 'sha256-[^']+'; style-src 'sha256-/);
  });

  const words = 'word '.repeat(80).trim();

  /** Creates a long match of sixteen players who write eighty words in every text. */
  const createLong = (): ViewedMatch => {
    const { steps, ...match } = buildViewedMatch(matchOf([said('1.1', 'Dan', { text: words })]));
    const players = Array.from({ length: 16 }, (_, seat) => ({ ...match.players[0]!, name: `Player${seat}` }));
    const asides = players.map(({ name }) => ({ by: [name], player: name, action: 'bid', reasoning: words }));
    const heard = asides.map(({ by, player, reasoning }) => ({
      ...{ by, player, reasoning },
      isSelf: false,
      deceptive: true,
      type: 'none',
    }));
    const prompts = players.slice(0, 2).map(({ name: player }) => ({
      ...{ player, action: 'bid', attempt: 1 },
      messages: [{ role: 'user', content: words.repeat(60) }],
    }));
    const many = Array.from({ length: 160 }, (_, place) => ({
      ...{ ...steps[0]!, id: `1.${place}`, heard, thoughts: asides, prompts, actor: 'Player0' },
      toldToAll: `Dan said: "${words}"`,
    }));
    return { ...match, players, steps: many };
  };
  const readData = (html: string) =>
    unpackMatch(
      JSON.parse(/<script type="application\/json" id="match">(.*)<\/script>/.exec(html)![1]!) as ViewedMatch,
    );

  it('takes less than a megabyte, and says of everything that had no room', async () => {
    const html = renderMatchDocument(createLong(), await buildViewerScript());
    expect(Buffer.byteLength(html)).toBeLessThan(1_000_000);
    expect(maxMatchPageBytes).toBeLessThan(1_000_000);
    const { notes, steps } = readData(html);
    expect(steps.map(({ text }) => text)).toEqual(Array.from({ length: 160 }, () => words));
    const isGone = {
      'prompts of bids': !steps.some(({ prompts = [] }) => prompts.some(({ player }) => player !== 'Player0')),
      'other prompts': !steps.some(({ prompts }) => prompts),
      'what listeners wrote': !steps.some(({ heard = [] }) => heard.some(({ reasoning }) => reasoning !== '')),
      'what bidders thought': !steps.some(({ thoughts = [] }) => thoughts.some(({ player }) => player !== 'Player0')),
    };
    for (const [what, is] of Object.entries(isGone)) {
      expect([what, is]).toEqual([what, notes.some((note) => note.includes(what))]);
    }
    expect(isGone['what bidders thought']).toBe(true);
  });

  itLong('cuts a statement of a megabyte, wherever it stands', async () => {
    const text = 'x'.repeat(1_000_000);
    const html = renderMatchDocument(
      buildViewedMatch(matchOf([said('1.1', 'Dan', { text })])),
      await buildViewerScript(),
    );
    expect(Buffer.byteLength(html)).toBeLessThan(1_000_000);
    expect(readData(html).notes.join()).toMatch(/Texts of more than \d+ characters are cut/);
    expect(readData(html).steps[0]!.text).toMatch(/^x{300,} …$/);
  });

  it('loses nothing of a match that has room, and has what was said once for all tellings', () => {
    const match = buildViewedMatch(matchOf([said('1.1', 'Dan', { text: words })]));
    const html = renderMatchDocument(match, '');
    expect(readData(html)).toEqual(match);
    expect(html.split(words)).toHaveLength(3); // in the data, and in the text to be printed
  });

  it('is a text to be read and printed where no script runs', () => {
    const match = buildViewedMatch(
      matchOf([said('1.1', 'Dan', { text: 'I am <b>the</b> Seer.' }), voted(1, 'Will', 'Dan')]),
    );
    const printed = /<main id="printed">([^]*)<\/main>/.exec(renderMatchDocument(match, ''))![1]!;
    expect(printed).toContain('I am &lt;b&gt;the&lt;/b&gt; Seer.');
    for (const { told } of match.steps.slice(1)) expect(printed).toContain(escapeHtml(told));
    for (const { name, role } of match.players) expect(printed).toContain(`<bdi>${name}</bdi></th><td><bdi>${role}`);
  });
});

it('a match has its prompts beside what they led to, as their players saw them, with every attempt', async () => {
  const { folder } = await playMatch({ out: createTemporaryFolder(), seed: 3 });
  const { steps } = addPrompts(await readViewedMatch(folder!), (await readPrompts(folder!)).prompts);
  const { prompts: kept, fault } = await readPrompts(folder!);
  expect(fault).toBeNull();
  expect(steps.flatMap(({ prompts = [] }) => prompts)).toHaveLength(kept.length);
  for (const { type, actor, prompts = [], round } of steps.filter((step) => step.text !== undefined)) {
    const action = type === 'ballot' ? 'vote' : 'debate';
    const own = prompts.filter((one) => one.player === actor && one.action === action);
    expect(own).toHaveLength(1);
    const asked = own[0]!.messages.map(({ content }) => content).join('\n');
    expect(asked).toContain(actor);
    expect(asked).not.toContain(`Day ${round + 1}:`);
  }
});

it('a match without prompts says why there are none', () => {
  const listNotes = (options = {}) => buildViewedMatch(matchOf([said('1.1', 'Dan')]), options).notes;
  expect(listNotes()).toEqual(['There are no prompts yet: they are written when the match ends.']);
  expect(listNotes({ promptsFault: 'The prompts are damaged.' })).toEqual(['The prompts are damaged.']);
  expect(listNotes({ hasPrompts: true })).toEqual([]);
});

it('a turn after a silence has its own prompt, and the silence has one too', () => {
  const answers = [0, 1].flatMap((step) =>
    [1, 2, 3].slice(0, step === 0 ? 3 : 1).map((attempt) => called('Dan', 'debate', { step, attempt })),
  );
  const { steps } = buildViewedMatch(matchOf([silent('1.1', 'Dan'), said('1.2', 'Dan')], answers));
  expect(steps.map(({ asked = [] }) => asked.map(({ step, attempts }) => [step, attempts]))).toEqual([
    [[0, 3]],
    [[1, 1]],
  ]);
  const messages = (...contents: string[]) => contents.map((content) => ({ role: 'user', content }));
  const kept = [1, 2].map((attempt) => ({
    ...{ round: 1, step: 0, action: 'debate', player: 'Dan', attempt },
    messages: messages('asked', ...(attempt === 2 ? ['nonsense', 'once more'] : [])),
    isSealed: true,
  }));
  expect(listPrompts(steps[0]!, kept).map((one) => one.messages.map(({ content }) => content))).toEqual([
    ['asked'],
    ['nonsense', 'once more'],
  ]);
});

describe('canaries in everything that models write', () => {
  it('stand in the view of whoever wrote them, and of others only where the game tells them', async () => {
    const { script, laid } = canaries();
    const setup = dealTable({ board: createBoard(2, 1, 1, 4), rules: 'wolf', rule: { maxRounds: 2 }, seed: 2 });
    const { events } = await playDeal(setup, new ScriptedModel(script));
    const { manifest: plain } = matchOf([]);
    const match = buildViewedMatch({
      ...matchOf(events),
      manifest: { ...plain, setup: { ...plain.setup, ...setup, models: {}, bots: [] } },
    });
    const pack = setup.players.filter(({ team }) => team === 'werewolves').map(({ name }) => name);
    const own: ReturnType<typeof laid> = [];
    const written = new Map(laid().map((canary, at) => [`Canary${at}End`, canary]));
    for (const viewer of ['public', ...setup.players.map(({ name }) => name)]) {
      const text = JSON.stringify(match.steps.map((step) => selectSeen(step, viewer)));
      const found = [...new Set(text.match(/Canary\d+End/g) ?? [])].map((word) => written.get(word)!);
      const foreign = found.filter(({ by }) => by !== viewer).map(({ field }) => field);
      const isAllowed = ['statement', 'explanation', ...(pack.includes(viewer) ? ['proposal_reason'] : [])];
      expect(foreign.filter((field) => !isAllowed.includes(field))).toEqual([]);
      expect(foreign).toContain('statement');
      own.push(...found.filter(({ by, field }) => by === viewer && field === 'reasoning'));
    }
    expect(own.length).toBeGreaterThan(50);
  });
});
