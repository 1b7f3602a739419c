import type { MapBox } from '../map/map-graph.ts'
import type { MapPoint } from '../map/with-boxes-at.ts'
import type { commandWords } from '../messages/en/workflows/canvas.ts'

export type Alignment = keyof (typeof commandWords)['alignments']

/** Positions of aligned boxes: their new upper left corners. */
export function alignedBoxes(boxes: readonly MapBox[], alignment: Alignment): Map<string, MapPoint> {
  const left = Math.min(...boxes.map(({ x }) => x))
  const right = Math.max(...boxes.map(({ x, width }) => x + width))
  const top = Math.min(...boxes.map(({ y }) => y))
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height))
  const put = (place: (box: MapBox) => Partial<MapPoint>) =>
    new Map(boxes.map((box) => [box.id, { x: box.x, y: box.y, ...place(box) }]))
  switch (alignment) {
    case 'left':
      return put(() => ({ x: left }))
    case 'center':
      return put(({ width }) => ({ x: Math.round((left + right - width) / 2) }))
    case 'right':
      return put(({ width }) => ({ x: right - width }))
    case 'top':
      return put(() => ({ y: top }))
    case 'middle':
      return put(({ height }) => ({ y: Math.round((top + bottom - height) / 2) }))
    case 'bottom':
      return put(({ height }) => ({ y: bottom - height }))
    case 'across':
      return spread(boxes, 'x', 'width', right - left)
    case 'down':
      return spread(boxes, 'y', 'height', bottom - top)
    default:
      return alignment satisfies never
  }
}

/** Equal gaps within the extent of the boxes; at least a grid unit if they overlap. */
function spread(
  boxes: readonly MapBox[],
  axis: 'x' | 'y',
  size: 'width' | 'height',
  room: number,
): Map<string, MapPoint> {
  const sorted = boxes.toSorted((one, other) => one[axis] - other[axis])
  const filled = boxes.reduce((sum, box) => sum + box[size], 0)
  const gap = Math.max(8, (room - filled) / Math.max(1, boxes.length - 1))
  let at = sorted[0]?.[axis] ?? 0
  return new Map(
    sorted.map((box) => {
      const place = { x: box.x, y: box.y, [axis]: Math.round(at) }
      at += box[size] + gap
      return [box.id, place]
    }),
  )
}

export function isAlignment(value: string | undefined): value is Alignment {
  return ALIGNMENTS.includes(value as Alignment)
}

const ALIGNMENTS: readonly Alignment[] = [
  'left',
  'center',
  'right',
  'top',
  'middle',
  'bottom',
  'across',
  'down',
]
