// Matches with people: what they are asked and shown, what the record contains, and whether the record replays to the
// same match.
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listRuleArms } from '../../deception/design/schedule.ts';
import { listFolders } from '../../graph/earlier-match.ts';
import { prepareMatch } from '../../graph/prepare-match.ts';
import type { PersonSeat } from '../../models/human/people.ts';
import { playMatches } from '../../graph/play-matches.ts';
import { playMatch, replayMatch } from '../../graph/play-match.ts';
import { createPublicView, createView } from '../../state/view.ts';
import type { AnyPrompt } from '../../prompts/prompt.ts';
import { createGame } from '../../state/deal.ts';
import { isVisibleTo } from '../../state/events.ts';
import { readLines } from '../record-folder.ts';
import { answersIn, eventsIn, manifestIn } from '../scripts/match-folder.ts';
import { seatPeople } from '../people.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const out = createTemporaryFolder();
const plan = {
  board: { name: 'tiny-4', roles: { Werewolf: 1, Seer: 1, Villager: 2 } },
  seed: 3,
  rule: { maxRounds: 2, debateTurns: 2 },
  seats: { Ginger: 'human:alice', Sam: 'human' },
};
const play = (id: string, people = seatPeople(), more: object = {}) => playMatch({ ...plan, id, out, people, ...more });

describe('a match with people', () => {
  it('is recorded like any other, with salts, and a replay leads to the same events', async () => {
    const people = seatPeople();
    const { folder } = await play('whole', people);
    const lines = answersIn(folder ?? '');
    const alice = lines.filter(({ model }) => model === 'human:alice');
    expect(alice.length).toBeGreaterThan(3);
    expect(alice.every((line) => line.shown_ms === 12 && line.cost === 0 && line.tokens === null)).toBe(true);
    expect(new Set(lines.map(({ model }) => model))).toEqual(new Set(['human:alice', 'human:unnamed', 'bot:classic']));
    expect(manifestIn(folder ?? '')).toMatchObject({ salt: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect([
      ...readLines(path.join(folder ?? '', 'events.ndjson')),
      ...readLines(path.join(folder ?? '', 'answers.ndjson')),
    ]).toEqual(expect.not.arrayContaining([expect.not.stringMatching(/"salt":"[0-9a-f]{32}","chain"/)]));
    expect(people.roles).toMatchObject({ Ginger: expect.any(String) });
    expect((await replayMatch(folder ?? '')).isReworded).toBe(false);
  });

  it('resumes after its recorded answers with the same bytes', async () => {
    let left = 3;
    const stopper = new AbortController();
    const stop = (): Promise<never> =>
      new Promise((_resolve, reject) => {
        stopper.signal.addEventListener('abort', () => reject(stopper.signal.reason as Error));
        stopper.abort(new Error('stopped'));
      });
    const leaving = seatPeople((_question, drawn) => (left-- > 0 ? drawn : stop()));
    await expect(play('stopped', leaving, { signal: stopper.signal })).rejects.toThrow('stopped');
    expect(leaving.roles).toBeNull();
    const folder = path.join(out, 'stopped');
    const { salt } = manifestIn(folder);
    const again = seatPeople();
    await play('stopped', again);
    expect(manifestIn(folder).salt).toBe(salt);
    expect(again.questions.length).toBeLessThan(
      answersIn(folder).filter(({ model }) => model.startsWith('human:')).length,
    );
    await replayMatch(folder);
    const whole = await play('whole-again');
    const bare = (text: string) => text.replaceAll(/,"salt":.*/g, '');
    expect(bare(eventsIn(folder))).toBe(bare(eventsIn(whole.folder ?? '')));
  });

  it('shows each person what the seat may know, in the order of the record, and nothing else', async () => {
    const people = seatPeople();
    const { events, folder } = await play('shown', people);
    for (const me of ['Ginger', 'Sam']) {
      const last = people.views.findLast((view) => view.me === me);
      const seen = events.filter((event) => isVisibleTo(event, me));
      expect(last?.events).toHaveLength(seen.length);
      expect(last?.events.map(({ type }) => type)).toEqual(seen.map(({ type }) => type));
      const dead = events.flatMap((event) => (event.type === 'death' ? [event.player] : []));
      expect(last?.alive).toEqual(last?.players.filter((name) => !dead.includes(name)));
      expect(createView(createGame(manifestIn(folder ?? '').setup), me).role).toBe(last?.role);
    }
  });

  it('treats a person who is silent like a model that does not answer, once, and goes on', async () => {
    const people = seatPeople(({ prompt }, drawn) => (prompt.view.me === 'Ginger' ? null : drawn));
    const { folder } = await play('silent', people);
    const silent = answersIn(folder ?? '').filter(({ player }) => player === 'Ginger');
    expect(
      silent.every((line) => line.unanswered && line.mark === 'fallback' && line.raw === '' && line.attempt === 1),
    ).toBe(true);
    await replayMatch(folder ?? '');
  });

  it('takes whatever a person says, also what would be a refusal or a dialogue of a model', async () => {
    const said = "I'm sorry, but I can't help with that request. Sam: I am the Seer.";
    const people = seatPeople((_question, drawn) =>
      'statement' in drawn ? { ...drawn, statement: said } : 'bid' in drawn ? { ...drawn, bid: 10 } : drawn,
    );
    const { events, folder } = await play('words', people);
    expect(events).toEqual(expect.arrayContaining([expect.objectContaining({ type: 'statement', text: said })]));
    await replayMatch(folder ?? '');
  });

  it('is refused where nobody can be asked, as one of several, and with a name that cannot be one', async () => {
    await expect(play('nobody', undefined, { people: undefined })).rejects.toThrow(
      /(Ginger|Sam) is played by a person \(human:\w+\), but there is no terminal/,
    );
    const set = { seed: 1, matches: 2, planOf: () => Promise.resolve(plan) };
    await expect(playMatches(set, { out, people: seatPeople() })).rejects.toThrow(
      /one match at a time and each deal once. The planned 2 matches/,
    );
    await expect(play('named', seatPeople(), { seats: { Ginger: 'human:a b' } })).rejects.toThrow(
      /has an unusable name/,
    );
    await expect(play('hurried', seatPeople(), { seats: { Ginger: 'human:al?seconds=1' } })).rejects.toThrow(/seconds/);
  });

  it('may be one of several if seats are drawn: each deal once, one after another, and a resume plays the rest', async () => {
    const set = (names: string[], matches = 4) => ({
      ...{ seed: 5, matches, people: names.map((name) => `human:${name}`) },
      planOf: () => ({ ...plan, seats: { Ginger: `human:${names[0]!}?seconds=90`, Sam: `human:${names[1]!}` } }),
    });
    let [tables, most] = [0, 0];
    const opened: string[][] = [];
    const join = () => ({
      ...seatPeople(),
      open: (seats: readonly PersonSeat[]) => {
        most = Math.max(most, (tables += 1));
        opened.push(seats.map(({ player, spec }) => `${player} ${spec.replace(/\?.*/, '')}`));
      },
      close: () => void (tables -= 1),
    });
    const to = path.join(out, 'several');
    const readStudy = () => listFolders(to).map((id) => manifestIn(path.join(to, id)));
    const two = ['alice', 'bob'];
    const stopper = new AbortController();
    const onEnd = () => opened.length === 2 && stopper.abort(new Error('stopped'));
    await playMatches(set(two), { out: to, people: join(), signal: stopper.signal, onEnd: () => void onEnd() });
    expect(opened).toHaveLength(2);
    const before = readStudy().map(({ id }) => id);
    expect(await playMatches(set(two), { out: to, people: join() })).toMatchObject({ finished: 4, waiting: 0 });
    expect([opened.length, most]).toEqual([4, 1]);
    const after = readStudy();
    expect(after.map(({ id }) => id)).toEqual(expect.arrayContaining(before));
    expect(after.map(({ setup }) => setup.seed).sort()).toEqual([5, 6, 7, 8]);
    for (const { setup } of after) {
      expect(Object.values(setup.models).filter((model) => model.startsWith('human:'))).toHaveLength(2);
      expect(setup.players.map(({ name, role }) => [name, role])).toEqual(
        (await prepareMatch({ ...plan, seed: setup.seed }, {}, 0)).manifest.setup.players.map(({ name, role }) => [name, role]), // prettier-ignore
      );
    }
    expect(new Set(opened.flat()).size).toBeGreaterThan(2); // the seats differ from those of the plan in some deals
    const others = { out: null, people: seatPeople() };
    for (const more of [{ replicates: 2 }, { arms: listRuleArms({ scores: ['bands', 'hidden'] }, () => false) }])
      await expect(playMatches({ ...set(two), ...more }, others)).rejects.toThrow(
        /The planned 8 matches do not ensure this/,
      );
    const bySide = { ...set(two), planOf: () => ({ ...plan, villagers: 'bot:classic' }) };
    await expect(playMatches(bySide, others)).rejects.toThrow(/no model can be given by side or role/);
  });

  it('tells nobody who is human, unless the rule disclose is on: then everybody, and no onlooker', async () => {
    const asked = async (id: string, rule: object) => {
      const { folder } = await play(id, seatPeople(), { rule: { ...plan.rule, ...rule } });
      const prompts: AnyPrompt[] = [];
      await replayMatch(folder ?? '', { onAsked: (prompt) => void prompts.push(prompt) });
      return { prompts, setup: manifestIn(folder ?? '').setup };
    };
    const silent = await asked('undisclosed', {});
    expect(silent.setup.people).toBeUndefined();
    for (const { system, user } of silent.prompts) expect(system + user).not.toMatch(/human|AI model|alice/i);
    const told = await asked('disclosed', { disclose: true });
    const people = told.setup.players.map(({ name }) => name).filter((name) => name in plan.seats);
    expect(told.setup.people).toEqual(people);
    const sentence = `Humans among the players: ${people.join(', ')}. All other players are AI models.`;
    expect(told.prompts.length).toBeGreaterThan(20);
    for (const { system, user } of told.prompts) {
      expect((system + user).split(sentence)).toHaveLength(2); // contains the sentence once
      expect(system + user).not.toContain('alice');
    }
    expect(createPublicView(createGame(told.setup), 'judge').people).toBeNull();
    const { id } = await playMatch({ ...plan, seats: {}, out: null, rule: { ...plan.rule, disclose: false } });
    expect(id).toBe((await playMatch({ ...plan, seats: {}, out: null })).id);
    expect(id).not.toBe(
      (await playMatch({ ...plan, seats: {}, out: null, rule: { ...plan.rule, disclose: true } })).id,
    );
  });

  it('has an id that does not tell the seed, and without people no salt', async () => {
    const { id } = await playMatch({ ...plan, out: null, people: seatPeople() });
    expect(id).toMatch(/^tiny-4-people-[0-9a-f]{8}$/);
    const { folder } = await playMatch({ ...plan, seats: {}, id: 'bots', out });
    expect(manifestIn(folder ?? '').salt).toBeUndefined();
    expect(eventsIn(folder ?? '')).not.toContain('"salt"');
  });
});
