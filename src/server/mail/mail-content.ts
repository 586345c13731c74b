import type { Locale } from '#shared/locale.ts';

/** A label and its value. */
export type Fact = [label: string, value: string];

/** The content of a mail in one language: every mail of the product has this form. */
export type MailContent = {
  locale: Locale;
  heading: string;
  /** One sentence; more only where the reader needs them. */
  paragraphs: string[];
  figures?: Fact[];
  /** Figures by something, such as weeks, each below a heading of its own. */
  breakdowns?: { heading: string; figures: Fact[] }[];
  /** The first is the mail's button. */
  links?: { label: string; url: string }[];
  /** Small print at the end. */
  footer?: { text: string; link?: { label: string; url: string } };
};
