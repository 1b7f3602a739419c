export { markdown } from './markdown.ts'
export { html, inline, Markup, prose } from './markup.ts'
export { momentText } from './moment-text.ts'
export { contentSecurityPolicy, originsOf, type PagePolicy } from './page-policy.ts'
