// In the place of node:fs, which no page has.
export default {}
