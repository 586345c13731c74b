import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * A connection on which a request was written and its answer has begun to come, as if neither had happened: what is
 * written is dropped, and with the first of it the answer can be read from its first byte.
 */
export function replaySocket(socket: Socket, begun: Buffer): Duplex {
  let isAsked = false;
  let isEnded = false;
  socket.pause();
  const replayed = new Duplex({
    write(_chunk, _encoding, done) {
      done();
      if (isAsked) return;
      isAsked = true;
      replayed.push(begun);
      socket.resume();
    },
    read() {
      if (isAsked) socket.resume();
    },
    destroy(error, done) {
      socket.destroy();
      done(error);
    },
  });
  socket
    .on('data', (chunk: Buffer) => {
      if (!replayed.push(chunk)) socket.pause();
    })
    .on('end', () => {
      isEnded = true;
      replayed.push(null);
    })
    .on('error', (error) => replayed.destroy(error))
    .on('close', () => {
      // What has come to its end may still have to be read.
      if (!isEnded) replayed.destroy();
    });
  return replayed;
}
