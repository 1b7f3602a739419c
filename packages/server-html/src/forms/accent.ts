/** The panel colors of the light and the dark theme, the background of links and buttons; see `tokens.css`. */
const LIGHT_PANEL = '#ffffff'
const DARK_PANEL = '#17161c'
/** On every color, one of the two is readable; a softer black would not guarantee that. */
const TEXT_ON_ACCENT = ['#ffffff', '#000000'] as const
/** WCAG 2.2 AA for text. */
const LEAST_CONTRAST = 4.5
const STEP = 0.04

type Rgb = readonly [number, number, number]

function parse(color: string): Rgb {
  const at = (from: number) => Number.parseInt(color.slice(from, from + 2), 16)
  return [at(1), at(3), at(5)]
}

function write(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`
}

/** Relative luminance as WCAG defines it, 0 to 1. */
const changed = ([red, green, blue]: Rgb, change: (part: number) => number): Rgb => [
  change(red),
  change(green),
  change(blue),
]

function luminance(color: Rgb): number {
  const [red, green, blue] = changed(color, (part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast ratio of two colors, 1 to 21. */
export function contrast(first: string, second: string): number {
  const [one, two] = [luminance(parse(first)), luminance(parse(second))]
  return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05)
}

/** Mixes a color towards black or white until it has enough contrast on a panel. */
function readableOn(panel: string, color: string, towards: 0 | 255): string {
  for (let share = 0; share <= 1; share += STEP) {
    const mixed = write(changed(parse(color), (part) => part + (towards - part) * share))
    if (contrast(mixed, panel) >= LEAST_CONTRAST) return mixed
  }
  return towards === 0 ? '#000000' : '#ffffff'
}

function textOn(accent: string): string {
  const [white, black] = TEXT_ON_ACCENT
  return contrast(accent, white) >= contrast(accent, black) ? white : black
}

/**
 * The custom properties of an accent color for both themes: unchanged where its contrast suffices, else the
 * closest readable color.
 *
 * @param accent `#rrggbb`
 */
export function accentProperties(accent: string): Record<string, string> {
  const light = readableOn(LIGHT_PANEL, accent, 0)
  const dark = readableOn(DARK_PANEL, accent, 255)
  return {
    '--accent-light': light,
    '--on-accent-light': textOn(light),
    '--accent-dark': dark,
    '--on-accent-dark': textOn(dark),
  }
}
