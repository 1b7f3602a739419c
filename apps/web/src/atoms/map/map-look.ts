import type { MapRoute } from '../../core/map/map-graph.ts'

/** How a step is drawn where it is no element of the page. The word and sign of a state stand beside its colour. */
export interface BoxLook {
  name: string
  tone: MapTone
  /** A sign in the corner; '' for none. */
  sign: string
}

export const MAP_TONES = ['neutral', 'good', 'bad', 'warn', 'info', 'skipped', 'removed'] as const
export type MapTone = (typeof MAP_TONES)[number]
/** Tones whose steps are drawn as outlines: they do nothing. */
export const HOLLOW_TONES: ReadonlySet<MapTone> = new Set(['skipped', 'removed'])

/** How a connection is drawn. */
export interface RouteLook {
  state: 'open' | 'taken' | 'dead'
  /** What stands at its beginning; '' for none. */
  word: string
}

export interface MapLooks {
  box(id: string): BoxLook
  route(route: MapRoute): RouteLook
}

/** Colours of the page at this moment; a canvas cannot read variables. */
export type MapColors = Readonly<
  Record<MapTone | 'text' | 'muted' | 'line' | 'strong' | 'panel' | 'sunken' | 'accent', string>
>
