import { contentSecurityPolicy, html } from '@troupe/html'
import { PAGE_ICON, PAGE_STYLE } from '../rendering/html-page.ts'
import { BRAND } from '../rendering/mark.ts'
import type { WebBuild } from './web-build.ts'

/** Set in `apps/web/vite.config.ts`, and in the `index.html` that Vite generates. */
const NONCE = /__TROUPE_NONCE__/g
const BUILD = '__TROUPE_BUILD__'

/** A response: headers by their names in lower case. */
export interface WebAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
}

/** The page of the app. Scripts come from this server only; styles also from elements with the nonce, which is fresh for each response. */
export function webPage(build: WebBuild, nonce: string): WebAnswer {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    // Spoken sentences.
    'media-src data:',
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
  return {
    status: 200,
    headers: {
      'content-security-policy': policy,
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=()',
      'referrer-policy': 'same-origin',
    },
    text: build.template.replace(NONCE, nonce).replace(BUILD, build.id),
  }
}

/** Replaces the app when it could not be built. */
export function webFailurePage(failure: string): WebAnswer {
  return {
    status: 503,
    headers: { 'content-security-policy': contentSecurityPolicy() },
    text: html`<!doctype html>
<html lang="en" data-brightness="auto">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The builder is not available · Troupe</title>
<link rel="icon" href="${PAGE_ICON.path}" type="${PAGE_ICON.type}">
<link rel="stylesheet" href="${PAGE_STYLE.path}">
</head>
<body class="column">
<header>${BRAND}</header>
<main>
<h1>The builder is not available</h1>
<p>${failure}</p>
<p>The API, forms and reviews work without it.</p>
</main>
</body>
</html>
`.text,
  }
}

/** The policy of a worker's script, which its own imports and requests obey. */
export const WORKER_POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'"
