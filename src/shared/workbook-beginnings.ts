/** The first bytes of a workbook, in hex: of an .xlsx file (zip), an .xls file (compound file), or one of Excel 2, 3 or 4 (BOF record). */
export const workbookBeginnings = {
  xlsx: '504b0304',
  xls: 'd0cf11e0a1b11ae1',
  oldExcel: ['09000400', '09020600', '09040600'],
} as const;
