export default {
  // HEAD_URL and its like, which local-head.mjs sets, are import.meta.env.HEAD_URL in the page.
  envPrefix: 'HEAD_',
  // Said here, since a tsconfig.json of a folder above, such as the clone's, may name another library.
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
  // Hooks need one React, also where layer-sdk is a link to a clone with a React of its own.
  resolve: { dedupe: ['react', 'react-dom'] }
}
