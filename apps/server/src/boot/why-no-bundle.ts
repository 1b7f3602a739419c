import { NoBundleError } from '@troupe/bundles'
import { propertyOf } from '@troupe/contract'
import { BadArchive } from '@troupe/documents'

/** Why a bundle could not be opened, in words for brackets. @throws the error when it is a defect */
export function whyNoBundle(error: unknown): string {
  if (error instanceof NoBundleError) return error.message
  if (error instanceof BadArchive) return error.message.replace(/\.$/, '')
  const code = propertyOf(error, 'code')
  if (typeof code === 'string') return code
  throw error
}
