// Help and error messages of commands. If a change is wanted, `npm test -- tests/outputs --updateSnapshot` rewrites the
// expected files.
import { cpSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from '@jest/globals';
import { ConsoleSession } from './console-session.ts';

/** Options that keep a command short if it is accepted by mistake. */
const quick = ['--no-baselines', '--resamples', '20'];

describe('the expected words are those of', () => {
  it('all help', async () => {
    const session = new ConsoleSession();
    for (const script of [
      'match',
      'tournament',
      'worker',
      'show',
      'view',
      'report',
      'verify',
      'import',
      'plan',
      'annotate',
      'compare',
      'simulate',
      'doctor',
      'pool',
      'wolfgraph',
    ] as const)
      await session.run(script, '--help');
    for (const part of ['build', 'show', 'find', 'check', 'merge', 'embed']) await session.run('pool', part, '--help');
    await session.run('export', 'lies', '--help');
    await session.run('bank', 'score', '--help');
    await session.run('match', '--help-all');
    session.expectPrinted('help');
  });

  it('commands that are refused', async () => {
    const session = new ConsoleSession();
    const golden = session.at('records'); // copies, since a command that is not refused may write
    const [bots, sheriff] = ['wolf-bots', 'plus-12-sheriff-bots'].map((name) => {
      const copy = path.join(golden, name);
      cpSync(path.join(import.meta.dirname, '..', 'golden', name), copy, { recursive: true });
      return copy;
    }) as [string, string];
    const write = (name: string, ...lines: string[]) => session.write(name, lines.join('\n'));
    const endpoint = 'endpoints: [{ metric: lie_turn_rate, of: { team: werewolves } }]';
    const entrants = 'entrants: { a: bot:classic, b: bot:random }';
    const tournament = (name: string, ...lines: string[]) =>
      write(name, `name: ${name.split('.')[0]}`, entrants, ...lines);
    const empty = session.at('nowhere');
    const refused: [Parameters<ConsoleSession['fail']>[0], ...string[]][] = [
      ['show'],
      ['show', empty],
      ['show', bots, '--player', 'Nobody'],
      ['show', bots, '--round', '0'],
      ['show', bots, '--round', 'two'],
      ['show', bots, '--lies', '--prompts'],
      ['show', bots, '--prompts', '--judge', 'rules'],
      ['show', bots, '--html', '--lies'],
      ['show', bots, sheriff],
      ['verify'],
      ['verify', empty],
      ['verify', bots, sheriff, '--recover'],
      ['verify', bots, '--out', empty],
      ['report', empty],
      ['report', bots, ...quick, '--table', 'arena-9'],
      ['report', bots, ...quick, '--judge', 'nobody:x'],
      ['report', bots, ...quick, '--judge', 'openai:a', 'openai:a'],
      ['report', bots, ...quick, '--judge', 'openai:a', 'openai:b'],
      ['report', bots, ...quick, '--judge', 'openai:a', '--repeat', '2'],
      ['report', bots, ...quick, '--repeat', '3'],
      ['report', bots, ...quick, '--dry-run'],
      ['report', bots, ...quick, '--resamples', '0'],
      ['report', bots, ...quick, '--errors', empty],
      ['report', bots, ...quick, '--errors', write('errors.json', '{}')],
      ['report', golden, ...quick, '--no-judge', '--judge-per', 'day'],
      ['compare', bots],
      ['compare', bots, empty],
      ['compare', bots, sheriff],
      ['compare', bots, sheriff, bots],
      ['compare', bots, sheriff, '--by', 'mood'],
      ['compare', bots, sheriff, '--by', 'crossed'],
      ['compare', golden, '--by', 'crossed'],
      ['compare', golden, '--annotators', 'bot:classic'],
      ['compare', golden, '--annotators', 'bot:classic', 'bot:random'],
      ['compare', bots, sheriff, '--plan', empty],
      ['compare', bots, sheriff, '--plan', write('short-plan.yaml', endpoint)],
      ['compare', bots, sheriff, '--resamples', '1e9'],
      ['plan', golden],
      ['plan', golden, '--effect', '0'],
      ['plan', golden, '--effect', '2', '--endpoint', 'lie_rat:team=werewolves'],
      ['plan', golden, '--effect', '.1', '--endpoint', 'lie_turn_rate:team=wolves'],
      ['plan', golden, '--effect', '.1', '--endpoint', 'lie_turn_rate'],
      ['plan', golden, '--effect', '.1', '--endpoint', 'lie_turn_rate:kind=song,team=werewolves'],
      ['plan', golden, '--effect', '.1', '--precision', '.1'],
      ['plan', golden, '--effect', '.1', '--out', session.at('plan.yaml')],
      ['plan', '--effect', '.1', '--board', 'chess'],
      ['plan', bots, '--effect', '.1', '--board', 'classic-8'],
      ['plan', bots, '--effect', '.1', '--power', '2'],
      ['plan', bots, '--effect', '.1', '--alpha', '0'],
      ['annotate', bots],
      ['annotate', empty, '--model', 'bot:classic'],
      ['annotate', bots, '--model', 'nobody:x'],
      ['annotate', bots, '--model', 'bot:classic', '--repeat', '0'],
      ['annotate', bots, '--model', 'bot:classic', '--listeners', 'none'],
      ['annotate', bots, '--model', 'bot:classic', '--coding', '--self-reports', 'with-notes'],
      ['annotate', bots, '--model', 'openai:gpt-4o'],
      ['annotate', bots, '--model', 'openai:unpriced', '--max-cost', '1'],
      ['import', empty, '--format', 'arena'],
      ['import', bots],
      ['import', bots, '--format', 'chess'],
      ['import', bots, '--format', 'arena', '--out', session.at('imported')],
      ['import', bots, '--format', 'kaggle-timeline', '--out', session.at('imported')],
      ['simulate', '--players', '3', '--werewolves', '2'],
      ['simulate', '--players', '8'],
      ['simulate', '--board', 'chess'],
      ['simulate', '--games', '0'],
      ['pool', 'build', empty, '--out', session.at('pool')],
      ['pool', 'build', bots],
      ['pool', 'build', bots, '--out', session.at('pool'), '--reward', 'luck'],
      ['pool', 'show', empty],
      ['pool', 'bild'],
      ['pool', 'find', bots, bots, '--player', 'Dan', '--round', '1'],
      ['tournament'],
      ['tournament', empty],
      ['tournament', write('no.yaml', 'name: no')],
      ['tournament', tournament('format.yaml', 'format: knock-out', 'deals: 2')],
      ['tournament', tournament('deals.yaml', 'format: round-robin', 'deals: 0')],
      ['tournament', tournament('rule.yaml', 'format: round-robin', 'deals: 2', 'rule: { speed: 3 }')],
      [
        'tournament',
        tournament('condition.yaml', 'format: round-robin', 'deals: 2', 'conditions: { maxWords: [20, 20] }'),
      ],
      [
        'tournament',
        tournament(
          'condition-2.yaml',
          'format: round-robin',
          'deals: 2',
          'rule: { maxWords: 30 }',
          'conditions: { maxWords: [20, 30] }',
        ),
      ],
      ['tournament', tournament('design.yaml', 'format: head-to-head', 'design: cyclic', 'deals: 2')],
      ['tournament', tournament('baseline.yaml', 'format: round-robin', 'deals: 2', 'baseline: c')],
      ['tournament', tournament('self.yaml', 'format: round-robin', 'deals: 2', 'selfPlay: maybe')],
      ['tournament', tournament('fields.yaml', 'format: round-robin', 'deal: 2')],
      ['tournament', tournament('sound.yaml', 'format: round-robin', 'deals: 2'), '--status', '--dry-run'],
      ['tournament', tournament('sound.yaml', 'format: round-robin', 'deals: 2'), '--precision', '.1'],
      ['tournament', tournament('sound.yaml', 'format: round-robin', 'deals: 2'), '--dry-run', '--precision', '0'],
      ['tournament', tournament('sound.yaml', 'format: round-robin', 'deals: 2'), '--detach'],
      ['tournament', tournament('sound.yaml', 'format: round-robin', 'deals: 2'), '--collect'],
      ['tournament', tournament('sound.yaml', 'format: round-robin', 'deals: 2'), '--requeue', 'm'],
      ['tournament', tournament('sound.yaml', 'format: round-robin', 'deals: 2'), '--force'],
      ['tournament', tournament('sound.yaml', 'format: round-robin', 'deals: 2'), '--max-cost', 'much'],
      ['tournament', tournament('sound.yaml', 'format: round-robin', 'deals: 2'), '--max-fallbacks', '2'],
      ['tournament', tournament('sound.yaml', 'format: round-robin', 'deals: 2'), '--allow-key', 'OPENAI_API_KEY'],
      ['tournament', tournament('sound.yaml', 'format: round-robin', 'deals: 2'), '--database', 'mysql://x/y'],
      ['worker'],
      ['worker', '--database', 'mysql://x/y'],
      ['worker', '--database', 'postgres://127.0.0.1:1/x', '--matches', '0'],
      ['view', empty],
      ['view', bots, '--port', '70000'],
      ['wolfgraph', 'chess'],
      ['validate', '--claims', '--max-cost', '1'],
      ['validate', '--claims', '--dry-run', '--answers', session.at('answers')],
      ['validate', '--claims', '--corpus', 'chess'],
      ['validate', '--claims', '--judge', 'nobody:x', '--answers', session.at('answers')],
      ['match', '--variants', '0'],
      ['match', write('variants.yaml', 'variants: 0')],
      ['match', write('matches.yaml', 'matches: 0')],
      ['match', write('crossed.yaml', 'crossed: [bot:classic]', 'matches: 2')],
      ['match', '--variant', 'renamed', '--variants', '2'],
      ['match', '--matches', '100001'],
      ['match', '--crossed', 'bot:classic', 'bot:random', '--matches', '2', '--model', 'bot:classic'],
      ['match', '--crossed', 'bot:classic', 'bot:classic', '--matches', '2'],
      ['match', '--cross-rules', 'analysis=both'],
      ['match', '--cross-rules', 'analysis=both,maybe', '--matches', '2'],
      ['match', '--experience', empty],
      ['match', '--experience-grow', '2'],
      ['match', '--allow-key', 'OPENAI_API_KEY@a.example', '--allow-key', 'b.example'],
      ['match', '--plan', write('open-plan.yaml', endpoint)],
      ['match', '--max-wait', '-1'],
      ['match', '--concurrency', '0'],
    ];
    for (const [script, ...args] of refused) await session.fail(script, ...args);
    session.expectPrinted('refused');
  });
});
