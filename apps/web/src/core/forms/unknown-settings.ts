import { isJsonObject, type JsonObject } from '@troupe/contract'
import type { SettingSpecs } from './setting-specs.ts'

/** The paths of keys that no form of this version knows: the server keeps them, and so do the editors. */
export function unknownSettings(config: JsonObject, specs: SettingSpecs, path = ''): string[] {
  const known = Object.keys(specs)
  return Object.entries(config).flatMap(([key, value]) => {
    const place = path === '' ? key : `${path}.${key}`
    if (Object.hasOwn(specs, place)) return []
    const isGroup = known.some((one) => one.startsWith(`${place}.`))
    return isGroup && isJsonObject(value) ? unknownSettings(value, specs, place) : [place]
  })
}
