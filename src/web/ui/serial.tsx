/** The TAC of an IMEI, and the rest: number and check digit. */
const imei = /^(\d{8})(\d{7})$/;

/** A device's identifier in the monospaced face; an IMEI is grouped by CSS alone, its text stays unbroken. */
export function Serial({ value }: { value: string }) {
  const parts = imei.exec(value);
  if (parts === null) return <span className="serial">{value}</span>;
  return (
    <span className="serial">
      {parts[1]}
      <span>{parts[2]}</span>
    </span>
  );
}
