import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { chartWords as words } from '../../core/messages/en/charts.ts'
import { classNames } from '../styles/class-names.ts'
import { BarCard } from './bar-card.tsx'
import type { BarChartProps, ChartPoint } from './bar-chart-props.ts'
import styles from './chart.module.css'
import { labelStep, niceTicks } from './scale.ts'
import { seriesColour } from './series-colour.ts'
import { barText, type PlacedSeries, totalOf } from './shown-chart.ts'

const AXIS_PX = 46
const FOOT_PX = 20
const LABEL_PX = 58

interface BarsProps extends Omit<BarChartProps, 'series'> {
  series: readonly PlacedSeries[]
}

/** The drawing of a bar chart. Its table has all of its data. */
export function Bars({ label, series, points, format, height = 180, onRange }: BarsProps) {
  const [svg, width] = useWidth()
  const [drag, setDrag] = useState<{ from: number; to: number } | null>(null)
  const [pointed, setPointed] = useState<number | null>(null)
  const plotElement = useRef<HTMLDivElement>(null)
  const hatch = useId()
  const totals = points.map((point) => totalOf(point, series))
  const ticks = niceTicks(Math.max(0, ...totals), { isWhole: totals.every(Number.isInteger) })
  const top = ticks.at(-1) ?? 1
  const plot = { width: Math.max(1, width - AXIS_PX), height: height - FOOT_PX }
  const step = plot.width / Math.max(1, points.length)
  const bar = Math.max(1, Math.min(28, step * 0.7))
  const y = (value: number) => plot.height - (value / top) * plot.height
  const axis = axisTexts(points, plot.width)

  const pointAt = (event: PointerEvent) => {
    const left = svg.current?.getBoundingClientRect().left ?? 0
    return Math.max(0, Math.min(points.length - 1, Math.floor((event.clientX - left - AXIS_PX) / step)))
  }
  const onPointerMove = (event: PointerEvent) => {
    const at = points.length === 0 ? null : pointAt(event)
    if (event.pointerType !== 'touch') setPointed(at)
    if (drag && at !== null) setDrag({ ...drag, to: at })
  }
  const dragging = onRange && {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      const at = pointAt(event)
      setDrag({ from: at, to: at })
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerCancel: () => setDrag(null),
    onPointerUp: () => {
      if (drag) onRange(Math.min(drag.from, drag.to), Math.max(drag.from, drag.to))
      setDrag(null)
    },
  }
  /** A finger cannot point without a press: a tap opens the card, and another one closes it. */
  const tapping = {
    onPointerUp: (event: PointerEvent) => {
      if (event.pointerType !== 'touch' || points.length === 0) return
      const at = pointAt(event)
      setPointed((now) => (now === at ? null : at))
    },
  }
  useEffect(() => {
    if (pointed === null) return
    const onOutside = ({ target }: Event) => {
      if (target instanceof Node && !plotElement.current?.contains(target)) setPointed(null)
    }
    document.addEventListener('pointerdown', onOutside)
    return () => document.removeEventListener('pointerdown', onOutside)
  }, [pointed])
  const shownPoint = pointed === null || drag !== null ? undefined : points[pointed]
  const drawing = (
    <svg
      ref={svg}
      className={classNames(styles.svg, onRange && styles.draggable)}
      height={height}
      role="img"
      aria-label={label}
      {...(dragging ?? tapping)}
      onPointerMove={onPointerMove}
      onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setPointed(null)}
    >
      <defs>
        <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect className={styles.hatch} width="2" height="5" />
        </pattern>
      </defs>
      {ticks.map((tick) => (
        <g key={tick}>
          <line className={styles.grid} x1={AXIS_PX} x2={width} y1={y(tick)} y2={y(tick)} />
          <text className={styles.axis} x={AXIS_PX - 8} y={y(tick)} dy="0.32em" textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {points.map((point, index) => {
        let below = 0
        const left = AXIS_PX + index * step
        return (
          <g key={point.id} className={styles.column}>
            <rect className={styles.hit} x={left} y={0} width={step} height={plot.height} />
            {series.map(({ id, tone, place }) => {
              const value = point.values[id] ?? 0
              const from = below
              below += value
              return (
                <rect
                  key={id}
                  x={left + (step - bar) / 2}
                  y={y(below)}
                  width={bar}
                  height={Math.max(0, y(from) - y(below))}
                  rx={Math.min(2, bar / 4)}
                  fill={seriesColour(place, tone)}
                  pointerEvents="none"
                />
              )
            })}
            {point.isOpen && (
              <rect
                x={left + (step - bar) / 2}
                y={y(below)}
                width={bar}
                height={Math.max(0, plot.height - y(below))}
                fill={`url(#${hatch})`}
                pointerEvents="none"
              />
            )}
            {axis[index] && (
              <text className={styles.axis} y={height - 4} {...axisPlace(left, step)}>
                {axis[index]}
              </text>
            )}
          </g>
        )
      })}
      {drag && (
        <rect
          className={styles.range}
          x={AXIS_PX + Math.min(drag.from, drag.to) * step}
          y={0}
          width={(Math.abs(drag.to - drag.from) + 1) * step}
          height={plot.height}
        />
      )}
    </svg>
  )
  const last = points.length - 1
  const onKeyDown = (event: KeyboardEvent) => {
    const at = pointed ?? (event.key === 'ArrowLeft' ? last + 1 : -1)
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key]
    if (event.key === 'Enter' && onRange && pointed !== null) onRange(pointed, pointed)
    else if (event.key === 'Escape' && pointed !== null) setPointed(null)
    else if (next !== undefined) setPointed(Math.max(0, Math.min(last, next)))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div ref={plotElement} className={styles.plot}>
      {drawing}
      {last >= 0 && (
        <div
          className={styles.keys}
          role="slider"
          tabIndex={0}
          aria-label={words.bars(label)}
          aria-orientation="horizontal"
          aria-valuemin={1}
          aria-valuemax={points.length}
          aria-valuenow={(pointed ?? last) + 1}
          aria-valuetext={barText(points[pointed ?? last], series, format)}
          onKeyDown={onKeyDown}
          onBlur={() => setPointed(null)}
        />
      )}
      {shownPoint && (
        <BarCard
          point={shownPoint}
          series={series}
          format={format}
          left={AXIS_PX + (pointed ?? 0) * step + step / 2}
          width={width}
        />
      )}
    </div>
  )
}

/** The place of a text below its bar: in its middle, or from its start where it would reach below the scale. */
const axisPlace = (left: number, step: number) =>
  left + step / 2 - AXIS_PX < LABEL_PX / 2
    ? ({ x: left, textAnchor: 'start' } as const)
    : ({ x: left + step / 2, textAnchor: 'middle' } as const)

/** The text below each bar, so that texts do not touch; '' for most of them. */
function axisTexts(points: readonly ChartPoint[], widthPx: number): string[] {
  const every = labelStep(points.length, widthPx, LABEL_PX)
  const hasOwn = points.some(({ axis }) => axis !== undefined)
  let free = 0
  return points.map(({ label, axis = '' }, index) => {
    if (!hasOwn) return index % every === 0 ? label : ''
    if (axis === '' || index < free) return ''
    free = index + every
    return axis
  })
}

/** The width of an element in pixels, updated after each change. */
function useWidth() {
  const element = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width] as const
}
