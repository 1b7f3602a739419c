import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Camera } from '../../core/map/camera.ts'
import { headHeight, type MapBox } from '../../core/map/map-graph.ts'
import { noteSize } from '../../core/map/note-size.ts'
import { routeAt } from '../../core/map/route-at.ts'
import { boxAt, boxesIn } from '../../core/map/seen-boxes.ts'
import { type MapPoint, withBodies } from '../../core/map/with-boxes-at.ts'
import type { PopoverAnchor } from '../../core/overlays/popover-place.ts'
import type { DrawnMap } from './draw-map.ts'
import type { MapEditing, MapHint } from './map-editing.ts'

/** The size of the grid for steps, in pixels of the map. */
const GRID = 8
/** The minimum drag that counts as a connection, in pixels of the screen. */
const NEAR_PX = 7
/** Notes are at least this large. */

/** The target of the pointer down event. */
type Pressed =
  | { kind: 'step'; id: string; at: MapPoint }
  | { kind: 'port'; source: string; handle: string; from: MapPoint }
  | { kind: 'corner'; id: string; at: MapPoint }
  | { kind: 'void'; at: MapPoint; isMarquee: boolean }

/** A gesture under way. It lives outside renders, as the camera does. */
export type MapGesture =
  | {
      kind: 'drag'
      ids: readonly string[]
      boxes: ReadonlySet<number>
      routes: readonly number[]
      start: MapPoint
      dx: number
      dy: number
      frame: string | null
      /** Started by a key; arrows move the steps. */
      isByKey: boolean
    }
  | { kind: 'marquee'; start: MapPoint; end: MapPoint; before: ReadonlySet<string> }
  | {
      kind: 'connect'
      source: string
      handle: string
      from: MapPoint
      to: MapPoint
      target: string | null
      hint: MapHint
    }
  | { kind: 'resize'; id: string; start: MapPoint; width: number; height: number }

export interface GestureParts {
  surface: RefObject<HTMLDivElement | null>
  world: RefObject<HTMLDivElement | null>
  /** The map as it is drawn now. */
  map(): DrawnMap
  camera(): Camera
  editing: MapEditing | null
  /** Redraws in the next frame. */
  redraw(): void
}

/** Gestures that edit a map: they only change a transform while in progress, and report the result once at their end. */
export function useMapGestures(parts: GestureParts) {
  const latest = useRef(parts)
  latest.current = parts
  const pressed = useRef<Pressed | null>(null)
  const gesture = useRef<MapGesture | null>(null)
  const tipElement = useRef<HTMLDivElement>(null)
  const marqueeElement = useRef<HTMLDivElement>(null)
  const [tip, setTip] = useState<MapHint | null>(null)
  const [hovered, setHovered] = useState<string | null>(null)
  const [route, setRoute] = useState<number | null>(null)
  const [isMarquee, setMarquee] = useState(false)
  const [spoken, setSpoken] = useState('')

  const pointOf = (event: { clientX: number; clientY: number }): MapPoint => {
    const { left = 0, top = 0 } = latest.current.surface.current?.getBoundingClientRect() ?? {}
    const { x, y, zoom } = latest.current.camera()
    return { x: x + (event.clientX - left) / zoom, y: y + (event.clientY - top) / zoom }
  }
  /** A point of the map in the window. */
  const anchorAt = ({ x, y }: MapPoint): PopoverAnchor => {
    const edges = latest.current.surface.current?.getBoundingClientRect()
    const camera = latest.current.camera()
    const left = (edges?.left ?? 0) + (x - camera.x) * camera.zoom
    const top = (edges?.top ?? 0) + (y - camera.y) * camera.zoom
    return { left, right: left, top, bottom: top }
  }
  /** The same within the map: a dragged step stays in sight when the pointer leaves the map or the window. */
  const insideOf = ({ clientX, clientY }: { clientX: number; clientY: number }): MapPoint => {
    const edges = latest.current.surface.current?.getBoundingClientRect()
    if (edges === undefined) return pointOf({ clientX, clientY })
    return pointOf({
      clientX: Math.min(Math.max(clientX, edges.left), edges.right),
      clientY: Math.min(Math.max(clientY, edges.top), edges.bottom),
    })
  }
  /** The step at a point: of a Loop only its head counts. */
  const stepAt = ({ x, y }: MapPoint): MapBox | null => {
    const { rects, layout } = latest.current.map()
    const found = boxAt(rects, x, y)
    const box = found === null ? undefined : layout.boxes[found]
    return box && y <= box.y + headHeight(box) ? box : null
  }
  const say = (hint: MapHint | null) =>
    setTip((before) => (before?.text === hint?.text && before?.isRefused === hint?.isRefused ? before : hint))

  const paint = () => {
    const { redraw, world, map, camera } = latest.current
    redraw()
    const now = gesture.current
    const { layout } = map()
    const moved = now?.kind === 'drag' ? now : null
    const ids = new Set([...(moved?.boxes ?? [])].map((at) => layout.boxes[at]?.id))
    for (const element of world.current?.querySelectorAll<HTMLElement>('[data-step]') ?? []) {
      const isMoved = moved !== null && ids.has(element.dataset.step)
      element.style.translate = isMoved ? `${moved.dx}px ${moved.dy}px` : ''
      const isResized = now?.kind === 'resize' && now.id === element.dataset.step
      if (isResized) element.style.inlineSize = `${now.width}px`
      if (isResized) element.style.blockSize = `${now.height}px`
    }
    if (now?.kind === 'marquee' && marqueeElement.current) {
      const { x, y, zoom } = camera()
      const { style } = marqueeElement.current
      style.left = `${(Math.min(now.start.x, now.end.x) - x) * zoom}px`
      style.top = `${(Math.min(now.start.y, now.end.y) - y) * zoom}px`
      style.width = `${Math.abs(now.end.x - now.start.x) * zoom}px`
      style.height = `${Math.abs(now.end.y - now.start.y) * zoom}px`
    }
  }

  const beginDrag = (ids: readonly string[], start: MapPoint, isByKey: boolean) => {
    const { layout, ends } = latest.current.map()
    const boxes = withBodies(layout, ids)
    const routes = layout.routes.flatMap((_, at) => {
      return boxes.has(ends[at * 2] ?? -1) || boxes.has(ends[at * 2 + 1] ?? -1) ? at : []
    })
    gesture.current = {
      ...{ kind: 'drag', ids, boxes, routes, start, dx: 0, dy: 0, frame: null, isByKey },
    }
  }

  /** The innermost Loop around a point that is not dragged itself. */
  const frameAt = ({ x, y }: MapPoint, boxes: ReadonlySet<number>): string | null => {
    const { layout, rects } = latest.current.map()
    const around = boxesIn(rects, { x, y, width: 0, height: 0 })
    const loops = around.filter((at) => layout.boxes[at]?.kind === 'loop' && !boxes.has(at))
    return layout.boxes[loops.at(-1) ?? -1]?.id ?? null
  }

  const begin = (from: Pressed, point: MapPoint): boolean => {
    const { editing, map } = latest.current
    if (editing === null) return false
    switch (from.kind) {
      case 'step': {
        const isSelected = editing.selected.has(from.id)
        beginDrag(isSelected ? topmost(map(), editing.selected) : [from.id], from.at, false)
        return true
      }
      case 'port':
        gesture.current = {
          ...{ kind: 'connect', source: from.source, handle: from.handle, from: from.from, to: point },
          ...{ target: null, hint: editing.connectHint(from.source, from.handle, null) },
        }
        return true
      case 'corner': {
        const box = map().layout.boxes.find(({ id }) => id === from.id)
        if (!box) return false
        const { width, height } = box
        gesture.current = { kind: 'resize', id: from.id, start: from.at, width, height }
        return true
      }
      case 'void':
        if (!from.isMarquee) return false
        gesture.current = { kind: 'marquee', start: from.at, end: point, before: editing.selected }
        setMarquee(true)
        return true
      default:
        return from satisfies never
    }
  }

  const update = (point: MapPoint) => {
    const { editing, map, camera } = latest.current
    const now = gesture.current
    if (!now || !editing) return
    switch (now.kind) {
      case 'drag': {
        const [first] = now.ids
        const box = map().layout.boxes.find(({ id }) => id === first)
        const onGrid = (value: number, start: number) => Math.round((start + value) / GRID) * GRID - start
        now.dx = onGrid(point.x - now.start.x, box?.x ?? 0)
        now.dy = onGrid(point.y - now.start.y, box?.y ?? 0)
        now.frame = frameAt(point, now.boxes)
        say(editing.dropHint(now.ids, now.frame))
        break
      }
      case 'connect': {
        now.to = point
        const box = stepAt(point)
        const target = box && box.id !== now.source ? box.id : null
        if (target !== now.target) now.hint = editing.connectHint(now.source, now.handle, target)
        now.target = target
        say(now.hint)
        break
      }
      case 'marquee': {
        now.end = point
        const { layout, rects } = map()
        const rect = {
          ...{ x: Math.min(now.start.x, point.x), y: Math.min(now.start.y, point.y) },
          ...{ width: Math.abs(point.x - now.start.x), height: Math.abs(point.y - now.start.y) },
        }
        const inside = boxesIn(rects, rect).flatMap((at) => {
          const box = layout.boxes[at]
          // A Loop is selected if it is completely inside; else the steps in it are.
          const isMeant = box?.kind !== 'loop' || isWhole(box, rect)
          return box && isMeant ? box.id : []
        })
        const next = new Set([...now.before, ...inside])
        if (next.size !== editing.selected.size || inside.some((id) => !editing.selected.has(id))) {
          editing.onSelect(next)
        }
        break
      }
      case 'resize': {
        const onGrid = (value: number) => Math.round(value / GRID) * GRID
        const box = map().layout.boxes.find(({ id }) => id === now.id)
        const wanted = noteSize({
          width: onGrid((box?.width ?? 0) + point.x - now.start.x),
          height: onGrid((box?.height ?? 0) + point.y - now.start.y),
        })
        now.width = wanted?.width ?? now.width
        now.height = wanted?.height ?? now.height
        break
      }
      default:
        now satisfies never
    }
    const { x, y, zoom } = camera()
    if (tipElement.current) {
      tipElement.current.style.translate = `${(point.x - x) * zoom + 14}px ${(point.y - y) * zoom + 14}px`
    }
    paint()
  }

  /** Ends a gesture; without `isKept` it is reverted. */
  const end = (isKept: boolean) => {
    const now = gesture.current
    const { editing, map } = latest.current
    gesture.current = null
    pressed.current = null
    say(null)
    setMarquee(false)
    if (!now || !editing) return
    if (isKept) {
      switch (now.kind) {
        case 'drag': {
          const { layout } = map()
          const ids = new Set(now.ids)
          const places = new Map(
            layout.boxes.flatMap(({ id, x, y }) => {
              return ids.has(id) ? [[id, { x: x + now.dx, y: y + now.dy }] as const] : []
            }),
          )
          const hasMoved = now.dx !== 0 || now.dy !== 0
          if (hasMoved) editing.onMove(places, now.isByKey ? frameOf(map(), now.ids[0]) : now.frame)
          if (now.isByKey) setSpoken(editing.words.moved(now.ids.length))
          break
        }
        case 'connect':
          if (now.target === null || !now.hint.isRefused) {
            editing.onConnect(now.source, now.handle, now.target, () => anchorAt(now.to))
          }
          break
        case 'resize':
          editing.onResize(now.id, { width: now.width, height: now.height })
          break
        case 'marquee':
          break
        default:
          now satisfies never
      }
    } else if (now.kind === 'marquee') editing.onSelect(now.before)
    else if (now.kind === 'resize') {
      const box = map().layout.boxes.find(({ id }) => id === now.id)
      const element = parts.world.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(now.id)}"]`)
      if (element && box) {
        element.style.inlineSize = `${box.width}px`
        element.style.blockSize = `${box.height}px`
      }
    } else if (now.kind === 'drag' && now.isByKey) setSpoken(editing.words.back(now.ids.length))
    paint()
  }
  const ending = useRef(end)
  ending.current = end
  useEffect(() => {
    const cancel = () => gesture.current !== null && ending.current(false)
    const onKey = (event: KeyboardEvent) => {
      const now = gesture.current
      if (event.key !== 'Escape' || !now || (now.kind === 'drag' && now.isByKey)) return
      event.preventDefault()
      event.stopPropagation()
      cancel()
    }
    // A window that loses the pointer, such as to a dialog of the system, gets no end of the gesture.
    window.addEventListener('blur', cancel)
    window.addEventListener('keydown', onKey, true)
    return () => {
      window.removeEventListener('blur', cancel)
      window.removeEventListener('keydown', onKey, true)
    }
  }, [])

  return {
    gesture,
    ...{ tip, tipElement, isMarquee, marqueeElement, hovered, spoken },
    /** The connection with visible buttons. */
    route,
    setRoute,
    /** Records the target of the pointer down event. */
    press(event: PointerEvent | React.PointerEvent): void {
      const { editing } = latest.current
      pressed.current = null
      if (editing === null || event.button !== 0) return
      const at = pointOf(event)
      const target = event.target as HTMLElement
      const port = target.closest<HTMLElement>('[data-port]')
      const corner = target.closest<HTMLElement>('[data-corner]')
      if (port) {
        const { stepOf: source = '', port: handle = '' } = port.dataset
        const place = port.getBoundingClientRect()
        const from = pointOf({ clientX: place.x + place.width / 2, clientY: place.y + place.height / 2 })
        pressed.current = { kind: 'port', source, handle, from }
      } else if (corner) pressed.current = { kind: 'corner', id: corner.dataset.corner ?? '', at }
      else if (target.closest('[data-route-buttons]')) pressed.current = null
      else {
        const box = stepAt(at)
        const isTouch = event.pointerType === 'touch'
        // A finger pans, unless it is on a step that is selected.
        if (box && (!isTouch || editing.selected.has(box.id))) {
          pressed.current = { kind: 'step', id: box.id, at }
        } else pressed.current = { kind: 'void', at, isMarquee: event.shiftKey }
      }
    },
    /** @returns whether the move belongs to a gesture, and does not pan */
    drag(event: PointerEvent | React.PointerEvent): boolean {
      const point = insideOf(event)
      if (gesture.current === null) {
        const from = pressed.current
        if (from === null || !begin(from, point)) return false
        setRoute(null)
        // The handles of a step that moves would stay at its previous place.
        if (from.kind !== 'port') setHovered(null)
      }
      update(point)
      return true
    },
    /** Without a pressed button: tracks the hovered step or connection. */
    hover(event: React.PointerEvent): void {
      if (latest.current.editing === null || event.pointerType === 'touch') return
      const target = event.target as HTMLElement
      if (target.closest('[data-route-buttons]')) return
      const part = target.closest<HTMLElement>('[data-step],[data-step-of]')
      setHovered(part?.dataset.step ?? part?.dataset.stepOf ?? null)
      setRoute(part ? null : near(event))
    },
    leave(): void {
      setHovered(null)
      setRoute(null)
    },
    /** The connection at a point of the page. */
    near,
    end,
    isActive: () => gesture.current !== null,
    beginByKey(ids: readonly string[]): void {
      const { editing } = latest.current
      if (editing === null || ids.length === 0) return
      beginDrag(topmost(latest.current.map(), new Set(ids)), { x: 0, y: 0 }, true)
      setSpoken(editing.words.moving(ids.length))
      paint()
    },
    /** A key while steps are moved by keys. @returns whether it was one */
    key(event: { key: string; shiftKey: boolean }): boolean {
      const now = gesture.current
      if (now?.kind !== 'drag' || !now.isByKey) return false
      const by = event.shiftKey ? 8 * GRID : GRID
      const [dx, dy] = {
        ArrowUp: [0, -by],
        ArrowDown: [0, by],
        ArrowLeft: [-by, 0],
        ArrowRight: [by, 0],
      }[event.key] ?? [0, 0]
      if (event.key === 'Escape') end(false)
      else if (event.key === 'Enter' || event.key === 'm') end(true)
      else if (dx === 0 && dy === 0) return event.key !== 'Tab'
      else {
        now.dx += dx ?? 0
        now.dy += dy ?? 0
        paint()
      }
      return true
    },
  }

  function near(event: { clientX: number; clientY: number }): number | null {
    const { layout, routeRects } = latest.current.map()
    return routeAt(layout, routeRects, pointOf(event), NEAR_PX / latest.current.camera().zoom)
  }
}

/** Selected steps without those inside of selected Loops, which move with them. */
function topmost({ layout }: DrawnMap, selected: ReadonlySet<string>): string[] {
  const found: string[] = []
  let depth = Number.POSITIVE_INFINITY
  for (const box of layout.boxes) {
    if (box.depth <= depth) depth = Number.POSITIVE_INFINITY
    if (box.depth > depth || !selected.has(box.id)) continue
    found.push(box.id)
    if (box.kind === 'loop') depth = box.depth
  }
  return found
}

function frameOf({ layout }: DrawnMap, id: string | undefined): string | null {
  const at = layout.boxes.findIndex((box) => box.id === id)
  const depth = layout.boxes[at]?.depth ?? 0
  for (let before = at - 1; before >= 0; before--) {
    const box = layout.boxes[before]
    if (box?.kind === 'loop' && box.depth < depth) return box.id
  }
  return null
}

function isWhole(box: MapBox, rect: { x: number; y: number; width: number; height: number }): boolean {
  const isAcross = box.x >= rect.x && box.x + box.width <= rect.x + rect.width
  return isAcross && box.y >= rect.y && box.y + box.height <= rect.y + rect.height
}
