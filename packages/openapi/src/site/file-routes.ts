import { file, page, redirect, type SiteRoute } from './site-route.ts'

const asset = (id: string, name: string, type: string): SiteRoute => ({
  id,
  method: 'get',
  path: `/assets/{hash}/${name}`,
  tag: 'Files',
  summary: `Read ${name}`,
  description: 'Cacheable without a limit under the hash of its content, not at all under any other.',
  params: { hash: 'Hash of the content.' },
  isData: true,
  responses: { 200: file('The file.', type) },
})

const app = (id: string, path: string, params: Record<string, string> = {}): SiteRoute => ({
  id,
  method: 'get',
  path,
  tag: 'Files',
  summary: 'Open the builder',
  description: 'The page of the app; what it shows depends on the address and is fetched by the page.',
  params,
  responses: { 200: page('The page.'), 503: page('The app could not be built; the page says why.') },
})

/** The builder's app, the reference, the documents themselves, style sheets and scripts. */
export const FILE_ROUTES: readonly SiteRoute[] = [
  app('openBuilder', '/'),
  app('openBuilderOrganizations', '/o'),
  app('openBuilderPage', '/o/{path}', { path: 'Everything after `/o/`.' }),
  {
    id: 'getBuilderFile',
    method: 'get',
    path: '/web/{file}',
    tag: 'Files',
    summary: 'Read a file of the builder',
    description: 'Cacheable without a limit: the name contains a hash of the content.',
    params: { file: 'Name of the file.' },
    isData: true,
    responses: { 200: file('The file.', 'application/octet-stream'), 404: { description: 'No such file.' } },
  },
  {
    id: 'getReference',
    method: 'get',
    path: '/docs',
    tag: 'Files',
    summary: 'Read the reference of the public API',
    isData: true,
    responses: { 200: page('The reference.') },
  },
  {
    id: 'getReferenceWithSlash',
    method: 'get',
    path: '/docs/',
    tag: 'Files',
    summary: 'Find the reference under its address with a slash',
    isData: true,
    responses: { 308: redirect('To the address without a slash.') },
  },
  {
    id: 'getReferenceStyle',
    method: 'get',
    path: '/docs/style.css',
    tag: 'Files',
    summary: 'Read the style sheet of the reference',
    isData: true,
    responses: { 200: file('The style sheet.', 'text/css') },
  },
  {
    id: 'getPublicDocument',
    method: 'get',
    path: '/api/v1/openapi.json',
    tag: 'Files',
    summary: 'Read the OpenAPI document of the public API',
    isData: true,
    responses: { 200: file('The document.', 'application/json') },
  },
  {
    id: 'getSiteDocument',
    method: 'get',
    path: '/api/builder/openapi.json',
    tag: 'Files',
    summary: 'Read this document',
    access: 'operator',
    isData: true,
    responses: {
      200: file('The document.', 'application/json'),
      401: file('No valid admin token.', 'application/json'),
    },
  },
  asset('getPageStyle', 'page.css', 'text/css'),
  asset('getReviewStyle', 'review.css', 'text/css'),
  asset('getFormScript', 'form.js', 'text/javascript'),
]
