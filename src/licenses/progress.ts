// How far a long listing is, told now and then.

const EVERY = 5000

/** Takes the numbers after each page, and tells them every five seconds at most. */
export function watchProgress(
  tell: (line: string) => void,
  now: () => number
): (pages: number, count: number) => void {
  let told = now()
  return (pages, count) => {
    const time = now()
    if (time - told < EVERY) return
    told = time
    tell(`Pages read: ${pages}; licenses so far: ${count}.`)
  }
}
