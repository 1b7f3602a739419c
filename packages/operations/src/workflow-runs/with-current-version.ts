import { DomainError } from '@troupe/contract'
import { VersionChanged } from '@troupe/workflows'

const MOST_ATTEMPTS = 3

/**
 * Checks a request against a published version and starts its run; if the workflow is published again in between, both
 * are repeated with the new version, at most three times in total.
 *
 * @param again Reads the current published version.
 * @param attempt Checks and starts; throws `VersionChanged` when another version is active.
 * @throws DomainError `execution_create_failed` if every attempt coincided with a publish; all errors of the arguments
 */
export async function withCurrentVersion<Published, Result>(
  first: Published,
  again: () => Promise<Published>,
  attempt: (published: Published) => Promise<Result>,
): Promise<Result> {
  let published = first
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt(published)
    } catch (error) {
      if (!(error instanceof VersionChanged)) throw error
      if (attempts === MOST_ATTEMPTS) throw publishedTooOften(error)
    }
    published = await again()
  }
}

function publishedTooOften(cause: VersionChanged): DomainError {
  return new DomainError(
    'execution_create_failed',
    'The workflow was published again at every attempt; nothing was started. Try again.',
    { cause },
  )
}
