import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadCode } from './load-code.ts'

/** A component whose code is loaded when it is first drawn; without a network, as soon as there is one. */
export function lazyPart<Properties>(
  load: () => Promise<ComponentType<Properties>>,
): LazyExoticComponent<ComponentType<Properties>> {
  return lazy(async () => ({ default: await loadCode(load) }))
}
