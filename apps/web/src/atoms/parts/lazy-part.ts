import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadCode } from './load-code.ts'

/** A component whose code is loaded on first render; offline, as soon as there is a network. */
export function lazyPart<Properties>(
  load: () => Promise<ComponentType<Properties>>,
): LazyExoticComponent<ComponentType<Properties>> {
  return lazy(async () => ({ default: await loadCode(load) }))
}

const Nothing = () => null

/**
 * The same for an addition that the page can do without: if its code cannot be loaded, because the server has a newer
 * build for example, the page works without it.
 */
export function lazyExtra<Properties>(
  load: () => Promise<ComponentType<Properties>>,
): LazyExoticComponent<ComponentType<Properties>> {
  return lazy(async () => ({ default: await loadCode(load).catch(() => Nothing) }))
}
