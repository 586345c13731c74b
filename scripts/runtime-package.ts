// Prints a package.json with the packages that a built server needs beside itself, for an image (deploy/Containerfile).
import { readFile } from 'node:fs/promises';
import { externalPackages } from './external-packages.ts';

type Package = { name: string; version: string; dependencies: Record<string, string> };

const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
const { name, version, dependencies }: Package = JSON.parse(text);
const needed = Object.fromEntries(externalPackages.map((each) => [each, dependencies[each]]));
console.log(JSON.stringify({ name, version, private: true, type: 'module', dependencies: needed }, null, 2));
