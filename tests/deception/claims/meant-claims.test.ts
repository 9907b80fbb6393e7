// The meaning that bots record with their statements, read as claims.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { extractMatchClaims } from '../../../deception/claims/match-claims.ts';
import { readMeantClaims } from '../../../deception/claims/meant-claims.ts';
import type { MatchRecord } from '../../../deception/record/match-record.ts';
import type { PublicSetup } from '../../../state/view.ts';
import { play } from '../../table.ts';

type Account = {
  acts: { kind: string; target?: string; role?: string; team?: string; sincere: boolean }[];
  lie: boolean;
};

const createTable = ({ manifest: { setup } }: MatchRecord): PublicSetup => ({
  board: setup.board,
  rules: setup.rules,
  players: setup.players.map(({ name }) => name),
});

async function playRecord(plan: Parameters<typeof play>[0]): Promise<MatchRecord> {
  const { manifest, events, lines } = await play(plan);
  return { manifest, events, answers: lines };
}

describe('the claims that bots meant to make', () => {
  let record: MatchRecord;
  let claims: ReturnType<typeof readMeantClaims>;

  beforeAll(async () => {
    const rule = { analysis: 'off', beliefs: 'off' } as const;
    record = await playRecord({ board: 'plus-9', seed: 4, model: 'bot:classic?lie=1', rules: 'plus', rule });
    claims = readMeantClaims(record, createTable(record));
  });

  it('are those of their account, whatever the words', () => {
    const spoken = record.answers.filter(({ meant }) => meant !== undefined);
    const wanted = spoken.flatMap(({ meant, player }) =>
      (meant as Account).acts.flatMap(({ kind, target, role, team }) => {
        if (kind === 'accuse') return `${player}: accusation ${target}`;
        if (kind === 'defend') return `${player}: defence ${target}`;
        if (kind === 'claim') return `${player}: own_role ${role}`;
        if (kind === 'report') return `${player}: check ${target} ${team}`;
        return kind === 'deny' ? `${player}: own_role no wolf` : [];
      }),
    );
    const got = [...claims.values()].flatMap((some) =>
      some!.map(({ by, type, subject, object, role, team }) => {
        if (type === 'own_role') return `${by}: own_role ${role ?? 'no wolf'}`;
        return type === 'check' ? `${by}: check ${object} ${team}` : `${by}: ${type} ${subject}`;
      }),
    );
    expect(got.length).toBeGreaterThan(20);
    expect(got.sort()).toEqual(wanted.sort());
  });

  it('are lies where the bot knows that they are not so', () => {
    const { statements } = extractMatchClaims(record, ({ id }) => claims.get(id) ?? null);
    const isWolf = (name: string) =>
      record.manifest.setup.players.some((one) => one.name === name && one.team === 'werewolves');
    const lies = statements.filter(({ verdict }) => verdict === 'lie');
    expect(statements.every(({ isUnread }) => !isUnread)).toBe(true);
    expect(lies.length).toBeGreaterThan(3);
    expect(lies.every(({ by }) => isWolf(by))).toBe(true);
  });

  it('are none where a bot always says the same, and missing where a bot recorded none', async () => {
    const random = await playRecord({ board: 'plus-9', seed: 4, model: 'bot:random', rules: 'plus' });
    const silent = [...readMeantClaims(random, createTable(random)).values()];
    expect(silent.length).toBeGreaterThan(5);
    expect(silent.every((some) => some?.length === 0)).toBe(true);
    const [first] = claims.keys();
    const answers = record.answers.map((line) => ({ ...line, meant: undefined }));
    expect(readMeantClaims({ ...record, answers }, createTable(record)).get(first!)).toBeNull();
  });

  it('are not read where a language model sat at the table', () => {
    const { manifest, ...rest } = record;
    const [name] = manifest.setup.bots as [string];
    const setup = {
      ...manifest.setup,
      models: { ...manifest.setup.models, [name]: 'openai:gpt-4o' },
      bots: manifest.setup.bots.filter((one) => one !== name),
    };
    const mixed = { ...rest, manifest: { ...manifest, setup } };
    expect(() => readMeantClaims(mixed, createTable(record))).toThrow(
      `bot:meant cannot judge ${manifest.id}: openai:gpt-4o plays ${name}, and only built-in bots record what they mean.`,
    );
  });
});
