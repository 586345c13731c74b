import type { Registration } from '#server/processes/process-registration.ts';

/** A registration that is never lost, for parts of a worker without a process. */
export const registration: Pick<Registration, 'hold'> = { hold: async () => undefined };
