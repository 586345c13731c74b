/** The sortable columns of results, as calls and addresses name them. */
export const rowSorts = [
  'position',
  'serial_number',
  'type',
  'activation_status',
  'warranty_title',
  'coverage_end_date',
] as const;
export type RowSort = (typeof rowSorts)[number];
