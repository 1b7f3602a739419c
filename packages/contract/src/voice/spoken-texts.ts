/** An agent's standard texts, unless its settings override them. */
export interface SpokenTexts {
  greeting: string
  /** The caller has been silent. */
  silence: string
  /** The answer takes a while. */
  filler: string
  /** The agent's own answer failed. */
  fallbackText: string
  /** Another worker has taken over. */
  resumeText: string
  /** The minutes of the call are used up. */
  budgetText: string
}

const ENGLISH: SpokenTexts = {
  greeting: 'Hello, how can I help you?',
  silence: 'Are you still there?',
  filler: 'One moment, please.',
  fallbackText: 'Sorry, something went wrong. Please try again later.',
  resumeText: 'Sorry, we were cut off. Where were we?',
  budgetText: 'I am sorry, but our time is up. Goodbye.',
}

/** By the first part of a language tag. */
const SPOKEN: Readonly<Record<string, SpokenTexts>> = {
  en: ENGLISH,
  de: {
    greeting: 'Hallo, wie kann ich Ihnen helfen?',
    silence: 'Sind Sie noch da?',
    filler: 'Einen Moment, bitte.',
    fallbackText: 'Entschuldigung, da ist etwas schiefgegangen. Bitte versuchen Sie es später noch einmal.',
    resumeText: 'Entschuldigung, wir wurden unterbrochen. Wo waren wir?',
    budgetText: 'Es tut mir leid, unsere Zeit ist um. Auf Wiederhören.',
  },
  es: {
    greeting: 'Hola, ¿en qué puedo ayudarle?',
    silence: '¿Sigue ahí?',
    filler: 'Un momento, por favor.',
    fallbackText: 'Lo siento, algo ha fallado. Inténtelo de nuevo más tarde.',
    resumeText: 'Perdón, se ha cortado. ¿Por dónde íbamos?',
    budgetText: 'Lo siento, se nos ha acabado el tiempo. Adiós.',
  },
  fr: {
    greeting: 'Bonjour, comment puis-je vous aider ?',
    silence: 'Êtes-vous toujours là ?',
    filler: 'Un instant, s’il vous plaît.',
    fallbackText: 'Désolé, un problème est survenu. Veuillez réessayer plus tard.',
    resumeText: 'Désolé, nous avons été coupés. Où en étions-nous ?',
    budgetText: 'Je suis désolé, notre temps est écoulé. Au revoir.',
  },
  hi: {
    greeting: 'नमस्ते, मैं आपकी क्या मदद कर सकता हूँ?',
    silence: 'क्या आप अभी भी लाइन पर हैं?',
    filler: 'कृपया एक क्षण रुकिए।',
    fallbackText: 'क्षमा करें, कुछ गड़बड़ हो गई। कृपया बाद में फिर कोशिश करें।',
    resumeText: 'क्षमा करें, हमारी बात कट गई थी। हम कहाँ थे?',
    budgetText: 'क्षमा करें, हमारा समय समाप्त हो गया है। नमस्ते।',
  },
  it: {
    greeting: 'Buongiorno, come posso aiutarla?',
    silence: 'È ancora in linea?',
    filler: 'Un momento, per favore.',
    fallbackText: 'Mi dispiace, qualcosa è andato storto. Riprovi più tardi.',
    resumeText: 'Mi scusi, è caduta la linea. Dove eravamo rimasti?',
    budgetText: 'Mi dispiace, il nostro tempo è scaduto. Arrivederci.',
  },
  ja: {
    greeting: 'こんにちは。ご用件をお聞かせください。',
    silence: 'お聞きになっていますか。',
    filler: '少々お待ちください。',
    fallbackText: '申し訳ございません。問題が発生しました。後ほどもう一度お試しください。',
    resumeText: '申し訳ございません。通話が途切れました。どこまでお話ししましたか。',
    budgetText: '申し訳ございません。お時間になりました。失礼いたします。',
  },
  nl: {
    greeting: 'Hallo, waarmee kan ik u helpen?',
    silence: 'Bent u er nog?',
    filler: 'Een ogenblik, alstublieft.',
    fallbackText: 'Sorry, er is iets misgegaan. Probeer het later nog eens.',
    resumeText: 'Sorry, de verbinding viel weg. Waar waren we?',
    budgetText: 'Het spijt me, onze tijd is om. Tot ziens.',
  },
  pl: {
    greeting: 'Dzień dobry, w czym mogę pomóc?',
    silence: 'Czy nadal mnie słychać?',
    filler: 'Chwileczkę, proszę.',
    fallbackText: 'Przepraszam, coś poszło nie tak. Proszę spróbować później.',
    resumeText: 'Przepraszam, przerwało nam połączenie. Na czym skończyliśmy?',
    budgetText: 'Przykro mi, nasz czas się skończył. Do widzenia.',
  },
  pt: {
    greeting: 'Olá, como posso ajudar?',
    silence: 'Ainda está aí?',
    filler: 'Um momento, por favor.',
    fallbackText: 'Desculpe, algo correu mal. Por favor, tente novamente mais tarde.',
    resumeText: 'Desculpe, a ligação caiu. Onde estávamos?',
    budgetText: 'Lamento, o nosso tempo acabou. Até logo.',
  },
  zh: {
    greeting: '您好，请问有什么可以帮您？',
    silence: '您还在吗？',
    filler: '请稍等。',
    fallbackText: '抱歉，出了点问题，请稍后再试。',
    resumeText: '抱歉，刚才断线了。我们说到哪里了？',
    budgetText: '很抱歉，通话时间已到。再见。',
  },
}

/** The texts of a BCP 47 language; unlisted languages use English. */
export function spokenTexts(language: string): SpokenTexts {
  return SPOKEN[language.split('-')[0]?.toLowerCase() ?? ''] ?? ENGLISH
}
