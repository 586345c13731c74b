import type { Fact, MailContent } from './mail-content.ts';
import { writeMailHtml } from './mail-html.ts';

/** Writes the body of a mail as text and as HTML. A mail in two languages has two contents, one below the other. */
export function writeMailBody(...contents: [MailContent, ...MailContent[]]): { text: string; html: string } {
  return { text: contents.map(writeText).join('\n\n----\n\n'), html: writeMailHtml(contents) };
}

function writeText(content: MailContent): string {
  const { heading, paragraphs, figures = [], breakdowns = [], links = [], footer } = content;
  return [
    heading,
    ...paragraphs,
    ...(figures.length > 0 ? [listFacts(figures)] : []),
    ...breakdowns.map((part) => `${part.heading}\n${listFacts(part.figures)}`),
    ...links.map(writeLink),
    ...(footer ? ['-- ', footer.text] : []),
    ...(footer?.link ? [writeLink(footer.link)] : []),
  ].join('\n\n');
}

const listFacts = (facts: Fact[]): string => facts.map(([label, value]) => `${label}: ${value}`).join('\n');

const writeLink = ({ label, url }: { label: string; url: string }): string => `${label}:\n${url}`;
