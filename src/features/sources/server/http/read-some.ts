import type { Socket } from 'node:net';

/**
 * Reads the next bytes of a connection that is being set up.
 * @throws Error if the connection ends or breaks
 */
export function readSome(socket: Socket): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const settle = (done: () => void) => {
    socket.off('readable', onReadable).off('error', onError).off('close', onClose).off('end', onClose);
    done();
  };
  const onReadable = () => {
    const chunk = socket.read() as Buffer | null;
    if (chunk) settle(() => resolve(chunk));
  };
  const onError = (error: Error) => settle(() => reject(error));
  const onClose = () => settle(() => reject(socket.errored ?? new Error('the proxy closed the connection')));
  socket.on('readable', onReadable).once('error', onError).once('close', onClose).once('end', onClose);
  if (socket.destroyed) onClose();
  else onReadable();
  return promise;
}
