/** Waits; false when the signal fired first. */
export function sleepUnlessAborted(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const end = (slept: boolean) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve(slept)
    }
    const onAbort = () => end(false)
    const timer = setTimeout(() => end(true), milliseconds)
    signal.addEventListener('abort', onAbort)
  })
}
