import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * A connection on which a request was written and its answer has begun to come, as if neither had happened: what is
 * written is dropped, and with the first of it the answer can be read from its first byte.
 */
export function replaySocket(socket: Socket, begun: Buffer): Duplex {
  let isAsked = false;
  let isReadable = false;
  let isEnded = false;
  /** What has come before it could be read. */
  const early = [begun];
  socket.pause();
  const show = () => {
    isReadable = true;
    for (const chunk of early) replayed.push(chunk);
    if (isEnded) replayed.push(null);
    else socket.resume();
  };
  const replayed = new Duplex({
    write(_chunk, _encoding, done) {
      done();
      // Only when whoever writes is done with it: until then an answer counts as one that nobody asked for.
      if (!isAsked) process.nextTick(show);
      isAsked = true;
    },
    read() {
      if (isReadable) socket.resume();
    },
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket
    .on('data', (chunk: Buffer) => {
      if (!isReadable) early.push(chunk);
      else if (!replayed.push(chunk)) socket.pause();
    })
    .on('end', () => {
      isEnded = true;
      if (isReadable) replayed.push(null);
    })
    .on('error', (error) => replayed.destroy(error))
    .on('close', () => {
      // What has come to its end may still have to be read.
      if (!isEnded) replayed.destroy();
    });
  return replayed;
}
