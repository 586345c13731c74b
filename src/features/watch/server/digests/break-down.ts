import type { Fact, MailContent } from '#server/mail/mail-content.ts';
import { formatCount } from '#shared/format-count.ts';
import type { Locale } from '#shared/locale.ts';
import { m } from '#shared/texts/messages.js';
import { addDays } from './digest-days.ts';
import type { NoticedGroup, NoticedValues } from './notices.queries.ts';
import { writeWeek } from './write-days.ts';

/** A longer table is cut, and its last line sums up the rest. */
const maxLines = 12;

type Breakdown = NonNullable<MailContent['breakdowns']>[number];
type Line = [label: string, count: number];

/** Sums devices by the week in which their coverage ends, and by model, for a digest. */
export function breakDown(groups: NoticedGroup[], locale: Locale): Breakdown[] {
  const weeks = [...sumBy(groups, ({ ends_on }) => mondayOf(ends_on))].toSorted(([one], [other]) =>
    one.localeCompare(other),
  );
  const models = [...sumBy(groups, ({ type }) => type ?? m.server_watch_mail_no_model({}, { locale }))];
  return [
    {
      heading: m.server_watch_mail_by_week({}, { locale }),
      figures: listLines(
        weeks.map(([monday, count]) => [writeWeek(monday, locale), count]),
        m.server_watch_mail_later({}, { locale }),
        locale,
      ),
    },
    {
      heading: m.server_watch_mail_by_model({}, { locale }),
      figures: listLines(mostFirst(models), m.server_watch_mail_other_models({}, { locale }), locale),
    },
  ];
}

/** Sums devices by the value of an own column for a digest. Those without a value are the last line. */
export function breakDownByValue(name: string, values: NoticedValues, locale: Locale): Breakdown {
  const valued = [...values].flatMap(([value, count]): Line[] => (value === null ? [] : [[value, count]]));
  const without = values.get(null);
  return {
    heading: m.server_watch_mail_by_field({ name }, { locale }),
    figures: [
      ...listLines(mostFirst(valued), m.server_watch_mail_other_values({}, { locale }), locale),
      ...(without === undefined
        ? []
        : [[m.server_watch_mail_no_value({}, { locale }), formatCount(without, locale)] satisfies Fact]),
    ],
  };
}

const mostFirst = (lines: Line[]) =>
  lines.toSorted(([one, count], [other, otherCount]) => otherCount - count || one.localeCompare(other));

function sumBy(groups: NoticedGroup[], keyOf: (group: NoticedGroup) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const group of groups) sums.set(keyOf(group), (sums.get(keyOf(group)) ?? 0) + group.count);
  return sums;
}

/** Returns the Monday of a day's week. Both are YYYY-MM-DD. */
function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7;
  return addDays(day, 1 - weekday);
}

function listLines(lines: Line[], rest: string, locale: Locale): Fact[] {
  const visibleLines = lines.length > maxLines ? lines.slice(0, maxLines - 1) : lines;
  const restCount = lines.slice(visibleLines.length).reduce((sum, [, count]) => sum + count, 0);
  const all = restCount > 0 ? [...visibleLines, [rest, restCount] as const] : visibleLines;
  return all.map(([label, count]) => [label, formatCount(count, locale)]);
}
