/** The most invalid cells that one upload corrects: as many as a preview lists. */
export const maxCorrections = 100;

/** The most characters of a correction. */
export const maxCorrectionLength = 200;
