import type { Locale } from '#shared/locale.ts';

/** The content of a mail: paragraphs, an optional list of counts, and links on lines of their own. */
export type MailContent = {
  locale: Locale;
  heading: string;
  paragraphs: string[];
  /** Rows of a table: a label and its value. */
  figures?: [label: string, value: string][];
  links?: { label: string; url: string }[];
  /** Small print at the end. */
  footer?: { text: string; link?: { label: string; url: string } };
};

const font = "font-family:'Inter',Arial,Helvetica,sans-serif";

/** Writes the body of a mail as text and as HTML: one column, without images and without code. */
export function writeMailBody(content: MailContent): { text: string; html: string } {
  return { text: writeText(content), html: writeHtml(content) };
}

function writeText({ heading, paragraphs, figures = [], links = [], footer }: MailContent): string {
  return [
    heading,
    ...paragraphs,
    ...(figures.length > 0 ? [figures.map(([label, value]) => `${label}: ${value}`).join('\n')] : []),
    ...links.map(({ label, url }) => `${label}:\n${url}`),
    ...(footer ? ['-- ', footer.text] : []),
    ...(footer?.link ? [`${footer.link.label}:\n${footer.link.url}`] : []),
  ].join('\n\n');
}

function writeHtml({ locale, heading, paragraphs, figures = [], links = [], footer }: MailContent): string {
  const cell = 'padding:6px 0;border-bottom:1px solid #e3e6ea';
  const rows = figures.map(
    ([label, value]) =>
      `<tr><td style="${cell}">${escapeHtml(label)}</td>` +
      `<td style="${cell};text-align:right"><strong>${escapeHtml(value)}</strong></td></tr>`,
  );
  const small = footer
    ? `<p style="margin:24px 0 0;font-size:12px;color:#5b6470">${escapeHtml(footer.text)}` +
      `${footer.link ? ` <a style="color:#5b6470" href="${escapeHtml(footer.link.url)}">${escapeHtml(footer.link.label)}</a>` : ''}</p>`
    : '';
  return [
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8"><title>${escapeHtml(heading)}</title></head>`,
    `<body style="margin:0;padding:24px 12px;background:#f4f5f7;color:#1c2127;font-size:15px;line-height:1.5;${font}">`,
    '<div style="max-width:560px;margin:0 auto;padding:28px;background:#ffffff;border:1px solid #e3e6ea;border-radius:8px">',
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((text) => `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`),
    rows.length > 0
      ? `<table role="presentation" style="width:100%;margin:0 0 16px;border-collapse:collapse;font-size:15px">${rows.join('')}</table>`
      : '',
    ...links.map(
      ({ label, url }) =>
        `<p style="margin:0 0 12px"><a style="color:#1a5fb4" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`,
    ),
    `${small}</div></body></html>`,
  ].join('');
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
