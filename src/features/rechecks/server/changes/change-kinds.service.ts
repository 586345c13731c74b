// For other features that compare answers. Threads load it, so it needs no schema of an endpoint.
export { layOutChanges, nameKinds } from './change-columns.ts';
export { describeAnswer, kindOfAnswer } from './changes.queries.ts';
export { describeChange } from './describe-change.ts';
export { sumKinds } from './sum-kinds.ts';
