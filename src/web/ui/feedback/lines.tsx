/** Each line of a message in an element of its own. */
export function Lines({ text }: { text: string }) {
  return text.split('\n').map((line) => <p key={line}>{line}</p>);
}
