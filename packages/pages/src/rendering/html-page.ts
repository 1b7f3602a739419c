import { contentSecurityPolicy, html, Markup, type PagePolicy } from '@troupe/html'
import { type Asset, readAsset } from './asset.ts'

/** The style sheet of every page. */
export const PAGE_STYLE = readAsset(new URL('./page.css', import.meta.url), 'css')
/** The icon of every page: the builder's. */
export const PAGE_ICON = readAsset(new URL('./icon.svg', import.meta.url), 'svg')

/** One HTML page. */
export interface HtmlPage {
  title: string
  /** BCP 47; English when absent. */
  language?: string
  /** The visitor's system setting when absent. */
  brightness?: 'light' | 'dark' | 'auto'
  /** `narrow`, the default, for one form; `wide` for tables and lists. */
  width?: 'narrow' | 'wide'
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

/** The document of a page. */
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
