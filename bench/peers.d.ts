// Declares the used parts of the packages in bench/package.json, so that type checks do not need them installed.

declare module 'exceljs' {
  type Options = Record<string, unknown>;
  class WorkbookWriter {
    constructor(options: Options);
    addWorksheet(name: string): { addRow(cells: unknown[]): { commit(): void } };
    commit(): Promise<void>;
  }
  type Row = { number: number; values: unknown[]; getCell(column: number): { value: unknown } };
  class WorkbookReader implements AsyncIterable<AsyncIterable<Row>> {
    constructor(file: string, options: Options);
    [Symbol.asyncIterator](): AsyncIterator<AsyncIterable<Row>>;
  }
  const exceljs: {
    stream: { xlsx: { WorkbookWriter: typeof WorkbookWriter; WorkbookReader: typeof WorkbookReader } };
  };
  export default exceljs;
}

declare module 'bullmq' {
  export class Queue {
    constructor(name: string, options: object);
    addBulk(jobs: object[]): Promise<unknown>;
    obliterate(options: object): Promise<void>;
    close(): Promise<void>;
  }
  export class Worker<T> {
    constructor(name: string, work: (job: { data: T }) => Promise<void>, options: object);
    close(): Promise<void>;
  }
}
