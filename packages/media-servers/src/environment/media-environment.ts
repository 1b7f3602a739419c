/** What development and tests may set. This package is no part of a deployment, so the server's configuration does not know it. */
export interface MediaEnvironment {
  /** Where built programs are kept; null: the user's cache folder. */
  cacheFolder: string | null
  /** Whether a media test that cannot run fails. */
  isRequired: boolean
  /** A program that is started as the voice worker, such as one that runs its image; null: the sources. */
  workerProgram: string | null
  /** Everything, for programs that are started from here. */
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
