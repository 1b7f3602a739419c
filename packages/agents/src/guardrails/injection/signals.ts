/** The words of an attack phrase: one of each list, in order, with at most `gap` other words between two. */
export interface Phrase {
  /** Between 0 and 1. */
  weight: number
  gap: number
  words: readonly ReadonlySet<string>[]
}

const of = (words: string): ReadonlySet<string> => new Set(words.split(' '))

const RULES = of(
  'instruction instructions prompt prompts rule rules guideline guidelines directive directives directions constraints ' +
    'anweisung anweisungen regeln vorgaben instrucciones reglas consignes règles regles istruzioni regole',
)
const FORMER = of(
  'previous prior above earlier preceding all any your these those system original initial ' +
    'vorherigen bisherigen alle deine obigen anteriores previas tus todas précédentes precedentes toutes vos tes tutte',
)
const DROP = of(
  'ignore disregard forget override bypass neglect discard ignoring disregarding ' +
    'ignoriere ignorieren vergiss missachte ignora olvida descarta ignorez oublie oubliez dimentica',
)
const TELL = of(
  'reveal show print repeat output display leak dump disclose recite share ' +
    'zeige verrate nenne wiederhole muestra revela repite montre révèle revele affiche répète mostra',
)
const HIDDEN = of(
  'system hidden secret initial internal developer original confidential systemprompt versteckten',
)

/** Phrases of attacks in English, German, Spanish, French and Italian. */
export const PHRASES: readonly Phrase[] = [
  { weight: 0.7, gap: 3, words: [DROP, FORMER, RULES] },
  { weight: 0.45, gap: 2, words: [DROP, RULES] },
  { weight: 0.6, gap: 4, words: [TELL, HIDDEN, RULES] },
  { weight: 0.6, gap: 3, words: [TELL, of('your deinen deine tu tus ton tes'), RULES] },
  { weight: 0.4, gap: 0, words: [of('you'), of('are'), of('now')] },
  { weight: 0.4, gap: 0, words: [of('du'), of('bist'), of('jetzt nun')] },
  { weight: 0.4, gap: 1, words: [of('from'), of('now'), of('on'), of('you')] },
  { weight: 0.4, gap: 1, words: [of('pretend act roleplay behave'), of('as to like'), of('you be an if')] },
  {
    weight: 0.5,
    gap: 1,
    words: [of('no without any'), of('restrictions restriction limitations filters censorship')],
  },
  { weight: 0.6, gap: 0, words: [of('do'), of('anything'), of('now')] },
  { weight: 0.5, gap: 0, words: [of('developer debug god admin sudo dan jailbreak'), of('mode')] },
  { weight: 0.5, gap: 1, words: [of('new updated'), of('system'), of('prompt instructions message')] },
  { weight: 0.55, gap: 2, words: [of('do'), of('not'), of('follow obey'), RULES] },
]

/** A piece of text that occurs only in prompt templates. */
export interface Marker {
  weight: number
  text: string
}

export const MARKERS: readonly Marker[] = [
  { weight: 0.6, text: '<|im_start|>' },
  { weight: 0.6, text: '<|im_end|>' },
  { weight: 0.6, text: '<|system|>' },
  { weight: 0.6, text: '<<sys>>' },
  { weight: 0.5, text: '[/inst]' },
  { weight: 0.5, text: '</system>' },
  { weight: 0.4, text: '### system' },
  { weight: 0.4, text: '### instruction' },
  { weight: 0.4, text: '\nsystem:' },
  { weight: 0.5, text: 'jailbreak' },
]
