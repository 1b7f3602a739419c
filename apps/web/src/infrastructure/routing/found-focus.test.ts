import { expect, test, vi } from 'vitest'
import { keepFoundFocus } from './found-focus.ts'

type Listener = (event: object) => void

/** A page without a browser: frames and time advance by the test. */
function blankPage() {
  let nowMs = 0
  let frames: (() => void)[] = []
  const listeners = new Map<string, Listener>()
  const body = { closest: () => null }
  const page = { activeElement: body as object | null, body, heading: null as object | null }
  /** `place`: its container, as a selector. */
  const element = (place: string) => {
    const own = {
      closest: (selectors: string) => (selectors.split(',').includes(place) ? own : null),
      focus: () => {
        page.activeElement = own
      },
    }
    return own
  }
  const content = element('#content')
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  vi.stubGlobal('document', {
    get activeElement() {
      return page.activeElement
    },
    body,
    querySelector: () => page.heading,
    getElementById: () => content,
  })
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => frames.push(run))
  vi.stubGlobal('cancelAnimationFrame', () => {
    frames = []
  })
  vi.stubGlobal('addEventListener', (name: string, run: Listener) => listeners.set(name, run))
  vi.stubGlobal('removeEventListener', (name: string) => listeners.delete(name))
  return {
    page,
    element,
    content,
    body,
    press: (key: string, event: object = {}) => listeners.get('keydown')?.({ key, ...event }),
    point: () => listeners.get('pointerdown')?.({}),
    /** Draws some frames, 16 ms each. */
    draw(count: number) {
      for (let drawn = 0; drawn < count; drawn += 1) {
        nowMs += 16
        for (const run of frames.splice(0)) run()
      }
    },
    isWatching: () => frames.length > 0 || listeners.size > 0,
  }
}

test('the heading of a late page gets the focus, despite any key but Tab', () => {
  const { page, element, press, draw, body } = blankPage()
  keepFoundFocus(null)
  draw(10)
  for (const key of ['Shift', 'Control', 'Escape', 'Enter', ']']) press(key, { repeat: true })
  press('Tab', { altKey: true })
  expect(page.activeElement).toBe(body)
  page.heading = element('#content')
  draw(3)
  expect(page.activeElement).toBe(page.heading)
})

test.each(['Tab', 'pointer'])('a user who continues by %s keeps the focus', (how) => {
  const { page, element, press, point, draw, body, isWatching } = blankPage()
  keepFoundFocus(null)
  draw(10)
  if (how === 'Tab') press('Tab')
  else point()
  expect(isWatching()).toBe(false)
  page.heading = element('#content')
  draw(10)
  expect(page.activeElement).toBe(body)
})

test('a replaced heading passes the focus to its successor', () => {
  const { page, element, draw, body } = blankPage()
  keepFoundFocus(null)
  const waiting = element('#content')
  page.heading = waiting
  draw(3)
  expect(page.activeElement).toBe(waiting)
  page.heading = element('#content')
  page.activeElement = body
  draw(3)
  expect(page.activeElement).toBe(page.heading)
})

test('a link beside the page keeps the focus, and nothing is watched once the page is there', () => {
  const { page, element, draw, isWatching } = blankPage()
  const link = element('nav')
  page.activeElement = link
  keepFoundFocus(null)
  page.heading = element('#content')
  draw(4)
  expect(page.activeElement).toBe(link)
  expect(isWatching()).toBe(false)
})

test.each(['#content', '[role="menu"]'])('an element pressed in %s may still disappear', (place) => {
  const { page, element, draw, body } = blankPage()
  page.activeElement = element(place)
  keepFoundFocus(null)
  page.heading = element('#content')
  draw(10)
  page.activeElement = body
  draw(1)
  expect(page.activeElement).toBe(page.heading)
})

test('a page without a heading is focused itself in the end, and nothing is watched then', () => {
  const { page, content, draw, isWatching } = blankPage()
  keepFoundFocus(null)
  draw(700)
  expect(page.activeElement).toBe(content)
  expect(isWatching()).toBe(false)
})
