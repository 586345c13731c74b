import styles from './brand.module.css';

export function Brand({ className = '' }: { className?: string | undefined }) {
  return (
    <span className={`${styles.brand} ${className}`}>
      <img src="/favicon.svg" alt="" width={28} height={28} />
      <span>Coverdesk</span>
    </span>
  );
}
