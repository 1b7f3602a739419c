import { isJsonObject, TEAM_CONFIG_DEFAULTS, type TeamConfig } from '@troupe/contract'
import { MODE_SETTINGS, type ModeSetting, readsSetting } from './mode-settings.ts'

/**
 * Settings that somebody has set and that the mode does not read. Load it when it is needed: the defaults bring the schemas
 * of the contract along.
 */
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
