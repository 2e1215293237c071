import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const TEXT = String.raw`(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")`
const SUMMARY = new RegExp(String.raw`\bsummary:\s*${TEXT},\n`, 'g')
const PROBLEM = new RegExp(String.raw`\b([45]\d\d:)\s*${TEXT}`, 'g')
const DESCRIBED = new RegExp(String.raw`\s*\.describe\(\s*${TEXT},?\s*\)`, 'g')

/** Sentences about routes, their problems and settings are read in documents; on the page they would only be fetched. */
function withoutDescriptions(): Plugin {
  return {
    name: 'without-descriptions',
    enforce: 'pre',
    transform: {
      filter: { id: /packages\/contracts\/src\/(?:routes|config)\/[a-z-]+\.ts$/ },
      handler: (code) => ({
        code: code.replace(SUMMARY, "summary: '',\n").replace(PROBLEM, "$1 ''").replace(DESCRIBED, ''),
        map: null,
      }),
    },
  }
}

/** zod can say every schema as JSON Schema. The daemon does that, a page never. */
function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    enforce: 'pre',
    transform: {
      filter: { id: /zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/ },
      handler: (code) => ({
        code: [...code.matchAll(/^export (?:function|const) (\w+)/gm)]
          .map(([, name]) => `export const ${name} = () => undefined\n`)
          .join(''),
        map: null,
      }),
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  // Relative addresses, so that the same files work under any path and inside a webview.
  base: './',
  plugins: [withoutDescriptions(), withoutJsonSchema(), react()],
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
        // The screens before the items are one part: together they are smaller than each by itself.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'planning', test: /src\/(?:ideas|specifications|builds)\// }],
        },
      },
    },
  },
})
