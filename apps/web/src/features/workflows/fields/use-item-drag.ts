import { type PointerEvent, useEffect, useState } from 'react'

interface Drag {
  from: number
  to: number
}

export interface ItemDrag {
  /** The index of the dragged item, and its drop index; null: no drag. */
  from: number | null
  to: number | null
  /** The handlers of an item's grip. */
  handle(index: number): {
    onPointerDown(event: PointerEvent<HTMLElement>): void
    onPointerMove(event: PointerEvent<HTMLElement>): void
    onPointerUp(): void
    onPointerCancel(): void
  }
}

/** Moves an item of a vertical list by dragging its grip, with mouse, pen or finger. Escape cancels. */
export function useItemDrag(
  items: () => readonly HTMLElement[],
  onMove: (from: number, to: number) => void,
): ItemDrag {
  const [drag, setDrag] = useState<Drag | null>(null)
  const isDragged = drag !== null
  useEffect(() => {
    if (!isDragged) return
    // Before the panel or the sheet around the list, which Escape would close.
    const cancel = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      setDrag(null)
    }
    window.addEventListener('keydown', cancel, true)
    return () => window.removeEventListener('keydown', cancel, true)
  }, [isDragged])
  return {
    from: drag?.from ?? null,
    to: drag === null || drag.to === drag.from ? null : drag.to,
    handle: (index) => ({
      onPointerDown: (event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrag({ from: index, to: index })
      },
      onPointerMove: ({ clientY }) => {
        if (drag !== null) setDrag({ ...drag, to: placeAt(items(), clientY, drag.from) })
      },
      onPointerUp: () => {
        setDrag(null)
        if (drag !== null && drag.to !== drag.from) onMove(drag.from, drag.to)
      },
      onPointerCancel: () => setDrag(null),
    }),
  }
}

/** The index of an item dropped at this height: it moves past another item at the middle of that item. */
function placeAt(items: readonly HTMLElement[], y: number, from: number): number {
  const middles = items.map((item) => {
    const { top, height } = item.getBoundingClientRect()
    return top + height / 2
  })
  const passed = middles.filter((middle, index) => (index < from ? middle <= y : index > from && middle < y))
  return passed.length
}
