import { useState } from 'react';

/** Returns the first value that is known, whatever comes later; undefined before. */
export function useFirst<T>(value: T | undefined): T | undefined {
  const [first, setFirst] = useState(value);
  if (first === undefined && value !== undefined) setFirst(() => value);
  return first ?? value;
}
