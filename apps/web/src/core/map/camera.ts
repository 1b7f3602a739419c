/** The visible part of a map: its point in the upper left corner, and pixels on the screen per pixel of the map. */
export interface Camera {
  x: number
  y: number
  zoom: number
}

/** A size in pixels of the screen. */
export interface ScreenSize {
  width: number
  height: number
}

/** A rectangle of the map. */
export interface MapRect {
  x: number
  y: number
  width: number
  height: number
}

export const MAX_ZOOM = 2
/** A graph of thousands of steps in a row is a line at any smaller zoom. */
export const MIN_ZOOM = 0.02
/** The minimum zoom at which names are readable. */
const READABLE_ZOOM = 0.6
/** The initial zoom of a map that is unreadable as a whole. A phone shows one step and parts of its neighbours. */
const START_ZOOM = 0.9
const MARGIN = 32

const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** The visible part of the map. */
export function seenBy({ x, y, zoom }: Camera, { width, height }: ScreenSize): MapRect {
  return { x, y, width: width / zoom, height: height / zoom }
}

/** The camera after a pan by pixels of the screen. */
export function pan({ x, y, zoom }: Camera, dx: number, dy: number): Camera {
  return { x: x + dx / zoom, y: y + dy / zoom, zoom }
}

/** The camera after a zoom around a fixed point of the screen. */
export function zoomAt({ x, y, zoom }: Camera, factor: number, at: { x: number; y: number }): Camera {
  const next = clamp(zoom * factor, MIN_ZOOM, MAX_ZOOM)
  return { x: x + at.x / zoom - at.x / next, y: y + at.y / zoom - at.y / next, zoom: next }
}

/** Shows a whole rectangle, centred, at most at its original size. */
export function fit(rect: MapRect, { width, height }: ScreenSize): Camera {
  const across = (width - 2 * MARGIN) / Math.max(1, rect.width)
  const down = (height - 2 * MARGIN) / Math.max(1, rect.height)
  return centred(rect, clamp(Math.min(across, down), MIN_ZOOM, 1), { width, height })
}

/** Centres a rectangle on the screen. */
export function centred({ x, y, width, height }: MapRect, zoom: number, screen: ScreenSize): Camera {
  return {
    x: x + width / 2 - screen.width / 2 / zoom,
    y: y + height / 2 - screen.height / 2 / zoom,
    zoom,
  }
}

/** The initial view of a map: the whole map if its names are readable at that zoom, else its beginning. */
export function firstView(map: MapRect, beginning: MapRect | null, screen: ScreenSize): Camera {
  const whole = fit(map, screen)
  if (whole.zoom >= READABLE_ZOOM || beginning === null) return whole
  const start = centred(beginning, START_ZOOM, screen)
  return { ...start, y: beginning.y - MARGIN / start.zoom }
}

/** Moves as little as needed to show a rectangle with a margin; the same camera if it is already visible. */
export function reveal(camera: Camera, rect: MapRect, screen: ScreenSize): Camera {
  const seen = seenBy(camera, screen)
  const margin = MARGIN / camera.zoom
  const along = (at: number, size: number, from: number, room: number) => {
    // Content larger than the screen is shown from its beginning.
    if (at - margin < from || size + 2 * margin > room) return at - margin
    if (at + size + margin > from + room) return at + size + margin - room
    return from
  }
  const isSeen =
    rect.x - margin >= seen.x &&
    rect.y - margin >= seen.y &&
    rect.x + rect.width + margin <= seen.x + seen.width &&
    rect.y + rect.height + margin <= seen.y + seen.height
  if (isSeen) return camera
  return {
    x: along(rect.x, rect.width, seen.x, seen.width),
    y: along(rect.y, rect.height, seen.y, seen.height),
    zoom: camera.zoom,
  }
}

/** Keeps at least a part of the map on the screen. */
export function kept(camera: Camera, map: MapRect, screen: ScreenSize): Camera {
  const seen = seenBy(camera, screen)
  const rest = 80 / camera.zoom
  return {
    x: map.x + clamp(camera.x - map.x, rest - seen.width, Math.max(rest - seen.width, map.width - rest)),
    y: map.y + clamp(camera.y - map.y, rest - seen.height, Math.max(rest - seen.height, map.height - rest)),
    zoom: camera.zoom,
  }
}

/** The camera in a URL, rounded to a pixel of the map. */
export function writeCamera({ x, y, zoom }: Camera): string {
  return `${Math.round(x)},${Math.round(y)},${zoom.toFixed(3)}`
}

/** The camera of a URL; null if absent or invalid. */
export function readCamera(text: string | null): Camera | null {
  const found = /^(-?\d{1,8}),(-?\d{1,8}),(\d(?:\.\d{1,3})?)$/.exec(text ?? '')
  if (!found) return null
  const [x = 0, y = 0, zoom = 1] = found.slice(1).map(Number)
  return { x, y, zoom: clamp(zoom, MIN_ZOOM, MAX_ZOOM) }
}
