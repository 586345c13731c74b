import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '#server/runtime/free-port.ts';
import { createAuthority } from '#tests/support/sources/certificates.ts';
import { waitFor } from '#tests/support/wait.ts';

const program = '/usr/sbin/nginx';
const site = new URL('../../../deploy/nginx.conf', import.meta.url);

/** Whether this machine has nginx where Debian puts it. */
export const hasNginx = () => existsSync(program);

/** nginx with the settings of deploy/nginx.conf. */
export type Nginx = {
  /** Its address, with TLS. */
  url: string;
  /** The certificate of the authority that signed its certificate. */
  ca: string;
  /** Reads its access log. */
  readLog(): Promise<string>;
  stop(): Promise<void>;
};

/** Starts nginx in front of servers. Its one process sends each request to the next of them. */
export async function startNginx(servers: string[]): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'coverdesk-nginx-'));
  const port = await findFreePort('127.0.0.1');
  const authority = createAuthority('Coverdesk');
  const { cert, key } = authority.issue('localhost');
  await Promise.all([
    writeFile(join(folder, 'coverdesk.pem'), cert),
    writeFile(join(folder, 'coverdesk.key'), key),
    writeFile(join(folder, 'site.conf'), fill(await readFile(site, 'utf8'), { servers, port, folder })),
    writeFile(join(folder, 'nginx.conf'), mainFile(folder)),
  ]);
  const child = spawn(program, ['-p', folder, '-c', 'nginx.conf'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'exit');
  await waitFor('nginx', () => isListening(port));
  return {
    url: `https://localhost:${port}`,
    ca: authority.cert,
    readLog: () => readFile(join(folder, 'access.log'), 'utf8'),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Puts addresses and files of a test into deploy/nginx.conf. */
function fill(text: string, { servers, port, folder }: { servers: string[]; port: number; folder: string }) {
  const [, , ...lines] = servers;
  if (lines.length > 0) throw new Error('deploy/nginx.conf has two servers');
  return text
    .replace('172.30.30.11:3000', new URL(servers[0] ?? '').host)
    .replace('172.30.30.12:3000', new URL(servers[1] ?? '').host)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace('/var/log/nginx/', `${folder}/`)
    .replaceAll('/etc/coverdesk/tls/', `${folder}/`);
}

/** Returns the settings around the site, with everything that nginx writes in one folder. */
function mainFile(folder: string): string {
  const own = process.getuid?.() === 0 ? 'user root;\n' : '';
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `${own}daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log stderr crit;
events { worker_connections 1024; }
http {
${places.map((place) => `  ${place}_temp_path ${folder}/${place};`).join('\n')}
  include ${folder}/site.conf;
}
`;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
