import type { RequestListener } from 'node:http';

/** Until the database is open: alive, and nothing else yet. */
export function answerWhileStarting(): RequestListener {
  return (req, res) => {
    const live = req.url?.split('?')[0] === '/health/live';
    const body = live
      ? { status: 'live' }
      : { error: 'Not ready: starting', code: 'unavailable', details: { reasons: ['starting'] } };
    res.writeHead(live ? 200 : 503, {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
      'Retry-After': '2',
    });
    res.end(JSON.stringify(body));
  };
}
