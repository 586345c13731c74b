/**
 * Node's `node:http`. An import of that module would also load Node's own fetch, because it is among the exports: about
 * 60 ms at the start of each process.
 */
export const nodeHttp = process.getBuiltinModule('node:http');
