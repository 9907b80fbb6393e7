// In the package, `wolfgraph validate` measures extractors. In a clone it also validates statistics and ratings.
import { describe, expect, it } from '@jest/globals';
import { run } from '../process.ts';
import { itLong } from '../../it-long.ts';

const claims = ['--claims', '--corpus', 'table', '--split', 'development'];

describe('wolfgraph validate', () => {
  itLong('measures how well claims are extracted, as the npm script does', async () => {
    const packaged = await run('wolfgraph', ['validate', ...claims]);
    expect(packaged).toMatchObject({ code: 0, stderr: '' });
    expect(packaged.stdout).toContain('## By writer');
    expect(await run('validate', claims)).toEqual(packaged);
  });

  it('without --claims says where the statistics are validated', async () => {
    const { code, stdout, stderr } = await run('wolfgraph', ['validate']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^Add --claims .* needs a clone of the repository/);
  });

  it.each(['validate', 'wolfgraph'] as const)('names options that need --claims (%s)', async (script) => {
    const own = script === 'wolfgraph' ? ['validate'] : [];
    const { code, stderr } = await run(script, [...own, '--corpus', 'table', '--split', 'both']);
    expect({ code, stderr }).toEqual({ code: 2, stderr: '--corpus, --split need --claims.\n' });
  });

  it.each(['--claims', '--ratings', '--forks'])('counts false findings alone, not with %s', async (other) => {
    const { code, stderr } = await run('validate', ['--false-findings', other]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('a validation of its own') as unknown,
    });
  });

  it.each(['--ratings', '--quick'])('knows no %s', async (option) => {
    expect(await run('wolfgraph', ['validate', ...claims, option])).toMatchObject({ code: 2 });
  });
});
