import { expect, it } from 'vitest';
import { createPokeStream } from './poke-stream.ts';

function openSink() {
  const sink = {
    written: '',
    writableLength: 0,
    isDestroyed: false,
    write: (text: string) => void (sink.written += text),
    destroy: () => void (sink.isDestroyed = true),
  };
  return sink;
}

it('P8: writes events without data, and comments in between', () => {
  const sink = openSink();
  const stream = createPokeStream(sink);
  stream.poke();
  stream.beat();
  expect(sink.written).toBe(': listening\n\nevent: poke\ndata:\n\n:\n\n');
});

it('disconnects a reader that reads nothing', () => {
  const sink = openSink();
  const stream = createPokeStream(sink);
  sink.writableLength = 20_000;
  stream.poke();
  expect(sink.isDestroyed).toBe(true);
  expect(sink.written).not.toContain('event:');
});

it('P10: writes a change as one line, and none to a reader that has not read what came before', () => {
  const sink = openSink();
  const stream = createPokeStream(sink);
  expect(stream.change('{"a":"x\\ny"}')).toBe(true);
  sink.writableLength = 1;
  expect(stream.change('{"b":1}')).toBe(false);
  expect(sink.written).toBe(': listening\n\nevent: change\ndata: {"a":"x\\ny"}\n\n');
});
