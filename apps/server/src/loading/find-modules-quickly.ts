import { registerHooks } from 'node:module'
import { bundledPackages } from './package-bundles.ts'

/**
 * Makes Node load the bundles of packages that consist of hundreds of small modules, where they were made; call it
 * before the first import of this project's packages. Packages keep their own imports of each other.
 */
export function findModulesQuickly(): void {
  const bundles = bundledPackages()
  if (bundles.size === 0) return
  registerHooks({
    resolve(specifier, context, next) {
      const url = bundles.get(specifier)
      if (url === undefined || context.parentURL?.includes('/node_modules/')) return next(specifier, context)
      return { url, format: 'module', shortCircuit: true }
    },
  })
}
