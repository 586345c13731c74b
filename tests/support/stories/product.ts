import { startProduct } from '#tests/support/product/product-process.ts';
import { saveStage } from './stage.ts';

/** Starts the product before the first story. @returns the function that stops it */
export default async function startStage(): Promise<() => Promise<void>> {
  // Stories sign in, and fail to on purpose, from one address. A receiver of webhooks is on this machine.
  const product = await startProduct({ env: { LOGIN_ATTEMPTS: '1000', ALLOW_PRIVATE_WEBHOOKS: '1' } });
  saveStage({ url: product.url, admin: product.login, dataDir: product.dataDir });
  return async () => {
    await product.stop();
    for (const line of product.process.log) console.error(line);
  };
}
