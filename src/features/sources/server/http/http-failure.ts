/**
 * Why a request got no response.
 *
 * - unreachable: no connection to the target could be opened; nothing was sent
 * - proxy: no connection to or through the proxy could be opened, by the proxy's fault; nothing was sent
 * - target_unreachable: the proxy was reached and says that it cannot reach the target; nothing was sent
 * - interrupted: connected, then a timeout or a broken connection
 * - unusable: a response over the size limit, or damaged
 * - aborted: the caller ended it
 * - not_permitted: it would have gone beyond the limits; nothing was sent
 */
export type Fault =
  | 'unreachable'
  | 'proxy'
  | 'target_unreachable'
  | 'interrupted'
  | 'unusable'
  | 'aborted'
  | 'not_permitted';

/** The failure of a request without a response. The message is for people and contains no secrets. */
export class HttpFailure extends Error {
  readonly fault: Fault;

  constructor(fault: Fault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
