/** TAC, number and check digit of an IMEI. */
const imei = /^(\d{8})(\d{6})(\d)$/;

/** A device's identifier in the monospaced face; an IMEI is grouped by CSS alone, its text stays unbroken. */
export function Serial({ value }: { value: string }) {
  const parts = imei.exec(value);
  if (parts === null) return <span className="serial">{value}</span>;
  return (
    <span className="serial">
      <span>{parts[1]}</span>
      <span>{parts[2]}</span>
      <span>{parts[3]}</span>
    </span>
  );
}
