import styles from './serial.module.css';

/** The TAC of an IMEI, and the rest: number and check digit. */
const imei = /^(\d{8})(\d{7})$/;

/** Anything longer is the text of a cell that holds no identifier. */
const maxIdentifierLength = 15;

/** A device's identifier in the monospaced face; an IMEI is grouped by CSS alone, its text stays unbroken. */
export function Serial({ value }: { value: string }) {
  const parts = imei.exec(value);
  if (parts === null) {
    const isCell = value.length > maxIdentifierLength;
    return (
      <span
        className={isCell ? `${styles.serial} ${styles.cell}` : styles.serial}
        title={isCell ? value : undefined}
      >
        {value}
      </span>
    );
  }
  return (
    <span className={styles.serial}>
      {parts[1]}
      <span>{parts[2]}</span>
    </span>
  );
}
