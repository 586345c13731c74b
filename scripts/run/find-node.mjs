import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chooseNode, needsNode } from './choose-node.mjs';
import { inRoot } from './paths.mjs';

/**
 * Finds the Node that runs the product (see `chooseNode`).
 * @returns its path, and `check`, which throws if npm did not install it
 * @throws before anything is installed if this machine cannot run the product
 */
export function findNode() {
  // npm scripts run on the packaged Node once it is installed. The machine's own is the one that runs npm.
  const own = process.env.npm_node_execpath ?? process.execPath;
  const version = own === process.execPath ? process.versions.node : versionOf(own);
  const { problem, packaged } = chooseNode(platformName(), version);
  if (problem) throw new Error(problem);
  const path = packaged ? inRoot('node_modules', packaged, 'bin', 'node') : own;
  return {
    path,
    check() {
      if (!existsSync(path)) throw new Error(`${needsNode(version)} (npm did not install ${packaged})`);
    },
  };
}

/** Names this platform as `chooseNode` does: a packaged Node needs glibc, which Alpine Linux lacks. */
function platformName() {
  const isMusl =
    process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
  return `${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`;
}

function versionOf(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1);
}
