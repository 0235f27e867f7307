/** Address of the site, without a slash at the end. `homepage` of package.json is the same; a test holds them equal. */
export const SITE_URL = 'https://repository.invalid/layer-sdk'

/** Address of the section about an error code. */
export function errorUrl(code: string): string {
  return `${SITE_URL}/errors.html#${code.toLowerCase()}`
}

/** Address of the section about a code of the doctor. */
export function doctorUrl(code: string): string {
  return `${SITE_URL}/guides/doctor.html#${code}`
}
