import { m } from '#shared/texts/messages.js';
import type { SessionUser } from '#web/client/token.ts';

/** "Good morning, NAME": morning before 12, afternoon before 18; the name, else the email's prefix, else "User". */
export function greet(user: SessionUser, hour: number): string {
  const name = user.name || user.email.split('@')[0] || m.common_role_user();
  if (hour < 12) return m.home_good_morning({ name });
  if (hour < 15) return m.home_good_afternoon({ name });
  // Indonesian has another greeting from 15:00 on.
  return hour < 18 ? m.home_good_late_afternoon({ name }) : m.home_good_evening({ name });
}
