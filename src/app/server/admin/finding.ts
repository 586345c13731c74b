/** The result of one examination, and its remedy. */
export type Finding = {
  level: 'ok' | 'warning' | 'error';
  subject: string;
  text: string;
  advice?: string | undefined;
};

export function finding(level: Finding['level'], subject: string, text: string, advice?: string): Finding {
  return { level, subject, text, advice };
}

/** Runs one examination. If it fails, that is the finding, and the other examinations go on. */
export async function attempt(
  subject: string,
  examination: () => Promise<Finding | Finding[]>,
  advice?: string,
): Promise<Finding[]> {
  try {
    return [await examination()].flat();
  } catch (error) {
    return [finding('error', subject, (error as Error).message.replaceAll('\n', '; '), advice)];
  }
}
