/** Anchor of a heading, as GitHub makes it: the same link works in the repository and on the site. */
export const slugify = (heading) =>
  heading
    .toLowerCase()
    .replace(/[`*]/g, '')
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s/g, '-')
