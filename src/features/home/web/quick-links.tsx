import { useId } from 'react';
import { Link } from 'react-router';
import { m } from '#shared/texts/messages.js';
import { paths } from '#web/address/paths.ts';
import './quick-links.css';

type QuickLink = { path: string; title: () => string; text: () => string };

const ofSuperadmins: QuickLink[] = [
  { path: paths.tickets, title: m.common_menu_tickets, text: m.home_link_tickets },
  { path: paths.clients, title: m.common_menu_clients, text: m.home_link_clients },
  { path: paths.proxies, title: m.common_menu_proxies, text: m.home_link_proxies },
  { path: paths.uploadProxies, title: m.common_menu_upload_proxies, text: m.home_link_upload_proxies },
  { path: paths.register, title: m.common_menu_register, text: m.home_link_register },
];

const ofUsers: QuickLink[] = [
  { path: paths.upload, title: m.common_menu_upload, text: m.home_link_upload },
  { path: paths.data, title: m.common_menu_data, text: m.home_link_data },
  { path: paths.tracker, title: m.common_menu_tracker, text: m.home_link_tracker },
];

export function QuickLinks({ superadmin }: { superadmin: boolean }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="stack tight">
      <h2 id={id}>{m.home_quick_links()}</h2>
      <ul className="cards quick-links">
        {(superadmin ? ofSuperadmins : ofUsers).map((link) => (
          <li key={link.path}>
            <Link to={link.path} className="panel">
              <strong>{link.title()}</strong>
              <span className="dim">{link.text()}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
