import { TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import { pricePattern } from '#features/clients/terms.shared.ts';
import { m } from '#shared/texts/messages.js';

/** Parses a typed price in dollars, such as `0.05`; null for none. */
export const parsePrice = (typed: string) => (typed.trim() === '' ? null : Number(typed));

type Props = {
  value?: string;
  /** Why the server refused the price. */
  error?: ReactNode;
  'data-path'?: string;
  onChange: (typed: string) => void;
};

/** A price in dollars, or none. The form cannot be sent while it is wrong: a comma could be of thousands. */
export function PriceField({ value = '', error, 'data-path': path, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const text = value.trim();
  const isRight = text === '' || (pricePattern.test(text) && Number(text) > 0);
  const problem = isRight ? null : m.clients_terms_price_wrong();
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem]);
  return (
    <TextInput
      ref={input}
      inputMode="decimal"
      autoComplete="off"
      label={m.tickets_price_per_data()}
      description={m.clients_terms_price_hint()}
      error={problem ?? error}
      data-path={path}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
