// A process with any number of HTTP and SOCKS5 proxies on loopback, some of them faulty.
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import type { ProxyCommand, ProxyReport, ProxySpec } from './proxies.ts';

type Running = { spec: ProxySpec; server: Server; calls: number[]; sockets: Set<Socket> };

const running: Running[] = [];

function note(proxy: Running): void {
  proxy.calls.push(performance.timeOrigin + performance.now());
}

/** Forwards bytes, and counts the requests through the tunnel. */
function join(
  proxy: Running,
  client: Socket,
  head: Buffer,
  host: string,
  port: number,
  greet: () => void,
  fail: () => void,
) {
  const target = connect({ host, port, noDelay: true });
  proxy.sockets.add(target.on('close', () => proxy.sockets.delete(target)));
  let greeted = false;
  target.once('connect', () => {
    greeted = true;
    greet();
    if (head.length > 0) target.write(head);
    client.on('data', (chunk: Buffer) => {
      if (/^(GET|POST) /.test(chunk.toString('latin1', 0, 5))) note(proxy);
    });
    client.pipe(target).pipe(client);
  });
  target.on('error', () => (greeted ? client.destroy() : fail()));
  client.on('error', () => target.destroy()).on('close', () => target.destroy());
}

function startHttp(spec: ProxySpec): Running {
  const server = createHttpServer((_, response) => void response.writeHead(405).end());
  const proxy: Running = { spec, server, calls: [], sockets: new Set() };
  server.on('connect', (request, client: Socket, head: Buffer) => {
    proxy.sockets.add(client.on('close', () => proxy.sockets.delete(client)));
    const refuse = (line: string) => client.end(`HTTP/1.1 ${line}\r\n\r\n`);
    if (spec.fault === 'hang') return;
    if (spec.fault === '502') return refuse('502 Bad Gateway');
    const login = `Basic ${Buffer.from(spec.login ?? '').toString('base64')}`;
    if (
      spec.fault === '407' ||
      (spec.login !== undefined && request.headers['proxy-authorization'] !== login)
    )
      return refuse('407 Proxy Authentication Required');
    const [host = '', port = ''] = (request.url ?? '').split(':');
    join(
      proxy,
      client,
      head,
      host,
      Number(port),
      () => client.write('HTTP/1.1 200 OK\r\n\r\n'),
      () => refuse('502 Bad Gateway'),
    );
  });
  return proxy;
}

function startSocks(spec: ProxySpec): Running {
  const proxy: Running = { spec, server: createServer(serve), calls: [], sockets: new Set() };
  function serve(client: Socket): void {
    proxy.sockets.add(client.on('close', () => proxy.sockets.delete(client)));
    client.on('error', () => client.destroy());
    if (spec.fault === 'hang') return;
    client.once('data', (greeting: Buffer) => {
      const wantsLogin = spec.login !== undefined;
      if (wantsLogin && !greeting.subarray(2).includes(2)) return void client.end(Buffer.from([5, 0xff]));
      client.write(Buffer.from([5, wantsLogin ? 2 : 0]));
      client.once('data', (next: Buffer) => {
        if (!wantsLogin) return request(client, next);
        const user = next.toString('latin1', 2, 2 + (next[1] ?? 0));
        const password = next.toString('latin1', 3 + user.length);
        const fits = `${user}:${password}` === spec.login;
        client.write(Buffer.from([1, fits ? 0 : 1]));
        if (fits) client.once('data', (asked: Buffer) => request(client, asked));
        else client.end();
      });
    });
  }
  function request(client: Socket, asked: Buffer): void {
    const isName = asked[3] === 3;
    const host = isName
      ? asked.toString('latin1', 5, 5 + (asked[4] ?? 0))
      : [...asked.subarray(4, 8)].join('.');
    const port = asked.readUInt16BE(isName ? 5 + host.length : 8);
    const reply = (code: number) => client.write(Buffer.from([5, code, 0, 1, 0, 0, 0, 0, 0, 0]));
    if (spec.fault === '502') return void reply(4);
    join(
      proxy,
      client,
      Buffer.alloc(0),
      host,
      port,
      () => reply(0),
      () => {
        reply(5);
        client.end();
      },
    );
  }
  return proxy;
}

async function start(spec: ProxySpec): Promise<string> {
  const proxy = spec.kind === 'http' ? startHttp(spec) : startSocks(spec);
  running.push(proxy);
  await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.server.address() as AddressInfo;
  if (spec.fault === 'refuse') await new Promise((resolve) => proxy.server.close(resolve));
  const login = spec.login === undefined ? '' : `${spec.login}@`;
  return `${spec.kind === 'http' ? 'http' : 'socks5'}://${login}127.0.0.1:${port}`;
}

process.on('message', async (command: ProxyCommand) => {
  if (command.do === 'start') {
    const urls: string[] = [];
    for (const spec of command.specs) urls.push(await start(spec));
    process.send?.({ urls });
  } else {
    const report: ProxyReport = { calls: running.map(({ calls }) => calls) };
    process.send?.({ report });
  }
});
process.on('disconnect', () => process.exit(0));
