/** Settings for development and tests. This package is not deployed, so the server's configuration does not include them. */
export interface MediaEnvironment {
  /** The folder of built programs; null: the user's cache folder. */
  cacheFolder: string | null
  /** Whether a media test fails when it cannot run. */
  isRequired: boolean
  /** The program of the voice worker, such as one that runs its image; null: the sources. */
  workerProgram: string | null
  /** The complete environment, for programs started from here. */
  inherited: NodeJS.ProcessEnv
}

export function mediaEnvironment(): MediaEnvironment {
  const { TROUPE_MEDIA_CACHE, VOICE_MEDIA_TESTS, VOICE_WORKER_PROGRAM } = process.env
  return {
    cacheFolder: TROUPE_MEDIA_CACHE || null,
    isRequired: VOICE_MEDIA_TESTS === 'required',
    workerProgram: VOICE_WORKER_PROGRAM || null,
    inherited: process.env,
  }
}
