import { fileURLToPath } from 'node:url'

export default {
  // HEAD_URL and its like, which local-head.mjs sets, are import.meta.env.HEAD_URL in the page.
  envPrefix: 'HEAD_',
  build: {
    // src/main.ts awaits at its top level; the evaluator, which loads with the first script, has 2.7 MB.
    target: 'es2022',
    chunkSizeWarningLimit: 3_000
  },
  // scalus asks for the file system of Node at its start, and reads no file in a page.
  resolve: { alias: { fs: fileURLToPath(new URL('src/no-files.ts', import.meta.url)) } }
}
