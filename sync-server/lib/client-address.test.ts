import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { addressBlocks, createCallerOf, readProxies } from './client-address.ts';

const request = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;
const caller = (proxies: string, remoteAddress: string, headers: Record<string, string> = {}) => {
  const { blocks: _, ...said } = createCallerOf(readProxies(proxies)!)(request(remoteAddress, headers));
  return said;
};
const forwarded = {
  'x-forwarded-for': '198.51.100.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'dwang.nz',
  host: '10.0.0.2:8080',
};

describe('who sent a request', () => {
  it('is the connection’s own, whatever the headers say, where no proxy is trusted', () => {
    expect(caller('', '127.0.0.1', forwarded)).toEqual({
      address: '127.0.0.1',
      protocol: 'http',
      host: '10.0.0.2:8080',
    });
    expect(caller('10.0.0.1', '10.0.0.9', forwarded)).toEqual({
      address: '10.0.0.9',
      protocol: 'http',
      host: '10.0.0.2:8080',
    });
  });

  it.each(['loopback', '127.0.0.1', '127.0.0.0/8'])('is whom the proxy names, where %s is trusted', (proxies) => {
    for (const peer of ['127.0.0.1', '::ffff:127.0.0.1'])
      expect(caller(proxies, peer, forwarded)).toEqual({
        address: '198.51.100.7',
        protocol: 'https',
        host: 'dwang.nz',
      });
  });

  it('is the last one that is not a trusted proxy: what stands before it was written by the sender', () => {
    const of = (list: string) =>
      caller('loopback, 10.0.0.0/8, 2001:db8:ffff::/48', '10.0.0.1', { 'x-forwarded-for': list }).address;
    expect(of('203.0.113.1, 198.51.100.7')).toBe('198.51.100.7');
    expect(of('203.0.113.1, 198.51.100.7, 10.0.0.3, 2001:db8:ffff::5')).toBe('198.51.100.7');
    expect(of('10.0.0.3, 10.0.0.4')).toBe('10.0.0.3');
    expect(of('198.51.100.7, nonsense, 10.0.0.4')).toBe('10.0.0.4');
    expect(of('')).toBe('10.0.0.1');
  });

  it('is limited by its own address, or not at all where a trusted proxy asks for itself', () => {
    const callerOf = createCallerOf(readProxies('loopback')!);
    const blocks = (peer: string, list?: string) =>
      callerOf(request(peer, list === undefined ? {} : { 'x-forwarded-for': list })).blocks.map(({ name }) => name);
    expect([blocks('192.0.2.1', '198.51.100.7'), blocks('127.0.0.1', '198.51.100.7'), blocks('127.0.0.1')]).toEqual([
      ['192.0.2.1'],
      ['198.51.100.7'],
      [],
    ]);
  });

  it('has one way to be written', () => {
    const of = (address: string) => caller('loopback', '::1', { 'x-forwarded-for': address }).address;
    expect(['2001:DB8:0:0::1', '[2001:db8::1]:443', '2001:db8::1%eth0', '2001:0db8::0001'].map(of)).toEqual(
      Array(4).fill('2001:db8::1'),
    );
    expect(['::ffff:192.0.2.1', '::ffff:c000:201', '192.0.2.1:55555', '192.0.2.1'].map(of)).toEqual(
      Array(4).fill('192.0.2.1'),
    );
  });
});

describe('TRUSTED_PROXIES', () => {
  it('takes addresses, networks and the word loopback', () => {
    expect(readProxies(' loopback , 10.1.2.3,10.0.0.0/8, 2001:db8::/32 ')).toEqual([
      '127.0.0.0/8',
      '::1',
      '10.1.2.3',
      '10.0.0.0/8',
      '2001:db8::/32',
    ]);
    expect(readProxies('')).toEqual([]);
  });

  it.each(['proxy.internal', '10.0.0.0/33', '10.0.0.0/8/8', '2001:db8::/129', '10.0.0.0/x', 'fe80::1%eth0', '*'])(
    'rejects %s',
    (text) => {
      expect(readProxies(text)).toBeUndefined();
    },
  );
});

describe('the blocks a limit is counted in', () => {
  it('are the address itself for IPv4, also inside of IPv6', () => {
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'])
      expect(addressBlocks(address)).toEqual([{ name: '192.0.2.1', share: 1 }]);
  });

  it('are the /64 and the /48 for IPv6', () => {
    const names = (address: string) => addressBlocks(address).map(({ name }) => name);
    expect(names('2001:db8:1:2:3:4:5:6')).toEqual(['2001:db8:1:2::/64', '2001:db8:1::/48']);
    expect(names('2001:db8:1:2::9')).toEqual(names('2001:db8:1:2:ffff:ffff:ffff:ffff'));
    expect(names('2001:db8:1:3::9')).toEqual(['2001:db8:1:3::/64', '2001:db8:1::/48']);
    expect(names('::1')).toEqual(['0:0:0:0::/64', '0:0:0::/48']);
  });

  it('are one for whatever is no address', () => {
    expect([addressBlocks(''), addressBlocks('nonsense')]).toEqual([
      [{ name: 'unknown', share: 1 }],
      [{ name: 'unknown', share: 1 }],
    ]);
  });
});
