import { useDebouncedValue } from '@mantine/hooks';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCompanyCodes } from '#features/clients/web/clients.api.ts';
import type { search } from '#features/search/search.contract.ts';
import type { TicketMatch } from '#features/tickets/tickets.contract.ts';
import { useTicketSearch } from '#features/tickets/web/form/use-ticket-search.view.ts';
import { nameTicket } from '#features/tickets/web/name-ticket.view.ts';
import type { Answer } from '#shared/endpoint.ts';
import { normalisePart } from '#shared/search.ts';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import { call } from '#web/client/api-client.ts';
import { hasRole } from '#web/client/role.ts';
import { useUser } from '#web/client/session.ts';
import type { SessionUser } from '#web/client/token.ts';
import { menuOf } from '#web/shell/navigation/menu.ts';
import { bestFirst } from '#web/ui/field/best-first.ts';

/** A target of the palette: a screen, task, ticket, company, device, user or invoice. `name` is its number or code. */
export type PaletteTarget = { path: string; name: string; label: string; kind: string; detail?: string };

const shownAtOnce = 50;
const pauseMs = 250;

type Action = { path: string; label: () => string; role?: 'superadmin' | 'standard' };

/** The most frequent tasks, each with the place where it begins. */
const actions: readonly Action[] = [
  { path: paths.upload, label: m.search_upload, role: 'standard' },
  { path: paths.data, label: m.search_download, role: 'standard' },
  {
    path: paths.devicesOf('ends_within=90&sort=coverage_end_date'),
    label: m.search_ending,
  },
  { path: paths.rechecks, label: m.search_recheck },
  { path: paths.figureOf('failed'), label: m.search_failed_rows },
  { path: paths.createIn(paths.tickets), label: m.tickets_create, role: 'superadmin' },
  { path: paths.createIn(paths.clients), label: m.clients_add, role: 'superadmin' },
  { path: paths.register, label: m.search_add_user, role: 'superadmin' },
  { path: paths.createIn(paths.invoices), label: m.search_create_invoice, role: 'superadmin' },
  { path: paths.createIn(paths.tokens), label: m.search_create_token },
];

/** Returns the frequent tasks of a role. */
function actionsOf(user: Pick<SessionUser, 'superadmin' | 'companyAdmin'>): readonly Action[] {
  return actions.filter(({ role }) => role === undefined || hasRole(user, role));
}

type Companies = ReturnType<typeof useCompanyCodes>['codes'];

function useLocalTargets(tickets: readonly TicketMatch[], companies: Companies): PaletteTarget[] {
  const user = useUser();
  const screens = menuOf(user).map(({ path, label }) => ({ path, label: label() }));
  return [
    ...[
      ...screens,
      ...(user.superadmin ? [{ path: paths.monthEnd, label: m.invoices_month_end() }] : []),
      { path: paths.tokens, label: m.common_menu_tokens() },
      { path: paths.notifications, label: m.common_menu_notifications() },
      { path: paths.secondFactor, label: m.common_menu_second_factor() },
      { path: paths.changePassword, label: m.common_menu_change_password() },
    ].map((screen) => ({
      ...screen,
      name: screen.label,
      kind: m.common_palette_screen(),
    })),
    ...actionsOf(user).map(({ path, label }) => ({
      path,
      name: label(),
      label: label(),
      kind: m.search_action(),
    })),
    ...tickets.map(ticketTarget),
    ...companies.map(({ value, label }) => companyTarget(value, label)),
  ];
}

function ticketTarget(ticket: TicketMatch): PaletteTarget {
  const { ticket_number: number, company_code: code, uploaded_by: by } = ticket;
  const detail = [m.tickets_number({ number }), by?.name].filter(Boolean).join(' · ');
  return { path: paths.ticketOf(number), name: number, label: nameTicket(ticket), kind: code, detail };
}

function companyTarget(code: string, label: string): PaletteTarget {
  return { path: paths.clientOf(code), name: code, label, kind: m.tickets_company_code() };
}

const activations = { activated: m.data_activated, unactivated: m.data_unactivated };

function toTargets(
  { devices, clients, users, invoices }: Answer<typeof search>,
  superadmin: boolean,
): PaletteTarget[] {
  return [
    ...devices.map(({ _id, serial_number: serial, ...device }) => ({
      path: paths.deviceOf(_id, serial),
      name: serial,
      label: serial,
      kind: device.company_code,
      detail: [device.type, device.activation_status && activations[device.activation_status]()]
        .filter(Boolean)
        .join(' · '),
    })),
    ...(superadmin
      ? clients.map(({ company_code: code, company_name: name }) => companyTarget(code, `${code} (${name})`))
      : []),
    ...users.map(({ email, name }) => ({
      path: paths.userOf(email),
      name: email,
      label: name,
      kind: m.search_user(),
      detail: email,
    })),
    ...invoices.map(({ _id, number, company_code: code }) => ({
      path: paths.invoiceOf(_id),
      name: number,
      label: number,
      kind: code,
    })),
  ];
}

/** Tells targets apart: a task and a screen may begin at the same address. */
export const targetKeyOf = ({ kind, path }: PaletteTarget) => `${kind} ${path}`;

/** Returns the targets that match the typed text, best first. The server's results follow the targets that are known here. */
export function usePaletteTargets(typed: string) {
  const { superadmin } = useUser();
  const wanted = typed.trim();
  const [paused] = useDebouncedValue(wanted, pauseMs);
  const search = useQuery(searchQuery(paused));
  const isAnswered = paused === wanted;
  const tickets = useTicketSearch(paused);
  const companies = useCompanyCodes(undefined, superadmin);
  const all = useLocalTargets(tickets.tickets, companies.codes);
  const failed = [{ error: search.error, retry: () => void search.refetch() }, tickets, companies].find(
    ({ error }) => error !== null,
  );
  // A target with this name comes before related targets: a company before the tickets that have its code.
  const localMatches = new Set([
    ...bestFirst(all, typed, ({ name, label }) => [name, label]),
    ...bestFirst(all, typed, ({ name, label, kind, detail = '' }) => [name, label, kind, detail]),
  ]);
  const serverMatches = isAnswered
    ? [...(search.data ? toTargets(search.data, superadmin) : []), ...tickets.tickets.map(ticketTarget)]
    : [];
  const byKey = new Map(
    [...[...localMatches].slice(0, shownAtOnce), ...serverMatches].map((target) => [
      targetKeyOf(target),
      target,
    ]),
  );
  return {
    targets: [...byKey.values()],
    isSearching: !isAnswered || tickets.isLoading || search.isFetching,
    error: isAnswered ? (failed?.error ?? null) : null,
    retry: () => failed?.retry(),
  };
}

const minSearchLength = 3;

function searchQuery(q: string) {
  return queryOptions({
    queryKey: ['search', q],
    queryFn: async ({ signal }) => {
      const found: Answer<typeof search> = { devices: [], tickets: [], clients: [], users: [], invoices: [] };
      for (const part of splitSerials(q)) {
        const answer = await call<typeof search>('GET /search', { query: { q: part } }, signal);
        found.devices.push(...answer.devices);
        found.clients.push(...answer.clients);
        found.users.push(...answer.users);
        found.invoices.push(...answer.invoices);
      }
      return found;
    },
    enabled: q.length >= minSearchLength,
  });
}

/** Letters and digits of the length of a serial, with at least one digit. */
const serial = /^(?=.*\d)[A-Z\d]{8,16}$/;

/** Returns the serials of a text that lists serials, and any other text unchanged. */
function splitSerials(text: string): string[] {
  // A field removes the line breaks of pasted text, so that IMEIs follow each other without a separator.
  const imeis = /^(?:\d{15}){2,}$/.test(text) ? text.match(/\d{15}/g) : null;
  const parts = imeis ?? text.split(/[\s,;|]+/).filter((part) => part !== '');
  return parts.length > 1 && parts.every((part) => serial.test(normalisePart(part)))
    ? [...new Set(parts)]
    : [text];
}
