import { revealElement } from '../../atoms/layout/fold.tsx'
import { settingElementId } from '../../parts/config-form/config-form.ts'

/** Shows the field of a setting, or of the nearest one above it that has a field. */
export function showSetting(path: string): void {
  const below = path.replace(/^config\./, '')
  for (let key = below; key !== ''; key = key.slice(0, Math.max(0, key.lastIndexOf('.')))) {
    if (revealElement(settingElementId(key))) return
  }
}
