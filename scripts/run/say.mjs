/** Prints progress to standard error. Standard output is only for the lines that the commands promise. */
export function say(text) {
  process.stderr.write(`${text}\n`);
}
