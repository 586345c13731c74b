import { StartError } from '#server/runtime/start-error.ts';

/** The error of a backup or a restore that the operator can understand. */
export class BackupError extends StartError {}
