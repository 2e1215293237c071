import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses, so that the same files work under any path and inside a webview.
  base: './',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // These know light-dark() and color-mix(), so the colours need no rewriting.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        entryFileNames: 'app.js',
        assetFileNames: ({ names }) => (names[0]?.endsWith('.woff2') ? '[name].[ext]' : 'app.[ext]'),
        chunkFileNames: '[name].js',
      },
    },
  },
})
