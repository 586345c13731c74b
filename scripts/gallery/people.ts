import { type Account, admin, call, signInByApi } from '#tests/e2e/support/api.ts';

type Person = {
  company: string;
  name: string;
  email: string;
  /** Left as registered: the password has to be changed at the first sign-in. */
  isNew?: true;
};

/** Makes a company and a standard user of it. */
export async function addPerson({ company, name, email, isNew }: Person): Promise<Account> {
  const token = await signInByApi(admin());
  const { client } = await call<{ client: { company_code: string } }>(
    'POST',
    '/clients',
    { company_name: company },
    token,
  );
  const companyCode = client.company_code;
  const first = { email, password: 'registered with this' };
  const body = { ...first, name, superadmin: '0', company_code: companyCode };
  await call('POST', '/auth/register', body, token);
  if (isNew) return { ...first, name, companyCode };
  const password = 'and changed to this';
  const change = { currentPassword: first.password, newPassword: password };
  await call('POST', '/auth/change-password', change, await signInByApi(first));
  return { email, password, name, companyCode };
}
