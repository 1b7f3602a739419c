import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { contentSecurityPolicy, html, Markup, type PagePolicy } from '@troupe/html'
import { type Asset, makeAsset, readAsset } from './asset.ts'

const require = createRequire(import.meta.url)
const fileOf = (name: string) => pathToFileURL(require.resolve(name))

/** The typeface of every page: the Latin part of the builder's, 48 KB. Other scripts get the font of the system. */
export const PAGE_FONT = readAsset(
  fileOf('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
  'woff2',
)
/** The typeface of code on pages that show any: the Latin part of the builder's, 23 KB. */
export const PAGE_MONO_FONT = readAsset(
  fileOf('@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2'),
  'woff2',
)
const LATIN =
  'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,' +
  'U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD'
const face = (family: string, { path }: Asset) =>
  `@font-face{font-family:"${family}";font-weight:100 900;font-display:swap;src:url("${path}") format("woff2");unicode-range:${LATIN}}`
/** The typefaces and the variables that the builder shares. */
export const TYPE_AND_COLOURS = [
  face('Inter Variable', PAGE_FONT),
  face('Geist Mono Variable', PAGE_MONO_FONT),
  readFileSync(fileOf('@troupe/html/tokens.css'), 'utf8'),
].join('\n')
/** The style sheet of every page: {@link TYPE_AND_COLOURS}, and the rules for the parts of pages. */
export const PAGE_STYLE = makeAsset(
  'page.css',
  'css',
  [TYPE_AND_COLOURS, readFileSync(new URL('./page.css', import.meta.url), 'utf8')].join('\n'),
)
/** The icon of every page: the builder's. */
export const PAGE_ICON = readAsset(new URL('./icon.svg', import.meta.url), 'svg')

/** One HTML page. */
export interface HtmlPage {
  title: string
  /** BCP 47; English when absent. */
  language?: string
  /** The visitor's system setting when absent. */
  brightness?: 'light' | 'dark' | 'auto'
  /**
   * `column`, of 360 px, for one question such as a sign-in; `narrow`, the default, for forms of tenants; `wide` for tables and lists, in
   * the sizes of the builder.
   */
  width?: 'column' | 'narrow' | 'wide'
  /** Above the main content: a logo, a navigation. */
  header?: Markup | null
  main: Markup
  footer?: Markup | null
  /** Served by `registerAssets`; loaded after the page has been parsed. */
  scripts?: readonly Asset[]
  /** Paths of script modules on this server; loaded after the page has been parsed. */
  modules?: readonly string[]
  /** Style sheets beside {@link PAGE_STYLE}. */
  styles?: readonly Asset[]
  policy?: Omit<PagePolicy, 'inlineStyle'>
  /** Custom properties such as `--accent`, for a theme. Names and values must be checked: they are not escaped. */
  properties?: Readonly<Record<string, string>>
}

/** Renders the document of a page. */
export function renderPage(page: HtmlPage): string {
  const { language = 'en', brightness = 'auto', width = 'narrow', header = null, footer = null } = page
  const style = inlineStyle(page)
  return html`<!doctype html>
<html lang="${language}" data-brightness="${brightness}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title}</title>
<link rel="icon" href="${PAGE_ICON.path}" type="${PAGE_ICON.type}">
${[PAGE_STYLE, ...(page.styles ?? [])].map(({ path }) => html`<link rel="stylesheet" href="${path}">`)}
${style === null ? null : html`<style>${new Markup(style)}</style>`}
${(page.scripts ?? []).map(({ path }) => html`<script src="${path}" defer></script>`)}
${(page.modules ?? []).map((path) => html`<script type="module" src="${path}"></script>`)}
</head>
<body class="${width}">
${header === null ? null : html`<header>${header}</header>`}
<main>
${page.main}
</main>
${footer === null ? null : html`<footer>${footer}</footer>`}
</body>
</html>
`.text
}

/** The security headers of a page, by their names in lower case. */
export function pageHeaders(page: HtmlPage): Record<'content-security-policy' | 'referrer-policy', string> {
  return {
    'referrer-policy': page.policy?.referrer ?? 'same-origin',
    'content-security-policy': contentSecurityPolicy({ ...page.policy, inlineStyle: inlineStyle(page) }),
  }
}

function inlineStyle({ properties }: HtmlPage): string | null {
  const rules = Object.entries(properties ?? {}).map(([name, value]) => `${name}:${value}`)
  return rules.length === 0 ? null : `:root{${rules.join(';')}}`
}
