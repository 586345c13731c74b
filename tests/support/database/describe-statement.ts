import type pg from 'pg';

/** A column of a statement's result, as PostgreSQL describes it. */
export type DescribedColumn = {
  name: string;
  type: string;
  /** Whether the table's column allows nulls; undefined for an expression. */
  nulls: boolean | undefined;
  /** The labels of an enumeration. */
  labels: string[] | null;
};

type Field = { name: string; tableID: number; columnID: number; dataTypeID: number };

/** The part of pg's internal connection that sends messages of the protocol. */
type Wire = {
  parse(message: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
};

/** Prepares a statement on the server without running it. Returns the columns of its result. */
export async function describeStatement(client: pg.Client, text: string): Promise<DescribedColumn[]> {
  const fields = await describeFields(client, text);
  const { rows } = await client.query<DescribedColumn>(
    `SELECT f.name, t.typname AS type, NOT a.attnotnull AS nulls,
       (SELECT array_agg(enumlabel::text ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = t.oid) AS labels
     FROM unnest($1::text[], $2::oid[], $3::oid[], $4::smallint[]) WITH ORDINALITY
       AS f(name, type, relation, attribute, n)
     JOIN pg_type AS t ON t.oid = f.type
     LEFT JOIN pg_attribute AS a ON a.attrelid = f.relation AND a.attnum = f.attribute AND f.attribute > 0
     ORDER BY f.n`,
    [
      fields.map(({ name }) => name),
      fields.map(({ dataTypeID }) => dataTypeID),
      fields.map(({ tableID }) => tableID),
      fields.map(({ columnID }) => columnID),
    ],
  );
  return rows.map((row) => ({ ...row, nulls: row.nulls ?? undefined }));
}

function describeFields(client: pg.Client, text: string): Promise<Field[]> {
  return new Promise((resolve, reject) => {
    let fields: Field[] = [];
    // The interface of a query for the driver (pg.Submittable).
    const description = {
      submit(wire: Wire) {
        wire.parse({ name: '', text, types: [] });
        wire.describe({ type: 'S', name: '' });
        wire.sync();
      },
      handleRowDescription(message: { fields: Field[] }) {
        fields = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve(fields),
    };
    client.query(description as unknown as pg.Submittable);
  });
}
