/** Phrases of an agent that are not in its settings. */
interface SpokenPhrases {
  /** Speech was not transcribed. */
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
  hi: {
    repeat: 'क्षमा करें, मैं समझ नहीं पाया। क्या आप फिर से कह सकते हैं?',
    warning: 'हमारे पास आधा मिनट बचा है।',
  },
  it: {
    repeat: 'Mi scusi, non ho capito. Può ripetere?',
    warning: 'Ci resta mezzo minuto.',
  },
  ja: {
    repeat: '申し訳ございません。聞き取れませんでした。もう一度お願いします。',
    warning: '残り三十秒です。',
  },
  nl: {
    repeat: 'Sorry, ik heb u niet verstaan. Kunt u dat herhalen?',
    warning: 'We hebben nog een halve minuut.',
  },
  pl: {
    repeat: 'Przepraszam, nie udało mi się zrozumieć. Czy można prosić o powtórzenie?',
    warning: 'Zostało nam pół minuty.',
  },
  pt: {
    repeat: 'Desculpe, não percebi. Pode repetir?',
    warning: 'Temos mais meio minuto.',
  },
  zh: {
    repeat: '抱歉，我没听清，您能再说一遍吗？',
    warning: '我们还剩半分钟。',
  },
}

/** The phrases of a language; English for languages without an entry. */
export function spokenPhrases(language: string): SpokenPhrases {
  return PHRASES[language.split('-')[0]?.toLowerCase() ?? ''] ?? ENGLISH
}
