// Declares the used parts of the packages in bench/package.json, so that type checks do not need them installed.

declare module 'exceljs' {
  type Options = Record<string, unknown>;
  class WorkbookWriter {
    constructor(options: Options);
    addWorksheet(name: string): { addRow(cells: unknown[]): { commit(): void } };
    commit(): Promise<void>;
  }
  class WorkbookReader
    implements AsyncIterable<AsyncIterable<{ getCell(column: number): { value: unknown } }>>
  {
    constructor(file: string, options: Options);
    [Symbol.asyncIterator](): AsyncIterator<AsyncIterable<{ getCell(column: number): { value: unknown } }>>;
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
