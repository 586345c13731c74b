import { useEffect } from 'react';
import type { Upload } from '../upload-provider.tsx';

/**
 * Keeps the default order once there is a file or list for it, whatever orders come and go: another ticket may have another
 * price.
 * @param isKnown whether the default is that of the present orders
 */
export function useKeptOrder(upload: Upload, order: string, isKnown: boolean): void {
  const { file, text, order: kept, setOrder } = upload;
  const isDue = isKnown && kept === null && (file !== null || text !== '');
  useEffect(() => {
    if (isDue) setOrder(order);
  }, [isDue, order, setOrder]);
}
