export default {
  // HEAD_URL and its like, which local-head.mjs sets, are import.meta.env.HEAD_URL in the page.
  envPrefix: 'HEAD_'
}
