import tls from 'node:tls';
import { createAuthority } from './certificates.ts';

/**
 * The authority that this process trusts, for stand-ins with TLS. There is one per process: the trust cannot be taken
 * back, and of two authorities with one name a client may try the wrong one.
 */
export const trustedAuthority = createAuthority('Stand-in authority');
tls.setDefaultCACertificates([...tls.getCACertificates('default'), trustedAuthority.cert]);
