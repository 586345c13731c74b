/** Why no cell of a sheet is a serial number: the first of them. */
export function RefusedCells({ cells }: { cells: readonly { path: string; message: string }[] }) {
  if (cells.length === 0) return null;
  return (
    <ul className="refused-cells">
      {cells.map(({ path, message }) => (
        <li key={path}>{`${path} · ${message}`}</li>
      ))}
    </ul>
  );
}
