/** The width of a picture beside the list of steps, in CSS pixels. */
const PLACE = 344
/** Below this scale, names have room for a few letters only. */
const LEAST = 0.34
const MOST = 0.64
/** Below this scale, an icon would take the room of the name. */
const LEAST_WITH_ICONS = 0.44
/** From this scale on, a step is high enough for two lines of its name. */
const TWO_LINES = 0.56

interface PictureScale {
  across: number
  down: number
  hasIcons: boolean
  isCut: boolean
}

/**
 * The scale of a picture whose steps have readable names.
 *
 * @param width of the graph on the canvas, in pixels at zoom 1
 * @returns `across` for widths and `down` for heights, so that narrow steps have two lines for their name; `isCut`: at
 * this scale it is wider than its place, so that its sides are clipped
 */
export function pictureScale(width: number): PictureScale {
  const across = Math.min(MOST, Math.max(LEAST, PLACE / Math.max(1, width)))
  const down = Math.max(across, TWO_LINES)
  return { across, down, hasIcons: across >= LEAST_WITH_ICONS, isCut: width * across > PLACE + 1 }
}
