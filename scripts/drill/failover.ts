import assert from 'node:assert/strict';
import { execFile as execute } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findFreePort } from '#server/runtime/free-port.ts';
import { waitFor } from '#tests/support/wait.ts';
import { CannotDrill, type Drill } from './drill.ts';
import { startDrilledProduct } from './drilled-product.ts';

const execFile = promisify(execute);
const rows = 20_000;
const debian = '/usr/lib/postgresql';

type Server = { folder: string; port: number };

const failover: Drill = {
  title: 'The primary database is killed (`kill -9`) during lookups, and its synchronous replica promoted',
  async run() {
    const programs = await findPrograms();
    const scratch = await mkdtemp(join(tmpdir(), 'coverdesk-failover-'));
    await chown(scratch, programs.uid, programs.gid);
    const address = await startSwitch();
    const [primary, replica] = await startPair(scratch, programs);
    address.leadTo(primary.port);
    const product = await startDrilledProduct({
      env: {
        DATABASE_URL: `postgres://postgres@127.0.0.1:${address.port}/postgres`,
        JWT_SECRET: 'signs the sessions of this drill alone',
      },
    }).catch(async (error: Error) => {
      await Promise.all([primary, replica].map((server) => kill(server)));
      throw error;
    });
    try {
      const ticket = await product.upload(rows);
      await product.untilDone(ticket, rows / 5);
      await kill(primary);
      address.leadTo(undefined);
      await programs.run('pg_ctl', ['promote', '-w', '-D', replica.folder]);
      address.leadTo(replica.port);
      const seconds = await product.untilCompleted(ticket);
      const calls = Object.values((await product.upstream.report()).calls);
      assert.equal(calls.length, rows, 'every row was asked about');
      assert.ok(Math.max(...calls) <= 2, 'no row was asked more than twice');
      const again = calls.filter((times) => times === 2).length;
      return `${rows} rows completed ${seconds.toFixed(0)} s after the promotion, ${again} asked twice, none lost, none counted twice`;
    } finally {
      await product.stop();
      address.close();
      await kill(replica);
      await rm(scratch, { recursive: true, force: true });
    }
  },
};

export const drills = { failover };

type Programs = { uid: number; gid: number; run(program: string, args: string[]): Promise<unknown> };

/** Finds PostgreSQL's own programs, which the embedded server does not have, and the account that may run them. */
async function findPrograms(): Promise<Programs> {
  const versions = await readdir(debian).catch(() => []);
  const [newest] = versions.sort((a, b) => Number(b) - Number(a));
  if (!newest) throw new CannotDrill(`${debian} has no pg_basebackup: install Debian's postgresql`);
  const isRoot = process.getuid?.() === 0;
  const idOf = async (flag: string) =>
    Number((await execFile('id', isRoot ? [flag, 'postgres'] : [flag])).stdout);
  const [uid, gid] = [await idOf('-u'), await idOf('-g')];
  const run = (program: string, args: string[]) =>
    execFile(join(debian, newest, 'bin', program), args, { uid, gid, cwd: '/' });
  return { uid, gid, run };
}

/** Starts a primary and a replica that has every commit before it is answered. */
async function startPair(scratch: string, { run }: Programs): Promise<[primary: Server, replica: Server]> {
  const server = async (name: string) => ({
    folder: join(scratch, name),
    port: await findFreePort('127.0.0.1'),
  });
  const start = ({ folder, port }: Server) =>
    run('pg_ctl', [
      ...['start', '-w', '-D', folder, '-l', `${folder}.log`],
      ...['-o', `-p ${port} -h 127.0.0.1 -k ${scratch}`],
    ]);
  const primary = await server('primary');
  await run('initdb', ['-D', primary.folder, '-U', 'postgres', '-A', 'trust', '--no-sync']);
  await start(primary);
  const replica = await server('replica');
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
  await run('pg_basebackup', [...from, '-D', replica.folder, '-R', '-c', 'fast', '--no-sync']);
  await start(replica);
  const client = new pg.Client({ host: '127.0.0.1', port: primary.port, user: 'postgres' });
  await client.connect();
  await client.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
  await client.query('SELECT pg_reload_conf()');
  await waitFor('the synchronous replica', async () => {
    const { rowCount } = await client.query(
      `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = 'sync'`,
    );
    return rowCount === 1;
  });
  await client.end();
  return [primary, replica];
}

/** Kills a server with all its processes, as a power cut does. */
async function kill({ folder }: Server): Promise<void> {
  const pid = Number((await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  for (const one of [pid, ...children.trim().split(' ').map(Number)]) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

/** An address that leads to one server after the other, as a virtual IP address does. */
async function startSwitch() {
  const sockets = new Set<Socket>();
  let target: number | undefined;
  const server = createServer((client) => {
    if (target === undefined) return client.destroy();
    const database = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const closeAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port: number | undefined) {
      target = port;
      closeAll();
    },
    close() {
      server.close();
      closeAll();
    },
  };
}
