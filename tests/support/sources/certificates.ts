import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A certificate and its private key, in PEM. */
export type Certificate = { cert: string; key: string };

/** A certificate authority for a test. */
export type Authority = Certificate & {
  /** Signs a certificate for servers at `localhost` and 127.0.0.1, and for a client with this name. */
  issue(name: string): Certificate;
};

// The parts of DER (X.690) and X.509 version 3 (RFC 5280) that a certificate needs.
const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Uint8Array[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const bits = (content: Uint8Array) => der(0x03, Buffer.from([0]), content);
const time = (instant: Date) =>
  der(0x17, Buffer.from(`${instant.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
const nameOf = (name: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(name)))));
const extension = (id: string, value: Uint8Array, critical = false) =>
  sequence(oid(id), ...(critical ? [der(0x01, Buffer.from([0xff]))] : []), der(0x04, value));

const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const authorityOnly = extension('551d13', sequence(der(0x01, Buffer.from([0xff]))), true);
const ownAddresses = extension(
  '551d11',
  sequence(der(0x82, Buffer.from('localhost')), der(0x87, Buffer.from([127, 0, 0, 1]))),
);

function certify(subject: string, issuer: string, of: KeyObject, by: KeyObject, extensions: Buffer): string {
  const day = 86_400_000;
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(15)),
    ecdsaWithSha256,
    nameOf(issuer),
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + 30 * day))),
    nameOf(subject),
    of.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extensions)),
  );
  const whole = sequence(body, ecdsaWithSha256, bits(sign('sha256', body, by)));
  const lines = whole.toString('base64').replace(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}

const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
const makeKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Creates a certificate authority, whose certificates are valid for a month. */
export function createAuthority(name: string): Authority {
  const keys = makeKeys();
  const own = {
    cert: certify(name, name, keys.publicKey, keys.privateKey, authorityOnly),
    key: pem(keys.privateKey),
  };
  return {
    ...own,
    issue(subject) {
      const { publicKey, privateKey } = makeKeys();
      const cert = certify(subject, name, publicKey, createPrivateKey(own.key), ownAddresses);
      return { cert, key: pem(privateKey) };
    },
  };
}
