/** The attributes of a field for a day. Its limits are those of the days that calls take. */
export const dayInput = { type: 'date', min: '1971-01-01', max: '9998-12-31' } as const;
