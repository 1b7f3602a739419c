/** The minimum and maximum size of a note, in pixels of the map. */
export const LEAST_NOTE = { width: 120, height: 56 }
export const LARGEST_NOTE = { width: 1_600, height: 1_600 }

/** The size that a note was given; null: that of a step. Settings of a foreign draft may be anything. */
export function noteSize({
  width,
  height,
}: Record<string, unknown>): { width: number; height: number } | null {
  if (typeof width !== 'number' || typeof height !== 'number') return null
  if (!Number.isFinite(width) || !Number.isFinite(height)) return null
  return {
    width: Math.min(LARGEST_NOTE.width, Math.max(LEAST_NOTE.width, Math.round(width))),
    height: Math.min(LARGEST_NOTE.height, Math.max(LEAST_NOTE.height, Math.round(height))),
  }
}
