// Proxies in the environment.
import { describe, expect, it } from '@jest/globals';
import { describeProxies, findProxies } from '../../models/proxies.ts';

const local = 'localhost,127.0.0.1,[::1],::1';

describe('the proxies of the environment', () => {
  it.each([
    ['none', {}, null],
    ['empty variables', { HTTPS_PROXY: '', http_proxy: ' ', ALL_PROXY: '', NO_PROXY: 'a' }, null],
    [
      'one for https',
      { HTTPS_PROXY: 'http://p:1' },
      { httpProxy: undefined, httpsProxy: 'http://p:1', noProxy: local },
    ],
    [
      'small letters before large ones',
      { https_proxy: 'http://small:1', HTTPS_PROXY: 'http://large:1', HTTP_PROXY: 'http://plain:1' },
      { httpProxy: 'http://plain:1', httpsProxy: 'http://small:1', noProxy: local },
    ],
    [
      'one for all, where no other is named',
      { ALL_PROXY: 'http://all:1', HTTP_PROXY: 'http://plain:1' },
      { httpProxy: 'http://plain:1', httpsProxy: 'http://all:1', noProxy: local },
    ],
    [
      'hosts without one, to which this machine belongs',
      { HTTPS_PROXY: 'http://p:1', no_proxy: 'lab.example,.corp' },
      { httpProxy: undefined, httpsProxy: 'http://p:1', noProxy: `lab.example,.corp,${local}` },
    ],
    [
      'no host with one',
      { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' },
      { httpProxy: undefined, httpsProxy: 'http://p:1', noProxy: '*' },
    ],
  ])('are found: %s', (_name, env, found) => {
    expect(findProxies(env)).toEqual(found);
  });

  it('are told without names and passwords', () => {
    const proxies = findProxies({ HTTPS_PROXY: 'http://me:secret@proxy.lab:3128', HTTP_PROXY: 'proxy.lab' })!;
    expect(describeProxies(proxies)).toBe('proxy.lab:3128');
  });
});
