import pg from 'pg';

// Calendar dates stay the text that they are; bigint identifiers fit a double by far; numeric stays exact text.
// Threads that only need a connection import this without the query builder behind db.ts.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
