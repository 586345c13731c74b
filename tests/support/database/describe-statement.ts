import type pg from 'pg';

/** A type, as PostgreSQL describes it. */
export type DescribedType = {
  /** The name in pg_type. */
  type: string;
  /** The labels of an enumeration. */
  labels: string[] | null;
};

/** A column of a statement's result, as PostgreSQL describes it. */
export type DescribedColumn = DescribedType & {
  name: string;
  /** Whether the table's column allows nulls; undefined for an expression. */
  nulls: boolean | undefined;
};

type Field = { name: string; tableID: number; columnID: number; dataTypeID: number };

/** The part of pg's internal connection that sends messages of the protocol. */
type Wire = {
  parse(message: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
};

const labelsOf = (type: string) =>
  `(SELECT array_agg(enumlabel::text ORDER BY enumsortorder) FROM pg_enum WHERE enumtypid = ${type}) AS labels`;

/** Prepares a statement on the server without running it. Returns the columns of its result, and its parameters. */
export async function describeStatement(
  client: pg.Client,
  text: string,
): Promise<{ columns: DescribedColumn[]; parameters: DescribedType[] }> {
  const fields = await describeFields(client, text);
  const parameters = await client.query<DescribedType>(
    `SELECT t.typname AS type, ${labelsOf('t.oid')}
     FROM pg_prepared_statements AS s CROSS JOIN unnest(s.parameter_types) WITH ORDINALITY AS p(type, n)
     JOIN pg_type AS t ON t.oid = p.type WHERE s.name = 'described' ORDER BY p.n`,
  );
  await client.query('DEALLOCATE described');
  const { rows } = await client.query<DescribedColumn>(
    `SELECT f.name, t.typname AS type, NOT a.attnotnull AS nulls, ${labelsOf('t.oid')}
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
  const columns = rows.map((row) => ({ ...row, nulls: row.nulls ?? undefined }));
  return { columns, parameters: parameters.rows };
}

function describeFields(client: pg.Client, text: string): Promise<Field[]> {
  const name = 'described';
  return new Promise((resolve, reject) => {
    let fields: Field[] = [];
    // The interface of a query for the driver (pg.Submittable).
    const description = {
      submit(wire: Wire) {
        wire.parse({ name, text, types: [] });
        wire.describe({ type: 'S', name });
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
