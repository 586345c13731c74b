import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { m } from '#shared/texts/messages.js';
import typography from '#web/styles/typography.module.css';
import styles from './password-checklist.module.css';
import type { Rule } from './password-rules.ts';

export function PasswordChecklist({ rules }: { rules: Rule[] }) {
  return (
    <div className={styles.passwordChecklist}>
      <p className={typography.dim}>{m.account_rules_title()}</p>
      <ul>
        {rules.map((rule) => (
          <li key={rule.text} className={rule.met ? styles.met : undefined}>
            {rule.met ? (
              <IconCircleCheckFilled size={16} aria-hidden="true" />
            ) : (
              <IconCircle size={16} aria-hidden="true" />
            )}
            {rule.text}
            <span className={typography.srOnly}>
              {rule.met ? m.account_rule_met() : m.account_rule_unmet()}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
