// Every prompt word for word, in one file per action and role.
import { describe, expect, it } from '@jest/globals';
import { templatesHash } from '../../prompts/prompt.ts';
import {
  dealWordedSamples,
  hashRunningWords,
  listWordedTexts,
  readTemplatesHash,
  usualWords,
} from '../../prompts/wording.ts';
import { boards } from '../../state/boards.ts';
import { powers, roles } from '../../state/roles/index.ts';
import { passChoice } from '../../state/roles/role.ts';
import { destroyBadgeChoice } from '../../state/sheriff.ts';
import { listAllies } from '../../state/view.ts';
import { type Exhibit, gallery, hashTemplates, usualRoles } from './prompt-samples.ts';
import { expectNoOther, expectSnapshot } from './snapshot.ts';

const exhibits = gallery('wolf');
/** Under other rules each action occurs once: the first tests cover differences between roles. */
const onceEach = (rules: 'arena' | 'plus') =>
  gallery(rules).filter(({ action }, index, all) => all.findIndex((other) => other.action === action) === index);
const [ofArena, ofPlus] = [onceEach('arena'), onceEach('plus')];
const fileOf = ({ action, role }: Exhibit) => `${action}.${role}.txt`;
const files = [
  ...exhibits.map((exhibit) => [fileOf(exhibit), exhibit.prompt] as const),
  ...ofArena.map((exhibit) => [`arena.${fileOf(exhibit)}`, exhibit.prompt] as const),
  ...ofPlus.map((exhibit) => [`plus.${fileOf(exhibit)}`, exhibit.prompt] as const),
];

interface Schema {
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
}

const objectsIn = (schema: Schema): Schema[] =>
  schema.properties ? [schema, ...Object.values(schema.properties).flatMap(objectsIn)] : [];

describe('the wording of', () => {
  it.each(files)('%s is the reviewed one', (file, prompt) => {
    expectSnapshot(file, prompt);
  });

  it('nothing else is kept', () => {
    expectNoOther(files.map(([file]) => file));
  });
});

describe('the gallery', () => {
  it('shows every action of the day to every role, and every power to its holders', () => {
    const ofDay = [
      'bid',
      'debate',
      'vote',
      'synthetic_vote',
      'self_analysis',
      'peer_analysis',
      'ballot_self_analysis',
      'ballot_peer_analysis',
      'beliefs',
      'sum_up',
      'summarize',
    ];
    const expected = [
      ...powers.map((power) => `${power.verb}.${power.role.name}.txt`),
      ...[...roles.values()].flatMap(({ name, lastAct }) => (lastAct ? [`${lastAct.verb}.${name}.txt`] : [])),
      ...ofDay.flatMap((action) => [...roles.keys()].map((role) => `${action}.${role}.txt`)),
    ];
    expect(exhibits.map(fileOf).sort()).toEqual(expected.sort());
  });

  it('has the words of both bid scales, of both packs and of both ballots, so that the hash covers them', () => {
    const words = [...exhibits, ...gallery('arena'), ...gallery('plus')]
      .map(({ prompt }) => `${prompt.system}\n${prompt.user}`)
      .join('\n');
    const parts = [
      '3: It is absolutely urgent',
      '7 to 9: ',
      'you were drawn by lot',
      'The proposals differed',
      'Votes are secret',
      'then shown to everybody',
      'in the order of seats',
      'Everybody knows who is Sheriff',
    ];
    expect(parts.filter((part) => !words.includes(part))).toEqual([]);
  });

  const everyone = (['wolf', 'arena', 'plus'] as const).flatMap((rules) => gallery(rules));

  it('shows a role that the usual table has not on a table of its own, so that a new role changes no other’s words', () => {
    const usual = boards['classic-8']!.roles;
    for (const { role, prompt } of everyone)
      expect(prompt.view.board.roles).toEqual(Object.hasOwn(usual, role) ? usual : { ...usual, [role]: 1 });
  });

  it('shows moments that a match can come to: days follow each other, and none is later than the question', () => {
    for (const { prompt } of everyone) {
      const headings = prompt.user
        .split('\n')
        .filter((line) => /^(Night|Day) \d(?: \(still in the game: .+\))?:$/.test(line));
      expect(headings.map((line) => line.replace(/ \(.+\)/, ''))).toEqual(
        ['Night 1:', 'Day 1:', 'Night 2:', 'Day 2:'].slice(0, headings.length),
      );
      const { round, phase } = prompt.view;
      for (const event of prompt.view.events.slice(prompt.view.players.length))
        expect(event.round * 2 + Number(event.phase === 'day')).toBeLessThanOrEqual(
          round * 2 + Number(phase === 'day'),
        );
    }
  });

  it('shows each question of the office when it is put', () => {
    const ofAction = (action: string) => ofPlus.find((exhibit) => exhibit.action === action)!.prompt;
    const today = (action: string) => ofAction(action).user.split(/Day 2.*:\n/)[1] ?? '';
    expect(ofAction('candidacy').user).toContain('It is day 1.');
    expect(ofAction('candidacy').user).not.toMatch(/stands? for Sheriff\.$/m);
    expect(ofAction('campaign').user).toContain('You stand for Sheriff.');
    expect(today('speaking_order')).not.toContain('said');
    expect(today('pseudo_vote')).not.toContain('in the pseudo-vote');
    expect(today('recommend')).toContain('in the pseudo-vote');
    expect(today('pk_debate')).toMatch(/tied between .*: they speak/);
    expect(today('pass_badge')).toContain('You left the game, exiled by vote.');
    for (const action of ['speaking_order', 'recommend'])
      expect(ofAction(action).user).toContain('You are the Sheriff.');
  });

  it('shows nobody who bids where nobody does, and no Werewolf who picks one', () => {
    for (const { prompt } of gallery('plus')) expect(prompt.view.events.map(({ type }) => type)).not.toContain('bid');
    for (const { prompt } of everyone)
      for (const event of prompt.view.events)
        if (event.type === 'proposal') expect(listAllies(prompt.view)).not.toContain(event.target);
  });

  it('has the hash that stands in prompts/prompt.ts: where words changed, commit the received value as templatesHash', () => {
    expect(hashTemplates()).toBe(templatesHash);
  });

  it('is of the words that run: where they changed, commit the received value as usualWords in prompts/wording.ts', () => {
    expect(hashRunningWords()).toBe(usualWords);
    expect(readTemplatesHash()).toBe(templatesHash);
  });

  it('has no question that the hash of the words that run leaves out', () => {
    const asked = new Set(everyone.map(({ action }) => action));
    const hashed = dealWordedSamples().flatMap((setup) => Object.keys(listWordedTexts(setup)));
    expect([...asked].filter((action) => !hashed.includes(action))).toEqual([]);
    for (const setup of dealWordedSamples())
      expect(Object.keys(setup.board.roles).toSorted()).toEqual(usualRoles.map(({ name }) => name).toSorted());
  });
});

describe('every prompt', () => {
  it.each([...exhibits, ...ofPlus].map((exhibit) => [fileOf(exhibit), exhibit] as const))(
    '%s',
    (_file, { prompt, role }) => {
      const { system, user, schema, view, action } = prompt;
      // The prompt tells the player's own name in a separate line.
      expect(system.split('\n')).toContain(`You are ${view.me}`);
      expect(system).toContain(`Your role is ${role};`);
      // The prompt asks for the reasoning first, and describes every field of the schema.
      const fields = Object.keys(schema['properties'] as object);
      expect(fields[0]).toBe('reasoning');
      const shape = new RegExp(`^(?:".*", )?"${prompt.action}"(?:, ".*")?:\\n((?: {2}".*\n?)+)`, 'm').exec(system)![1]!;
      const described = [...shape.matchAll(/^ {2}"(\w+)": /gm)].map(([, name]) => name);
      const order = /^The order of the fields: (.+)\.$/m.exec(user)?.[1]?.split(', ');
      expect(described.toSorted()).toEqual(fields.slice(1).toSorted());
      if (action !== 'ballot_peer_analysis') expect(['reasoning', ...(order ?? described)]).toEqual(fields);
      // The prompt ends with the kind of the answer.
      expect(user).toMatch(new RegExp(`\\nAnswer: kind "${prompt.action}"\\.$`));
      // The prompt uses no words that models refuse.
      expect(`${system}\n${user}`).not.toMatch(
        /\b(kill|murder|die[sd]?|dead|death|attack|victim|blood|lynch|hang|execut|slay)/i,
      );
      // The schema is strict: every property is required, and no other is allowed.
      const objects = objectsIn(schema);
      expect(objects.map(({ required, properties }) => required ?? Object.keys(properties!))).toEqual(
        objects.map(({ properties }) => Object.keys(properties!)),
      );
      expect(objects.every(({ additionalProperties }) => additionalProperties === false)).toBe(true);
    },
  );

  it('offers to name only those who may be named', () => {
    for (const { prompt } of [...exhibits, ...gallery('plus')])
      for (const name of prompt.choices) expect([...prompt.view.alive, passChoice, destroyBadgeChoice]).toContain(name);
  });

  it('has public fields only where players speak, and fields for the pack only where it acts', () => {
    const visible = ['statement', 'explanation', 'proposal', 'proposal_reason'];
    const shown = [...exhibits, ...gallery('plus')].map((exhibit) => [
      exhibit.action,
      Object.keys(exhibit.prompt.schema['properties'] as object).filter((field) => visible.includes(field)),
    ]);
    expect(Object.fromEntries(shown.filter(([, fields]) => fields!.length > 0))).toEqual({
      eliminate: ['proposal', 'proposal_reason'],
      debate: ['statement'],
      campaign: ['statement'],
      recommend: ['statement'],
      pk_debate: ['statement'],
      vote: ['explanation'],
    });
  });
});
