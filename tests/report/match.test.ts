// Output on one match: the story, the transcript, the summary page and the table at the end.
import { describe, expect, it } from '@jest/globals';
import { buildTables } from '../../deception/tables/match-tables.ts';
import { summarizeMatch } from '../../deception/summary/match-summary.ts';
import { escapeMarkdown, formatDuration } from '../../report/format.ts';
import { describeMatchEnd } from '../../report/game-text.ts';
import { renderSummary } from '../../report/match-summary-markdown.ts';
import { renderStoryLine } from '../../report/story.ts';
import { describeCalls, formatPlayerTable } from '../../scripts/console/closing-summary.ts';
import { renderTranscript } from '../../report/transcript.ts';
import {
  absent,
  called,
  drawnBallot,
  ended,
  happened,
  heard,
  matchOf,
  names,
  oneDay,
  owned,
  removed,
  said,
  sheriffDay,
  silent,
  voted,
  votedAgain,
} from '../deception/match-builder.ts';

const renderForVillage = (event: Parameters<typeof renderStoryLine>[0]) => renderStoryLine(event, { reveal: false });
const renderEverything = (event: Parameters<typeof renderStoryLine>[0]) => renderStoryLine(event, { reveal: true });

const secret = {
  thought: { type: 'thought', audience: ['Dan'], by: 'Dan', action: 'vote', step: 6, reasoning: 'Ginger is odd.' },
  proposal: {
    type: 'proposal',
    audience: ['Ginger'],
    by: 'Ginger',
    verb: 'eliminate',
    target: 'Dan',
    reason: 'Sharp.',
    ballot: 1,
  },
  pick: { type: 'pick', audience: ['Ginger'], verb: 'eliminate', target: 'Dan' },
  acted: { type: 'acted', audience: ['Dan'], by: 'Dan', verb: 'unmask', target: 'Ginger' },
  learned: { type: 'learned', audience: ['Dan'], by: 'Dan', about: 'Ginger', role: 'Werewolf' },
  missing: {
    type: 'missing',
    audience: 'moderator',
    by: 'Leah',
    action: 'peer_analysis',
    statements: ['1.1'],
    mark: 'refusal',
  },
};

describe('the story', () => {
  it.each([
    ['night falls', happened({ type: 'round_started', phase: 'night' }), 'Night 1'],
    ['somebody is removed', removed(1, 'Dan', 'night'), 'Day 1: Dan was removed in the night.'],
    ['nobody is', happened({ type: 'quiet_night', phase: 'night' }), 'Day 1: nobody was removed in the night.'],
    ['somebody speaks', said('1.1', 'Ginger', { text: 'I trust Dan.' }), 'Ginger: “I trust Dan.”'],
    ['somebody is silent', silent('1.1', 'Will'), 'Will has the turn and says nothing. [gave no readable answer]'],
    [
      'somebody refuses to speak',
      silent('1.1', 'Will', 'refusal'),
      'Will has the turn and says nothing. [refused to answer]',
    ],
    ['somebody votes', voted(1, 'Dan', 'Ginger'), 'Dan votes for Ginger: “Reasons of Dan.”'],
    ['a ballot is drawn', drawnBallot(1, 'Will', 'Dan'), 'Will votes for Dan. [drawn: gave no readable answer]'],
    ['somebody is exiled', removed(1, 'Ginger', 'exile'), 'Ginger is exiled.'],
    [
      'nobody has a majority',
      happened({ type: 'no_exile', reason: 'no majority' }),
      'Nobody is exiled: nobody was named by more than half.',
    ],
    ['the vote is tied', happened({ type: 'no_exile', reason: 'tie' }), 'Nobody is exiled: the vote is tied.'],
    ['one side wins', ended(2, 'werewolves'), 'The match is won by the Werewolves: Werewolves at parity.'],
    ['nobody wins', ended(10, null), 'The match ends without a winner: round limit.'],
  ])('tells when %s', (_what, event, line) => {
    expect(renderForVillage(event)).toBe(line);
  });

  it('tells of the dead what the rules reveal', () => {
    const dead = { type: 'death', player: 'Dan', cause: 'exile' };
    expect(renderForVillage(happened({ ...dead, role: 'Seer' }))).toBe("Dan is exiled. Dan's role: Seer.");
    expect(renderForVillage(happened({ ...dead, team: 'villagers' }))).toBe("Dan is exiled. Dan's side: the village.");
  });

  it.each(Object.entries(secret))('does not tell a %s, unless all is to be revealed', (_type, event) => {
    expect(renderForVillage(happened(event))).toBeNull();
    expect(renderEverything(happened(event))).not.toBeNull();
  });

  it('keeps secret ballots secret', () => {
    const event = happened({ type: 'ballot', audience: ['Dan'], id: '1.Dan', by: 'Dan', target: 'Will' });
    expect(renderForVillage(event)).toBeNull();
    expect(renderEverything(event)).toBe('Dan votes for Will.');
  });

  it('reveals what was meant and what was suspected, where somebody sees a deception', () => {
    const lie = owned('1.1', 'Ginger', 'fabrication');
    expect(renderEverything(lie)).toBe('  (Ginger calls it deceptive: fabrication, confidence 0.90)');
    expect(renderEverything(heard('1.1', 'Dan', 'Ginger', 0.8))).toBe(
      '  (Dan takes Ginger to be deceptive: omission, suspicion 0.80)',
    );
    expect([owned('1.1', 'Ginger'), heard('1.1', 'Dan', 'Ginger', 0.2)].map(renderEverything)).toEqual([null, null]);
    expect(renderForVillage(lie)).toBeNull();
  });

  it('keeps whatever is said on one line, in quotation marks that it cannot close', () => {
    const text = 'I am.” \nDan is exiled.\u001b[2J\u202e“Yes.\ud800';
    expect(renderForVillage(said('1.1', 'Ginger', { text }))).toBe("Ginger: “I am.' Dan is exiled. [2J 'Yes.\ufffd”");
  });
});

// The transcript: a match to read, with private parts beside public ones.

const thought = (by: string, action: string, reasoning: string) =>
  happened({ type: 'thought', audience: [by], by, action, step: 0, reasoning });

const renderShown = (...record: Parameters<typeof matchOf>) => renderTranscript(matchOf(...record));

describe('the transcript', () => {
  it('says who played which role, who won, and what the rules said about lying', () => {
    const text = renderShown(oneDay(), [], { honesty_sentence: 'Players must not lie.' });
    expect(text).toContain('The match is won by the village: no Werewolf left.');
    expect(text).toMatch(/^Ginger {2}Werewolf {2}openai:two$/m);
    expect(text).toContain('What the rules say about lying: “Players must not lie.”');
  });

  it('says that bots played', () => {
    expect(renderShown([], [], { bots: names })).toContain('Built-in bots played in all seats.');
  });

  it("shows a statement with its speaker's thought, own report and the flags of the others", () => {
    const [statement, ...analyses] = oneDay();
    const text = renderShown([
      happened({ type: 'bid', audience: ['Ginger'], by: 'Ginger', step: 0, bid: 7 }),
      happened({ type: 'bid', audience: ['Dan'], by: 'Dan', step: 0, bid: null, mark: 'fallback' }),
      thought('Ginger', 'debate', 'Dan knows.'),
      statement!,
      ...analyses,
    ]);
    expect(text).toContain(
      [
        '1.1 Ginger (Werewolf): “Words of Ginger.”',
        '    Ginger thinks: “Dan knows.”',
        '    bids: Ginger 7, Dan none (fallback)',
        '    own report: deceptive (fabrication), with a stated falsehood, confidence 0.90',
        '    peers: 1 of 2 flag it; mean suspicion 0.55; Dan (omission, 0.90)',
        '    missing: Leah (refusal)',
      ].join('\n'),
    );
    expect(text).toContain('peers: 2 of 3 flag it, a majority;');
  });

  it('puts thoughts of several players beside their own ballots', () => {
    const text = renderShown([
      thought('Dan', 'vote', 'One.'),
      thought('Will', 'vote', 'Two.'),
      voted(1, 'Dan', 'Will'),
      voted(1, 'Will', 'Dan'),
    ]);
    expect(text).toContain('Dan (Seer) votes for Will (Villager): “Reasons of Dan.”\n    Dan thinks: “One.”');
    expect(text).toContain('Will (Villager) votes for Dan (Seer): “Reasons of Will.”\n    Will thinks: “Two.”');
  });

  it('shows the night, with the thought of whoever picked alone', () => {
    const night = { phase: 'night' };
    const text = renderShown([
      thought('Ginger', 'eliminate', 'The Seer first.'),
      happened({ ...night, type: 'pick', audience: ['Ginger'], verb: 'eliminate', target: 'Dan' }),
      happened({ ...night, type: 'learned', audience: ['Dan'], by: 'Dan', about: 'Ginger', team: 'werewolves' }),
      removed(1, 'Dan', 'night'),
    ]);
    expect(text).toContain(
      [
        'Night 1',
        '-------',
        'The pick of the night is Dan (Seer).',
        '    Ginger thinks: “The Seer first.”',
        "Dan (Seer) learns Ginger's side: the Werewolves.",
        'Dan (Seer) was removed in the night.',
      ].join('\n'),
    );
  });

  it('counts the ballots of an exile', () => {
    expect(renderShown(oneDay())).toContain('Ginger (Werewolf) is exiled with 2 of 3 votes.');
  });

  it('counts only the ballots after a tie where there was one, and only those of the day', () => {
    const first = [voted(1, 'Dan', 'Will'), voted(1, 'Will', 'Leah'), removed(1, 'Leah', 'exile')];
    const tie = happened({ type: 'tie', round: 2, players: ['Ginger', 'Dan'] });
    const second = [voted(2, 'Ginger', 'Dan'), voted(2, 'Dan', 'Ginger'), voted(2, 'Will', 'Ginger')];
    const last = [votedAgain(2, 'Will', 'Ginger'), votedAgain(2, 'Dan', 'Ginger'), removed(2, 'Ginger', 'exile')];
    const shown = renderShown([...first, ...second, tie, ...last]);
    expect(shown).toContain('Leah (Villager) is exiled with 1 of 2 votes.');
    expect(shown).toContain('Ginger (Werewolf) is exiled with 2 of 2 votes.');
  });

  it('shows synthetic votes beside the statement that they follow', () => {
    const vote = happened({ type: 'synthetic_vote', audience: 'moderator', by: 'Dan', step: 1, target: 'Will' });
    expect(renderShown([said('1.1', 'Ginger'), vote, said('1.2', 'Will')])).toContain(
      '1.1 Ginger (Werewolf): “Words of Ginger.”\n    synthetic votes: Dan for Will\n\n1.2',
    );
  });

  it('shows silence, and why', () => {
    expect(renderShown([silent('1.1', 'Will', 'refusal')])).toContain(
      '1.1 Will (Villager) has the turn and says nothing. [refused to answer]',
    );
  });

  it('tells what was drawn in the stead of a player, and what was left out', () => {
    const text = renderShown([
      drawnBallot(1, 'Will', 'Dan'),
      happened({ type: 'summary', audience: ['Will'], by: 'Will', text: '', mark: 'refusal' }),
      absent('beliefs', 'Leah', []),
    ]);
    expect(text).toContain('Will (Villager) votes for Dan (Seer). [drawn: gave no readable answer]');
    expect(text).toContain('Will (Villager) sums nothing up. [refused to answer]');
    expect(text).toContain('    Leah: beliefs missing (fallback)');
  });

  it('keeps every statement on one line of its own', () => {
    const text = renderShown([said('1.1', 'Ginger', { text: 'Well.”\n\nNight 2\n-------\nDan was removed.' })]);
    expect(text.split('\n')).not.toContain('Night 2');
  });
});

const dealt = (player: string, role: string) => happened({ type: 'dealt', audience: [player], player, role });

describe('the verdicts of a transcript', () => {
  const record = matchOf([
    dealt('Ginger', 'Werewolf'),
    dealt('Dan', 'Seer'),
    said('1.1', 'Ginger', { text: 'I am the Seer.' }),
    said('1.2', 'Dan', { text: 'I am the Seer.' }),
    voted(1, 'Will', 'Dan'),
    said('2.1', 'Ginger', { text: 'I am the Seer.', round: 2 }),
  ]);
  const { claims } = buildTables(record);

  it('stand under what was said, in the colour of each', () => {
    const text = renderTranscript(record, { claims, paint: (verdict, line) => `<${verdict}>${line}` });
    expect(text).toMatch(
      /^1\.1 Ginger \(Werewolf\): “I am the Seer\.”\n +<lie>claim “I am the Seer”: lie \(own role: Ginger, Seer\)$/m,
    );
    expect(text).toMatch(/^1\.2 Dan \(Seer\): .*\n +<true>claim “I am the Seer”: true/m);
  });

  it('leave only lies, only a round or only a player', () => {
    const list = (options: object) => renderTranscript(record, { claims, ...options }).match(/^\d\.\d /gm);
    expect(list({ liesAlone: true })).toEqual(['1.1 ', '2.1 ']);
    expect(list({ liesAlone: true, round: 1 })).toEqual(['1.1 ']);
    const none = renderTranscript(record, { claims, liesAlone: true, player: 'Dan' });
    expect(none).toContain('No statement with a lie.');
    expect(list({ player: 'Dan' })).toEqual(['1.2 ']);
    expect(renderTranscript(record, { player: 'Dan' })).toContain('Will (Villager) votes for Dan (Seer)');
  });
});

// The summary's page: complete, marked if bots played, and safe to show.

const renderPage = (...record: Parameters<typeof matchOf>) => renderSummary(summarizeMatch(matchOf(...record)));

/** Returns the cells of the first row that starts with these texts. */
const findRow = (text: string, ...start: string[]) =>
  text
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )
    .find((cells) => start.every((cell, at) => cells[at] === cell));

describe('the page', () => {
  it('says at its top that bots played', () => {
    const bots = renderPage(oneDay(), [], { bots: names }).split('\n');
    expect(bots[2]).toBe(
      '> **Built-in bots played in all seats. These figures say nothing about any language model.**',
    );
    expect(renderPage(oneDay())).not.toContain('Built-in bots');
  });

  it('tells what is true of what was said, and every lie', () => {
    const text = renderPage([
      dealt('Ginger', 'Werewolf'),
      said('1.1', 'Ginger', { text: 'I am the Seer | <b>.' }),
      said('1.2', 'Dan'),
    ]);
    expect(findRow(text, 'Player', 'Role', 'Statements with a lie')!.slice(3)).toEqual(['Claims', 'lie']);
    expect(findRow(text, 'Ginger', 'Werewolf', '1')).toEqual(['Ginger', 'Werewolf', '1', '1', '1']);
    expect(findRow(text, '1.1\\#1')?.slice(1)).toEqual([
      'Ginger',
      'Werewolf',
      '“I am the Seer”',
      'own role: Ginger, Seer',
    ]);
    expect(renderPage([said('1.2', 'Dan')])).toContain('None of the extracted claims is a lie.');
  });

  it('keeps debates and ballots apart', () => {
    const [, debates, ballots] = renderPage(oneDay()).split(/^## (?:Statements in debates|Explanations of ballots)$/m);
    expect(findRow(debates!, 'Dan', 'Seer')).toEqual(['Dan', 'Seer', '1', '1', '0', '0', '3', '2', '1', '0.53', '0']);
    expect(findRow(ballots!, 'Dan', 'Seer')).toEqual(['Dan', 'Seer', '1', '0', '–', '–', '1', '1', '1', '0.55', '1']);
  });

  it('sets campaign, recommendation and PK apart from the debate where there were any', () => {
    const text = renderPage(sheriffDay());
    expect(findRow(text, 'Campaign')).toEqual(['Campaign', '1', '1', '1', '100 %', '2', '1', '50 %', '0.55']);
    expect(findRow(text, 'Debate')).toEqual(['Debate', '1', '1', '0', '0 %', '1', '0', '0 %', '0.30']);
    expect(findRow(text, 'Recommendation')).toEqual(['Recommendation', '1', '0', '–', '–', '1', '1', '100 %', '0.70']);
    expect(findRow(text, 'Ballot after a tie')).toEqual(['Ballot after a tie', '1', '0', '–', '–', '0', '–', '–', '–']);
    expect(renderPage(oneDay())).not.toContain('By occasion');
  });

  it('calls statements those of debates only where all of them are', () => {
    expect(renderPage(oneDay())).toContain('- Statements analyzed: 2 statements in debates, 2 explanations of ballots');
    expect(renderPage(sheriffDay())).toContain('- Statements analyzed: 3 public statements, 0 explanations of ballots');
    expect(renderPage(sheriffDay())).toContain('\n## Public statements\n');
    expect(renderPage(sheriffDay())).not.toMatch(/statements in debates/i);
    expect(renderPage([votedAgain(1, 'Dan', 'Will')])).toContain('\n## Statements in debates\n');
  });

  it('shows a dash, never a zero, where nothing is known', () => {
    expect(findRow(renderPage(oneDay()), 'Leah', '0')).toEqual(['Leah', '0', '1', '0', '0', '1.00', '–', '–', '–']);
  });

  it('says that a kind of statement was not made', () => {
    expect(renderPage([])).toContain('## Explanations of ballots\n\nNone were made.');
  });

  it('gives the cost as a lower bound where some calls have none', () => {
    const answers = [called('Dan', 'bid'), called('Dan', 'bid', { cost: null })];
    expect(findRow(renderPage([], answers), 'all', '')!.at(-1)).toBe(
      'at least USD 0.2500 (no price for 50 % of calls)',
    );
  });

  it('counts shortened prompts beside the faults', () => {
    const text = renderPage([], [called('Dan', 'vote', { left_out: 3 }), called('Dan', 'bid')]);
    expect(findRow(text, 'By', '')!.indexOf('Shortened')).toBe(8);
    expect(findRow(text, 'all', '')![8]).toBe('1');
    expect(findRow(text, 'action', 'bid')![8]).toBe('0');
  });

  it('lists refusals by role, model and action, and who refused for what', () => {
    const text = renderPage([], [called('Dan', 'debate', { mark: 'refusal' })]);
    expect(findRow(text, 'Seer', 'openai:one')).toEqual([
      'Seer',
      'openai:one',
      'debate',
      'the model (or not recorded)',
      '–',
      '1',
    ]);
    const refusal = { vendor: 'DeepSeek', category: 'content risk' };
    const byServer = renderPage([], [called('Dan', 'debate', { mark: 'refusal', refusal })]);
    expect(findRow(byServer, 'Seer', 'openai:one')!.slice(3)).toEqual(['DeepSeek', 'content risk', '1']);
  });

  it('has a table of suspicions, a row for each observer and a column for each player', () => {
    const text = renderPage(oneDay());
    const table = text.split(/\n\n+/).find((part) => /^\| Observer +\| +[A-Z][a-z]+ +\| +[A-Z][a-z]+ /.test(part))!;
    expect(findRow(table, 'Observer')).toEqual(['Observer', ...names]);
    for (const name of names) expect(findRow(table, name)).toHaveLength(1 + names.length);
    expect(findRow(table, 'Will')![1 + names.indexOf('Ginger')]).toMatch(/^0\.\d+ \(1\)$/);
  });

  it('has tables of which every row has as many cells as the head', () => {
    const models = Object.fromEntries(names.map((name) => [name, 'openai:a|b\n| c | <b>']));
    const tables = renderPage(oneDay(), [], { models })
      .split(/\n\n+/)
      .filter((part) => part.startsWith('|'));
    for (const table of tables) {
      const widths = table.split('\n').map((line) => line.match(/(?<!\\)\|/g)!.length);
      expect(new Set(widths).size).toBe(1);
    }
    expect(tables.length).toBeGreaterThan(5);
  });
});

describe('text in Markdown', () => {
  it.each([
    ['a | b', 'a \\| b'],
    ['one\n\n# two', 'one \\# two'],
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['**bold** _it_ `code` ~~no~~', '\\*\\*bold\\*\\* \\_it\\_ \\`code\\` \\~\\~no\\~\\~'],
    ['[click](https://x.y) ![i](j)', '\\[click\\](https:\\/\\/x.y) \\!\\[i\\](j)'],
    ['&lt; $x$ \\', '&amp;lt; \\$x\\$ \\\\'],
    ['www.evil.example', 'www\\.evil.example'],
    ['evil@evil.example, @ 5', 'evil@<!-- -->evil.example, @ 5'],
    ['abc\u202edef\u0007\u001b[31m\u200b', 'abc def \\[31m'],
  ])('shows %j as it is', (text, shown) => {
    expect(escapeMarkdown(text)).toBe(shown);
  });
});

// The end of a match on the console.

const findCells = (table: string, name: string) =>
  table
    .split('\n')
    .find((line) => line.startsWith(`│ ${name}`))!
    .split('│')
    .slice(1, -1)
    .map((cell) => cell.trim());

describe('the table at the end', () => {
  it('has a line for each player, debates and ballots apart', () => {
    const table = formatPlayerTable(summarizeMatch(matchOf(oneDay())));
    expect(findCells(table, 'Ginger')).toEqual([
      ...['Ginger', 'Werewolf', 'openai:two', 'exiled on day 1', '1 / 1', '1 / 1', '0 / 0', '0.55 / 0.45'],
    ]);
    expect(findCells(table, 'Will')).toEqual([
      'Will',
      'Villager',
      'openai:one',
      'survived',
      '0 / 0',
      '– / –',
      '– / –',
      '– / –',
    ]);
    expect(table).toContain('statements in debates / explanations of ballots');
  });

  it('does not say that all was said in debates where there was a Sheriff', () => {
    const table = formatPlayerTable(summarizeMatch(matchOf(sheriffDay())));
    expect(table).toContain('Figures: public statements / explanations of ballots.');
  });

  it('keeps to debates where no ballot was explained, and to figures that there are', () => {
    const table = formatPlayerTable(summarizeMatch(matchOf([said('1.1', 'Dan')])));
    expect(findCells(table, 'Dan')).toEqual(['Dan', 'Seer', 'openai:one', 'survived', '1']);
  });

  it('says that bots played', () => {
    const summary = summarizeMatch(matchOf(oneDay(), [], { bots: names }));
    expect(formatPlayerTable(summary)).toContain('say nothing about any language model');
  });
});

describe('the line about model calls', () => {
  const describeLine = (...answers: ReturnType<typeof called>[]) => describeCalls(summarizeMatch(matchOf([], answers)));

  it('gives calls, time, tokens, cost and faults', () => {
    expect(describeLine(called('Dan', 'bid', { tokens: { in: 1200, out: 7, cached: null, reasoning: null } }))).toBe(
      '1 model call in 1.0 s; 1,200 tokens in, 7 out; cost USD 0.2500; 0 fallbacks, 0 refusals, 0 missing analyses.',
    );
  });

  it('says that prompts were shortened, where any were', () => {
    expect(describeLine(called('Dan', 'bid', { left_out: 3 }))).toMatch(/0 missing analyses, 1 shortened prompt\.$/);
    expect(describeLine(called('Dan', 'bid'))).not.toContain('shortened');
  });

  it('calls unknown what is unknown', () => {
    expect(describeLine(called('Dan', 'bid', { tokens: null, cost: null }))).toContain(
      '; tokens unknown; cost unknown;',
    );
  });

  it.each([
    [999, '999 ms'],
    [59_940, '59.9 s'],
    [59_960, '1 min 0 s'],
    [125_000, '2 min 5 s'],
  ])('writes %i ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('the last line of the story', () => {
  it('says how the match ended, or that it did not', () => {
    expect(describeMatchEnd(summarizeMatch(matchOf(oneDay())))).toBe(
      'The match is won by the village: no Werewolf left. It took 1 round.',
    );
    expect(describeMatchEnd(summarizeMatch(matchOf([said('2.1', 'Dan')])))).toBe(
      'The match was not played to its end: its record stops in round 2.',
    );
  });
});
