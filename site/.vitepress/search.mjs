// What the search box finds, and in which order. The site's own test searches with the same options.

/** A page of the reference: reference/bridge/LayerBridge/connect.md, not the list of an entry. */
const isReference = (path) => /^reference\/[^/]+\//.test(path)

/**
 * Guides explain a word, so they stand before the reference; only the page of a function with just that name stands
 * before both. Runs in the browser: it can use nothing outside of itself.
 */
const boostDocument = (id, term, stored) => {
  if (!/\/reference\/[^/]+\//.test(id)) return 1
  return String(stored?.title).toLowerCase() === term.toLowerCase() && !id.includes('/types.html') ? 3 : 0.4
}

/** Fields and weights, as MiniSearch takes them. */
export const searchOptions = { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 }, boostDocument }

/**
 * What of a page is searched: all of a guide; of the reference names and texts, not its code. A page about one function
 * is one result: its headings are the same on all.
 */
function render(source, env, md) {
  const path = env.relativePath ?? ''
  if (!isReference(path)) return md.render(source, env)
  const words = source.replace(/^```[\s\S]*?^```$/gm, '')
  return md.render(/\/types\.md$/.test(path) ? words : words.replace(/^##+ /gm, ''), env)
}

export const search = {
  provider: 'local',
  options: { detailedView: true, _render: render, miniSearch: { searchOptions } }
}
