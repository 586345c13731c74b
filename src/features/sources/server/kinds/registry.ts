import { z } from 'zod';
import { defineKind } from '../configuration/source-kind.ts';
import { findRegistryEntry, listRegistries } from '../registry/registry.queries.ts';
import { replaceRegistry } from '../registry/registry-upload.service.ts';
import { databaseFailed } from './failed-outcome.ts';

/** The company's own list, which a superadmin uploads as a sheet. */
export const registry = defineKind({
  kind: 'registry',
  nature: 'local',
  settings: z.object({}),
  registry: {
    read: async (db, name) => (await listRegistries.all(db)).find(({ source }) => source === name),
    replace: replaceRegistry,
  },
  open: async (_, { db, log }, { name }) => ({
    async ask({ serial }) {
      try {
        const coverage = await findRegistryEntry.first(db, { source: name, serial });
        return coverage ? { is: 'found', coverage } : { is: 'not_found' };
      } catch (error) {
        log.warn({ err: error, source: name }, 'the list could not be read');
        // The row waits until the database can be reached again.
        return { is: 'unreachable', error: databaseFailed };
      }
    },
    close: async () => undefined,
  }),
});
