import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type {
  listUsers,
  resetUserSecondFactor,
  sendUserReset,
  signOutUser,
  UserEntry,
} from '#features/accounts/users.contract.ts';
import { CompanySelect } from '#features/clients/web/company-select.view.tsx';
import { m } from '#shared/texts/messages.js';
import { oneOf, pageSize, pageSizes, text, useUrlState, wholeNumber } from '#web/address/search-params.ts';
import { call } from '#web/client/api-client.ts';
import { polled, readPage } from '#web/client/read.ts';
import { useUser } from '#web/client/session.ts';
import { useAct, useAnnounceSuccess } from '#web/client/use-act.ts';
import { useLastFound } from '#web/client/use-last-found.ts';
import layout from '#web/styles/layout.module.css';
import { EmptyState } from '#web/ui/feedback/message-state.tsx';
import { toast } from '#web/ui/feedback/toast.tsx';
import panels from '#web/ui/layout/panel.module.css';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { Dialog } from '#web/ui/overlay/dialog.tsx';
import { ListPanel } from '#web/ui/table/list-panel.tsx';
import { TokenList } from '../tokens/token-list.tsx';
import { UserEditDialog } from './person-fields.tsx';
import { listRoles, wholeName } from './role-names.ts';
import { userColumns } from './user-columns.tsx';
import { updateUser } from './users.api.ts';

const address = {
  q: text(),
  company_code: text(),
  role: oneOf(['', 'superadmin', 'company-admin', 'user'], ''),
  active: oneOf(['', 'true', 'false'], ''),
  second_factor: oneOf(['', 'true', 'false'], ''),
  page: wholeNumber(1),
  limit: pageSize,
};

type OpenDialog = { what: 'edit' | 'tokens' | 'signOut' | 'resetFactor' | 'deactivate'; user: UserEntry };

/** The users that the signed-in administrator manages, narrowed, with the actions on each. */
export function UserList() {
  const { superadmin, email: ownEmail } = useUser();
  const act = useAct(['users']);
  const [{ page, limit, ...choice }, setState] = useUrlState(address);
  const query = { ...choice, page, limit };
  const read = useQuery(polled(readPage<typeof listUsers>(['users', 'page'], 'GET /users', { query })));
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const opened = useLastFound(read.data?.data, ({ _id }) => _id === open?.user._id);

  const columns = useMemo(() => {
    const sendLink = ({ _id, email }: UserEntry) =>
      act(async () => {
        await call<typeof sendUserReset>('POST /users/{id}/reset', { params: { id: _id } });
        toast.success(m.account_user_link_sent({ email }));
      }, m.account_user_update_failed());
    const reactivate = (user: UserEntry) =>
      act(async () => {
        await updateUser(user._id, { active: true });
        toast.success(m.account_user_reactivated({ name: wholeName(user) }));
      }, m.account_user_update_failed());
    return userColumns(
      {
        edit: (user) => setOpen({ what: 'edit', user }),
        tokens: (user) => setOpen({ what: 'tokens', user }),
        signOut: (user) => setOpen({ what: 'signOut', user }),
        resetFactor: (user) => setOpen({ what: 'resetFactor', user }),
        deactivate: (user) => setOpen({ what: 'deactivate', user }),
        sendLink,
        reactivate,
      },
      { email: ownEmail, superadmin },
    );
  }, [act, ownEmail, superadmin]);

  const narrow = (change: Partial<typeof choice>) => setState({ ...change, page: 1 }, { replace: true });
  const close = () => setOpen(null);
  return (
    <>
      <ListPanel
        title={m.account_users_list()}
        name="users"
        read={read}
        columns={columns}
        empty={<EmptyState title={m.account_users_no_matches()} hint={m.account_users_no_matches_hint()} />}
        search={{ label: m.account_users_search(), value: choice.q, onSearch: (q) => narrow({ q }) }}
        bar={
          <div className={`${layout.row} ${panels.barFields}`}>
            {superadmin && (
              <CompanySelect
                label={m.audit_company()}
                value={choice.company_code}
                any={m.audit_all_companies()}
                onChange={(company_code) => narrow({ company_code })}
              />
            )}
            <NativeSelect
              label={m.account_register_role()}
              value={choice.role}
              data={[
                { value: '', label: m.account_users_all_roles() },
                ...listRoles().filter(({ value }) => superadmin || value !== 'superadmin'),
              ]}
              onChange={({ target }) => narrow({ role: address.role.parse(target.value) })}
            />
            <NativeSelect
              label={m.account_user_state()}
              value={choice.active}
              data={[
                { value: '', label: m.account_users_all_states() },
                { value: 'true', label: m.account_user_active() },
                { value: 'false', label: m.account_user_deactivated() },
              ]}
              onChange={({ target }) => narrow({ active: address.active.parse(target.value) })}
            />
            <NativeSelect
              label={m.common_menu_second_factor()}
              value={choice.second_factor}
              data={[
                { value: '', label: m.account_users_all_factors() },
                { value: 'true', label: m.account_user_factor_on() },
                { value: 'false', label: m.account_user_factor_off() },
              ]}
              onChange={({ target }) => narrow({ second_factor: address.second_factor.parse(target.value) })}
            />
          </div>
        }
        sizes={pageSizes}
        limit={limit}
        onPage={setState}
      />
      {open?.what === 'edit' && opened && <UserEditDialog user={opened} onClose={close} />}
      {open?.what === 'tokens' && (
        <Dialog
          title={m.tokens_of_user({ name: wholeName(open.user) })}
          width="wide"
          closeButton
          onClose={close}
        >
          <TokenList userId={open.user._id} />
        </Dialog>
      )}
      {open !== null && open.what !== 'edit' && open.what !== 'tokens' && (
        <UserQuestion {...open} what={open.what} onClose={close} />
      )}
    </>
  );
}

/** Asks before an action that takes something from a user. */
function UserQuestion({
  what,
  user,
  onClose,
}: {
  what: Exclude<OpenDialog['what'], 'edit' | 'tokens'>;
  user: UserEntry;
  onClose: () => void;
}) {
  const announceSuccess = useAnnounceSuccess(['users']);
  const name = wholeName(user);
  const params = { id: user._id };
  const { title, text, words, act } = {
    deactivate: {
      title: m.account_user_deactivate(),
      text: m.account_user_deactivate_text({ name }),
      words: m.account_user_now_deactivated({ name }),
      act: () => updateUser(user._id, { active: false }),
    },
    resetFactor: {
      title: m.account_user_reset_factor(),
      text: m.account_user_reset_factor_text({ name }),
      words: m.account_user_factor_reset({ name }),
      act: () => call<typeof resetUserSecondFactor>('DELETE /users/{id}/second-factor', { params }),
    },
    signOut: {
      title: m.account_user_sign_out(),
      text: m.account_user_sign_out_text({ name }),
      words: m.account_user_signed_out({ name }),
      act: () => call<typeof signOutUser>('POST /users/{id}/sign-out', { params }),
    },
  }[what];
  return (
    <ConfirmDialog
      title={title}
      text={text}
      confirmLabel={title}
      busyLabel={m.account_user_saving()}
      fallback={m.account_user_update_failed()}
      onConfirm={async () => {
        await act();
        await announceSuccess(words);
      }}
      onClose={onClose}
    />
  );
}
