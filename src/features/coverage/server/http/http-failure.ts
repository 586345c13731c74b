/**
 * Why an exchange brought no answer.
 *
 * - unreachable: no connection to the target came about; nothing was sent
 * - proxy: no connection to or through the proxy came about, by its fault; nothing was sent
 * - target_unreachable: the proxy was reached and says that it cannot reach the target; nothing was sent
 * - interrupted: connected, then a timeout or a broken connection
 * - unusable: an answer over the size limit
 * - aborted: the caller ended it
 */
export type Fault = 'unreachable' | 'proxy' | 'target_unreachable' | 'interrupted' | 'unusable' | 'aborted';

/** An exchange without an answer; its message is for people and holds no secrets. */
export class HttpFailure extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
