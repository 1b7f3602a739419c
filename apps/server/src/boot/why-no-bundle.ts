import { NoBundleError } from '@troupe/bundles'
import { propertyOf } from '@troupe/contract'
import { BadArchive } from '@troupe/documents'

/** The reason why a bundle can't be opened, as a phrase for parentheses. @throws the error if it is a defect */
export function whyNoBundle(error: unknown): string {
  if (error instanceof NoBundleError) return error.message
  if (error instanceof BadArchive) return error.message.replace(/\.$/, '')
  const code = propertyOf(error, 'code')
  if (typeof code === 'string') return code
  throw error
}
