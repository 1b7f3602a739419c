/** Replaces code that is too long to listen to, by the first part of a language tag. */
const CODE_LEFT_OUT: Readonly<Record<string, string>> = {
  en: 'Code is omitted here.',
  de: 'Hier steht Code, den ich auslasse.',
  es: 'Aquí hay código que omito.',
  fr: 'Il y a ici du code que je ne lis pas.',
  hi: 'यहाँ कोड है, जिसे मैं छोड़ रहा हूँ।',
  it: 'Qui c’è del codice che non leggo.',
  ja: 'ここにあるコードは省略します。',
  nl: 'Hier staat code die ik oversla.',
  pl: 'Tutaj jest kod, który pomijam.',
  pt: 'Aqui há código que não leio.',
  zh: '此处的代码略去不读。',
}

/** Unlisted languages use English. */
export function codeLeftOut(language: string): string {
  return CODE_LEFT_OUT[language.split('-')[0]?.toLowerCase() ?? ''] ?? 'Code is omitted here.'
}
