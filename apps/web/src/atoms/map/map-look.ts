import type { MapRoute } from '../../core/map/map-graph.ts'

/** The drawing of a step that is not an element of the page. The word and icon of a status are beside its colour. */
export interface BoxLook {
  name: string
  tone: MapTone
  /** A sign in the corner; '' for none. */
  sign: string
  /** Initials of the users who have it open; '' for nobody. */
  people: string
}

export const MAP_TONES = ['neutral', 'good', 'bad', 'warn', 'info', 'skipped', 'removed'] as const
export type MapTone = (typeof MAP_TONES)[number]
/** Tones of steps drawn as outlines: they are inactive. */
export const HOLLOW_TONES: ReadonlySet<MapTone> = new Set(['skipped', 'removed'])

/** The drawing of a connection. */
export interface RouteLook {
  state: 'open' | 'taken' | 'dead'
  /** Whether its target is running with the value that it passed on. */
  isFlowing: boolean
  /** Its label at the start; '' for none. */
  word: string
}

export interface MapLooks {
  box(id: string): BoxLook
  route(route: MapRoute): RouteLook
}

/** Colours of the page at this moment; a canvas cannot read variables. */
export type MapColors = Readonly<
  Record<MapTone | 'text' | 'muted' | 'line' | 'strong' | 'panel' | 'page' | 'sunken' | 'accent', string>
>
