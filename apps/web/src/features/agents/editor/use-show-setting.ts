import { choiceParam, choicesParam } from '../../../core/url/search-params.ts'
import { useSearchParams } from '../../../infrastructure/routing/place.ts'
import { showSetting } from '../../../parts/config-form/show-setting.ts'
import { EDITOR_SECTIONS, sectionOf } from './editor-sections.ts'

/** The editor's state in the URL: the open sections, and whether the configuration is shown as JSON. */
export const EDITOR_PARAMS = {
  open: choicesParam(EDITOR_SECTIONS),
  view: choiceParam(['form', 'json'], 'form'),
}

/** Shows a setting of the editor: opens its sections and focuses it. */
export function useShowSetting(): (path: string) => void {
  const [{ open }, setParams] = useSearchParams(EDITOR_PARAMS)
  return (path) => {
    const place = path.replace(/^(draft\.)?config\./, '')
    const section = place === '' ? null : sectionOf(place)
    const opened = section === null || open.includes(section) ? open : [...open, section]
    // The complete configuration is shown as JSON.
    setParams(place === '' ? { view: 'json' } : { view: 'form', open: opened })
    requestAnimationFrame(() => showSetting(place))
  }
}
