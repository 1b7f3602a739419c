import { ChevronDown, ChevronRight, Plus, X } from 'lucide-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type PointerEvent,
  type ReactNode,
  type Ref,
  Suspense,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import {
  type Camera,
  centred,
  firstView,
  fit,
  kept,
  pan,
  reveal,
  type ScreenSize,
  zoomAt,
} from '../../core/map/camera.ts'
import { headHeight, type MapBox, type MapLayout } from '../../core/map/map-graph.ts'
import { mountedBoxes } from '../../core/map/mounted-boxes.ts'
import { middleOf } from '../../core/map/route-at.ts'
import { portLines, portOffset } from '../../core/map/route-between.ts'
import { boxAt } from '../../core/map/seen-boxes.ts'
import { type MapDirection, stepBeside } from '../../core/map/step-beside.ts'
import { lazyExtra } from '../parts/lazy-part.ts'
import { drawMap, drawnMap } from './draw-map.ts'
import { PROBED_COLORS, useMapColors } from './map-colors.ts'
import type { MapEditing, MapFolds } from './map-editing.ts'
import type { MapLooks } from './map-look.ts'
import styles from './map-surface.module.css'
import { Minimap } from './minimap.tsx'
import { useMapGestures } from './use-map-gestures.ts'

/** The actions of the buttons around a map. */
export interface MapCommands {
  fit(): void
  zoomBy(factor: number): void
  /** Shows a step; with `isFocused` it also gets the keyboard focus. */
  show(id: string, isFocused?: boolean): void
  /** The step that has the focus, or would get it; null: none. */
  current(): string | null
  /** Moves steps by the arrow keys. */
  moveByKeys(ids: readonly string[]): void
}

export interface MapSurfaceProps {
  /** Names the map for screen readers; `hint` explains its use. */
  label: string
  hint: string
  layout: MapLayout
  looks: MapLooks
  /** The content of a step's button, which is also its name. Steps re-render when the function changes. */
  children(id: string): ReactNode
  chosen: string | null
  onChoose(id: string): void
  /** Esc. */
  onLeave(): void
  /** The initial view; null: the whole, or the beginning. */
  start: Camera | null
  /** The camera has come to rest. */
  onRest(camera: Camera): void
  commands: Ref<MapCommands>
  folds: MapFolds
  /** The map shows a run in progress: packets move along its connections. */
  isRunning?: boolean
  /** Absent: the map is read-only. */
  editing?: MapEditing | null
}

// Used by runs in progress only.
const MapPackets = lazyExtra(async () => (await import('./map-packets.tsx')).MapPackets)

const ARROWS: Readonly<Record<string, MapDirection>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
}
const ZOOM_STEP = 1.25
/** Minimum movement of a drag; less is a press. */
const PRESS_PX = 4
const REST_MS = 250
/** A drawing that took longer is only translated while the camera moves, and redrawn when it rests. */
const CHEAP_DRAW_MS = 7
/** The drawing exceeds the screen by this factor on each side. */
const BLEED = 0.25
/** The camera speed above which nothing new can be read, in screens per second. */
const RUSHING = 2.5

/** State that changes in every frame without a render. */
interface View {
  camera: Camera
  screen: ScreenSize
  isPlaced: boolean
  drawn: { camera: Camera; ms: number } | null
  frame: number
  last: { at: number; camera: Camera }
  pointers: Map<number, { x: number; y: number }>
  moved: number
}

/**
 * A map to pan and zoom: one canvas with everything, and elements of the page for the steps that are near and large enough to read.
 * The camera lives outside renders: a frame changes one transform and draws, and renders only when other steps come near.
 */
export function MapSurface(props: MapSurfaceProps) {
  const { label, hint, layout, looks, children, chosen, onChoose, onLeave, start, onRest, commands } = props
  const { editing = null, folds, isRunning = false } = props
  const surface = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const world = useRef<HTMLDivElement>(null)
  const probe = useRef<HTMLDivElement>(null)
  const minimap = useRef<{ follow(camera: Camera, screen: ScreenSize): void }>(null)
  const [current, setCurrent] = useState<string | null>(chosen)
  const focusNext = useRef(false)
  const map = useMemo(() => drawnMap(layout, looks), [layout, looks])
  const indexes = useMemo(() => new Map(layout.boxes.map(({ id }, at) => [id, at])), [layout])
  const first = layout.boxes.find(({ kind }) => kind !== 'note')?.id ?? layout.boxes[0]?.id
  const tabStop = [current, chosen, first].find((id) => id != null && indexes.has(id)) ?? null
  const [mounted, setMounted] = useState<ReadonlySet<number>>(new Set())
  const view = useRef<View>({
    camera: start ?? { x: 0, y: 0, zoom: 1 },
    screen: { width: 0, height: 0 },
    isPlaced: start !== null,
    drawn: null,
    frame: 0,
    last: { at: 0, camera: { x: 0, y: 0, zoom: 1 } },
    pointers: new Map(),
    moved: 0,
  }).current
  const rested = useRef<ReturnType<typeof setTimeout>>(undefined)
  const selected = editing?.selected ?? NONE_SELECTED
  const latest = useRef({ map, mounted, tabStop, chosen, onChoose, onRest, editing })
  latest.current = { map, mounted, tabStop, chosen, onChoose, onRest, editing }

  const wake = useCallback(() => {
    if (view.frame === 0) view.frame = requestAnimationFrame((now) => tick.current(now))
  }, [view])
  const redraw = useCallback(() => {
    view.drawn = null
    wake()
  }, [view, wake])
  const colorsNow = useMapColors(probe, redraw)
  const gestures = useMapGestures({
    ...{ surface, world, editing, redraw },
    map: () => latest.current.map,
    camera: () => view.camera,
  })

  const draw = () => {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    const { camera, screen } = view
    const bleed = { width: screen.width * BLEED, height: screen.height * BLEED }
    const density = Math.min(2, devicePixelRatio)
    const size = { width: screen.width + 2 * bleed.width, height: screen.height + 2 * bleed.height }
    const [width, height] = [Math.round(size.width * density), Math.round(size.height * density)]
    if (element.width !== width || element.height !== height) {
      element.width = width
      element.height = height
    }
    const before = performance.now()
    const gestureNow = gestures.gesture.current
    const from = pan(camera, -bleed.width, -bleed.height)
    drawMap(context, {
      map: latest.current.map,
      camera: from,
      screen: size,
      density,
      colors: colorsNow(),
      mounted: latest.current.mounted,
      chosen: latest.current.chosen,
      selected: latest.current.editing?.selected ?? NONE_SELECTED,
      drag: gestureNow?.kind === 'drag' ? gestureNow : null,
      line:
        gestureNow?.kind === 'connect'
          ? { from: gestureNow.from, to: gestureNow.to, isRefused: gestureNow.hint.isRefused }
          : null,
    })
    view.drawn = { camera, ms: performance.now() - before }
  }

  const tick = useRef<(now: number) => void>(() => {})
  tick.current = (now) => {
    view.frame = 0
    const { camera, screen } = view
    if (screen.width === 0 || !world.current || !canvas.current) return
    const { map: drawnNow, mounted: before, tabStop: stop, chosen: opened } = latest.current
    const { last } = view
    const isMoving = camera !== last.camera
    const seconds = Math.max(0.001, (now - last.at) / 1_000)
    const far =
      (Math.abs(camera.x - last.camera.x) * camera.zoom) / screen.width +
      (Math.abs(camera.y - last.camera.y) * camera.zoom) / screen.height
    const isRushing = isMoving && seconds < 0.2 && far / seconds > RUSHING
    view.last = { at: now, camera }
    world.current.style.transform = `scale(${camera.zoom}) translate(${-camera.x}px, ${-camera.y}px)`
    world.current.style.setProperty('--zoom', String(camera.zoom))
    minimap.current?.follow(camera, screen)

    const { drawn } = view
    const shift = drawn && {
      x: (drawn.camera.x - camera.x) * camera.zoom,
      y: (drawn.camera.y - camera.y) * camera.zoom,
      scale: camera.zoom / drawn.camera.zoom,
    }
    const isCovered =
      shift !== null &&
      Math.abs(shift.x) <= screen.width * BLEED &&
      Math.abs(shift.y) <= screen.height * BLEED &&
      shift.scale > 0.75 &&
      shift.scale < 1.5
    if (isMoving && drawn && drawn.ms > CHEAP_DRAW_MS && isCovered && shift) {
      canvas.current.style.transform = `translate(${shift.x}px, ${shift.y}px) scale(${shift.scale})`
      wake()
    } else if (drawn === null || drawn.camera !== camera) {
      draw()
      canvas.current.style.transform = 'none'
    }

    const pinned = new Set([stop, opened].flatMap((id) => (id === null ? [] : (indexes.get(id) ?? []))))
    const gestureNow = gestures.gesture.current
    // The step under the pointer keeps its element; without it, the pointer would be lost.
    if (gestureNow?.kind === 'drag') {
      for (const at of gestureNow.boxes) if (before.has(at)) pinned.add(at)
    }
    const next = mountedBoxes({
      rects: drawnNow.rects,
      camera,
      screen,
      mounted: before,
      pinned,
      isMoving,
      isRushing,
    })
    if (next.boxes !== before) {
      latest.current.mounted = next.boxes
      setMounted(next.boxes)
    }
    if (!next.isComplete) wake()
    if (isMoving) {
      clearTimeout(rested.current)
      rested.current = setTimeout(() => latest.current.onRest(view.camera), REST_MS)
    }
  }

  const moveTo = useCallback(
    (camera: Camera) => {
      view.camera = kept(camera, layout, view.screen)
      view.isPlaced = true
      wake()
    },
    [view, layout, wake],
  )
  const rectOf = (id: string): MapBox | null => {
    const box = layout.boxes[indexes.get(id) ?? -1]
    return box ? { ...box, height: headHeight(box) } : null
  }
  const show = (id: string, isFocused = false) => {
    const box = rectOf(id)
    if (!box) return
    moveTo(reveal(view.camera, box, view.screen))
    scrollTo(surface.current, view.camera, box)
    if (!isFocused) return
    focusNext.current = true
    setCurrent(id)
  }
  const zoomBy = (factor: number) =>
    moveTo(zoomAt(view.camera, factor, { x: view.screen.width / 2, y: view.screen.height / 2 }))
  const fitAll = () => moveTo(fit(layout, view.screen))
  useImperativeHandle(commands, () => ({
    ...{ fit: fitAll, zoomBy, show },
    current: () => latest.current.tabStop,
    moveByKeys: gestures.beginByKey,
  }))

  // biome-ignore lint/correctness/useExhaustiveDependencies: redraws after a change of layout or selection
  useLayoutEffect(redraw, [map, chosen, mounted, selected, redraw])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; the observer reports later sizes
  useLayoutEffect(() => {
    const element = surface.current
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {}
      view.screen = { width, height }
      if (!view.isPlaced && width > 0) {
        view.isPlaced = true
        const beginning = rectOf(chosen ?? first ?? '')
        view.camera = firstView(layout, beginning, view.screen)
      }
      view.drawn = null
      // In the frame that is about to be painted: an empty canvas would flash.
      tick.current(performance.now())
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      cancelAnimationFrame(view.frame)
      view.frame = 0
      clearTimeout(rested.current)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: React's own wheel listener is passive and cannot prevent the page from scrolling
  useEffect(() => {
    const element = surface.current
    const onWheel = (event: WheelEvent) => {
      event.preventDefault()
      const { left = 0, top = 0 } = element?.getBoundingClientRect() ?? {}
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1
      if (event.ctrlKey || event.metaKey) {
        const at = { x: event.clientX - left, y: event.clientY - top }
        moveTo(zoomAt(view.camera, Math.exp(-event.deltaY * lines * 0.008), at))
      } else moveTo(pan(view.camera, event.deltaX * lines, event.deltaY * lines))
    }
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [moveTo])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the render that creates the element
  useEffect(() => {
    if (!focusNext.current || current === null) return
    const element = world.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(current)}"]`)
    // A newly created step becomes an element in a later render.
    if (!element) return
    focusNext.current = false
    element.focus({ preventScroll: true })
  }, [current, mounted])

  const placeOf = (event: PointerEvent) => {
    const { left = 0, top = 0 } = surface.current?.getBoundingClientRect() ?? {}
    return { x: event.clientX - left, y: event.clientY - top }
  }
  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0 && event.button !== 1) return
    if (view.pointers.size === 0) view.moved = 0
    view.pointers.set(event.pointerId, placeOf(event))
    if (view.pointers.size === 1) gestures.press(event)
    // A second finger zooms, whatever the first one started.
    else gestures.end(false)
  }
  const onPointerMove = (event: PointerEvent) => {
    const before = view.pointers.get(event.pointerId)
    if (!before) return gestures.hover(event)
    // The button was released outside the map.
    if (event.buttons === 0) {
      gestures.end(false)
      return void view.pointers.delete(event.pointerId)
    }
    const now = placeOf(event)
    view.moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y)
    if (view.moved > PRESS_PX) surface.current?.setPointerCapture(event.pointerId)
    else if (view.pointers.size === 1) return
    const others = [...view.pointers].filter(([id]) => id !== event.pointerId)
    view.pointers.set(event.pointerId, now)
    const [other] = others
    if (!other && gestures.drag(event)) return
    if (!other) return moveTo(pan(view.camera, before.x - now.x, before.y - now.y))
    const [, still] = other
    const apart = (one: { x: number; y: number }) => Math.hypot(one.x - still.x, one.y - still.y)
    const middle = { x: (now.x + still.x) / 2, y: (now.y + still.y) / 2 }
    const zoomed = zoomAt(view.camera, apart(now) / Math.max(1, apart(before)), middle)
    moveTo(pan(zoomed, (before.x - now.x) / 2, (before.y - now.y) / 2))
  }
  const onPointerEnd = (event: PointerEvent) => {
    if (view.pointers.has(event.pointerId)) {
      const wasActive = gestures.isActive()
      gestures.end(event.type === 'pointerup')
      if (wasActive) takeFocus()
    }
    view.pointers.delete(event.pointerId)
    // The click of this gesture comes first; one of a screen reader has no gesture.
    setTimeout(() => {
      if (view.pointers.size === 0) view.moved = 0
    })
  }
  /** Moves the keyboard focus into the map: to a selected step, if there is one. */
  const takeFocus = () => {
    const { editing: now, tabStop: stop } = latest.current
    const [first] = now?.selected ?? []
    const id = stop !== null && (!first || now?.selected.has(stop)) ? stop : (first ?? stop)
    if (id === null) return
    setCurrent(id)
    const element = world.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(id)}"]`)
    if (element) element.focus({ preventScroll: true })
    else focusNext.current = true
  }
  const press = useCallback(
    (id: string, isAdded = false) => {
      if (view.moved > PRESS_PX) return
      setCurrent(id)
      const { editing: now } = latest.current
      if (now && isAdded) return now.onSelect(toggled(now.selected, id))
      now?.onSelect(new Set([id]))
      latest.current.onChoose(id)
    },
    [view],
  )
  /** A press on a step that is only drawn, without an element. */
  const onClick = (event: MouseEvent) => {
    if (view.moved > PRESS_PX || (event.target as HTMLElement).closest('button')) return
    const { left = 0, top = 0 } = surface.current?.getBoundingClientRect() ?? {}
    const { x, y, zoom } = view.camera
    const found = boxAt(map.rects, x + (event.clientX - left) / zoom, y + (event.clientY - top) / zoom)
    const box = found === null ? undefined : layout.boxes[found]
    if (box && (event.clientY - top) / zoom + y <= box.y + headHeight(box)) {
      return press(box.id, isAdding(event))
    }
    if (editing === null) return
    gestures.setRoute(gestures.near(event))
    takeFocus()
    if (editing.selected.size > 0) editing.onSelect(NONE_SELECTED)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    view.moved = 0
    if (gestures.key(event)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (editing?.onKey(event.nativeEvent, tabStop)) {
      event.preventDefault()
      event.stopPropagation()
      return
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const direction = ARROWS[event.key]
    const act = (run: () => void) => {
      event.preventDefault()
      event.stopPropagation()
      run()
    }
    if (direction && event.shiftKey) {
      const by = { up: [0, -80], down: [0, 80], left: [-80, 0], right: [80, 0] }[direction]
      act(() => moveTo(pan(view.camera, by[0] ?? 0, by[1] ?? 0)))
    } else if (direction && tabStop !== null) {
      const beside = stepBeside(layout, tabStop, direction)
      act(() => beside !== null && show(beside, true))
    } else if (event.key === 'Home' && first !== undefined) act(() => show(first, true))
    else if (event.key === 'Escape') {
      act(() => (editing && selected.size > 1 ? editing.onSelect(NONE_SELECTED) : onLeave()))
    } else if (event.key === '+' || event.key === '=') act(() => zoomBy(ZOOM_STEP))
    else if (event.key === '-') act(() => zoomBy(1 / ZOOM_STEP))
    else if (event.key === 'f' && tabStop !== null && folds.has(tabStop)) act(() => folds.toggle(tabStop))
    else if (event.key === '1') act(fitAll)
    else if (event.key === '2' && tabStop !== null) {
      const box = rectOf(tabStop)
      act(() => box && moveTo(centred(box, 1, view.screen)))
    }
  }

  const steps = [...mounted].flatMap((at) => layout.boxes[at] ?? [])
  const shownRoute = gestures.route === null ? null : (layout.routes[gestures.route] ?? null)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys and gestures of the steps inside, which are buttons
    <div
      ref={surface}
      className={styles.surface}
      data-map
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onPointerLeave={gestures.leave}
      onClick={onClick}
      onKeyDown={onKeyDown}
    >
      <div ref={probe} hidden>
        {PROBED_COLORS.map((name) => (
          <i key={name} data-color={name} />
        ))}
      </div>
      <div aria-hidden="true">
        <canvas ref={canvas} className={styles.picture} />
      </div>
      <p id="map-hint" className="visually-hidden">
        {hint}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div ref={world} className={styles.world} role="group" aria-label={label} aria-describedby="map-hint">
        {steps.map((box) => (
          <Step
            key={box.id}
            box={box}
            tone={map.looks[indexes.get(box.id) ?? -1]?.tone ?? 'neutral'}
            isTabStop={box.id === tabStop}
            isChosen={box.id === chosen}
            isSelected={selected.has(box.id)}
            isMovable={editing !== null}
            onPress={press}
            onFocus={setCurrent}
            content={children}
          />
        ))}
        {steps.map(({ id, x, y }) => {
          if (!folds.has(id)) return null
          const label = folds.labelOf(id)
          return (
            <button
              key={`fold ${id}`}
              type="button"
              tabIndex={-1}
              className={styles.fold}
              aria-label={label}
              title={label}
              style={{ insetInlineStart: x, insetBlockStart: y }}
              onClick={() => folds.toggle(id)}
            >
              {folds.isFolded(id) ? <ChevronRight size={12} /> : <ChevronDown size={12} />}
            </button>
          )
        })}
        {isRunning && (
          <Suspense fallback={null}>
            <MapPackets map={map} />
          </Suspense>
        )}
        {editing && <Corners layout={layout} ids={[gestures.hovered, chosen]} />}
        {editing && <Ports layout={layout} ids={[gestures.hovered, chosen]} editing={editing} />}
        {editing && shownRoute && <RouteButtons key={gestures.route} route={shownRoute} editing={editing} />}
      </div>
      {gestures.isMarquee && <div ref={gestures.marqueeElement} className={styles.marquee} />}
      {editing && (
        <div ref={gestures.tipElement} className={styles.tip} hidden={gestures.tip === null}>
          <span data-refused={gestures.tip?.isRefused || undefined}>{gestures.tip?.text}</span>
        </div>
      )}
      {editing && (
        <p role="status" className="visually-hidden">
          {gestures.tip?.text ?? gestures.spoken}
        </p>
      )}
      <Minimap
        ref={minimap}
        map={map}
        colors={colorsNow}
        onMove={(x, y) => {
          const { zoom } = view.camera
          moveTo(centred({ x, y, width: 0, height: 0 }, zoom, view.screen))
        }}
      />
    </div>
  )
}

interface StepProps {
  box: MapBox
  tone: string
  isTabStop: boolean
  isChosen: boolean
  isSelected: boolean
  isMovable: boolean
  onPress(id: string, isAdded?: boolean): void
  onFocus(id: string): void
  content(id: string): ReactNode
}

const Step = memo(function Step(props: StepProps) {
  const { box, tone, isTabStop, isChosen, isSelected, isMovable, onPress, onFocus, content } = props
  return (
    <button
      type="button"
      className={styles.step}
      data-step={box.id}
      data-tone={tone}
      data-kind={box.kind}
      data-selected={isSelected || undefined}
      data-movable={isMovable || undefined}
      aria-current={isChosen || undefined}
      tabIndex={isTabStop ? 0 : -1}
      style={{
        insetInlineStart: box.x,
        insetBlockStart: box.y,
        inlineSize: box.width,
        blockSize: headHeight(box),
      }}
      onClick={(event) => onPress(box.id, isAdding(event))}
      onFocus={() => onFocus(box.id)}
    >
      {content(box.id)}
    </button>
  )
})

const NONE_SELECTED: ReadonlySet<string> = new Set()

/** Shift, or the command key, extends the selection. */
function isAdding({
  shiftKey,
  ctrlKey,
  metaKey,
}: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>): boolean {
  return shiftKey || ctrlKey || metaKey
}

function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected)
  if (!next.delete(id)) next.add(id)
  return next
}

interface PortsProps {
  layout: MapLayout
  ids: readonly (string | null)[]
  editing: MapEditing
}

/** Handles of the hovered and selected steps, for the pointer only: the keyboard connects by a command. A connection has its label at its end. */
function Ports({ layout, ids, editing }: PortsProps) {
  const wanted = new Set(ids)
  const named = new Set(layout.routes.map(({ source, handle }) => `${source} ${handle}`))
  return layout.boxes
    .filter(({ id }) => wanted.has(id))
    .flatMap((box) => {
      const ports = editing.portsOf(box.id)
      const below = ports.flatMap(({ handle }) => (handle === 'body' && box.kind === 'loop' ? [] : handle))
      const lineOf = (handle: string) => Math.max(0, below.indexOf(handle)) % portLines(below.length)
      return ports.map(({ handle, word }) => {
        const isBody = handle === 'body' && box.kind === 'loop'
        // An empty Loop has its two handles side by side.
        const beside = isBody && box.height <= headHeight(box) ? -48 : 0
        const x = box.x + box.width / 2 + (isBody ? beside : portOffset(below, handle))
        const y = isBody ? box.y + headHeight(box) : box.y + box.height
        return (
          <span
            key={`${box.id} ${handle}`}
            aria-hidden="true"
            className={styles.port}
            data-port={handle}
            data-step-of={box.id}
            style={{ insetInlineStart: x, insetBlockStart: y }}
          >
            {word !== '' && !named.has(`${box.id} ${handle}`) && (
              <span className={styles.portWord} style={{ '--line-of-word': lineOf(handle) } as CSSProperties}>
                {word}
              </span>
            )}
          </span>
        )
      })
    })
}

/** Corners by which the pointer resizes notes. Keys do it by the fields of the note. */
function Corners({ layout, ids }: Pick<PortsProps, 'layout' | 'ids'>) {
  const wanted = new Set(ids)
  return layout.boxes
    .filter(({ id, kind }) => kind === 'note' && wanted.has(id))
    .map(({ id, x, y, width, height }) => (
      <span
        key={id}
        aria-hidden="true"
        className={styles.corner}
        data-corner={id}
        data-step-of={id}
        style={{ insetInlineStart: x + width, insetBlockStart: y + height }}
      />
    ))
}

function RouteButtons({ route, editing }: { route: MapLayout['routes'][number]; editing: MapEditing }) {
  const { x, y } = middleOf(route.points)
  const buttons = [
    { sign: <Plus size={14} />, label: editing.words.insert, run: editing.onInsert },
    { sign: <X size={14} />, label: editing.words.disconnect, run: editing.onDisconnect },
  ]
  return (
    <span
      data-route-buttons
      className={styles.routeButtons}
      style={{ insetInlineStart: x, insetBlockStart: y }}
    >
      {buttons.map(({ sign, label, run }) => (
        <button
          key={label}
          type="button"
          tabIndex={-1}
          aria-label={label}
          title={label}
          onClick={({ currentTarget }) => {
            // Safari does not focus a pressed button.
            currentTarget.focus()
            run(route)
          }}
        >
          {sign}
        </button>
      ))}
    </span>
  )
}

/** Scrolls the page to the map if a part of it that has a step is below the window, or below the bar at its foot. */
function scrollTo(surface: HTMLElement | null, { y, zoom }: Camera, box: MapBox): void {
  if (surface === null) return
  const top = surface.getBoundingClientRect().top + (box.y - y) * zoom
  const foot = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0
  const isSeen = top >= 0 && top + box.height * zoom <= innerHeight - foot
  if (!isSeen) surface.scrollIntoView({ block: 'nearest' })
}
