import { ThrowsPromise } from '@livekit/throws-transformer/throws'
import { Unpromise } from '@watchable/unpromise'

/**
 * Lets the races of the SDK (1.9.0) release what lost. It races each frame of a caller's sound against one promise that lives as
 * long as the session, which keeps every frame until the end: about 500 MB an hour. Call it once per process, before a session.
 */
export function useLeakFreeRaces(): void {
  Object.defineProperty(ThrowsPromise, 'race', {
    configurable: true,
    value: (contenders: Iterable<unknown>) =>
      new ThrowsPromise<unknown, Error>((resolve, reject) => {
        Unpromise.race([...contenders]).then(resolve, reject)
      }),
  })
}
