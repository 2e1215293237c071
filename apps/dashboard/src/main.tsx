// Starts the dashboard.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { openPort } from './webview/editor.ts'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
void openPort().then((port) =>
  createRoot(root).render(
    <StrictMode>
      <App port={port} />
    </StrictMode>,
  ),
)
