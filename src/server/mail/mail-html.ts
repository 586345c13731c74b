import type { Fact, MailContent } from './mail-content.ts';
import { darkStyles, styles } from './mail-styles.ts';

/**
 * Writes a mail as HTML: one column without images and scripts. Styles are inline, because some mail programs drop the
 * others, which are only needed in dark mode.
 */
export function writeMailHtml(contents: [MailContent, ...MailContent[]]): string {
  const [{ locale, heading }] = contents;
  return [
    `<!doctype html><html lang="${locale}"><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">',
    `<title>${escapeHtml(heading)}</title><style>${darkStyles}</style></head>`,
    `<body ${look('page')}><div ${look('card')}><p ${look('product')}>Coverdesk</p>`,
    ...contents.map(writeSection),
    '</div></body></html>',
  ].join('');
}

function writeSection(content: MailContent): string {
  const { locale, heading, paragraphs, figures = [], breakdowns = [], links = [], footer } = content;
  const [button, ...others] = links;
  return [
    `<div lang="${locale}" ${look('section')}><h1 ${look('heading')}>${escapeHtml(heading)}</h1>`,
    ...paragraphs.map((text) => `<p ${look('paragraph')}>${escapeHtml(text)}</p>`),
    writeTable(figures),
    ...breakdowns.map(
      (part) => `<h2 ${look('subheading')}>${escapeHtml(part.heading)}</h2>${writeTable(part.figures)}`,
    ),
    // The cell has the colour too, for mail programs that leave out the padding of a link.
    button
      ? `<table role="presentation" ${look('buttons')}><tr><td ${look('button')}>${writeLink(button, 'buttonLink')}</td></tr></table>`
      : '',
    ...others.map((link) => `<p ${look('paragraph')}>${writeLink(link, 'link')}</p>`),
    footer
      ? `<p ${look('footer')}>${escapeHtml(footer.text)}${footer.link ? ` ${writeLink(footer.link, 'footerLink')}` : ''}</p>`
      : '',
    '</div>',
  ].join('');
}

function writeTable(facts: Fact[]): string {
  if (facts.length === 0) return '';
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" ${look('label')}>${escapeHtml(label)}</th><td ${look('value')}>${escapeHtml(value)}</td></tr>`,
  );
  return `<table ${look('table')}>${rows.join('')}</table>`;
}

const writeLink = ({ label, url }: { label: string; url: string }, part: keyof typeof styles): string =>
  `<a ${look(part)} href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;

/** Returns the attributes of an element by the name of its style. */
const look = (part: keyof typeof styles): string => `class="${part}" style="${styles[part]}"`;

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
