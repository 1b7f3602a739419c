/** What an agent says by itself besides its settings. */
interface SpokenPhrases {
  /** The caller spoke, and nothing was understood. */
  repeat: string
  /** Half a minute is left. */
  warning: string
}

const ENGLISH: SpokenPhrases = {
  repeat: 'Sorry, I did not catch that. Could you say it again?',
  warning: 'We have half a minute left.',
}

/** By the first part of a language tag. */
const PHRASES: Readonly<Record<string, SpokenPhrases>> = {
  en: ENGLISH,
  de: {
    repeat: 'Entschuldigung, das habe ich nicht verstanden. Können Sie das wiederholen?',
    warning: 'Wir haben noch eine halbe Minute.',
  },
  es: {
    repeat: 'Perdón, no le he entendido. ¿Puede repetirlo?',
    warning: 'Nos queda medio minuto.',
  },
  fr: {
    repeat: "Pardon, je n'ai pas compris. Pouvez-vous répéter ?",
    warning: 'Il nous reste une demi-minute.',
  },
}

/** The phrases of a language; languages that are not here speak English. */
export function spokenPhrases(language: string): SpokenPhrases {
  return PHRASES[language.split('-')[0]?.toLowerCase() ?? ''] ?? ENGLISH
}
