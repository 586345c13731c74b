import type { ReactNode } from 'react';
import './stat-card.css';

type Props = { label: string; value: ReactNode; hint?: ReactNode; icon?: ReactNode };

export function StatCard({ label, value, hint, icon }: Props) {
  return (
    <div className="stat-card">
      <div className="stat-text">
        <p className="stat-label">{label}</p>
        <p className="stat-value">{value}</p>
        {hint !== undefined && <p className="dim">{hint}</p>}
      </div>
      {icon !== undefined && (
        <span className="stat-icon" aria-hidden="true">
          {icon}
        </span>
      )}
    </div>
  );
}
