import { type RefObject, useEffect, useRef, useState } from 'react'

/** Whether an element has been in view since it was first rendered. */
export function useSeen<Kind extends Element>(): [RefObject<Kind | null>, boolean] {
  const place = useRef<Kind>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = place.current
    if (isSeen || element === null) return
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [isSeen])
  return [place, isSeen]
}
