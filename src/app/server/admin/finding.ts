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
