import { type RefObject, useCallback, useEffect, useRef } from 'react'
import { MAP_TONES, type MapColors } from './map-look.ts'

const NAMES = [...MAP_TONES, 'text', 'muted', 'line', 'strong', 'panel', 'page', 'sunken', 'accent'] as const

/** Names of the colours that the styles of a map give to its probe, one element each. */
export const PROBED_COLORS: readonly string[] = NAMES

/**
 * The colours of the page, read from hidden elements when they are first needed and after the theme has changed.
 *
 * @param probe its children have `data-color` and the colour of that name
 * @param onChange redraws
 */
export function useMapColors(probe: RefObject<HTMLElement | null>, onChange: () => void): () => MapColors {
  const known = useRef<MapColors | null>(null)
  const told = useRef(onChange)
  told.current = onChange
  useEffect(() => {
    const forget = () => {
      known.current = null
      told.current()
    }
    const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
      matchMedia(query),
    )
    for (const query of queries) query.addEventListener('change', forget)
    const theme = new MutationObserver(forget)
    theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => {
      for (const query of queries) query.removeEventListener('change', forget)
      theme.disconnect()
    }
  }, [])
  return useCallback(() => {
    known.current ??= readColors(probe.current)
    return known.current
  }, [probe])
}

function readColors(probe: HTMLElement | null): MapColors {
  const of = (name: string) => {
    const element = probe?.querySelector(`[data-color="${name}"]`)
    return element ? getComputedStyle(element).color : 'gray'
  }
  const [
    neutral,
    good,
    bad,
    warn,
    info,
    skipped,
    removed,
    text,
    muted,
    line,
    strong,
    panel,
    page,
    sunken,
    accent,
  ] = NAMES.map(of)
  const color = (value: string | undefined) => value ?? 'gray'
  return {
    neutral: color(neutral),
    good: color(good),
    bad: color(bad),
    warn: color(warn),
    info: color(info),
    skipped: color(skipped),
    removed: color(removed),
    text: color(text),
    muted: color(muted),
    line: color(line),
    strong: color(strong),
    panel: color(panel),
    page: color(page),
    sunken: color(sunken),
    accent: color(accent),
  }
}
