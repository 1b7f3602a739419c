import { ThrowsPromise } from '@livekit/throws-transformer/throws'
import { Unpromise } from '@watchable/unpromise'

/**
 * Makes the races of the SDK (1.9.0) release their losers. It races each audio frame of a caller against one promise that lives as
 * long as the session and retains every frame until the end: about 500 MB an hour. Call it once per process, before a session.
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
