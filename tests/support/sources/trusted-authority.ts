import tls from 'node:tls';
import { createAuthority } from './certificates.ts';

/**
 * The authority that this process trusts, for stand-ins with TLS. There is one per process, because trust cannot be
 * revoked, and with two authorities of one name a client may try the wrong one.
 */
export const trustedAuthority = createAuthority('Stand-in authority');
tls.setDefaultCACertificates([...tls.getCACertificates('default'), trustedAuthority.cert]);
