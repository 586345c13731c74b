/** The parts of a delivery that make its message. */
type MessageParts = { id: number; event: string; at: Date; path: string; data: Record<string, unknown> };

/** Returns the header `webhook-id`: the same for every attempt, so that receivers notice a copy. */
export const messageId = (deliveryId: number): string => `msg_${deliveryId}`;

/** Writes the body of a message: the same for every attempt. */
export function writeMessage({ event, at, path, data }: MessageParts, publicUrl: string): string {
  const url = `${publicUrl}${path}`;
  return JSON.stringify({ type: event, timestamp: at.toISOString(), data: { ...data, url } });
}
