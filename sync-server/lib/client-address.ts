import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';

/** The client of a request, as far as it can be trusted. */
export interface Caller {
  /** IPv4, or IPv6 in its shortest form; an IPv4 address inside of an IPv6 one is given as IPv4. */
  address: string;
  protocol: 'http' | 'https';
  /** Name and port as the client asked for them; '' where it said none. */
  host: string;
  /**
   * The address blocks that limits count this caller under. None for a trusted proxy that forwards no address: it asks
   * for itself.
   */
  blocks: readonly AddressBlock[];
}

/** Trusts the headers of these proxies only. */
export type CallerOf = (req: IncomingMessage) => Caller;

/** The word for this machine's own addresses in `TRUSTED_PROXIES`. */
const loopback = ['127.0.0.0/8', '::1'];

/** Addresses and networks from `TRUSTED_PROXIES`, separated by commas; undefined where one of them is neither. */
export function readProxies(text: string): readonly string[] | undefined {
  const names = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const all = names.flatMap((one) => (one === 'loopback' ? loopback : [one]));
  return all.every(isNetwork) ? all : undefined;
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}

/**
 * The one place that decides from where a request came. A connection's own address counts, unless a trusted proxy holds
 * the other end: then the last address in X-Forwarded-For that is not a trusted proxy's own. The values before it come
 * from the sender. X-Forwarded-Proto and -Host are trusted from the same proxies only; the last value is the nearest
 * proxy's.
 */
export function createCallerOf(proxies: readonly string[]): CallerOf {
  const isTrusted = createTrust(proxies);
  const known = new WeakMap<IncomingMessage, Caller>();

  function look(req: IncomingMessage): Caller {
    const peer = plainAddress(req.socket.remoteAddress ?? '') ?? '';
    const { host = '' } = req.headers;
    if (!isTrusted(peer)) return { address: peer, protocol: 'http', host, blocks: addressBlocks(peer) };
    let address = peer;
    for (const named of listOf(req.headers['x-forwarded-for']).toReversed()) {
      const plain = plainAddress(named);
      if (plain === undefined) break;
      address = plain;
      if (!isTrusted(plain)) break;
    }
    const protocol = listOf(req.headers['x-forwarded-proto']).at(-1)?.toLowerCase() === 'https' ? 'https' : 'http';
    const blocks = isTrusted(address) ? [] : addressBlocks(address);
    return { address, protocol, host: listOf(req.headers['x-forwarded-host']).at(-1) ?? host, blocks };
  }

  return (req) => {
    const caller = known.get(req) ?? look(req);
    known.set(req, caller);
    return caller;
  };
}

/** Is this address one of the proxies'? */
export function createTrust(proxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const one of proxies) {
    const [address = '', prefix] = one.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(prefix), family);
  }
  return (text) => {
    const address = plainAddress(text);
    return address !== undefined && trusted.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  };
}

function listOf(header: string | string[] | undefined): string[] {
  return String(header ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** One way to write each address; without port, brackets and zone. Undefined where it is none. */
function plainAddress(text: string): string | undefined {
  const [, bracketed = '', withPort = ''] = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d[\d.]*):\d{1,5})$/.exec(text) ?? [];
  const [bare = ''] = (bracketed || withPort || text).split('%');
  if (isIPv4(bare)) return bare;
  if (isIP(bare) === 0) return undefined;
  const groups = groupsOf(bare);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.');
  return new URL(`http://[${bare}]`).hostname.slice(1, -1);
}

/** The eight groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [head = [], tail] = new URL(`http://[${address}]`).hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const missing = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array<string>(missing).fill('0'), ...(tail ?? [])].map((group) => Number.parseInt(group, 16));
}

/** A group of addresses that one subscriber may hold all of, and how many subscribers' share of a limit it has. */
export interface AddressBlock {
  /** E.g. `192.0.2.1`, `2001:db8:1:2::/64`. */
  name: string;
  share: number;
}

/**
 * The blocks that a limit by address has to be counted in. An IPv4 address is one subscriber, or a household or mobile
 * network behind one. Of IPv6 a subscriber holds a whole /64, and may hold a /48 of 65,536 of them: the wider block has
 * a limit of its own, larger because a provider may hand out smaller ones.
 */
export function addressBlocks(address: string): readonly AddressBlock[] {
  const plain = plainAddress(address);
  // What is no address, such as a socket that has closed, shares one limit.
  if (plain === undefined || isIPv4(plain)) return [{ name: plain ?? 'unknown', share: 1 }];
  const groups = groupsOf(plain).map((group) => group.toString(16));
  return [
    { name: `${groups.slice(0, 4).join(':')}::/64`, share: 1 },
    { name: `${groups.slice(0, 3).join(':')}::/48`, share: 8 },
  ];
}

/** The fair queue's key of a request: all addresses that one subscriber may hold have one. */
export function rateKeyOf(address: string): string {
  return addressBlocks(address).at(-1)?.name ?? 'unknown';
}
