import { Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { monthAfter } from '#shared/calendar-day.ts';
import { m } from '#shared/texts/messages.js';
import { formatMonth } from '#web/format/format.ts';
import layout from '#web/styles/layout.module.css';
import typography from '#web/styles/typography.module.css';
import { softDisabledProps } from '#web/ui/action/soft-disabled-props.ts';
import { useThisMonth } from './month.view.ts';

/** Turns the months, up to the present one. @param month as `YYYY-MM` */
export function MonthPicker({ month, onChange }: { month: string; onChange: (month: string) => void }) {
  const isLast = month >= useThisMonth();
  return (
    <fieldset className={layout.row}>
      <legend className={typography.srOnly}>{m.statements_month()}</legend>
      <Button
        variant="default"
        aria-label={m.statements_month_before()}
        onClick={() => onChange(monthAfter(month, -1))}
      >
        <IconChevronLeft size={16} aria-hidden="true" />
      </Button>
      <h2 aria-live="polite" style={{ minWidth: '8ch', textAlign: 'center' }}>
        {formatMonth(`${month}-01`)}
      </h2>
      <Button
        variant="default"
        aria-label={m.statements_month_after()}
        {...softDisabledProps(isLast, () => onChange(monthAfter(month, 1)))}
      >
        <IconChevronRight size={16} aria-hidden="true" />
      </Button>
    </fieldset>
  );
}
