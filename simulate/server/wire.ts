/** What goes over the wire: text, so that half of it can get lost. */
export interface Said {
  status: number;
  body: string;
  headers?: Record<string, string>;
  /** A poke stream stays open: returns the call that ends it. */
  stream?: (hear: (text: string) => void, ended: () => void) => () => void;
}

export interface Question {
  path: string;
  token: string | undefined;
  body: string | undefined;
  /** A file's bytes, and how many the request announced. */
  bytes?: ArrayBuffer | undefined;
  length?: number | undefined;
  headers?: Readonly<Record<string, string>>;
}
