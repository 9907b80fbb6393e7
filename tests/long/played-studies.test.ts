// Output of whole studies that users see: what commands print, and reports. If a change is wanted, `npm run test:long
// -- played-studies --updateSnapshot` rewrites the expected files.
import { describe, it } from '@jest/globals';
import { openOpenaiServer, type Received, type Scripted } from '../openai-server.ts';
import { key, legally } from '../scripts/local-model.ts';
import { ConsoleSession } from '../outputs/console-session.ts';

/** A board on which either side may win, and options that make matches short. */
const board = 'name: six\nroles: { Werewolf: 1, Seer: 1, Doctor: 1, Villager: 3 }\n';
const brief = ['--rule', 'debateTurns=2', '--rule', 'maxRounds=2'];
const quick = ['--resamples', '20', '--no-baselines', '--no-cache'];

/**
 * Plays legally. As a coder, calls every statement formal. As a judge, reads every statement as the claim to be the
 * Seer.
 */
function answerByModel(request: Received): Scripted {
  const { model, messages } = request.body;
  if (model === 'coder') return { text: JSON.stringify({ style: ['formal'], emotion: [], tactic: ['seeding_doubt'] }) };
  if (model !== 'judge') return legally(request);
  const [, subject] = /^Then (\p{L}+) /mu.exec(messages[1]!.content)!;
  const [, quote] = /^Then .*:\n"([^"]*)"/mu.exec(messages[1]!.content)!;
  const claim = { quote, type: 'own_role', subject, object: null, role: 'Seer', team: null, verbs: [], cause: null };
  const rest = { round: null, polarity: true, hedged: false, presupposed: false };
  return { text: JSON.stringify({ claims: [{ ...claim, ...rest }], count: 1 }) };
}

describe('the expected output is that of', () => {
  it('two sets of matches on the same deals, their comparison and a plan of what follows', async () => {
    const session = new ConsoleSession();
    const [x, y] = ['bot:classic?lie=1', 'bot:classic?lie=0'];
    const small = ['--board', session.write('board.yaml', board), ...brief];
    const ten = ['--matches', '10', ...small];
    await session.run('match', '--out', session.at('xy'), ...ten, '--villagers', x, '--werewolves', y);
    await session.run('match', '--out', session.at('yx'), ...ten, '--villagers', y, '--werewolves', x);
    const arms = [session.at('xy'), session.at('yx')];
    await session.run('match', '--out', session.at('xy'), ...ten, '--villagers', x, '--werewolves', y);
    for (const by of ['model', 'condition'])
      await session.run('compare', ...arms, '--by', by, '--out', session.at(`by-${by}`), '--resamples', '20');
    await session.run('plan', session.at('xy'), '--effect', '.1');
    await session.run('plan', ...arms, '--precision', '.1');
    await session.run('verify', session.at('xy'));
    const rules = ['--cross-rules', 'honesty=unsaid,forbidden', '--matches', '1', '--out', session.at('rules')];
    await session.run('match', '--crossed', x, y, ...rules, ...small);
    await session.run('compare', session.at('rules'), '--out', session.at('by-rules'), '--resamples', '20');
    session.expectPrinted('two-arms');
    session.expectFiles('two-arms-files', 'by-model', 'by-condition', 'by-rules');
  });

  it('a crossed design with a language model, judged, coded, reported and compared', async () => {
    const server = await openOpenaiServer(answerByModel);
    const session = new ConsoleSession({
      env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: server.baseUrl },
      hidden: { [server.baseUrl]: '<server>', [new URL(server.baseUrl).host]: '<host>' },
    });
    const priced = 'openai:local?priceIn=2&priceOut=8';
    const study = session.at('study');
    const small = ['--board', session.write('board.yaml', board), ...brief];
    await session.run('match', '--crossed', priced, 'bot:classic', '--matches', '2', ...small, '--out', study);
    await session.run('annotate', study, '--model', priced, '--repeat', '2');
    await session.run('annotate', study, '--model', 'bot:classic');
    await session.run('annotate', study, '--model', 'openai:coder', '--coding');
    await session.run(
      'report',
      study,
      '--judge',
      'openai:judge',
      '--no-guard',
      ...quick,
      '--out',
      session.at('report'),
    );
    await session.run('compare', study, '--out', session.at('comparison'), '--resamples', '20');
    await session.run(
      'compare',
      study,
      '--annotators',
      'openai:local',
      'bot:classic',
      '--out',
      session.at('annotators'),
    );
    await server.close();
    session.expectPrinted('crossed');
    session.expectFiles('crossed-files', 'report', 'comparison', 'annotators');
  });

  it('a tournament, its status and leaderboard', async () => {
    const session = new ConsoleSession();
    const plan = session.write(
      'plan.yaml',
      [
        'name: trial',
        'entrants: { zebra: "bot:classic", okapi: { model: "bot:classic?lie=0", persona: Speaks little. }, gnu: "bot:random" }',
        'format: round-robin',
        'deals: 10',
        `boards: [${session.write('board.yaml', board)}]`,
        'rule: { debateTurns: 1, maxRounds: 1, analysis: off }',
      ].join('\n'),
    );
    const out = ['--out', session.at('trial')];
    await session.run('tournament', plan, ...out, '--dry-run', '--precision', '.1');
    for (const stop of ['precision: 0.1', 'decide: true']) {
      const stopped = session.write(
        'stopped.yaml',
        `name: stopped\nentrants: { a: "bot:classic", b: "bot:random" }\nformat: head-to-head\ndeals: 20\nstop: { ${stop} }\nboards: [${session.at('board.yaml')}]\nrule: { debateTurns: 1, maxRounds: 1, analysis: off }\n`,
      );
      await session.run('tournament', stopped, '--dry-run');
    }
    await session.run('tournament', plan, ...out);
    await session.run('tournament', plan, ...out, '--status');
    await session.run('report', session.at('trial'), ...quick, '--no-tables');
    const crossed = session.write(
      'crossed.yaml',
      [
        'name: crossed',
        'entrants: { zebra: "bot:classic", gnu: "bot:random" }',
        'format: head-to-head',
        'deals: 1',
        `boards: [${session.at('board.yaml')}]`,
        'rule: { debateTurns: 1, maxRounds: 1, analysis: off }',
        'conditions: { maxWords: [20, 60] }',
      ].join('\n'),
    );
    await session.run('tournament', crossed, '--out', session.at('crossed'));
    session.expectPrinted('tournament');
    session.expectFiles('tournament-files', 'trial/report');
  });

  it('a pool of experience and a match that remembers', async () => {
    const session = new ConsoleSession();
    const pool = session.at('pool');
    const spoken = ['--rules', 'arena', '--rule', 'analysis=off', ...brief];
    await session.run('match', '--out', session.at('past'), '--matches', '12', ...spoken);
    await session.run('pool', 'build', session.at('past'), '--out', pool);
    await session.run('pool', 'show', pool, '--first', '3');
    await session.run('pool', 'check', pool);
    await session.run(
      'match',
      '--out',
      session.at('later'),
      '--id',
      'm',
      '--seed',
      '500',
      '--experience',
      pool,
      ...spoken,
    );
    await session.run(
      'pool',
      'find',
      pool,
      session.at('later/m'),
      '--player',
      'Hayley',
      '--round',
      '2',
      '--moment',
      'ballot',
    );
    session.expectPrinted('experience');
  });

  it('tools that play nothing', async () => {
    const session = new ConsoleSession();
    const small = ['--board', session.write('board.yaml', board), ...brief];
    await session.run('simulate', '--games', '2000');
    await session.run('simulate', '--games', '2000', '--players', '6', '--werewolves', '1', '--no-doctor', '--json');
    const four = ['bot:classic', 'bot:classic?lie=0', 'bot:classic?lie=1', 'bot:random'];
    await session.run('plan', '--trials', '4', ...small, '--effect', '.2', '--design', 'crossed', '--models', ...four);
    await session.run('validate', '--claims', '--split', 'both', '--corpus', 'table');
    await session.run('report', '--table');
    await session.run('match', '--variants', '1', '--matches', '1', ...small, '--out', session.at('variants'));
    await session.run('match', '--matches', '20', '--model', 'openai:gpt-4o', ...small, '--dry-run');
    session.expectPrinted('tools');
  });
});
