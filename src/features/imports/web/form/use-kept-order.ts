import { useEffect } from 'react';
import type { Upload } from '../upload-provider.tsx';

/**
 * Keeps the default order while there is a file or list for it, whatever orders come and go: another ticket may have another
 * price.
 * @param isKnown whether the default is that of the present orders
 */
export function useKeptOrder(upload: Upload, order: string, isKnown: boolean): void {
  const { file, text, keptOrder, keepOrder } = upload;
  const isEmpty = file === null && text === '';
  const isDue = isEmpty ? keptOrder !== null : keptOrder === null && isKnown;
  useEffect(() => {
    if (isDue) keepOrder(isEmpty ? null : order);
  }, [isDue, isEmpty, order, keepOrder]);
}
