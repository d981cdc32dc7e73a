/**
 * A file's name as storage takes it: ASCII, no spaces, not hidden, short, with the ending of its type. Storage rejects
 * macrons, and the server rejects a photo whose name has anything else in it.
 */
export function asciiName(name: string, type: string): string {
  const bare = name.replace(/\.[^.]*$/, '');
  const plain = bare
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
  return `${plain === '' ? 'photo' : plain}.${endings[type] ?? 'jpg'}`;
}

const endings: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/heic': 'heic',
  'image/avif': 'avif',
};
