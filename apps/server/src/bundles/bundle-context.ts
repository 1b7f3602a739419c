import type { Context } from '../context.ts'
import type { ApplyParts } from './apply-bundle.ts'

/** The parts of the server that bundles use. */
export type BundleContext = Pick<
  Context,
  'database' | 'secretBox' | 'newId' | 'clock' | 'configChanges' | 'apiKeys'
>

/** What applying and exporting take, from the parts of the server. */
export function applyPartsOf(context: BundleContext): ApplyParts & Pick<Context, 'database'> {
  const { database, secretBox, newId, clock, configChanges, apiKeys } = context
  return { database, box: secretBox, newId, now: () => clock.now(), configChanges, apiKeys }
}
