/** The width of a picture beside the list of steps, in CSS pixels. */
const PLACE = 344
/** Below, names have room for a few letters only. */
const LEAST = 0.34
const MOST = 0.64
/** Below, an icon would take the room of the name. */
const LEAST_WITH_ICONS = 0.44

/**
 * The scale of a picture whose steps have readable names.
 *
 * @param width of the graph on the canvas, in pixels at zoom 1
 * @returns `isCut`: at this scale it is wider than its place, so that its sides are outside
 */
export function pictureScale(width: number): { scale: number; hasIcons: boolean; isCut: boolean } {
  const scale = Math.min(MOST, Math.max(LEAST, PLACE / Math.max(1, width)))
  return { scale, hasIcons: scale >= LEAST_WITH_ICONS, isCut: width * scale > PLACE + 1 }
}
