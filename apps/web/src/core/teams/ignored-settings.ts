import { isJsonObject, TEAM_CONFIG_DEFAULTS, type TeamConfig } from '@troupe/contract'
import { MODE_SETTINGS, type ModeSetting, readsSetting } from './mode-settings.ts'

/** Settings that are set and not used by the mode. Import it on demand: the defaults bring the schemas of the contract. */
export function ignoredSettings(config: TeamConfig): ModeSetting[] {
  return MODE_SETTINGS.filter(
    (path) => !readsSetting(config.mode, path) && at(config, path) !== at(TEAM_CONFIG_DEFAULTS, path),
  )
}

function at(root: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((holder, key) => (isJsonObject(holder) ? holder[key] : undefined), root)
}
