import './brand.css';

export function Brand() {
  return (
    <span className="brand">
      <img src="/favicon.svg" alt="" width={28} height={28} />
      <span>Coverdesk</span>
    </span>
  );
}
