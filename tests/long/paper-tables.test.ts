// Bots play the plans of docs/evidence/papers, and every table and figure of the papers is made from these matches.
// Each item has the paper's rows and columns, states what is missing, and agrees with the tables of the matches.
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse, stringify } from 'yaml';
import { paperItems } from '../../report/papers/paper-register.ts';
import { statementCodeNames } from '../../state/statement-codes.ts';
import { readTable } from '../csv.ts';
import { type OpenAIServer, openOpenaiServer, type Received, type Scripted } from '../openai-server.ts';
import { reaching } from '../scripts/local-model.ts';
import { run } from '../scripts/process.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';

const root = createTemporaryFolder();
const plans = path.join(root, 'docs', 'evidence', 'papers');
const runs = (...parts: string[]) => path.join(root, 'runs', ...parts);
const bots = ['bot:classic', 'bot:classic?lie=1', 'bot:random'];

interface Plan {
  entrants: Record<string, string | object>;
  models?: string;
  deals: number;
  experience?: { k: number };
  rule?: object;
}

let server: OpenAIServer;

/**
 * Answers as the coder's model, and as the embedding model. Texts whose words have similar lengths get similar vectors.
 */
const answerAsModel = ({ body }: Received): Scripted => {
  const texts = body['input'] as string[] | undefined;
  if (!texts) return { text: JSON.stringify({ style: ['formal'], emotion: [], tactic: [] }) };
  const embed = (text: string) => {
    const vector = Array.from({ length: 8 }, () => 1);
    for (const word of text.split(' ')) vector[word.length % 8]! += 1;
    return vector;
  };
  return { body: { data: texts.map((text, index) => ({ index, embedding: embed(text) })) } };
};
const embedder = 'openai:multi-qa-mpnet-base-cos-v1';

/** Writes the plan with bots in place of its models, with few deals, and with few rounds if it has many matches. */
function writeBotPlan(file: string): void {
  const plan = parse(readFileSync(path.join(plans, file), 'utf8')) as Plan;
  const entrants = Object.fromEntries(Object.keys(plan.entrants).map((name, at) => [name, bots[at]!]));
  const small = {
    ...plan,
    deals: ['plus-8.yaml', 'plus-12.yaml'].includes(file) ? 2 : 1,
    ...(file.startsWith('plus-') && { rule: { ...plan.rule, maxRounds: 3 } }),
    ...(plan.experience && { experience: { ...plan.experience, k: 1, embedder } }),
  };
  writeFileSync(path.join(plans, file), stringify(plan.models === undefined ? { ...small, entrants } : small));
}

const nameStudy = (plan: string) => plan.replace('.yaml', '');
const planFiles = [...new Set(paperItems.flatMap((item) => item.plans))];

async function play(...args: Parameters<typeof run>): Promise<void> {
  expect(await run(...args)).toMatchObject({ code: 0 });
}

beforeAll(async () => {
  mkdirSync(path.dirname(plans), { recursive: true });
  cpSync('docs/evidence/papers', plans, { recursive: true });
  const models = parse(readFileSync(path.join(plans, 'models.yaml'), 'utf8')) as object;
  const named = Object.keys(models).map((name, at) => [name, { model: bots[at]! }] as const);
  writeFileSync(path.join(plans, 'models.yaml'), stringify(Object.fromEntries(named)));
  planFiles.forEach(writeBotPlan);
  server = await openOpenaiServer(answerAsModel);
  for (const plan of planFiles.toSorted((one, other) => one.length - other.length)) {
    const study = nameStudy(plan);
    if (study.endsWith('-experience')) {
      const past = study.replace('-experience', '');
      const pool = runs(`${past}-pool`);
      await play('pool', ['build', runs(past), '--out', pool, '--reward', 'rounds', '--moment', 'ballot']);
      await play('pool', ['embed', pool, '--embedder', embedder], reaching(server));
    }
    await play('tournament', [path.join(plans, plan), '--quiet', '--out', runs(study)], reaching(server));
  }
  await play('annotate', [runs('arena-final'), '--model', 'openai:coder', '--coding', '--quiet'], reaching(server));
}, 600_000);
afterAll(() => server.close());

const quick = ['--no-baselines', '--resamples', '20'];
/** Measurements are cached for the next table, in a folder of these tests only. */
const surroundings = { env: { XDG_CACHE_HOME: path.join(root, 'cache') } };

/** Returns the output of `report --table`: the cells of its table, and the lines about missing parts. */
async function makeTable(id: string, studies: readonly string[]) {
  const item = paperItems.find((one) => one.id === id)!;
  const folders = item.source === 'nothing' ? [] : studies.map((study) => runs(study));
  const { code, stdout, stderr } = await run(
    'report',
    [...folders, '--table', id, '--out', runs('out'), ...quick],
    surroundings,
  );
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.split('\n').filter((line) => line.startsWith('|'));
  const [head, , ...rows] = lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
  const missing = stdout.split('\n').filter((line) => line.startsWith('- '));
  return {
    head: head!,
    rows: rows,
    missing,
    files: stdout.split('\n').filter((line) => /\.(svg|csv)$/.test(line)),
    stdout,
  };
}
type Made = Awaited<ReturnType<typeof makeTable>>;

const getStudies = (id: string) => {
  const { plans: own } = paperItems.find((one) => one.id === id)!;
  return own.length === 0 ? ['plus-12'] : own.map(nameStudy);
};

/** Lists the distinct values of a table's column. */
const listColumn = ({ rows }: Made, at: number) => [...new Set(rows.map((row) => row[at]))];
const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
const named = ['deepseek', 'doubao', 'gpt-4o-mini'];
const pairs = named.flatMap((one) => named.filter((other) => other !== one).map((other) => [one, other]));
const expectPicture = ({ files }: Made, id: string) => {
  expect(files).toEqual([runs('out', 'papers', `${id}.svg`), runs('out', 'papers', `${id}.csv`)]);
  expect(readFileSync(files[0]!, 'utf8')).toMatch(/^<svg/);
  expect(readTable(readFileSync(files[1]!, 'utf8')).length).toBeGreaterThan(0);
};
const scores = ['Seer', 'Witch', 'Hunter', 'Guard', 'WereWolf', 'IRP', 'IRP, asked', 'KRE', 'VSS'];

/** Expected contents of every item in the papers. A new item needs an entry here. */
const papers: Readonly<Record<string, (made: Made) => void>> = {
  'arena-figure-1': (made) => {
    expect(made.head).toEqual(['Phase', 'Step', 'What happens', 'Rounds']);
    expectPicture(made, 'arena-figure-1');
    expect(listColumn(made, 0)).toEqual(['night', 'day']);
    for (const step of ['acted', 'statement', 'ballot', 'bid', 'ended'])
      expect(listColumn(made, 1)).toContain(`\`${step}\``);
  },
  'arena-figure-2': (made) => {
    expect(made.head).toEqual(['Player', 'Role', 'Reasoning', 'Bid']);
    expectPicture(made, 'arena-figure-2');
    expect(listColumn(made, 1)).toContain('Werewolf');
    expect(listColumn(made, 1)).not.toContain('Seer'); // the Seer spoke last and does not bid
    expect(made.stdout).toMatch(/the Seer, names \w+: “/);
  },
  'arena-figure-3a': (made) => {
    expect(listColumn(made, 0)).toEqual(count(1, 8));
    expect(listColumn(made, 1)).toEqual(count(0, 4).map((bid) => `${bid} of 4`));
    expectPicture(made, 'arena-figure-3a');
  },
  'arena-figure-3b': (made) => {
    expect(listColumn(made, 0)).toEqual(count(2, 8));
    expect(listColumn(made, 1)).toEqual(count(0, 4).map((bid) => `${bid} of 4`));
    expectPicture(made, 'arena-figure-3b');
  },
  'arena-figure-4': (made) => {
    expect(made.head.slice(0, 3)).toEqual(['Turn', 'Speaker', 'Statement']);
    expectPicture(made, 'arena-figure-4');
    expect(made.head.slice(3).every((column) => /^Votes for \w+ \(\w+\)$/.test(column))).toBe(true);
    expect(made.rows.at(-1)![0]).toBe('the ballot');
  },
  'arena-figure-5': (made) => {
    const self = bots.filter((bot) => made.rows.some(([village, wolves]) => village === bot && wolves === bot));
    expect(self).toEqual(bots);
    expect(made.rows).toHaveLength(9);
    expectPicture(made, 'arena-figure-5');
  },
  'arena-5-2-1': (made) => {
    expect(made.head.slice(0, 2)).toEqual(['Coder', 'Code']);
    expect(made.head.slice(2).toSorted()).toEqual(
      bots.slice(0, 2).flatMap((bot) => [`${bot} as Villagers`, `${bot} as Werewolves`]),
    );
    expect(made.rows.map(([, code]) => code!.replaceAll('\\', ''))).toEqual(['words per turn', ...statementCodeNames]);
    expect(made.missing).toEqual([]);
  },
  'arena-5-2-2': (made) => {
    expect(made.head).toEqual(['Turns of a side per round', 'as Werewolves', 'as Villagers']);
    expect(listColumn(made, 0)).toEqual(bots.slice(0, 2));
    expect(made.rows.flat()).not.toContain('–');
  },
  'arena-figure-6': (made) => {
    expect(listColumn(made, 1).toSorted()).toEqual(['Werewolves', 'village']);
    expect(listColumn(made, 0)).toEqual(bots.slice(0, 2));
    expectPicture(made, 'arena-figure-6');
  },
  'arena-1': (made) => {
    expect(made.head).toEqual(['Seer Reveals', ...bots]);
    const added = /, (of|over) /; // rows that the paper's table does not have
    expect(listColumn(made, 0).filter((row) => !added.test(row!))).toEqual([
      ...['Per Game', 'First Reveal Round', 'Unmasked Wolf', 'Believed', 'Backfired'],
    ]);
  },
  'arena-algorithm-1': (made) => {
    expect(listColumn(made, 0)).toEqual(['Without a Seer', 'With the Seer']);
    expect(listColumn(made, 4)).toEqual(['1.20 %', '100.00 %']);
  },
  'arena-appendix-b': (made) => expect(listColumn(made, 0)).toContain('`check`'),
  'arena-figure-7': (made) => {
    expect(made.head).toEqual(['Round', 'What', 'Turns before', 'Bits, or turns']);
    expect(listColumn(made, 0).slice(0, 2)).toEqual(['1', '2']);
    expect(listColumn(made, 1)).toEqual(['entropy', 'consensus point']);
    expectPicture(made, 'arena-figure-7');
  },
  'wolf-metric-1': (made) => {
    expect(made.head).toEqual(['', 'debate', 'ballot', 'all']);
    expect(Number(made.rows[0]![3])).toBe(Number(made.rows[0]![1]) + Number(made.rows[0]![2]));
  },
  'wolf-metric-2': (made) => {
    expect(made.head.slice(2)).toEqual([
      ...['Statements', 'Self-reported deceptions', 'Peer-detected deceptions', 'Average suspicion'],
    ]);
    expect(listColumn(made, 0)).toHaveLength(8);
  },
  'wolf-metric-3': (made) => {
    expect(made.head).toHaveLength(9);
    expect(made.rows).toHaveLength(8);
    made.rows.forEach((row, at) => expect(row[at + 1]).toBe('–')); // nobody scores the own self
  },
  'plus-1': (made) => {
    expect(made.head.slice(1)).toEqual(['Sheriff', 'Seer', 'Witch', 'Hunter', 'Guard', 'Experience', 'Multi-oppo']);
    expect(made.rows).toHaveLength(5);
    expect(made.rows.at(-1)).toEqual(['Wolfgraph', ...made.head.slice(1).map(() => '✓')]);
  },
  'plus-figure-1': (made) => {
    expectPicture(made, 'plus-figure-1');
    for (const step of ['elected', 'pseudo_ballot', 'statement', 'ballot'])
      expect(listColumn(made, 1)).toContain(`\`${step}\``);
  },
  'plus-figure-2': (made) => {
    expect(made.head).toEqual(['Stage', 'The paper', 'Wolfgraph, `method: paper-plus`']);
    expectPicture(made, 'plus-figure-2');
    expect(listColumn(made, 0)).toEqual([
      'What is stored',
      'Reward',
      'Tags',
      'Embedding',
      'Query',
      'Filter',
      'Choice',
      'Where',
    ]);
  },
  'plus-2': (made) => {
    expect(made.head).toEqual(['LLM Model', 'Against', ...scores]);
    expect(made.rows.map((row) => row.slice(0, 2)).toSorted()).toEqual(pairs.toSorted());
    expect(made.missing).toEqual([]);
  },
  'plus-3': (made) => {
    const columns = ['Good Sheriff', 'Bad Sheriff', 'VSS'];
    expect(made.head).toEqual(['LLM Model', 'Against', ...columns, ...columns.map((column) => `${column}*`)]);
    expect(made.rows.map((row) => row.slice(0, 2)).toSorted()).toEqual(pairs.toSorted());
    expect(made.missing).toEqual([]);
  },
  'plus-4': (made) => {
    expect(made.head).toEqual(['Setup', 'Village', 'Opponent', ...scores.filter((score) => score !== 'WereWolf')]);
    expect(listColumn(made, 0)).toEqual(['W.O. Experience Pool', 'Vote Experience Pool', 'Shuffled pool (control)']);
    expect(made.rows.map((row) => row.slice(1, 3))).toEqual(
      [1, 2, 3].flatMap(() => [
        ['doubao', 'deepseek'],
        ['doubao', 'gpt-4o-mini'],
      ]),
    );
  },
  'plus-appendix-c': (made) => {
    expect(made.head.slice(0, 5)).toEqual(['Model', 'Calls', 'Tokens in', 'Tokens out', 'USD']);
    expect(listColumn(made, 0)).toEqual([...named, 'all']);
  },
};

describe('report --table', () => {
  it('has an entry here for every item, and plans in the package', () => {
    expect(Object.keys(papers)).toEqual(paperItems.map(({ id }) => id));
    const files = readdirSync('docs/evidence/papers').filter((file) => file !== 'models.yaml');
    expect(files.toSorted()).toEqual(planFiles.toSorted());
  });

  it.each(paperItems.map(({ id, number, paper }) => [id, number, paper] as const))(
    '%s has the rows and columns of %s of %s, made of the matches of its plans',
    async (id) => {
      const made = await makeTable(id, getStudies(id));
      papers[id]!(made);
    },
    120_000,
  );

  it('holds what the tables of the matches hold, counted again', async () => {
    const { code } = await run('report', [runs('plus-12'), '--out', runs('counted'), ...quick], surroundings);
    expect(code).toBe(0);
    const read = (name: string) => readTable(readFileSync(runs('counted', `${name}.csv`), 'utf8'));
    const matches = new Map(read('matches').map((row) => [row['match_id'], row]));
    const [ballots, rounds, beliefs] = [read('ballots'), read('rounds'), read('beliefs')];
    const again = new Set(
      ballots.filter((row) => row['vote'] === 'exile_again').map((row) => `${row['match_id']} ${row['round']}`),
    );
    const isLast = (row: (typeof ballots)[number]) =>
      row['vote'] === (again.has(`${row['match_id']} ${row['round']}`) ? 'exile_again' : 'exile');
    const share = (values: readonly boolean[]) => (values.filter(Boolean).length / values.length).toFixed(3);
    const made = await makeTable('plus-2', ['plus-12']);
    for (const [model, opponent, ...values] of made.rows) {
      const isOf = (row: Record<string, string>) => {
        const match = matches.get(row['match_id'])!;
        return match['villagers_model'] === model && match['werewolves_model'] === opponent;
      };
      const votes = ballots.filter(
        (row) => isOf(row) && isLast(row) && row['voter_team'] === 'villagers' && row['is_drawn'] === 'false',
      );
      const exiles = rounds.filter((row) => isOf(row) && row['exiled'] !== '');
      expect(values[scores.indexOf('IRP')]).toContain(share(votes.map((row) => row['target_team'] === 'werewolves')));
      const told = beliefs.filter(
        (row) =>
          isOf(row) &&
          row['observer_team'] === 'villagers' &&
          row['could_know'] === 'false' &&
          Number(row['p_werewolf']) !== 0.5,
      );
      expect(values[scores.indexOf('IRP, asked')]).toContain(
        share(told.map((row) => Number(row['p_werewolf']) > 0.5 === (row['is_werewolf'] === 'true'))),
      );
      expect(values[scores.indexOf('VSS')]).toContain(share(exiles.map((row) => row['exiled_team'] === 'werewolves')));
    }
    expect(made.rows).toHaveLength(6);
  }, 120_000);

  it('says what a study lacks, and prints what it has', async () => {
    const eight = await makeTable('plus-2', ['wolf']);
    expect(eight.missing).toEqual([
      '- Witch: needs a Witch who used a potion',
      '- Hunter: needs a Hunter who shot',
      '- Guard: needs a Guard',
      '- IRP, asked: needs beliefs (rule `beliefs`)',
    ]);
    const half = await makeTable('plus-3', ['plus-8']);
    expect(half.missing).toContain('- VSS*: needs exiles, with experience');
  }, 120_000);

  it('says what is needed where a study has nothing of it', async () => {
    const { code, stdout, stderr } = await run('report', [runs('wolf'), '--table', 'plus-3', ...quick], surroundings);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      'cannot be made from 0 matches with a Sheriff and without experience; 0 matches with a Sheriff, with experience (pool). It needs matches with a Sheriff',
    );
    const votes = await run('report', [runs('wolf'), '--table', 'arena-figure-4', ...quick], surroundings);
    expect(votes).toMatchObject({ code: 1, stdout: '' });
    expect(votes.stderr).toContain('It needs synthetic votes');
  });

  it('is one of a list, and a name that is not there is told with the nearest', async () => {
    const list = await run('report', ['--table']);
    expect(list.code).toBe(0);
    expect(list.stdout.split('\n').map((line) => line.split(' ')[0])).toEqual([...paperItems.map(({ id }) => id), '']);
    const slip = await run('report', [runs('wolf'), '--table', 'plus-33']);
    expect(slip.code).toBe(2);
    expect(slip.stderr).toContain(
      '--table plus-33: no table has this name. Did you mean "plus-3"? Tables: arena-figure-1',
    );
    expect(await run('report', ['--table', 'plus-2'])).toMatchObject({ code: 2 });
  });
});
