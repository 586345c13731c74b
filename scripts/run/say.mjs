/** Tells a person how far things are; standard output is left to what the commands promise to print. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
