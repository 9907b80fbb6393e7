// A match in which people play shows its private parts to nobody before it is over, unless the operator asks.
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { playMatch } from '../../../graph/play-match.ts';
import { readRecord } from '../../../models/record/recorder.ts';
import { MatchIndex } from '../../../scripts/view/match-index.ts';
import { ViewAnswers } from '../../../scripts/view/view-answers.ts';
import { seatPeople } from '../../people.ts';
import { createTemporaryFolder } from '../../temporary-folder.ts';
import { run } from '../process.ts';

const out = createTemporaryFolder();
const plan = {
  ...{ board: { name: 'tiny-4', roles: { Werewolf: 1, Seer: 1, Villager: 2 } }, seed: 987_654 },
  ...{ rule: { maxRounds: 2, debateTurns: 2 }, seats: { Ginger: 'human:alice' } },
};
const folder = path.join(out, 'stopped');
/** Texts that only some players, or nobody at the table, may know. */
let secrets: string[] = [];

beforeAll(async () => {
  const stopper = new AbortController();
  const people = seatPeople(({ prompt }, drawn) => {
    if (prompt.action !== 'vote') return drawn;
    stopper.abort(new Error('stopped'));
    return Promise.reject(new Error('stopped'));
  });
  const playing = playMatch({ ...plan, id: 'stopped', out, people, signal: stopper.signal });
  await expect(playing).rejects.toThrow('stopped');
  await playMatch({ ...plan, id: 'over', out, people: seatPeople() });
  const { manifest, events } = readRecord(folder);
  const thoughts = events.flatMap((event) =>
    'reasoning' in event && event.reasoning.length > 20 ? [event.reasoning] : [],
  );
  expect(thoughts.length).toBeGreaterThan(3);
  secrets = [
    ...new Set(thoughts),
    '"Seer"',
    ' Seer',
    'is a Werewolf."',
    'bot:classic',
    'human:',
    'alice',
    String(plan.seed),
    manifest.salt ?? '',
  ];
});

const findSecrets = (text: string) =>
  secrets.filter((secret) => text.includes(secret) || text.includes(JSON.stringify(secret).slice(1, -1)));
const createAnswers = (shown?: object) => new ViewAnswers(out, new MatchIndex(out, null), '', 't', shown);
const fetchText = async (address: string, shown?: object) =>
  (await createAnswers(shown).find(new URL(`http://localhost/t/${address}`)))?.body ?? '';

describe('a match in which people still play', () => {
  it.each([
    'api/match?path=stopped',
    'api/matches',
    'page/stopped/match.html',
    'api/prompts?path=stopped&moment=e1',
    'api/study?path=.',
  ])('shows nothing private at %s of the viewer', async (address) => {
    const body = (await fetchText(address)).replaceAll(/"id":"over".*?\}/g, '');
    const own = body.split('"path":"over"')[0] ?? '';
    expect(findSecrets(own)).toEqual([]);
  });

  it('shows what is public, and everything to the operator', async () => {
    const body = await fetchText('api/match?path=stopped');
    const { events } = readRecord(folder);
    const said = events.flatMap((event) => (event.type === 'statement' ? [event.text] : []));
    expect(said.length).toBeGreaterThan(0);
    expect(said.filter((text) => !body.includes(JSON.stringify(text).slice(1, -1)))).toEqual([]);
    const whole = await fetchText('api/match?path=stopped', { isOperator: true });
    expect(findSecrets(whole)).toEqual(expect.arrayContaining(['bot:classic', 'human:', String(plan.seed)]));
  });

  it('shows nothing private by show, and everything with --operator', async () => {
    const { stdout: output, code, stderr: errors } = await run('show', [folder]);
    expect([code, findSecrets(output)]).toEqual([0, []]);
    expect(output).toContain('Night 1');
    expect(errors).toContain('People still play this match');
    const page = path.join(createTemporaryFolder(), 'match.html');
    await run('show', [folder, '--html', page]);
    expect(findSecrets((await run('show', [folder, '--operator'])).stdout).length).toBeGreaterThan(1);
  });

  it('is shown to onlookers without its private parts even when it is over, with no reports beside it', async () => {
    const [match, list] = [
      await fetchText('api/match?path=over', { isPublic: true }),
      await fetchText('api/matches', { isPublic: true }),
    ];
    expect([match.length > 1000, findSecrets(match), findSecrets(list)]).toEqual([true, [], []]);
    expect(await fetchText('page/report/report.html', { isPublic: true })).toBe('');
    expect(await fetchText('api/study?path=.', { isPublic: true })).toBe('');
    expect(findSecrets(await fetchText('api/match?path=over'))).toContain('bot:classic');
  });
});
