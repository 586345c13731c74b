// Draws schema.sql, the schema that the migrations make: npm run schema.
import { writeFile } from 'node:fs/promises';
import { createTestDatabase } from '#tests/support/database/database.ts';
import { describeSchema } from '#tests/support/database/describe-schema.ts';
import { inRoot } from './run/paths.mjs';

const database = await createTestDatabase();
try {
  await writeFile(inRoot('schema.sql'), await describeSchema(database.pool));
} finally {
  await database.close();
}
