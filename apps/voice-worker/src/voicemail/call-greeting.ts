/** The kind of callee, by the first words. A key menu is answered like a person: agents can press keys. */
export type CallGreeting = 'person' | 'voicemail' | 'full_voicemail'

/** Announcements of a mailbox that accepts no message. */
const FULL = [
  /\b(mail ?box|voice ?mail) (is full|has not been set up|hasn't been set up|is not set up)\b/,
  /\b(can ?not|can't|unable to) (accept|take) (any )?(new )?messages?\b/,
  /\bmailbox ist voll\b/,
  /\bbuz[oó]n (de voz )?est[aá] lleno\b/,
  /\b(messagerie|bo[iî]te vocale) est pleine\b/,
]

const VOICEMAIL = [
  /\bleave (me |us |him |her |them )?(a|your|the) (short |brief |detailed )?(message|name)\b/,
  /\b(after|at) the (tone|beep|signal)\b/,
  /\brecord (a|your) message\b/,
  /\bvoice ?mail\b/,
  /\b(can't|can ?not|unable to) (come to|answer|take) (the|your) (phone|call)\b/,
  /\b(call|get back to) you (back )?as soon as\b/,
  /\b(person|number|party) you (are calling|have called|called|have dialed|dialed) is (not|currently|un)/,
  /\bnach dem (signal)?ton\b/,
  /\b(anrufbeantworter|mailbox)\b/,
  /\bhinterlassen sie\b/,
  /\bbuz[oó]n de voz\b/,
  /\bdeje (su|un) mensaje\b/,
  /\b(despu[eé]s|al o[ií]r) (de la se[nñ]al|del tono|la se[nñ]al|el tono)\b/,
  /\b(messagerie|r[eé]pondeur)\b/,
  /\blaiss(ez|er)[\w -]{0,20} message\b/,
  /\bapr[eè]s le (bip|signal)\b/,
]

/** Recognises English, German, Spanish and French announcements; everything else is a person. */
export function callGreeting(heard: string): CallGreeting {
  const text = heard.toLowerCase()
  if (FULL.some((pattern) => pattern.test(text))) return 'full_voicemail'
  return VOICEMAIL.some((pattern) => pattern.test(text)) ? 'voicemail' : 'person'
}
