import { applyBundle, exportBundle, MAX_BUNDLE_BYTES } from '@troupe/bundles'
import { OPERATOR_OPERATIONS } from '@troupe/contract'
import { registerOperation } from '@troupe/http/operation'
import type { App } from '@troupe/http/server-types'
import { applyPartsOf, type BundleContext } from '../../boot/bundle-context.ts'

export function registerBundles(app: App, context: BundleContext): void {
  const parts = applyPartsOf(context)
  registerOperation(
    app,
    OPERATOR_OPERATIONS.applyBundle,
    // No variables: the holder of the token must not read the server's environment.
    (call) => applyBundle(parts, { text: call.body, variables: null, actor: call.actor }),
    { maxBodyBytes: MAX_BUNDLE_BYTES },
  )
  registerOperation(app, OPERATOR_OPERATIONS.exportBundle, (call) =>
    exportBundle(parts, call.query.organization ?? null),
  )
}
