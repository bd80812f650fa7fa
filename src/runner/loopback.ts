// Which addresses are on this machine. Pure.

/** Whether an address is on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname)
}
