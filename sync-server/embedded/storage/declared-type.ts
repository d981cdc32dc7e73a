/** The type a sender declares, without its parameters; `image/jpg` is what some devices say for JPEG. */
export function declaredType(header: string): string {
  const type = header.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === 'image/jpg' ? 'image/jpeg' : type;
}
