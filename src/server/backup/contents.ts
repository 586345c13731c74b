import { z } from 'zod';

/** The first file of a backup: its tables, and the schema that it needs. */
export const contentsName = 'backup.json';
export const contents = z.object({
  format: z.literal(1),
  product: z.literal('coverdesk'),
  version: z.string(),
  created_at: z.string(),
  database: z.string().describe('The version of PostgreSQL'),
  migrations: z.array(z.object({ number: z.int(), name: z.string(), checksum: z.string() })),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
});
export type Contents = z.infer<typeof contents>;

/** The last file: the rows, bytes and checksums of the backup. */
export const manifestName = 'manifest.json';
export const manifest = z.object({
  contents_sha256: z.string(),
  tables: z.array(z.object({ name: z.string(), rows: z.int(), bytes: z.int(), sha256: z.string() })),
  sequences: z.array(
    z.object({
      name: z.string(),
      value: z.int(),
      called: z.boolean().describe('Whether the next value is the one after `value`'),
    }),
  ),
});
export type Manifest = z.infer<typeof manifest>;

/** The rows of a table are in pieces: files in PostgreSQL's text format of COPY, which follow each other. */
const pieceName = /^tables\/(.+)\/\d{6,}$/;

/** Returns the name of a table's piece, counted from 1. */
export function namePiece(table: string, number: number): string {
  return `tables/${table}/${String(number).padStart(6, '0')}`;
}

export function tableOfPiece(name: string): string | undefined {
  return pieceName.exec(name)?.[1];
}
