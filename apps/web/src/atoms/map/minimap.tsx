import { type PointerEvent, type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { type Camera, type ScreenSize, seenBy } from '../../core/map/camera.ts'
import type { DrawnMap } from './draw-map.ts'
import type { MapColors } from './map-look.ts'
import styles from './map-surface.module.css'

const WIDTH = 168
const HEIGHT = 120

export interface MinimapProps {
  ref: Ref<{ follow(camera: Camera, screen: ScreenSize): void }>
  map: DrawnMap
  colors(): MapColors
  /** The point of the map to centre. */
  onMove(x: number, y: number): void
}

/** The whole map in a corner, with the visible part. For pointers only: the keyboard moves along steps. */
export function Minimap({ ref, map, colors, onMove }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const [isNeeded, setNeeded] = useState(false)
  const needed = useRef(false)
  const { x: fromX, y: fromY, width, height } = map.layout
  const scale = Math.min(WIDTH / Math.max(1, width), HEIGHT / Math.max(1, height))
  const [left, top] = [
    (WIDTH - width * scale) / 2 - fromX * scale,
    (HEIGHT - height * scale) / 2 - fromY * scale,
  ]
  useImperativeHandle(ref, () => ({
    follow(camera, screen) {
      const seen = seenBy(camera, screen)
      const isAll =
        seen.x <= fromX &&
        seen.y <= fromY &&
        seen.x + seen.width >= fromX + width &&
        seen.y + seen.height >= fromY + height
      if (needed.current === isAll) {
        needed.current = !isAll
        setNeeded(!isAll)
      }
      if (!frame.current) return
      const size = (value: number) => Math.max(6, value * scale)
      frame.current.style.transform = `translate(${left + seen.x * scale}px, ${top + seen.y * scale}px)`
      frame.current.style.width = `${size(seen.width)}px`
      frame.current.style.height = `${size(seen.height)}px`
    },
  }))
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!context || !isNeeded) return
    const density = Math.min(2, devicePixelRatio)
    context.canvas.width = WIDTH * density
    context.canvas.height = HEIGHT * density
    context.setTransform(density, 0, 0, density, 0, 0)
    const known = colors()
    for (const [at, box] of map.layout.boxes.entries()) {
      const tone = map.looks[at]?.tone ?? 'neutral'
      context.fillStyle = box.kind === 'loop' ? known.line : tone === 'neutral' ? known.strong : known[tone]
      const [x, y] = [left + box.x * scale, top + box.y * scale]
      context.fillRect(x, y, Math.max(1, box.width * scale), Math.max(1, box.height * scale))
    }
  }, [map, colors, isNeeded, left, top, scale])
  const move = (event: PointerEvent<HTMLElement>) => {
    if (event.buttons !== 1) return
    event.stopPropagation()
    event.currentTarget.setPointerCapture(event.pointerId)
    const { left: pageX, top: pageY } = event.currentTarget.getBoundingClientRect()
    onMove((event.clientX - pageX - left) / scale, (event.clientY - pageY - top) / scale)
  }
  return (
    <div
      className={styles.minimap}
      hidden={!isNeeded}
      aria-hidden="true"
      onPointerDown={move}
      onPointerMove={move}
      onClick={(event) => event.stopPropagation()}
    >
      <canvas ref={canvas} />
      <div ref={frame} className={styles.frame} />
    </div>
  )
}
