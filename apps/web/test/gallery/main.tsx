import '@troupe/html/tokens.css'
import '../../src/atoms/styles/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Gallery } from './gallery.tsx'

const place = document.getElementById('app')
if (!place) throw new Error('The page has no place for the app.')
createRoot(place).render(
  <StrictMode>
    <Gallery />
  </StrictMode>,
)
