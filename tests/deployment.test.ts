// Checks the files of deploy/ against the product: what they name has to exist.
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { BlockList } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

type Compose = {
  services: Record<string, Service>;
  networks: { inside: { ipam: { config: { subnet: string; ip_range: string }[] } } };
};
type Service = {
  image: string;
  command?: string[];
  environment: Record<string, string>;
  volumes: string[];
  init?: boolean;
  read_only?: boolean;
  healthcheck?: { test: string[] };
  deploy?: { replicas: number };
  networks: string[] | { inside: { ipv4_address: string } };
};

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const compose = read('deploy/compose.yaml');
const { services, networks }: Compose = parse(compose, { merge: true });
const ours = Object.values(services).filter(({ image }) => image === 'coverdesk');
const described = new Set(
  [...read('README.md').matchAll(/^- (`[^:]+`)[^:]*:/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name),
  ),
);

const addressOf = (name: string) => {
  const networks = services[name]?.networks ?? assert.fail(name);
  return 'inside' in networks ? networks.inside.ipv4_address : assert.fail(`${name} has no address`);
};

test('compose.yaml runs two API processes and three workers on a read-only file system', () => {
  assert.equal(ours.filter(({ command }) => command === undefined).length, 2);
  const workers = ours.filter(({ command }) => command?.join(' ') === 'start --workers');
  assert.deepEqual(
    workers.map(({ deploy }) => deploy?.replicas),
    [3],
  );
  assert.ok(ours.every((service) => service.read_only));
});

test('the product is not process 1 of its containers, which would miss an early stop', () => {
  assert.ok(ours.every((service) => service.init));
});

test('every variable of compose.yaml is one of the README or of the database', () => {
  const used = ours.flatMap(({ environment }) => Object.keys(environment));
  const asked = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name);
  assert.ok(used.length > 20 && asked.length > 10);
  const unknown = [...used, ...asked].filter((name) => !described.has(name) && !/^POSTGRES_/.test(name));
  assert.deepEqual(unknown, []);
});

test('compose.yaml passes every variable of the README on, or fixes it', () => {
  const image = [...read('deploy/Containerfile').matchAll(/(?<=^ENV .*)[A-Z_]+(?==)/gm)].map(
    ([name]) => name,
  );
  // The image sets some. Workers alone take WORKERS, and no service PORT.
  const fixed = [...image, 'WORKERS', 'PORT'];
  for (const { environment } of ours) {
    const missing = [...described].filter((name) => !(name in environment) && !fixed.includes(name));
    assert.deepEqual(missing, []);
  }
});

test('each process of compose.yaml can make the backup before a migration, because any of them may migrate first', () => {
  for (const { environment, volumes } of ours) {
    assert.ok(volumes.includes(`backups:${environment.BACKUP_DIR}`), volumes.join());
  }
});

test('nginx.conf names the API processes of compose.yaml, which trust its address', () => {
  const servers = [...read('deploy/nginx.conf').matchAll(/^ {2}server (\S+):3000/gm)].map(
    ([, address]) => address,
  );
  assert.deepEqual(servers, [addressOf('api-1'), addressOf('api-2')]);
  for (const { environment } of ours) assert.equal(environment.TRUST_PROXY, addressOf('proxy'));
});

test('nginx.conf masks the paths that the log of the product masks', () => {
  const [, masked] = /secretAfter =\s+'(.+)'/.exec(read('src/app/server/api/api.ts')) ?? assert.fail();
  assert.ok(read('deploy/nginx.conf').includes(`~*(?s)^(?<place>.*?/(?:${masked})/)`));
});

test('nginx waits for the answer to an upload longer than it may wait for a slot and be read together', () => {
  const numbersIn = (file: string, pattern: RegExp) =>
    [...read(file).matchAll(pattern)].map(([, digits = '']) => Number(digits.replaceAll('_', '')));
  const [waitMs = assert.fail()] = numbersIn('src/server/threads/thread-tasks.ts', /maxWaitMs = ([\d_]+);/g);
  const modules = globSync('src/features/**/server/**/*.ts', { cwd: root });
  const readMs = modules.flatMap((file) => numbersIn(file, /deadlineMs: ([\d_]+),/g));
  assert.ok(readMs.length > 3);
  const [timeoutS = assert.fail()] = numbersIn('deploy/nginx.conf', /proxy_read_timeout (\d+)s;/g);
  assert.ok(timeoutS * 1000 > waitMs + Math.max(...readMs));
});

test('compose.yaml keeps its fixed addresses out of those given to other containers', () => {
  const [{ subnet, ip_range } = assert.fail()] = networks.inside.ipam.config;
  const blockOf = (range: string) => {
    const [address = '', bits] = range.split('/');
    const block = new BlockList();
    block.addSubnet(address, Number(bits));
    return block;
  };
  for (const address of ['api-1', 'api-2', 'proxy'].map(addressOf)) {
    assert.ok(blockOf(subnet).check(address) && !blockOf(ip_range).check(address), address);
  }
});

test('the database is asked over TCP, where it answers only once it is made', () => {
  assert.ok(services.database?.healthcheck?.test.includes('--host=127.0.0.1'));
});

test('the product has a plain role, which owns its database', () => {
  const { environment } = services.database ?? assert.fail();
  const [, role] = /^postgres:\/\/(\w+):/.exec(ours[0]?.environment.DATABASE_URL ?? '') ?? [];
  assert.notEqual(environment.POSTGRES_USER, role);
  assert.deepEqual(read('deploy/create-role.sh').match(/^CREATE .*/gm), [
    `CREATE ROLE ${role} LOGIN PASSWORD :'password';`,
    `CREATE DATABASE coverdesk OWNER ${role};`,
  ]);
});

test('the file of secrets is made for its owner alone', () => {
  assert.match(read('docs/operating.md'), /^\(umask 077; cat > coverdesk\.env\) <<END/m);
});

test('keys and secrets of a deployment stay out of the repository and out of the image', () => {
  for (const secret of ['coverdesk.env', 'deploy/sources', 'deploy/tls']) {
    assert.match(read('.gitignore'), new RegExp(`^/${secret}/?$`, 'm'));
    assert.match(read('.dockerignore'), new RegExp(`^${secret}$`, 'm'));
  }
});

test('each compose command of the documentation names the file of the required variables', () => {
  const commands = [...read('docs/operating.md').matchAll(/^docker compose .*$/gm)].map(([line]) => line);
  assert.ok(commands.length > 1);
  for (const command of commands) assert.match(command, / --env-file coverdesk\.env /);
});

test('the container runs as another account than root, and what it copies exists', () => {
  const lines = read('deploy/Containerfile').split('\n');
  assert.equal(
    lines.findLast((line) => line.startsWith('USER ')),
    'USER node',
  );
  const copied = lines.flatMap((line) => /^COPY --from=built \/opt\/coverdesk\/(\S+)/.exec(line)?.[1] ?? []);
  const built = ['dist', 'dist-server'];
  assert.ok(copied.length > 3);
  for (const path of copied) assert.ok(built.includes(path) || existsSync(join(root, path)), path);
});

test('the container has every file that the server names beside its modules', () => {
  const copies = [
    ...read('deploy/Containerfile').matchAll(/^COPY --from=built \/opt\/coverdesk\/(\S+) (\S+)$/gm),
  ];
  const present = copies.map(([, from = '', to = '']) => (to.endsWith('/') ? join(to, basename(from)) : to));
  const modules = globSync('src/**/server/**/*.ts', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const named = modules.flatMap((file) =>
    [...read(file).matchAll(/new URL\(\s*'(\.[^']+)',\s*import\.meta\.url/g)]
      .map(([, path = '']) => join(dirname(file), path))
      .filter((path) => !path.endsWith('.ts')),
  );
  assert.ok(named.length > 2);
  assert.deepEqual(
    named.filter((path) => !present.includes(path.replace(/\/$/, ''))),
    [],
  );
});

test('the unit starts a side of the product that exists', () => {
  const unit = read('deploy/coverdesk@.service');
  const [, script = ''] = /^ExecStart=\/usr\/bin\/node (\S+) start --%i$/m.exec(unit) ?? assert.fail();
  assert.ok(existsSync(join(root, script)));
  assert.match(unit, /^# systemctl enable --now coverdesk@api coverdesk@workers$/m);
});

test('a command for the service of systemd reads its variables as the unit does, not by a shell', () => {
  const unit = read('deploy/coverdesk@.service');
  const [, command = ''] = /^ {2}`(systemd-run .*)`$/m.exec(read('docs/operating.md')) ?? assert.fail();
  for (const name of ['User', 'WorkingDirectory', 'EnvironmentFile']) {
    const [setting] = new RegExp(`^${name}=.*`, 'm').exec(unit) ?? assert.fail(name);
    assert.ok(command.includes(`-p ${setting} `), setting);
  }
  const [, dataDir] = /^Environment=(DATA_DIR=.*)$/m.exec(unit) ?? assert.fail();
  assert.ok(command.includes(`-E ${dataDir} `), dataDir);
});

test('systemd starts a service again and again while its database is away', () => {
  // By default it gives up after five failures within 10 s.
  const [, pause] = /^RestartSec=(\d+)$/m.exec(read('deploy/coverdesk@.service')) ?? assert.fail();
  assert.ok(Number(pause) * 5 > 10);
});

test('a process that the kernel kills for memory does not end the others of its unit', () => {
  assert.match(read('deploy/coverdesk@.service'), /^OOMPolicy=continue$/m);
});

test('the documentation says how a secret of sources.json reaches the containers', () => {
  const [anchor] = /^x-environment(?=: &environment$)/m.exec(compose) ?? assert.fail();
  const [, containers = ''] = read('docs/operating.md').split('## In containers');
  assert.ok(containers.includes(`\`${anchor}\``));
});
