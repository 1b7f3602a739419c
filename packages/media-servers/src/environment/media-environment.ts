/** What development and tests may set. This package is no part of a deployment, so the server's configuration does not know it. */
export interface MediaEnvironment {
  /** Where built programs are kept; null: the user's cache folder. */
  cacheFolder: string | null
  /** Whether a media test that cannot run fails. */
  isRequired: boolean
  /** Everything, for programs that are started from here. */
  inherited: NodeJS.ProcessEnv
}

export function mediaEnvironment(): MediaEnvironment {
  const { TROUPE_MEDIA_CACHE, VOICE_MEDIA_TESTS } = process.env
  return {
    cacheFolder: TROUPE_MEDIA_CACHE || null,
    isRequired: VOICE_MEDIA_TESTS === 'required',
    inherited: process.env,
  }
}
